// Pictures of a stream for as long as somebody looks: an ffmpeg of its own decodes its key frames and nothing else, which costs an eighth
// of decoding all (1080p, 25 pictures a second, a key frame every two seconds). So they come no oftener than key frames do.

import type { Surroundings } from '../interfaces/engine-context.ts'
import { createTapping } from '../outputs/subscription.ts'
import { createDecoding, LOOKS, READS } from '../process/side-decoder.ts'
import type { Stream } from './input.ts'

/** Bytes of one picture with its head; more is not one. */
const PICTURE_MAX = 4 << 20
const HEAD_END = '\r\n\r\n'

export interface PictureSize {
  /** Pixels; the height follows. */
  width: number
  /** Pictures a second at most. */
  fps: number
}

export interface Pictures {
  /** Takes another stream, or none. */
  to(stream: Stream | undefined): void
  stop(): void
}

const argsOf = ({ width, fps }: PictureSize) => [
  ...[...LOOKS, '-skip_frame', 'nokey', ...READS, '-map', '0:v:0'],
  // A little less than the time between two, which are never quite as far apart as they should be.
  ...['-vf', `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${0.9 / fps}),scale=${width}:-2`],
  ...['-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '5', '-threads', '1', '-f', 'mpjpeg', 'pipe:1']
]

/**
 * Cuts what ffmpeg writes, each picture after a head with its length, into pictures.
 * @returns takes the next bytes, and says whether they can be such
 */
export function createPictureCutter(onPicture: (jpeg: Uint8Array) => void): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, end))?.[1])
      if (!(length <= PICTURE_MAX)) return false
      const from = end + HEAD_END.length
      if (rest.length < from + length) break
      // Alone in its memory.
      onPicture(new Uint8Array(rest.subarray(from, from + length)))
      rest = rest.subarray(from + length)
    }
    return rest.length <= PICTURE_MAX
  }
}

export function createPictures(
  size: PictureSize,
  onPicture: (jpeg: Uint8Array) => void,
  around: Pick<Surroundings, 'launcher' | 'now'>
): Pictures {
  const { tap, end } = createDecoding(
    { args: argsOf(size), kbps: () => tapping.stream()?.kbps() ?? 0, begin: () => createPictureCutter(onPicture) },
    around
  )
  const tapping = createTapping(tap)
  return {
    to: tapping.to,
    stop() {
      tapping.leave()
      end()
    }
  }
}
