// Searches a byte sequence at about the speed of copying memory: any occurrence covers at least `stride` whole words of
// four bytes, so that only every `stride`-th word is read.

/**
 * Finds the first occurrence of the needle that lies completely between `from` and `to`.
 * @param words the same memory as `bytes`, starting at the same byte
 * @returns its position in `bytes`, or -1
 */
export type Search = (bytes: Uint8Array, words: Int32Array, from: number, to: number) => number

const WORD = 4
/**
 * Slots by the low bits of words. A power of two, large enough that few words share a slot with the needle by chance.
 */
const SLOTS = 1 << 14

/** Makes the search for a needle of 1 to 255 bytes. */
export function createSearch(needle: Uint8Array): Search {
  const length = needle.length
  const stride = (length - WORD + 1) >> 2
  if (stride < 1) return (bytes, _, from, to) => searchEachByte(needle, bytes, from, to)

  /** 1 in the slot of each word that occurs in the needle, at any alignment. */
  const slots = new Uint8Array(SLOTS)
  const lastWord = length - WORD
  for (let offset = 0; offset <= lastWord; offset++)
    slots[((needle[offset] as number) | ((needle[offset + 1] as number) << 8)) & (SLOTS - 1)] = 1

  return (bytes, words, from, to) => {
    const last = to >> 2
    for (let index = (from + WORD - 1) >> 2; index < last; index += stride) {
      index = skipWords(slots, words, index, last, stride)
      // Compares at all positions whose occurrence would contain this word.
      for (let start = index * WORD - lastWord; slotAt(slots, words, index) && start <= index * WORD; start++)
        if (start >= from && start + length <= to && matches(needle, bytes, start)) return start
    }
    return -1
  }
}

function slotAt(slots: Uint8Array, words: Int32Array, index: number): number {
  return slots[(words[index] as number) & (SLOTS - 1)] as number
}

/**
 * Skips words while four in a row have no slot. V8 compiles this to twice the speed as a separate function, compared to
 * a nested loop.
 */
function skipWords(slots: Uint8Array, words: Int32Array, index: number, last: number, stride: number): number {
  const end = last - 4 * stride
  while (
    index < end &&
    !(
      slotAt(slots, words, index) |
      slotAt(slots, words, index + stride) |
      slotAt(slots, words, index + 2 * stride) |
      slotAt(slots, words, index + 3 * stride)
    )
  )
    index += 4 * stride
  return index
}

/** Whether the needle is at `start`. There must be enough bytes. */
export function matches(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < needle.length; i++) if (bytes[start + i] !== needle[i]) return false
  return true
}

/** For needles so short that an occurrence may cover no whole word. */
function searchEachByte(needle: Uint8Array, bytes: Uint8Array, from: number, to: number): number {
  for (let offset = from; offset + needle.length <= to; offset++) if (matches(needle, bytes, offset)) return offset
  return -1
}
