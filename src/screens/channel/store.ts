// Stores of the channel screens, and mutations of channels.
import { atom, computed } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../../contract/limits.ts'
import { type LogEntry, listLog } from '../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { channelHistory } from '../../../contract/stream/channel-history.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { type AddOutputRequest, addOutput, deleteOutputs } from '../../../contract/stream/source.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { confirmAndRetry, type MutateOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'

const createDeviceList = (dir: 'input' | 'output') =>
  createLiveList({
    call: listDevices,
    request: atom({ dir, sort: 'name' as const, order: 'ascending' as const }),
    pace: 'slowest',
    topic: 'device',
    keyOf: (device: Device) => device.id
  })

/** Accepted devices that can be an input or an output of a channel. */
export const $inputDevices = createDeviceList('input')
export const $outputDevices = createDeviceList('output')

/** ID of the channel whose page is open. */
export const $channelId = atom(0)

/** Clients to request: about as many as can be connected. */
const CLIENT_COUNT = 1000

export const $channel = createLiveValue({
  call: queryChannel,
  request: computed($channelId, (id) => ({ id, 'output-count': CHANNEL_OUTPUTS_MAX, 'client-count': CLIENT_COUNT })),
  pace: 'slow',
  topic: 'channel'
})

/** The leg whose history is shown: the ID of a backup or an output; 0 = the main input. */
export const $legId = atom(0)

/** Seconds of history, as text. */
export const $span = atom('300')
const POINT_COUNT = 300

export const $history = createLiveValue({
  call: channelHistory,
  request: computed([$channelId, $legId, $span], (id, leg, span) => ({
    id,
    leg,
    span: Number(span),
    points: POINT_COUNT
  })),
  pace: 'slower'
})

/** The audio level of the input. The hub decodes the audio while this is requested. */
export const $audioLevel = createLiveValue({
  call: queryChannel,
  request: computed($channelId, (id) => ({ id, level: 1, 'output-count': 0, 'client-count': 0 })),
  pace: 'fast'
})

/** Log lines shown. */
const LOG_LINE_COUNT = 20

/** Lines of the system log that contain the channel's name. */
export const $log = createLiveList({
  call: listLog,
  request: computed($channel, ({ value }) => ({
    type: 'system' as const,
    key: value?.channel.name ?? '\n',
    count: LOG_LINE_COUNT
  })),
  pace: 'slowest',
  topic: 'log',
  keyOf: (line: LogEntry) => line.id
})

export const nameOf = ({ name }: { name: string }) => name

type CreateReply = Envelope & { id?: number }

/** Sets the input of a channel. @param input node ID; 0 = none */
const assignInput = (id: number, input: number): Promise<CreateReply> =>
  confirmAndRetry((force) => send(setChannelInput, { id, input, ...force }))

/**
 * Creates an output and adds it to a channel; deletes it if that fails.
 * @returns the reply, with the ID of the output
 */
async function createOutput(id: number, output: AddOutputRequest): Promise<CreateReply> {
  const created = await send(addOutput, output)
  if (created.result !== SUCCESS) return created
  const reply = await confirmAndRetry((force) => send(addChannelOutputs, { id, outputs: [created.id], ...force }))
  if (reply.result !== SUCCESS) await send(deleteOutputs, { id: created.id })
  return Object.assign(reply, { id: created.id })
}

export const changeInput = (id: number, input: number) => mutate(assignInput(id, input))

/** @param backups node IDs in the order of failover */
export const setBackups = ({ id, name }: Channel, backups: number[]) =>
  sendMutation(setChannel, { id, name, config: { backups } })

export const addChannelOutput = (id: number, output: AddOutputRequest, options: MutateOptions) =>
  mutate(createOutput(id, output), options)

/**
 * Adds a channel with its input, and with an SRT listener if a port is given.
 * @returns the reply of the first step that failed. Objects created by earlier steps are then deleted.
 */
async function addChannelWithSources(name: string, input: number, port: number): Promise<CreateReply> {
  const channel = await send(addChannel, { name })
  if (channel.result !== SUCCESS) return channel
  const { id } = channel
  const listener = { name: `${name} SRT`, protocol: SRT, config: { mode: 'listener' as const, 'bind-port': port } }
  const output: CreateReply = port ? await createOutput(id, listener) : channel
  const reply = output.result === SUCCESS ? await assignInput(id, input) : output
  if (reply.result !== SUCCESS) {
    await send(deleteChannels, { id })
    if (port && reply !== output) await send(deleteOutputs, { id: output.id as number })
  }
  return reply
}

export const createChannel = (name: string, input: number, port: number) =>
  mutate(addChannelWithSources(name, input, port))

/** Starts or stops channels, one after the other, up to the first failure. @returns whether all succeeded */
export async function enableChannels(channels: readonly Channel[], isEnabled: boolean): Promise<boolean> {
  for (const { id } of channels)
    if (!(await succeeded(sendMutation(enableChannel, { id, enable: isEnabled })))) return false
  return true
}

export const removeChannels = (channels: readonly Channel[]) =>
  succeeded(sendMutation(deleteChannels, { id: channels.map(({ id }) => id) }))
