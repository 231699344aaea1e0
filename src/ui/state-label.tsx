import { type Translation, t } from '../text/language.ts'
import type { Tone } from '../text/states.ts'
import { StatusLabel } from './status-label.tsx'

/** A row of a table of states. */
export type State = readonly [tone: Tone, text: Translation]

/** The status label of a state. @param note follows its text */
export const StateLabel = ({ state: [tone, text], note = '' }: { state: State; note?: string }) => (
  <StatusLabel tone={tone} text={t(text) + note} />
)
