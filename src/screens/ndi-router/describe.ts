// Names and states of sources and destinations, as sentences.
import type { Matrix, MatrixDestination, MatrixSource } from '../../../contract/ndi/router.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** The label, or else the name on the network. */
export const labelOf = ({ label, name }: { label: string; name: string }): string => label || name

/** '3 CAM 3 Choir'. */
export const numberedLabel = (item: MatrixSource | MatrixDestination): string => `${item.index} ${labelOf(item)}`

/** The source or destination with a number. */
export const itemAt = <Item extends { index: number }>(items: readonly Item[], index: number): Item | undefined =>
  items.find((item) => item.index === index)

/** The label of a source by its number; 0 = no source. */
export function sourceLabel({ sources }: Matrix, index: number): string {
  const source = itemAt(sources, index)
  return source ? labelOf(source) : t(TEXT.noSource)
}

export function destinationLabel({ destinations }: Matrix, index: number): string {
  const destination = itemAt(destinations, index)
  return destination ? labelOf(destination) : String(index)
}

/** The number of receivers, as a phrase. */
export function receiversText(count: number): string {
  if (count === 0) return t(TEXT.noReceivers)
  return count === 1 ? t(TEXT.oneReceiver) : t(TEXT.receivers, count)
}

/** What a destination shows, and what it is going to show: numbers of sources. */
export interface RouteNumbers {
  current: number
  armed?: number | undefined
  taking?: number | undefined
}

/** What a source is to a destination. */
export function routeState(source: number, { current, armed, taking }: RouteNumbers) {
  if (source === taking) return 'taking'
  if (source === current) return 'routed'
  return source === armed ? 'armed' : undefined
}

/** Fits `StatusLabel`. */
interface StateLabel {
  tone: Tone
  text: string
  /** The consequence or the next step. */
  tooltip?: string
}

/** The fault of a source; undefined while it is in the network. */
export function sourceFault({ online, since }: MatrixSource): StateLabel | undefined {
  if (online) return undefined
  // The hub has not looked for it yet.
  if (since === undefined) return { tone: 'off', text: t(TEXT.notSeen) }
  return { tone: 'warn', text: t(TEXT.offline), tooltip: t(TEXT.awaySince, dateTime(since * 1000)) }
}

/** The fault of a destination; undefined while it shows its source, or nothing because it has none. */
export function destinationFault({ state }: MatrixDestination): StateLabel | undefined {
  if (state === 'source-away') return { tone: 'warn', text: t(TEXT.away), tooltip: t(TEXT.awayHint) }
  return state === 'down' ? { tone: 'bad', text: t(TEXT.down), tooltip: t(TEXT.downHint) } : undefined
}

/** Whether an item has the typed text in its label or its name, or is the one with that number. */
export function matchesText({ index, label, name }: MatrixSource | MatrixDestination, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return String(index) === wanted || [label, name].some((value) => value.toLowerCase().includes(wanted))
}
