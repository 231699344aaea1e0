// Adds a started channel whose legs have observed states that the test sets, without an engine.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { addChannel, addChannelOutputs, enableChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import type { ObservedLeg } from '../../../engine/interfaces/channel.ts'
import type { TestHub } from './hub.ts'
import { setObservedChannel } from './observed-channel.ts'

/** A leg that waits for its peer. */
export const IDLE: ObservedLeg = {
  state: SOURCE_STATE.initializing,
  connState: CONNECTION_STATE.waiting,
  kbps: 0,
  livingTimeS: 0
}

/** A leg whose peer refused the connection. */
export const FAILED: ObservedLeg = { ...IDLE, state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused }

/** Adds a started channel with two outputs, and sets what the engine reports for its legs. */
export async function addStartedChannel(
  hub: TestHub,
  name: string,
  input: ObservedLeg,
  legs: [ObservedLeg, ObservedLeg]
): Promise<number> {
  const client = hub.clientAs()
  const { id } = await client.send(addChannel, { name })
  const outputIds: number[] = []
  for (const index of legs.keys()) {
    // Each output needs a target of its own.
    const config = { mode: 'caller', 'dst-ip': '192.0.2.30', 'dst-port': 7001 + 2 * (id % 1000) + index } as const
    const reply = await client.send(addOutput, { name: `${name} ${index}`, protocol: SRT, config })
    assert.equal(reply.result, SUCCESS)
    outputIds.push(reply.id)
  }
  await client.send(addChannelOutputs, { id, outputs: outputIds })
  await client.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, input, Object.fromEntries(legs.map((leg, index) => [outputIds[index], leg])))
  return id
}
