// Finds a needle in bytes at about the speed of copying them: whatever occurrence there is covers exactly one of the words that
// lie (needle length - 3) bytes apart, so only those are looked at (design 12).

/**
 * The first occurrence of the needle that lies wholly between `from` and `to`.
 * @returns its position in `bytes`, or -1
 */
export type Search = (bytes: Uint8Array, from: number, to: number) => number

const WORD = 4
const SLOT_BITS = 12

/** Makes the search for one needle: 1 to 1000 bytes. */
export function createSearch(needle: Uint8Array): Search {
  const length = needle.length
  const stride = length - WORD + 1
  if (stride < 1) return (bytes, from, to) => searchEach(needle, bytes, from, to)

  // Slot of a word -> 1 + its offset in the needle, 0 for none; `further` leads on to the next offset with the same slot.
  // Offsets were put in ascending, so they come out descending: the earliest occurrence is tried first.
  const slots = new Uint16Array(1 << SLOT_BITS)
  const further = new Uint16Array(stride)
  for (let offset = 0; offset < stride; offset++) {
    const slot = slotAt(needle, offset)
    further[offset] = slots[slot] as number
    slots[slot] = offset + 1
  }

  return (bytes, from, to) => {
    const last = to - WORD
    for (let at = from; at <= last; at += stride) {
      for (let next = slots[slotAt(bytes, at)] as number; next !== 0; next = further[next - 1] as number) {
        const start = at - next + 1
        if (start >= from && start + length <= to && matches(needle, bytes, start)) return start
      }
    }
    return -1
  }
}

function slotAt(bytes: Uint8Array, at: number): number {
  const word =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(word, 0x9e3779b1) >>> (32 - SLOT_BITS)
}

/** Whether the needle stands at `start`; the caller knows that there are bytes enough. */
export function matches(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < needle.length; i++) if (bytes[start + i] !== needle[i]) return false
  return true
}

/** For needles shorter than a word. */
function searchEach(needle: Uint8Array, bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at + needle.length <= to; at++) if (matches(needle, bytes, at)) return at
  return -1
}
