// Records the segments of an HLS output: fragmented MP4 for HEVC, otherwise MPEG-TS.
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { ChangeReports, Deadlines, Processes } from '../interfaces/leg-parts.ts'
import type { Tap } from '../interfaces/relay.ts'
import { VIDEO_CODECS } from '../mpegts/start-points.ts'
import { readTables } from '../mpegts/tables.ts'
import { createFragmentRecorder, type FragmentRecorder } from './fragments.ts'
import { PictureFormat } from './parameter-sets.ts'
import type { SegmentStore } from './segment-store.ts'
import { createSegmentRecorder } from './segments.ts'

export interface HlsRecorder extends Tap {
  /** Why there are no segments. */
  problem(): Failure | undefined
  /** Bytes dropped because ffmpeg was too slow. */
  droppedBytes(): number
  /** Call about twice a second. Restarts an ffmpeg that reads nothing. */
  tick(): void
  close(): Promise<void>
}

class FormatSelector implements HlsRecorder {
  readonly #ts: Tap
  readonly #fragments: FragmentRecorder
  #tables: Buffer | undefined
  /** PIDs and types of the current stream. */
  #layout = ''
  /** The recorder of the current stream. */
  #current: Tap
  readonly #picture = new PictureFormat('hevc')

  constructor(ts: Tap, fragments: FragmentRecorder) {
    this.#ts = ts
    this.#fragments = fragments
    this.#current = ts
  }

  media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    if (tables !== this.#tables) this.#readTables(tables)
    if (this.#current === this.#ts) {
      this.#ts.media(data, starts, tables)
      return
    }
    // The initialization segment holds the picture format, so a change ends a run.
    const change = starts.findIndex((start) => this.#picture.changesAt(data, start))
    if (change < 0) {
      this.#fragments.media(data, starts, tables)
      return
    }
    const from = starts[change] ?? 0
    this.#fragments.media(data.subarray(0, from), starts.slice(0, change), tables)
    this.#fragments.end()
    const rest = starts.slice(change).map((start) => start - from)
    this.#fragments.media(data.subarray(from), rest, tables)
  }

  end(): void {
    this.#picture.reset()
    this.#current.end()
  }

  problem(): Failure | undefined {
    return this.#fragments.problem()
  }

  droppedBytes(): number {
    return this.#fragments.droppedBytes()
  }

  tick(): void {
    this.#fragments.tick()
  }

  close(): Promise<void> {
    return this.#fragments.stop()
  }

  /** Selects the format. ffmpeg and players cannot follow a change of the tracks, so it ends a stream of fragments. */
  #readTables(tables: Buffer): void {
    this.#tables = tables
    const streams = readTables(tables)?.streams
    if (!streams) return
    const layout = streams.map(({ pid, type }) => `${pid} ${type}`).join()
    const isHevc = streams.map(({ type }) => VIDEO_CODECS[type]).find((codec) => codec !== undefined) === 'hevc'
    if (layout !== this.#layout) this.#picture.reset()
    const next = isHevc ? this.#fragments : this.#ts
    if (next !== this.#current) {
      // The playlist lists no segment of the format before, so the rest of the stream is not needed.
      if (this.#current === this.#fragments) this.#fragments.stop()
      else this.#ts.end()
    } else if (isHevc && layout !== this.#layout) this.#fragments.end()
    this.#layout = layout
    this.#current = next
  }
}

/**
 * @param context `kbps` is the current rate of the stream, and `onChange` is called when the problem changes
 * @param store receives the segments
 */
export function createHlsRecorder(
  config: HlsOutput,
  context: Processes & Deadlines & ChangeReports & { kbps(): number },
  store: SegmentStore
): HlsRecorder {
  return new FormatSelector(
    createSegmentRecorder(config, context.now, store),
    createFragmentRecorder(config, context, store)
  )
}
