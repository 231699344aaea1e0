// A watcher of a channel that keeps the fragmented MP4 it receives.
import { spawnSync } from 'node:child_process'
import type { Engine } from '../../../engine/engine.ts'
import type { WatchHead } from '../../../engine/watch/broadcast.ts'

export interface TestWatcher {
  head: WatchHead | undefined
  /** The initialization segment, then fragments. */
  parts: Buffer[]
  hasEnded: boolean
  /** Bytes that it reports as not read. */
  queuedBytes: number
  /** Removes it. */
  leave(): void
}

/** @throws Error if the channel has no stream */
export function watchChannel(engine: Pick<Engine, 'watchChannel'>, id: number): TestWatcher {
  const watcher: TestWatcher = { head: undefined, parts: [], hasEnded: false, queuedBytes: 0, leave() {} }
  const leave = engine.watchChannel(id, {
    open(head) {
      watcher.head = head
    },
    write: (bytes) => void watcher.parts.push(bytes),
    queuedBytes: () => watcher.queuedBytes,
    end() {
      watcher.hasEnded = true
    }
  })
  if (!leave) throw new Error(`Channel ${id} has no stream`)
  watcher.leave = leave
  return watcher
}

/** Codecs and sizes that ffprobe reads from fragmented MP4: `h264 160x90`, `aac`. */
export function probeTracks(parts: readonly Buffer[]): string[] {
  const { stdout } = spawnSync(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0:s=x', '-'],
    { input: Buffer.concat(parts), encoding: 'utf8' }
  )
  return [...stdout.matchAll(/^([a-z]\w*?)(?:x(\d+x\d+))?x?$/gm)].map(([, codec, size]) =>
    size ? `${codec} ${size}` : `${codec}`
  )
}
