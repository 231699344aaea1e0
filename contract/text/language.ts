// Languages of console and hub. The hub translates its own messages into the language of the request.
import { CACHE_PREFIX } from '../limits.ts'

/** A two-letter language tag: 'en', 'zh', or that of a file in `contract/text/translations/`. */
export type Language = string

/** A sentence in English and Chinese. Further languages find their translation by the English sentence. */
export type Translation = readonly [en: string, zh: string]

/** Cookie with the language that the user selected in the console. The hub reads it. */
export const LANGUAGE_COOKIE = `${CACHE_PREFIX}lang`
