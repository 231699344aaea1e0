// Language of a request, and translation of the sentences of a server. The console's sentences are in `src/text/`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGE_COOKIE, type Language, type Translation } from '../contract/text/language.ts'
import { logger } from '../process-log/logger.ts'

export type { Language, Translation } from '../contract/text/language.ts'

type Value = string | number

const TRANSLATIONS_FOLDER = join(import.meta.dirname, '../contract/text/translations')

/** Translations by language, from English sentence to translation. English and Chinese stand in the sources. */
const translations = new Map<Language, Readonly<Record<string, string>>>()

/** Reads the translation files of a folder, one for each further language. */
export function loadTranslations(folder: string): void {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.json')) continue
    const path = join(folder, file)
    try {
      translations.set(file.slice(0, -5), JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      // Without that file its language falls back to English.
      logger.error('Translations cannot be read', error, { path })
    }
  }
}

loadTranslations(TRANSLATIONS_FOLDER)

const isKnown = (language: Language) => language === 'en' || language === 'zh' || translations.has(language)

const SELECTED_LANGUAGE = new RegExp(`(?:^|; ?)${LANGUAGE_COOKIE}=([a-z]+)(?:-[\\w-]*)?(?:;|$)`)

const SENT_COOKIE = new RegExp(`(?:^|;\\s*)(${LANGUAGE_COOKIE}=[a-z]{2})(?:;|$)`)

/** The language cookie alone, of a Cookie header that may have others; undefined: there is none. */
export const languageCookie = (cookies: string | undefined): string | undefined => SENT_COOKIE.exec(cookies ?? '')?.[1]

/**
 * The language of a request: the language cookie of the console, else the first language of Accept-Language, else
 * English.
 */
export function requestLanguage(headers: { get(name: string): string | null }): Language {
  const [, selected = ''] = SELECTED_LANGUAGE.exec(headers.get('cookie') ?? '') ?? []
  const preferred = headers.get('accept-language')?.split(/[-,;]/)[0]?.toLowerCase() ?? ''
  return [selected, preferred].find(isKnown) ?? 'en'
}

/**
 * Translates a sentence and inserts values for `{0}`, `{1}` or `{name}`. Placeholders within values are not replaced.
 */
export function translate(
  language: Language,
  [en, zh]: Translation,
  values: readonly Value[] | Readonly<Record<string, Value>> = []
): string {
  const record = values as Readonly<Record<string, Value>>
  const sentence = language === 'zh' ? zh : translations.get(language)?.[en] || en
  return sentence.replace(/{(\w+)}/g, (placeholder, name: string) =>
    Object.hasOwn(record, name) ? String(record[name]) : placeholder
  )
}

/** Keys of the sentences that contain a text, ignoring case. */
export function findKeysByText(
  language: Language,
  sentences: Readonly<Record<string, Translation>>,
  text: string
): string[] {
  const lowerCaseText = text.toLowerCase()
  return Object.keys(sentences).filter((key) =>
    translate(language, sentences[key] as Translation, ['', ''])
      .toLowerCase()
      .includes(lowerCaseText)
  )
}
