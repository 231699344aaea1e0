// MD5 (RFC 1321), because the wire carries passwords as MD5. Browsers offer no MD5, and on plain HTTP no digests at
// all.

/** Left rotation of each step in bits. Every round of 16 steps repeats its four values. */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21]
]

/** The additive constant of each step: the integer part of 2^32 times abs(sin(step + 1)). */
const CONSTANTS = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32))

/** The functions F, G, H and I of RFC 1321, 3.4, and the index of the word that a step reads. */
const ROUNDS = [
  { mix: (b: number, c: number, d: number) => (b & c) | (~b & d), wordOf: (step: number) => step },
  { mix: (b: number, c: number, d: number) => (d & b) | (~d & c), wordOf: (step: number) => 5 * step + 1 },
  { mix: (b: number, c: number, d: number) => b ^ c ^ d, wordOf: (step: number) => 3 * step + 5 },
  { mix: (b: number, c: number, d: number) => c ^ (b | ~d), wordOf: (step: number) => 7 * step }
]

/** Appends the bit 1, zeros, and the length in bits, up to a multiple of 64 bytes. */
function pad(bytes: Uint8Array): DataView {
  const size = Math.ceil((bytes.length + 9) / 64) * 64
  const padded = new Uint8Array(size)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(size - 8, bytes.length * 8, true)
  return view
}

/** Lower-case hex MD5 of a text in UTF-8. */
export function md5(text: string): string {
  const view = pad(new TextEncoder().encode(text))
  let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < view.byteLength; block += 64) {
    const [a0, b0, c0, d0] = [a, b, c, d]
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      const { mix, wordOf } = ROUNDS[round] as (typeof ROUNDS)[number]
      const word = view.getUint32(block + (wordOf(step) % 16) * 4, true)
      const sum = (a + mix(b, c, d) + (CONSTANTS[step] as number) + word) | 0
      const rotation = ROTATIONS[round]?.[step % 4] as number
      const rotated = (sum << rotation) | (sum >>> (32 - rotation))
      ;[a, b, c, d] = [d, (b + rotated) | 0, b, c]
    }
    // `| 0` keeps the sums within 32 bits.
    a = (a + a0) | 0
    b = (b + b0) | 0
    c = (c + c0) | 0
    d = (d + d0) | 0
  }
  return [a, b, c, d].map(toHex).join('')
}

/** The bytes of a 32-bit integer in little-endian order, as hex digits. */
function toHex(value: number): string {
  const view = new DataView(new ArrayBuffer(4))
  view.setInt32(0, value, true)
  return view.getUint32(0).toString(16).padStart(8, '0')
}
