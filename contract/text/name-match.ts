// Search by name. Chinese names are also found by the initials of their pinyin: 教学楼 by `jxl`.

/** The initials of pinyin: no syllable begins with i, u or v. */
const INITIALS = 'abcdefghjklmnopqrstwxyz'
/** For each initial, the first character in the order of pinyin whose syllable begins with it. */
const FIRST_CHARACTERS = [...'吖八嚓咑妸发旮哈讥咔垃妈拿噢妑七呥仨他屲夕丫帀']

/**
 * Sorts characters by their pinyin, as every browser and Node can. A table of readings is not needed then. A character
 * with several readings has the one by which it is sorted: 重 is zhong.
 */
const collator = new Intl.Collator('zh-u-co-pinyin')

/** The initials of characters that have been looked up. */
const known = new Map<string, string>()

function initialOf(character: string): string {
  let initial = known.get(character)
  if (initial === undefined) {
    const next = FIRST_CHARACTERS.findIndex((first) => collator.compare(first, character) > 0)
    initial = INITIALS.at(next < 0 ? -1 : Math.max(0, next - 1)) as string
    known.set(character, initial)
  }
  return initial
}

/** The name in lower case, with the initial of its pinyin in place of each Chinese character, and without spaces. */
export const pinyinInitials = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(' ', '')
    .replace(/\p{Script=Han}/gu, initialOf)

/**
 * Makes a function that says whether a name matches a search text: it contains the text, in any case, or is Chinese and
 * its initials contain it.
 */
export function createNameMatcher(search: string): (name: string) => boolean {
  const key = search.toLowerCase()
  const canBeInitials = /^[\da-z]+$/.test(key)
  return (name) =>
    name.toLowerCase().includes(key) ||
    (canBeInitials && /\p{Script=Han}/u.test(name) && pinyinInitials(name).includes(key))
}
