// Preview images of a stream, while a client watches. A separate ffmpeg decodes only key frames, which takes an eighth of the CPU time of
// all frames (1080p25, a key frame every two seconds). So there are at most as many images as key frames.

import type { PreviewSize } from '../interfaces/engine.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Stream } from '../interfaces/stream.ts'
import { Subscription } from '../legs/subscription.ts'
import { DECODE_OPTIONS, SideDecoder, STDIN_OPTIONS } from '../process/side-decoder.ts'

/** Bytes of one image with its header. */
const IMAGE_MAX = 4 << 20
const HEADER_END = '\r\n\r\n'
/** Images are selected at this fraction of the wanted distance, because the distances of key frames vary. */
const DISTANCE_TOLERANCE = 0.9

export interface Preview {
  /** Changes to another stream, or to none. */
  attach(stream: Stream | undefined): void
  stop(): void
}

function buildArgs({ width, fps }: PreviewSize): string[] {
  const distance = DISTANCE_TOLERANCE / fps
  return [
    ...DECODE_OPTIONS,
    ...['-skip_frame', 'nokey'],
    ...STDIN_OPTIONS,
    ...['-map', '0:v:0'],
    ...['-vf', `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${distance}),scale=${width}:-2`],
    ...['-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '5', '-threads', '1', '-f', 'mpjpeg', 'pipe:1']
  ]
}

/**
 * Splits ffmpeg's multipart JPEG output into images. Each part has a header with its length.
 * @returns a function that takes the next bytes and returns false if they are invalid
 */
export function createJpegSplitter(onImage: (jpeg: Uint8Array) => void): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(HEADER_END); end >= 0; end = rest.indexOf(HEADER_END)) {
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, end))?.[1])
      if (!(length <= IMAGE_MAX)) return false
      const from = end + HEADER_END.length
      if (rest.length < from + length) break
      // A copy with its own memory.
      onImage(new Uint8Array(rest.subarray(from, from + length)))
      rest = rest.subarray(from + length)
    }
    return rest.length <= IMAGE_MAX
  }
}

/** @param onImage receives each image */
export function createPreview(
  size: PreviewSize,
  onImage: (jpeg: Uint8Array) => void,
  context: Pick<EngineContext, 'launcher' | 'now'>
): Preview {
  const decoder = new SideDecoder(
    { args: buildArgs(size), kbps: () => subscription.kbps(), createParser: () => createJpegSplitter(onImage) },
    context
  )
  const subscription = Subscription.ofTap(decoder.tap, { fromCache: true })
  return {
    attach: (stream) => subscription.attach(stream),
    stop() {
      subscription.cancel()
      decoder.stop()
    }
  }
}
