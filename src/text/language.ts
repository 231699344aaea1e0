// The language of the console, and how a sentence is said in it. Words stand as pairs beside what they are for, in `text.ts` files, so
// that a missing one does not compile.
import { atom } from 'nanostores'
import { LANGUAGE_COOKIE as COOKIE, type Language, type Pair } from '../../contract/language.ts'
import { LANGUAGE_COOKIE_DAYS } from '../../contract/limits.ts'
import { readCookie, writeCookie } from './cookies.ts'

export type { Language, Pair } from '../../contract/language.ts'

type Value = string | number
type Values = readonly Value[] | Readonly<Record<string, Value>>

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

function chosen(): Language {
  return /^zh/i.test(readCookie(COOKIE) ?? navigator.language) ? 'zh' : 'en'
}

/** The language everything is shown in. What draws sentences must be drawn anew when it changes. */
export const $language = atom<Language>(chosen())

$language.subscribe(() => {
  document.documentElement.lang = locale()
})

/** Changes the language, and remembers it for 30 days. */
export function setLanguage(language: Language): void {
  writeCookie(COOKIE, language, LANGUAGE_COOKIE_DAYS * 86_400)
  $language.set(language)
}

/** The language as Intl names it. */
export function locale(): string {
  return $language.get() === 'zh' ? 'zh-CN' : 'en'
}

/** A format of `Intl` in the present language. It is made once for each, since that takes longer than using it. */
export function inLanguage<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const format = made.get(locale()) ?? make(locale())
    made.set(locale(), format)
    return format
  }
}

/** The sentences of the current language by number, from its pack. Empty in tests, whose pairs are not numbered. */
let pack: readonly string[] = []

/** Sets the sentences of the current language (`bundler/language-packs.ts`). */
export function usePack(sentences: readonly string[]): void {
  pack = sentences
}

/**
 * A sentence in the present language, with values in the place of `{0}`, `{1}` or `{name}`.
 * @param values as they are, `t(pair, 3, 'x')`, in a list, or by name, `t(pair, { code: 7 })`
 */
export function t(pair: Pair, ...values: readonly Value[] | readonly [Values]): string {
  const sentence = typeof pair === 'object' ? pair[$language.get() === 'zh' ? 1 : 0] : (pack[pair] ?? '')
  if (values.length === 0) return sentence
  const from = (typeof values[0] === 'object' ? values[0] : values) as Readonly<Record<string, Value>>
  return sentence.replace(/{(\w+)}/g, (place, name: string) => String(from[name] ?? place))
}
