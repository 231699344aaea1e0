// What the engine says it measures of a channel, in a test where no stream runs.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedLeg, ObservedOutput } from '../../engine/interfaces/channel.ts'
import type { TestHub } from './hub.ts'

/** A leg that has carried 4.2 Mbps for 1 h 2 min 3 s. */
export const CARRIES: ObservedLeg = {
  ...{ state: SOURCE_STATE.running, connState: CONNECTION_STATE.connected },
  ...{ kbps: 4200, livingTimeS: 3723 }
}

/** Has the engine have measured this of one channel. @param legs by the ids of its outputs */
export function measure(
  { context: { engine, store } }: TestHub,
  id: number,
  input: ObservedLeg,
  legs: Readonly<Record<number, ObservedOutput>> = {}
): void {
  const { observe } = engine
  const outputs = new Map(Object.entries(legs).map(([at, leg]) => [+at, leg]))
  const seen: ObservedChannel = { ...input, input, outputs }
  engine.observe = (asked) => (asked === id ? seen : observe(asked))
  store.changes.markChanged('channel', id)
}
