// Preview images of a stream, while a client watches. A separate ffmpeg decodes only key frames, which takes an eighth
// of the CPU time of all frames (1080p25, a key frame every two seconds). So there are at most as many images as key
// frames.

import type { PreviewSize } from '../interfaces/channel.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import { Subscription } from '../legs/subscription.ts'
import { createJpegSplitter } from '../process/jpeg-splitter.ts'
import { DECODE_OPTIONS, SideDecoder, STDIN_OPTIONS } from '../process/side-decoder.ts'

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

/** @param onImage receives each image */
export function createPreview(size: PreviewSize, onImage: (jpeg: Uint8Array) => void, context: Processes): Preview {
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
