// The images in the multipart output of ffmpeg.

/** Bytes of one image with its header. */
const IMAGE_MAX = 4 << 20
const HEADER_END = '\r\n\r\n'

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
