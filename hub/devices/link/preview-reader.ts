// Splits the preview stream of a device into preview images: a 4-byte big-endian length, then that many bytes of JPEG,
// repeated.
import { PREVIEW_IMAGE_MAX } from '../../../contract/device/link.ts'

/**
 * Creates an incremental parser.
 * @param onPreview receives each image in a separate array, which is not changed afterwards
 * @returns function that takes the next bytes. It returns false if an image is too large, and must not be called again
 * after that
 */
export function createPreviewReader(onPreview: (jpeg: Uint8Array) => void): (chunk: Uint8Array) => boolean {
  let length = 0
  let lengthBytes = 0
  let image: Uint8Array | undefined
  let filled = 0

  return (chunk) => {
    let offset = 0
    while (offset < chunk.length) {
      if (!image) {
        length = length * 256 + (chunk[offset++] as number)
        if (++lengthBytes < 4) continue
        if (length > PREVIEW_IMAGE_MAX) return false
        lengthBytes = 0
        // Empty images are skipped.
        if (length > 0) image = new Uint8Array(length)
        length = 0
        filled = 0
        continue
      }
      const part = chunk.subarray(offset, offset + image.length - filled)
      image.set(part, filled)
      filled += part.length
      offset += part.length
      if (filled < image.length) continue
      const complete = image
      image = undefined
      onPreview(complete)
    }
    return true
  }
}
