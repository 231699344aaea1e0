// Searches the hub's sentences in the language of a request.
import type { Language, Translation } from '../../contract/text/language.ts'
import { translate } from '../../web-server/language.ts'

export type { Language, Translation } from '../../contract/text/language.ts'
export { loadTranslations, requestLanguage, translate } from '../../web-server/language.ts'

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
