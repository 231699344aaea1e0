// The language of who asks, and how a sentence is said in it. Sentences of the console's own are in `src/text/`.
import { LANGUAGE_COOKIE, type Language, type Pair } from '../../contract/language.ts'

export type { Language, Pair } from '../../contract/language.ts'

type Value = string | number

/** The language of a request: what was chosen in the console, else what its browser wants first, as the console itself has it. */
export function languageOf(headers: { get(name: string): string | null }): Language {
  const [, chosen] = new RegExp(`(?:^|; ?)${LANGUAGE_COOKIE}=(en|zh)(?:;|$)`).exec(headers.get('cookie') ?? '') ?? []
  return (chosen as Language | undefined) ?? (/^zh/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en')
}

/** A sentence, with values in the place of `{0}`, `{1}` or `{name}`. What a value holds is taken as it is. */
export function say(
  language: Language,
  [en, zh]: Pair,
  values: readonly Value[] | Readonly<Record<string, Value>> = []
): string {
  const from = values as Readonly<Record<string, Value>>
  return (language === 'zh' ? zh : en).replace(/{(\w+)}/g, (place, name: string) =>
    Object.hasOwn(from, name) ? String(from[name]) : place
  )
}

/** The keys of those sentences that hold a text, in upper or lower case. */
export function keysSaying(language: Language, sentences: Readonly<Record<string, Pair>>, text: string): string[] {
  const wanted = text.toLowerCase()
  return Object.keys(sentences).filter((key) =>
    say(language, sentences[key] as Pair, ['', ''])
      .toLowerCase()
      .includes(wanted)
  )
}
