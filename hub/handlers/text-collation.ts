// Texts in the order in which people sort them. Comparing as people do takes a hundred times as long as comparing numbers, so each text
// is compared when it is first seen, and is a number from then on.
import { byText } from './list.ts'

/** Texts kept that may no longer be anybody's. */
const KEPT_MAX = 20_000

export function createTextOrder() {
  let sorted: string[] = []
  let places = new Map<string, number>()

  function sort(): void {
    // Nearly in order already, which the sort makes use of.
    sorted.sort(byText)
    let place = 0
    places = new Map()
    for (const [index, text] of sorted.entries()) {
      if (index > 0 && byText(sorted[index - 1] ?? '', text) !== 0) place++
      places.set(text, place)
    }
  }

  /** Takes in more texts. */
  function add(texts: Iterable<string>): void {
    const fresh = new Set<string>()
    for (const text of texts) if (!places.has(text)) fresh.add(text)
    if (fresh.size === 0) return
    sorted.push(...fresh)
    sort()
  }

  return {
    add,
    /** Takes in texts which are all there are: others may be forgotten. */
    all(texts: readonly string[]): void {
      if (sorted.length > Math.max(KEPT_MAX, 2 * texts.length)) {
        sorted = []
        places = new Map()
      }
      add(texts)
    },
    /** The place of a text that was taken in, the same for those that are the same to people. Good until more are taken in. */
    placeOf: (text: string): number => places.get(text) ?? 0
  }
}
