// Ranks texts in natural order. Comparing two texts with a collator takes about a hundred times as long as comparing
// two numbers, so each text is sorted once, when it is added, and lists are then sorted by rank.
import { compareText } from './list.ts'

/** Texts kept although they may no longer be in use. */
const UNUSED_MAX = 20_000

export class TextRanks {
  #sorted: string[] = []
  #ranks = new Map<string, number>()

  /** Adds texts. This changes the ranks of the others. */
  add(texts: Iterable<string>): void {
    const added = new Set<string>()
    for (const text of texts) if (!this.#ranks.has(text)) added.add(text)
    if (added.size === 0) return
    this.#sorted.push(...added)
    this.#sort()
  }

  /** Adds all texts that are in use. Others may be removed. */
  setTexts(texts: readonly string[]): void {
    if (this.#sorted.length > Math.max(UNUSED_MAX, 2 * texts.length)) {
      this.#sorted = []
      this.#ranks = new Map()
    }
    this.add(texts)
  }

  /**
   * The rank of an added text, from 0. Texts that compare as equal have the same rank. Valid until further texts are
   * added.
   */
  rankOf(text: string): number {
    return this.#ranks.get(text) ?? 0
  }

  #sort(): void {
    // The array is nearly sorted already, which makes this fast.
    this.#sorted.sort(compareText)
    let rank = 0
    this.#ranks = new Map()
    for (const [index, text] of this.#sorted.entries()) {
      if (index > 0 && compareText(this.#sorted[index - 1] ?? '', text) !== 0) rank++
      this.#ranks.set(text, rank)
    }
  }
}
