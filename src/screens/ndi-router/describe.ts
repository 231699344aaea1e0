// Names and states of sources and destinations, as sentences.
import type { Matrix, MatrixDestination, MatrixSource } from '../../../contract/ndi/router.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** The label, or else the name on the network. */
export const labelOf = ({ label, name }: { label: string; name: string }): string => label || name

/** '3 CAM 3 Choir'. */
export const numberedLabel = (item: MatrixSource | MatrixDestination): string =>
  t(TEXT.numbered, item.index, labelOf(item))

/** The label of a source by its number; 0 = no source. */
export function sourceLabel({ sources }: Matrix, index: number): string {
  const source = sources.find((candidate) => candidate.index === index)
  return source ? labelOf(source) : t(TEXT.noSource)
}

export function destinationLabel({ destinations }: Matrix, index: number): string {
  const destination = destinations.find((candidate) => candidate.index === index)
  return destination ? labelOf(destination) : String(index)
}

/** The number of receivers, as a phrase. */
export function receiversText(count: number): string {
  if (count === 0) return t(TEXT.noReceivers)
  return count === 1 ? t(TEXT.oneReceiver) : t(TEXT.receivers, count)
}

interface StateLabel {
  tone: Tone
  text: string
  /** The consequence or the next step. */
  hint?: string
}

/** The fault of a source; undefined while it is in the network. */
export function sourceFault({ online, since }: MatrixSource): StateLabel | undefined {
  if (online) return undefined
  // The hub has not looked for it yet.
  if (since === undefined) return { tone: 'off', text: t(TEXT.notSeen) }
  return { tone: 'warn', text: t(TEXT.offline), hint: t(TEXT.awaySince, dateTime(since * 1000)) }
}

/** The fault of a destination; undefined while it shows its source, or nothing because it has none. */
export function destinationFault({ state }: MatrixDestination): StateLabel | undefined {
  if (state === 'source-away') return { tone: 'warn', text: t(TEXT.away), hint: t(TEXT.awayHint) }
  return state === 'down' ? { tone: 'bad', text: t(TEXT.down), hint: t(TEXT.downHint) } : undefined
}

/** Whether an item has the typed text in its label or its name, or is the one with that number. */
export function matchesText({ index, label, name }: MatrixSource | MatrixDestination, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return String(index) === wanted || [label, name].some((value) => value.toLowerCase().includes(wanted))
}
