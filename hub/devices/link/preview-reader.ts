// Cuts the preview stream of a link into pictures: a 4-byte big-endian length, then that many bytes of JPEG, and so on.
import { PICTURE_MAX } from '../../../contract/device/link.ts'

/**
 * @param onPicture is handed each picture in an array of its own, which is never changed afterwards
 * @returns takes the next bytes; answers false when a picture is too large, and must not be called again then
 */
export function createPictureReader(onPicture: (jpeg: Uint8Array) => void): (chunk: Uint8Array) => boolean {
  let length = 0
  let lengthBytes = 0
  let picture: Uint8Array | undefined
  let filled = 0

  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (!picture) {
        length = length * 256 + (chunk[at++] as number)
        if (++lengthBytes < 4) continue
        if (length > PICTURE_MAX) return false
        lengthBytes = 0
        // An empty picture shows nothing.
        if (length > 0) picture = new Uint8Array(length)
        length = 0
        filled = 0
        continue
      }
      const part = chunk.subarray(at, at + picture.length - filled)
      picture.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < picture.length) continue
      const whole = picture
      picture = undefined
      onPicture(whole)
    }
    return true
  }
}
