// MD5 (RFC 1321): the form in which the wire takes passwords. Browsers have none, and on plain HTTP no digests at all.

/** Bits to turn by, four a round, as letters counted from A = 1: 7 12 17 22, 5 9 14 20, 4 11 16 23, 6 10 15 21. */
const TURNS = 'GLQVEINTDKPWFJOU'

/** Lower-case hex MD5 of a text in UTF-8. */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const size = ((bytes.length + 72) >> 6) << 6
  const padded = new Uint8Array(size)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(size - 8, bytes.length * 8, true)
  let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < size; at += 64) {
    const [a0, b0, c0, d0] = [a, b, c, d]
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      const [mix, word] = (
        [
          [(b & c) | (~b & d), step],
          [(d & b) | (~d & c), 5 * step + 1],
          [b ^ c ^ d, 3 * step + 5],
          [c ^ (b | ~d), 7 * step]
        ] as const
      )[round] as readonly [number, number]
      const constant = (Math.abs(Math.sin(step + 1)) * 2 ** 32) | 0
      const sum = (a + mix + constant + view.getUint32(at + (word & 15) * 4, true)) | 0
      const turn = TURNS.charCodeAt(round * 4 + (step & 3)) & 31
      ;[a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0]
    }
    // Kept within 32 bits: beyond 53 a sum would lose its last ones.
    a = (a + a0) | 0
    b = (b + b0) | 0
    c = (c + c0) | 0
    d = (d + d0) | 0
  }
  return [a, b, c, d]
    .map((value) => {
      view.setInt32(0, value, true)
      return view.getUint32(0).toString(16).padStart(8, '0')
    })
    .join('')
}
