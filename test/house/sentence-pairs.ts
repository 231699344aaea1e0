// Finds pairs of English and Chinese sentences in the sources.

export interface PairText {
  en: string
  zh: string
}

const PAIR = /\[\s*(['"`])(?<en>(?:\\.|(?!\1).)*)\1,\s*(['"`])(?<zh>(?:\\.|(?!\3).)*)\3,?\s*\]/gs

const hasChinese = (text: string) => /\p{Script=Han}/u.test(text)

/** Returns the pairs in a source: lists of two texts of which at least one is Chinese. */
export function pairsOf(text: string): PairText[] {
  return [...text.matchAll(PAIR)]
    .map(({ groups }) => ({ en: groups?.en ?? '', zh: groups?.zh ?? '' }))
    .filter(({ en, zh }) => hasChinese(en) || hasChinese(zh))
}

const placeholders = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).sort()

/** Returns the faults of a pair: wrong order of the languages, or placeholders that only one sentence has. */
export function pairFault({ en, zh }: PairText): string | undefined {
  if (hasChinese(en)) return `'${en}' is not English`
  if (!en.trim()) return `'${zh}' has no English`
  return placeholders(en).join() === placeholders(zh).join() ? undefined : `'${en}' and '${zh}' have different values`
}
