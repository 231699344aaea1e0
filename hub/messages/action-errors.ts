// Sentences for errors of recordings, live streams and Quick Stream.
import type { ActionError } from '../../contract/device/live.ts'
import { ACTION_ERROR_SENTENCES } from '../../contract/text/error-sentences.ts'
import { type Language, translate } from './language.ts'

/** Lines for an error: the problem, then the next steps if there are any. */
export function actionErrorLines(language: Language, error: ActionError): string[] {
  return ACTION_ERROR_SENTENCES[error].map((sentence) => translate(language, sentence))
}
