// The language of the console, and how a sentence is read in it. Sentences stand as pairs of English and Chinese beside
// the code that uses them, so that a missing one does not compile. The build moves them into one pack for each language
// (`bundler/language-packs.ts`), and the inline script of the page requests the first pack (`src/loader.ts`).
import { atom } from 'nanostores'
import { LANGUAGE_COOKIE_DAYS } from '../../contract/limits.ts'
import { LANGUAGE_COOKIE, type Translation } from '../../contract/text/language.ts'
import { readCookie, writeCookie } from './cookies.ts'
import './page-loader.ts'

export type { Translation } from '../../contract/text/language.ts'

type Value = string | number
type Values = readonly Value[] | Readonly<Record<string, Value>>

const { pageLoader } = window

/** The languages of the console: 'en', 'zh'. */
export const LANGUAGES: readonly string[] = pageLoader?.languages ?? ['en', 'zh']

/** A language's own name for itself: 'English', '中文'. */
export function languageName(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}

function initialLanguage(): string {
  return pageLoader?.language ?? (/^zh/i.test(readCookie(LANGUAGE_COOKIE) ?? navigator.language) ? 'zh' : 'en')
}

/** The current language. Components that show sentences must render again when it changes. */
export const $language = atom(initialLanguage())

/** The sentences of the current language by number. Empty in tests, where pairs are not numbered. */
let pack: readonly string[] = []

$language.subscribe(() => {
  document.documentElement.lang = locale()
})

/** Waits for the sentences of the first language. */
export async function loadFirstLanguage(): Promise<void> {
  if (pageLoader) pack = await pageLoader.firstPack
}

let lastChoice = ''
/** Whether the later script is needed, with its sentences. */
let isLaterWanted = false
/** The language whose sentences of the later script are in the pack. */
let laterLanguage: string | undefined

async function loadSentences(language: string): Promise<void> {
  if (!pageLoader) return
  const first = await pageLoader.loadPack(language)
  const later = isLaterWanted ? await pageLoader.loadLaterPack(language) : undefined
  if (lastChoice !== language) return
  pack = [...first, ...(later ?? [])]
  laterLanguage = later && language
}

/** Adds the sentences of the later script. Rejects when they cannot be loaded. */
export async function loadLaterSentences(): Promise<void> {
  isLaterWanted = true
  // The language may change meanwhile.
  while (pageLoader && laterLanguage !== $language.get()) {
    const language = $language.get()
    const later = await pageLoader.loadLaterPack(language)
    if (language !== $language.get() || laterLanguage === language) continue
    pack = [...pack, ...later]
    laterLanguage = language
  }
}

/**
 * Changes the language and keeps the choice for 30 days. Rejects, and changes nothing, when its pack cannot be loaded.
 * A later choice overrides an earlier one whose pack is still being loaded.
 */
export async function setLanguage(language: string): Promise<void> {
  lastChoice = language
  // Without a page, as in tests, the language changes at once.
  if (pageLoader) await loadSentences(language)
  if (lastChoice !== language) return
  writeCookie(LANGUAGE_COOKIE, language, LANGUAGE_COOKIE_DAYS * 86_400)
  $language.set(language)
}

/** The current language as a locale of `Intl`. */
export function locale(): string {
  const language = $language.get()
  return language === 'zh' ? 'zh-CN' : language
}

/**
 * A format of `Intl` in the current language. Created once for each language, because creating it takes longer than
 * using it.
 */
export function inLanguage<Format>(create: (locale: string) => Format): () => Format {
  const formats = new Map<string, Format>()
  return () => {
    const format = formats.get(locale()) ?? create(locale())
    formats.set(locale(), format)
    return format
  }
}

/**
 * A sentence in the current language, with values for its placeholders `{0}`, `{1}` or `{name}`.
 * @param values positional, `t(pair, 3, 'x')`, as an array, or by name, `t(pair, { code: 7 })`
 */
export function t(pair: Translation, ...values: readonly Value[] | readonly [Values]): string {
  const sentence = typeof pair === 'object' ? pair[$language.get() === 'zh' ? 1 : 0] : (pack[pair] ?? '')
  if (values.length === 0) return sentence
  const from = (typeof values[0] === 'object' ? values[0] : values) as Readonly<Record<string, Value>>
  return sentence.replace(/{(\w+)}/g, (placeholder, name: string) => String(from[name] ?? placeholder))
}
