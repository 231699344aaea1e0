// Sentences stand as pairs, English and Chinese, in the sources.

export interface PairText {
  en: string
  zh: string
}

const PAIR = /\[\s*(['"`])(?<en>(?:\\.|(?!\1).)*)\1,\s*(['"`])(?<zh>(?:\\.|(?!\3).)*)\3,?\s*\]/gs

const hasChinese = (text: string) => /\p{Script=Han}/u.test(text)

/** The pairs in a source. A list of two texts is one where either is Chinese. */
export function pairsOf(text: string): PairText[] {
  return [...text.matchAll(PAIR)]
    .map(({ groups }) => ({ en: groups?.en ?? '', zh: groups?.zh ?? '' }))
    .filter(({ en, zh }) => hasChinese(en) || hasChinese(zh))
}

const places = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

/** What is wrong with a pair: the languages in the wrong order, or values that one sentence has and the other has not. */
export function pairFault({ en, zh }: PairText): string | undefined {
  if (hasChinese(en)) return `'${en}' is not English`
  if (!en.trim()) return `'${zh}' has no English`
  return places(en).join() === places(zh).join() ? undefined : `'${en}' and '${zh}' have different values`
}
