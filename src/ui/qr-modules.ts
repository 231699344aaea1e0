// QR codes (ISO/IEC 18004) of what a phone is to read off the screen: bytes, level L, in three sizes, which are versions 5, 9 and 13. They
// hold 106, 230 and 425 bytes: a URL with its key, and what is longer. The mask is always the first: to choose the best of eight is for
// prints that are hard to read, and readers take any.

/** Of versions 5, 9 and 13, bytes that correct errors in each block; of blocks there are 1, 2 and 4. */
const CORRECTIONS = [26, 30, 26]
/** Level L with mask 0, as 15 bits that correct themselves. */
const FORMAT = 0x77c4
/** What a version is divided by for the twelve bits that correct it, and a byte in GF(256). */
const VERSION_DIVISOR = 0x1f25
const BYTE_DIVISOR = 0x11d

const bit = (bits: number, at: number) => (bits >> at) & 1

/** Makes a list of what stands at each place. */
const listOf = <Item>(length: number, make: (at: number) => Item): Item[] => Array.from({ length }, (_, at) => make(at))

/** A product in GF(256). */
function times(a: number, b: number): number {
  let product = 0
  for (let at = 7; at >= 0; at--) product = (product << 1) ^ ((product >> 7) * BYTE_DIVISOR) ^ (bit(b, at) * a)
  return product
}

/** What corrects a block: its remainder by the Reed-Solomon polynomial of that many bytes. */
function correctionOf(block: readonly number[], length: number): number[] {
  let root = 1
  let divisor = listOf(length, (at) => Number(at === length - 1))
  for (let left = length; left--; root = times(root, 2))
    divisor = divisor.map((factor, at) => times(factor, root) ^ (divisor[at + 1] ?? 0))
  return block.reduce(
    (rest, byte) => divisor.map((factor, at) => times(factor, byte ^ (rest[0] ?? 0)) ^ (rest[at + 1] ?? 0)),
    [] as number[]
  )
}

/** The module that every code of a version has at a place: whether it is dark; undefined where there is data. */
function fixedAt(version: number, x: number, y: number): number | boolean | undefined {
  const size = version * 4 + 17
  const last = size - 7
  const far = (centerX: number, centerY: number) => Math.max(Math.abs(x - centerX), Math.abs(y - centerY))
  for (const distance of [far(3, 3), far(size - 4, 3), far(3, size - 4)])
    if (distance < 5) return distance !== 2 && distance !== 4
  if (x === 6 || y === 6) return (x + y + 1) & 1
  if (x === 8 && y < 9) return bit(FORMAT, y < 6 ? y : y - 1)
  if (x === 8 && y > last - 2) return y === last - 1 || bit(FORMAT, y - last + 8)
  if (y === 8 && x < 8) return bit(FORMAT, x < 6 ? 14 - x : 8)
  if (y === 8 && x > last - 2) return bit(FORMAT, size - 1 - x)
  const places = version > 6 ? [6, last / 2 + 3, last] : [last]
  for (const centerX of places)
    for (const centerY of places) {
      const distance = far(centerX, centerY)
      // None where a corner is.
      if (distance < 3 && Math.abs(centerX - centerY) < last - 6 && centerX + centerY > 12) return distance !== 1
    }
  const side = Math.min(x, y)
  const along = Math.max(x, y) - last + 4
  if (version > 6 && side < 6 && along >= 0) {
    let bits = version << 12
    for (let at = 17; at > 11; at--) bits ^= (bit(bits, at) * VERSION_DIVISOR) << (at - 12)
    return bit((version << 12) | bits, side * 3 + along)
  }
  return undefined
}

/**
 * A text as a code: the path of its dark modules, one unit each, and how many there are to a side.
 * @returns undefined for a text that is too long
 */
export function qrCode(text: string): { path: string; size: number } | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  for (const [index, correction] of CORRECTIONS.entries()) {
    const version = index * 4 + 5
    const size = version * 4 + 17
    const fixed = listOf(size * size, (at) => fixedAt(version, at % size, Math.floor(at / size)))
    // Where the data goes: up and down in columns of two from the right. The column of the timing pattern is none of them.
    const free: number[] = []
    for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2)
      for (let step = 0; step < size * 2; step++) {
        const row = step >> 1
        const at = ((right + 1) & 2 ? row : size - 1 - row) * size + right - (step & 1)
        if (fixed[at] === undefined) free.push(at)
      }
    const blocks = 1 << index
    const room = (free.length >> 3) - correction * blocks
    const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
    // That bytes follow, how many, they, and the end: with the first and the last half a byte long, all are whole together.
    const content = `4${hex(bytes.length, version < 10 ? 2 : 4)}${bytes.map((byte) => hex(byte)).join('')}0`
    if (content.length > room * 2) continue
    const padded = content + 'ec11'.repeat(room)
    const data = listOf(room, (at) => Number.parseInt(padded.slice(at * 2, at * 2 + 2), 16))
    // Blocks are of equal length; bytes are taken from each in turn.
    const share = room / blocks
    const parts = listOf(blocks, (block) => data.slice(share * block, share * (block + 1)))
    const inTurn = (lists: number[][]) => listOf(room, (at) => lists.flatMap((list) => list[at] ?? [])).flat()
    const all = [...inTurn(parts), ...inTurn(parts.map((part) => correctionOf(part, correction)))]
    for (const [at, place] of free.entries())
      fixed[place] = bit(all[at >> 3] ?? 0, 7 - (at & 7)) ^ ((Math.floor(place / size) + (place % size) + 1) & 1)
    const path = fixed.map((dark, at) => (dark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '')).join('')
    return { path, size }
  }
  return undefined
}
