// Sentences for the states of licences (contract/license/license.ts), whose numbers differ in meaning from the hub's result codes.
import { LICENSE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { codeLines } from './codes.ts'
import { type Language, translate } from './language.ts'

/** Lines for a state: its meaning, then the next step for the user. An unknown state is treated as a result code of the hub. */
export function licenseLines(language: Language, state: number): string[] {
  return LICENSE_STATE_SENTENCES[state]?.map((line) => translate(language, line)) ?? codeLines(language, state)
}
