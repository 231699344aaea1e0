// Observes channels: the state of their legs, their clients, and the input on air.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedClient, ObservedLeg, ObservedOutput } from '../interfaces/channel.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import { type Channel, hasFallbacks } from './channel.ts'

/** State of a leg that does not run. */
const IDLE: ObservedLeg = {
  state: SOURCE_STATE.initializing,
  connState: CONNECTION_STATE.waiting,
  kbps: 0,
  livingTimeS: 0
}

/** @param id ID of the channel, which is undefined if the engine does not know it */
export function observeChannel(
  id: number,
  channel: Channel | undefined,
  ports: SharedPorts,
  now: number
): ObservedChannel {
  const input = channel?.input?.observe(now) ?? IDLE
  const outputs = new Map<number, ObservedOutput>()
  for (const output of channel?.wanted.outputs ?? [])
    outputs.set(output.id, channel?.outputs.get(output.id)?.output.observe(now) ?? IDLE)
  const backups = new Map([...(channel?.backups ?? [])].map(([backupId, backup]) => [backupId, backup.observe(now)]))
  const onAir = channel && observeOnAir(channel, now)
  const current = channel?.inputSwitch?.currentInput()?.observe(now) ?? input
  const onAirMs = channel?.onAirMs(current.connState === CONNECTION_STATE.connected, now) ?? 0
  return {
    ...current,
    livingTimeS: Math.floor(onAirMs / 1000),
    input,
    backups,
    outputs,
    clients: observeClients(id, channel, ports, now),
    ...(onAir && { onAir })
  }
}

function observeOnAir({ inputSwitch, input, inputId, wanted }: Channel, now: number): ObservedChannel['onAir'] {
  if (inputSwitch && hasFallbacks(wanted)) return inputSwitch.observe()
  if (!input) return undefined
  const isConnected = input.observe(now).connState === CONNECTION_STATE.connected
  return { inputId, slate: false, reason: isConnected ? 'on-air-first' : 'on-air-none' }
}

/** Publishers and players, oldest first. */
function observeClients(id: number, channel: Channel | undefined, ports: SharedPorts, now: number): ObservedClient[] {
  const players = (channel?.wanted.outputs ?? []).flatMap(({ id: outputId, protocol }) => {
    const connected = channel?.outputs.get(outputId)?.output.players?.(now) ?? []
    return connected.map((player) => ({ ...player, isPublisher: false, protocol, outputId }))
  })
  return [...ports.clients(id), ...players].sort((a, b) => a.id - b.id)
}
