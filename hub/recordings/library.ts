// The recordings on disk: `<channel>/<recording>/<day>/<start>-<end>.ts` (engine/native/recorder). The index in memory
// is read from the names and sizes of the files, so it has nothing that is not there.
import { mkdir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { logger } from '../../process-log/logger.ts'
import { type Segment, SegmentIndex } from './segment-index.ts'

const ID = /^\d{1,16}$/
const DAY = /^\d{4}-\d\d-\d\d$/
const SEGMENT = /^(\d{1,16})-(\d{1,16})\.ts$/

/** A recording that has files, or whose folder exists. */
export interface StoredRecording {
  id: number
  channel: number
  segments: SegmentIndex
}

/** Entries of a folder; none if it does not exist. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Day folder of a time (UTC). */
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

export class RecordingLibrary {
  readonly root: string
  readonly #recordings = new Map<number, StoredRecording>()

  /** @param root absolute path */
  constructor(root: string) {
    this.root = root
  }

  /** Oldest first. */
  all(): StoredRecording[] {
    return [...this.#recordings.values()].sort((a, b) => a.id - b.id)
  }

  find(id: number): StoredRecording | undefined {
    return this.#recordings.get(id)
  }

  folderOf(channel: number, id: number): string {
    return join(this.root, String(channel), String(id))
  }

  pathOf({ channel, id }: StoredRecording, { start, end }: Segment): string {
    return join(this.folderOf(channel, id), dayOf(start), `${start}-${end}.ts`)
  }

  /** Reads all recordings, except those whose folder cannot be read. */
  async load(): Promise<void> {
    const idsIn = async (path: string) => (await entriesOf(join(this.root, path))).filter((name) => ID.test(name))
    for (const channel of await idsIn('.'))
      await logFailure(async () => {
        for (const id of await idsIn(channel)) await logFailure(() => this.refresh(Number(channel), Number(id)))
      })
  }

  /** Reads the segments that a recording has got since. */
  async refresh(channel: number, id: number): Promise<void> {
    const recording = this.#recordings.get(id) ?? { id, channel, segments: new SegmentIndex() }
    const folder = this.folderOf(channel, id)
    const { last } = recording.segments
    const days = (await entriesOf(folder)).filter((day) => DAY.test(day) && (!last || day >= dayOf(last.start)))
    for (const day of days.sort()) {
      for (const name of await entriesOf(join(folder, day))) {
        const [, start = '', end = ''] = SEGMENT.exec(name) ?? []
        if (start === '' || (last && Number(start) < last.end)) continue
        const { size } = await stat(join(folder, day, name))
        recording.segments.add({ start: Number(start), end: Number(end), bytes: size })
      }
    }
    this.#recordings.set(id, recording)
  }

  /** Deletes the oldest segments of a recording. */
  async removeOldest(recording: StoredRecording, count: number): Promise<void> {
    const { segments } = recording
    for (let left = Math.min(count, segments.count); left > 0; left--) {
      const { first } = segments
      if (!first) return
      const path = this.pathOf(recording, first)
      await unlink(path).catch(ignoreMissing)
      segments.removeFirst(1)
      // The folder of a day is removed with its last segment.
      if (segments.first === undefined || dayOf(segments.first.start) !== dayOf(first.start))
        await rmdir(join(path, '..')).catch(() => {})
    }
  }

  /** Moves the oldest segments of a recording to another one of the channel. */
  async moveOldest(recording: StoredRecording, count: number, id: number): Promise<void> {
    const { channel, segments } = recording
    const target = this.#recordings.get(id) ?? { id, channel, segments: new SegmentIndex() }
    this.#recordings.set(id, target)
    for (let left = count; left > 0; left--) {
      const { first } = segments
      if (!first) return
      const path = this.pathOf(target, first)
      await mkdir(dirname(path), { recursive: true, mode: 0o770 })
      await rename(this.pathOf(recording, first), path)
      target.segments.add(first)
      segments.removeFirst(1)
    }
  }

  /** Deletes a recording. */
  async remove({ channel, id }: { channel: number; id: number }): Promise<void> {
    await rm(this.folderOf(channel, id), { recursive: true, force: true })
    this.#recordings.delete(id)
    // Only a folder without other recordings.
    await rmdir(join(this.root, String(channel))).catch(() => {})
  }
}

async function logFailure(read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    logger.error('A recording cannot be read', error)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
