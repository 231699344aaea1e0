// The languages of the console, and how a sentence stands in both: the hub words what only it knows, in the language of who asks.
import { CACHE_PREFIX } from './limits.ts'

export type Language = 'en' | 'zh'

/** The same sentence in both languages. */
export type Pair = readonly [en: string, zh: string]

/** The cookie in which the console keeps the language that was chosen; so the hub knows it too. */
export const LANGUAGE_COOKIE = `${CACHE_PREFIX}lang`
