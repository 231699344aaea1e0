// What the engine says it measures of a channel, in a test where no stream runs.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { ChannelObserved, LegObserved, OutputObserved } from '../../engine/interfaces/channel.ts'
import type { TestHub } from './hub.ts'

/** A leg that has carried 4.2 Mbps for 1 h 2 min 3 s. */
export const CARRIES: LegObserved = {
  ...{ state: SOURCE.running, connState: CONNECTION.connected },
  ...{ kbps: 4200, livingTimeS: 3723 }
}

/** Has the engine have measured this of one channel. @param legs by the ids of its outputs */
export function measure(
  { hub: { engine, store } }: TestHub,
  id: number,
  input: LegObserved,
  legs: Readonly<Record<number, OutputObserved>> = {}
): void {
  const { observe } = engine
  const outputs = new Map(Object.entries(legs).map(([at, leg]) => [+at, leg]))
  const seen: ChannelObserved = { ...input, input, outputs }
  engine.observe = (asked) => (asked === id ? seen : observe(asked))
  store.changes.bump('channel', id)
}
