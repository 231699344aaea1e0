// Sets the state of a channel that the engine reports, in tests without streams.
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedLeg, ObservedOutput } from '../../../engine/interfaces/channel.ts'
import type { TestHub } from './hub.ts'

/** A leg that has carried 4.2 Mbps for 1 h 2 min 3 s. */
export const CARRYING_LEG: ObservedLeg = {
  state: SOURCE_STATE.running,
  connState: CONNECTION_STATE.connected,
  kbps: 4200,
  livingTimeS: 3723
}

/** A leg whose connection the peer refused. */
export const REFUSED_LEG: ObservedLeg = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.refused,
  kbps: 0,
  livingTimeS: 0,
  reason: 'call-refused'
}

/**
 * Makes the engine report this state for a channel.
 * @param legs state of the outputs, by ID
 * @param more further fields: the stream on air, and the backups
 */
export function setObservedChannel(
  { parts: { engine, store } }: TestHub,
  id: number,
  input: ObservedLeg,
  legs: Readonly<Record<number, ObservedOutput>> = {},
  more: Pick<ObservedChannel, 'onAir' | 'backups'> = {}
): void {
  const { observe } = engine
  const outputs = new Map(Object.entries(legs).map(([at, leg]) => [+at, leg]))
  const observed: ObservedChannel = { ...input, ...more, input, outputs }
  engine.observe = (channelId) => (channelId === id ? observed : observe(channelId))
  store.changes.markChanged('channel', id)
}
