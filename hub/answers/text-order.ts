// Texts in the order in which people sort them. Comparing as people do takes a hundred times as long as comparing numbers, so each text
// is compared when it is first seen, and is a number from then on.
import { byText } from './list.ts'

/** Texts kept that may no longer be anybody's. */
const KEPT_MAX = 20_000

/** @returns what gives the place of each of `texts`, the same for those that are the same to people; good until it is asked again */
export function createTextOrder(): (texts: readonly string[]) => (text: string) => number {
  let sorted: string[] = []
  let places = new Map<string, number>()

  return (texts) => {
    const fresh = new Set(texts.filter((text) => !places.has(text)))
    if (fresh.size > 0) {
      if (sorted.length + fresh.size > Math.max(KEPT_MAX, 2 * texts.length)) sorted = [...new Set(texts)]
      else sorted.push(...fresh)
      // Nearly in order already, which the sort makes use of.
      sorted.sort(byText)
      let place = 0
      places = new Map()
      for (const [index, text] of sorted.entries()) {
        if (index > 0 && byText(sorted[index - 1] ?? '', text) !== 0) place++
        places.set(text, place)
      }
    }
    return (text) => places.get(text) ?? 0
  }
}
