// Channels of this room, what can be done to them, and what their inputs can be.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  channelDashboard,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../contract/channel.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device.ts'
import { SRT } from '../../../contract/protocols.ts'
import {
  type AddOutputRequest,
  addInput,
  addOutput,
  deleteOutputs,
  type InputSource,
  listInputs,
  listOutputs,
  type Output,
  type SrtOutput
} from '../../../contract/source.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { type ActOptions, act, change, insist, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import type { StateWord } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** Outputs a row shows: a channel has 16 at most. */
const OUTPUTS = 16

export const $channels = liveList({
  call: channelDashboard,
  request: atom({ 'output-count': OUTPUTS }),
  pace: 'slow',
  topic: 'channel',
  keyOf: (channel: Channel) => channel.id
})

/** Accepted devices that can be an input. */
export const $inputDevices = liveList({
  call: listDevices,
  request: atom({ dir: 'input' as const, sort: 'name' as const, order: 'ascending' as const }),
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

export const $inputs = liveList({
  call: listInputs,
  request: atom({}),
  pace: 'slowest',
  keyOf: (source: InputSource) => source.id
})

export const nameOf = ({ name }: { name: string }) => name

/** The state of a channel that is stopped, and of its outputs. */
export const stopped = (): StateWord => ({ tone: 'off', text: t(TEXT.stopped) })

/** What a channel's input shall be, as a form has it. */
export interface InputValues {
  kind: 'node' | 'url' | 'none'
  /** Node id as text; '' = none chosen. */
  node: string
  sourceName: string
  url: string
}

type Made = Envelope & { id?: number }

const NOTHING: Made = { result: SUCCESS }

/** Does one step after the other, as long as each succeeds. @returns the first failure, or the last answer */
async function steps(...works: ((before: Made) => Promise<Made> | Made)[]): Promise<Made> {
  let reply = NOTHING
  for (const work of works) {
    reply = await work(reply)
    if (reply.result !== SUCCESS) break
  }
  return reply
}

/** Tells the name of a source from that of its channel, which a form may have besides. */
const ofSource = (reply: Made): Made => (reply.field === 'name' ? { ...reply, field: 'source' } : reply)

/** Sets a channel's input, which a URL makes first. */
function giveInput(id: number, { kind, node, sourceName: name, url }: InputValues): Promise<Made> {
  return steps(
    () =>
      kind === 'url'
        ? send(addInput, { name, config: { type: 1, url } }).then(ofSource)
        : { ...NOTHING, id: kind === 'node' ? Number(node) : 0 },
    ({ id: input = 0 }) => insist((force) => send(setChannelInput, { id, input, ...force }))
  )
}

/** Makes an output and gives it to a channel. An output that the channel did not get is taken back. @returns with the output's id */
async function makeOutput(id: number, output: AddOutputRequest): Promise<Made> {
  const made = await send(addOutput, output)
  if (made.result !== SUCCESS) return made
  const given = await insist((force) => send(addChannelOutputs, { id, outputs: [made.id], ...force }))
  if (given.result !== SUCCESS) await send(deleteOutputs, { id: made.id })
  return Object.assign(given, { id: made.id })
}

export const chooseInput = (id: number, input: InputValues) => act(giveInput(id, input))

export const giveOutput = (id: number, output: AddOutputRequest) => act(makeOutput(id, output))

/**
 * Adds a channel with its input, and with an SRT listener where a port is given.
 * @returns the answer of the first step that failed; what the steps before had made is then taken back
 */
export function createChannel(name: string, input: InputValues, port: number): Promise<Made> {
  let output: number | undefined
  return act(
    steps(
      () => send(addChannel, { name }),
      async ({ id = 0 }) => {
        const made = await steps(
          () =>
            port
              ? makeOutput(id, { name: `${name} SRT`, protocol: SRT, config: { mode: 'listener', 'bind-port': port } })
              : NOTHING,
          (reply) => {
            output = reply.id
            return giveInput(id, input)
          }
        )
        if (made.result !== SUCCESS) {
          await send(deleteChannels, { id })
          if (output) await send(deleteOutputs, { id: output })
        }
        return made
      }
    )
  )
}

export const rename = (id: number, name: string, options: ActOptions) => change(setChannel, { id, name }, options)

/** Starts or stops channels. @returns whether all went well */
export const enable = (channels: readonly Channel[], on: boolean) =>
  well(
    act(
      steps(
        ...channels.map(
          ({ id }) =>
            () =>
              insist((force) => send(enableChannel, { id, enable: on, ...force }))
        )
      )
    )
  )

export const removeChannels = (channels: readonly Channel[]) =>
  well(change(deleteChannels, { id: channels.map(({ id }) => id) }))

/** Deletes an output, which its channel loses. */
export const removeOutput = (id: number) => well(change(deleteOutputs, { id, force: true }))

/** The first port from 9001 that no SRT listener of the hub has. */
export async function freePort(): Promise<number> {
  const { list = [] } = await send(listOutputs, {})
  const taken = new Set(list.map(({ config }: Output) => (config as SrtOutput)['bind-port']))
  let port = 9001
  while (taken.has(port)) port++
  return port
}
