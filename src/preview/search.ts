// Finds a needle in bytes at about the speed of copying them: whatever occurrence there is covers at least `stride` whole words of
// memory, so only every `stride`-th word is looked at (design 12), four before there is a decision.

/**
 * The first occurrence of the needle that lies wholly between `from` and `to`.
 * @param words the same memory as `bytes`, and from its first byte on
 * @returns its position in `bytes`, or -1
 */
export type Search = (bytes: Uint8Array, words: Int32Array, from: number, to: number) => number

const WORD = 4
/** Slots of words, by their low bits: a power of two, and so many that few words share one with the needle by chance. */
const SLOTS = 1 << 14

/** Makes the search for one needle: 1 to 255 bytes. */
export function createSearch(needle: Uint8Array): Search {
  const length = needle.length
  const stride = (length - WORD + 1) >> 2
  if (stride < 1) return (bytes, _, from, to) => searchEach(needle, bytes, from, to)

  /** 1 for the slots of words that the needle may show, wherever it lies. */
  const slots = new Uint8Array(SLOTS)
  const most = length - WORD
  for (let offset = 0; offset <= most; offset++)
    slots[((needle[offset] as number) | ((needle[offset + 1] as number) << 8)) & (SLOTS - 1)] = 1

  return (bytes, words, from, to) => {
    const last = to >> 2
    for (let at = (from + WORD - 1) >> 2; at < last; at += stride) {
      at = passOver(slots, words, at, last, stride)
      // From the earliest occurrence that has this word to the last.
      for (let start = at * WORD - most; slotAt(slots, words, at) && start <= at * WORD; start++)
        if (start >= from && start + length <= to && matches(needle, bytes, start)) return start
    }
    return -1
  }
}

function slotAt(slots: Uint8Array, words: Int32Array, at: number): number {
  return slots[(words[at] as number) & (SLOTS - 1)] as number
}

/** Goes on as long as four words in a row have no slot. A function of its own is compiled to twice the speed of a loop within another. */
function passOver(slots: Uint8Array, words: Int32Array, at: number, last: number, stride: number): number {
  const end = last - 4 * stride
  while (
    at < end &&
    !(
      slotAt(slots, words, at) |
      slotAt(slots, words, at + stride) |
      slotAt(slots, words, at + 2 * stride) |
      slotAt(slots, words, at + 3 * stride)
    )
  )
    at += 4 * stride
  return at
}

/** Whether the needle stands at `start`; the caller knows that there are bytes enough. */
export function matches(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < needle.length; i++) if (bytes[start + i] !== needle[i]) return false
  return true
}

/** For needles that may cover no whole word. */
function searchEach(needle: Uint8Array, bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at + needle.length <= to; at++) if (matches(needle, bytes, at)) return at
  return -1
}
