// One channel, what can be done to channels, and what their inputs can be.
import { atom, computed } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { SERVERS_MAX } from '../../../contract/limits.ts'
import { type LogLine, listLog } from '../../../contract/log.ts'
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
import { liveList } from '../../state/live-list.ts'
import { liveValue } from '../../state/live-value.ts'
import { type ActOptions, act, change, insist, well } from '../../state/toasts.ts'

const devicesOf = (dir: 'input' | 'output') =>
  liveList({
    call: listDevices,
    request: atom({ dir, sort: 'name' as const, order: 'ascending' as const }),
    pace: 'slowest',
    topic: 'device',
    keyOf: (device: Device) => device.id
  })

/** Accepted devices that can be an input, and those that can be an output. */
export const $inputDevices = devicesOf('input')
export const $outputDevices = devicesOf('output')

/** The id of the channel that is looked at. */
export const $id = atom(0)

/** As many as can be connected, or nearly so. */
const CLIENTS = 1000

export const $channel = liveValue({
  call: queryChannel,
  request: computed($id, (id) => ({ id, 'output-count': SERVERS_MAX, 'client-count': CLIENTS })),
  pace: 'slow',
  topic: 'channel'
})

/** Which of its legs: an output's id; 0 = the input. */
export const $leg = atom(0)

/** Seconds back, and the values for that time: each second at first. */
export const $span = atom('300')
const POINTS = 300

export const $history = liveValue({
  call: channelHistory,
  request: computed([$id, $leg, $span], (id, leg, span) => ({ id, leg, span: Number(span), points: POINTS })),
  pace: 'slower'
})

/** How loud its input is: asking has the hub listen. */
export const $level = liveValue({
  call: queryChannel,
  request: computed($id, (id) => ({ id, level: 1, 'output-count': 0, 'client-count': 0 })),
  pace: 'fast'
})

/** Lines of its log that are shown. */
const LINES = 20

/** What the hub's log says of it: the lines with its name. */
export const $log = liveList({
  call: listLog,
  request: computed($channel, ({ value }) => ({
    type: 'system' as const,
    key: value?.channel.name ?? '\n',
    count: LINES
  })),
  pace: 'slowest',
  topic: 'log',
  keyOf: (line: LogLine) => line.id
})

export const nameOf = ({ name }: { name: string }) => name

type Made = Envelope & { id?: number }

/** Sets a channel's input. @param input a node's id; 0 = none */
const giveInput = (id: number, input: number): Promise<Made> =>
  insist((force) => send(setChannelInput, { id, input, ...force }))

/** Makes an output and gives it to a channel. An output that the channel did not get is taken back. @returns with the output's id */
async function makeOutput(id: number, output: AddOutputRequest): Promise<Made> {
  const made = await send(addOutput, output)
  if (made.result !== SUCCESS) return made
  const given = await insist((force) => send(addChannelOutputs, { id, outputs: [made.id], ...force }))
  if (given.result !== SUCCESS) await send(deleteOutputs, { id: made.id })
  return Object.assign(given, { id: made.id })
}

export const chooseInput = (id: number, input: number) => act(giveInput(id, input))

/** @param backups node ids, in the order in which they take over */
export const setBackups = ({ id, name }: Channel, backups: number[]) =>
  change(setChannel, { id, name, config: { backups } })

export const giveOutput = (id: number, output: AddOutputRequest, options: ActOptions) =>
  act(makeOutput(id, output), options)

/**
 * Adds a channel with its input, and with an SRT listener where a port is given.
 * @returns the answer of the first step that failed; what the steps before had made is then taken back
 */
async function makeChannel(name: string, input: number, port: number): Promise<Made> {
  const added = await send(addChannel, { name })
  if (added.result !== SUCCESS) return added
  const { id } = added
  const listener = { name: `${name} SRT`, protocol: SRT, config: { mode: 'listener' as const, 'bind-port': port } }
  const output: Made = port ? await makeOutput(id, listener) : added
  const made = output.result === SUCCESS ? await giveInput(id, input) : output
  if (made.result !== SUCCESS) {
    await send(deleteChannels, { id })
    if (port && made !== output) await send(deleteOutputs, { id: output.id as number })
  }
  return made
}

export const createChannel = (name: string, input: number, port: number) => act(makeChannel(name, input, port))

/** Starts or stops channels, one after the other. @returns whether all went well */
export async function enable(channels: readonly Channel[], on: boolean): Promise<boolean> {
  for (const { id } of channels) if (!(await well(change(enableChannel, { id, enable: on })))) return false
  return true
}

export const removeChannels = (channels: readonly Channel[]) =>
  well(change(deleteChannels, { id: channels.map(({ id }) => id) }))
