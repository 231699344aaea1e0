// Stores of the channel screens, and mutations of channels.
import { atom, computed } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../../contract/limits.ts'
import { listLog } from '../../../contract/log.ts'
import type { startRecording, stopRecording } from '../../../contract/recording/recording.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  type ChannelConfig,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { duplicateChannel, type LeftOut } from '../../../contract/stream/channel-actions.ts'
import { channelHistory, HISTORY_MAX } from '../../../contract/stream/channel-history.ts'
import type { ChannelInput } from '../../../contract/stream/leg.schema.ts'
import { type AddOutputRequest, addOutput, deleteOutputs } from '../../../contract/stream/source.ts'
import { send } from '../../link/send.ts'
import { asksBeforeOffAir } from '../../other-hubs.ts'
import { channelLink } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'
import {
  confirmAndRetry,
  confirmOffAir,
  type FailureOptions,
  type ForceOption,
  type MutateOptions,
  mutate,
  sendMutation,
  succeeded,
  undoIfUnchanged
} from '../../state/mutations.ts'
import { notify, type SuccessMessage } from '../../state/toasts.ts'
import { deletionOf } from '../../state/trash.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import * as TEXT from './text.ts'

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)

/** ID of the channel whose page is open. */
export const $channelId = atom(0)

/** Clients to request: about as many as can be connected. */
const CLIENT_COUNT = 1000

/** The leg on air: the ID of a backup; 0 = the main input. */
const $legOnAir = atom(0)

export const $channel = createLiveValue(
  {
    call: queryChannel,
    request: computed($channelId, (id) => ({ id, 'output-count': CHANNEL_OUTPUTS_MAX, 'client-count': CLIENT_COUNT })),
    pace: 'slow',
    topic: 'channel'
  },
  ({ channel: { backups, 'on-air': onAir } }) => {
    $legOnAir.set(backups?.find(({ id }) => id === onAir?.input)?.id ?? 0)
  }
)

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

/** The discontinuities of the input on air in the last hour, as a single value. */
export const $discontinuities = createLiveValue({
  call: channelHistory,
  request: computed([$channelId, $legOnAir], (id, leg) => ({
    id,
    leg,
    span: HISTORY_MAX,
    fields: 'ts-cc-errors',
    points: 1
  })),
  pace: 'slowest'
})

/** Log lines shown. */
const LOG_LINE_COUNT = 20

/** Lines of the log about the channel. */
export const $log = createLiveList({
  call: listLog,
  request: computed($channelId, (channel) => ({ type: 'system' as const, channel, count: LOG_LINE_COUNT })),
  pace: 'slowest',
  topic: 'log'
})

export const nameOf = ({ name }: { name: string }) => name

type CreateReply = Envelope & { id?: number }

/** Sets the input of a channel. @param input node ID; 0 = none */
const assignInput = (id: number, input: number): Promise<CreateReply> =>
  confirmAndRetry((force) => send(setChannelInput, { id, input, ...force }))

/**
 * Creates an output and adds it to a channel; deletes it if that fails.
 * @param ask makes the call that adds it
 * @returns the reply, with the ID of the output
 */
export async function createOutput(
  id: number,
  output: AddOutputRequest,
  ask: (call: (force: ForceOption) => Promise<Envelope>) => Promise<Envelope> = confirmAndRetry
): Promise<CreateReply> {
  const created = await send(addOutput, output)
  if (created.result !== SUCCESS) return created
  const reply = await ask((force) => send(addChannelOutputs, { id, outputs: [created.id], ...force }))
  if (reply.result !== SUCCESS) await send(deleteOutputs, { id: created.id })
  return Object.assign(reply, { id: created.id })
}

/** The message after a change of channels, which leads to the channel if it is one and still exists. */
export const channelSuccess = (
  text: Translation,
  channels: readonly Pick<Channel, 'id' | 'name'>[]
): SuccessMessage => ({
  text,
  names: channels.map(nameOf),
  ...(channels.length === 1 && { path: channelLink(channels[0]?.id) })
})

/**
 * Sets the main input of a channel, which the user can undo, except if the input before is not one that the user sees.
 * @param input node ID; 0 = none
 */
export function changeInput(channel: Channel, input: number): Promise<CreateReply> {
  const { id, input: previous } = channel
  const { backups } = channel.config
  const success = channelSuccess(OUTCOME.saved, [channel])
  const restore = async ({ name }: Channel) => {
    const reply = await assignInput(id, previous?.id ?? 0)
    // A backup that became the main input is no longer one of the backups.
    const isBackup = reply.result === SUCCESS && backups?.includes(input)
    return isBackup ? send(setChannel, { id, name, config: { backups } as ChannelConfig }) : reply
  }
  const undo = undoIfUnchanged(
    () => send(queryChannel, { id }),
    (response) => (response.channel.input?.id ?? 0) === input,
    (response) => mutate(restore(response.channel), { success })
  )
  return mutate(assignInput(id, input), { success: { ...success, ...(!previous?.hidden && { undo }) } })
}

/** @param backups node IDs in the order of failover */
export const setBackups = (channel: Channel, backups: number[]) => saveConfig(channel, { backups })

/** A channel as the hub has it now. */
export const currentChannel = async (id: number): Promise<Channel | undefined> =>
  (await send(queryChannel, { id })).channel

/**
 * The values that settings had before a change. Those that another user has changed since are left out.
 * @param before the values before the change
 * @param saved the channel after the change
 */
export function previousSettings(
  settings: readonly (keyof ChannelConfig)[],
  before: ChannelConfig,
  saved: Channel | undefined,
  now: Channel | undefined
): Partial<ChannelConfig> {
  const isUntouched = (setting: keyof ChannelConfig) =>
    JSON.stringify(now?.config[setting]) === JSON.stringify(saved?.config[setting])
  return Object.fromEntries(settings.filter(isUntouched).map((setting) => [setting, before[setting]]))
}

/**
 * Changes settings of a channel, which the user can undo. What another user changes until then stays.
 * @param onUndo called after the undo
 */
export async function saveConfig(
  { id, name, config }: Channel,
  changed: Partial<ChannelConfig>,
  { newName = name, onUndo, ...options }: FailureOptions & { newName?: string; onUndo?: () => void } = {}
): Promise<Envelope> {
  const settings = Object.keys(changed) as (keyof ChannelConfig)[]
  /** The channel after the change, as the hub has stored it. */
  let saved: Promise<Channel | undefined> = Promise.resolve(undefined)
  const undo = async () => {
    const now = await currentChannel(id)
    const previous = previousSettings(settings, config, await saved, now)
    const nameNow = now && now.name !== newName ? now.name : name
    if (Object.keys(previous).length < settings.length) notify(STATE_CHANGED)
    await sendMutation(
      setChannel,
      { id, name: nameNow, config: previous as ChannelConfig },
      { success: channelSuccess(OUTCOME.saved, [{ id, name: nameNow }]) }
    )
    onUndo?.()
  }
  const success = { ...channelSuccess(OUTCOME.saved, [{ id, name: newName }]), undo }
  const reply = await sendMutation(setChannel, { id, name: newName, config: changed }, { ...options, success })
  if (reply.result === SUCCESS) saved = currentChannel(id)
  return reply
}

export const addChannelOutput = (id: number, output: AddOutputRequest, options: MutateOptions) =>
  mutate(createOutput(id, output), { ...options, success: channelSuccess(OUTCOME.added, [{ id, name: output.name }]) })

/**
 * Adds a channel with its input and an output.
 * @param output a new output, or the node ID of a device that plays the channel
 * @returns the reply of the first step that failed. Objects created by earlier steps are then deleted.
 */
async function addChannelWithSources(
  name: string,
  input: number,
  output: AddOutputRequest | number | undefined
): Promise<CreateReply> {
  const channel = await send(addChannel, { name })
  if (channel.result !== SUCCESS) return channel
  const { id } = channel
  const isNew = typeof output === 'object'
  const created: CreateReply = isNew
    ? await createOutput(id, output)
    : output
      ? await confirmAndRetry((force) => send(addChannelOutputs, { id, outputs: [output], ...force }))
      : channel
  const reply = created.result === SUCCESS ? await assignInput(id, input) : created
  if (reply.result !== SUCCESS) {
    await send(deleteChannels, { id })
    if (isNew && reply !== created) await send(deleteOutputs, { id: created.id as number })
  }
  return Object.assign(reply, { id })
}

/** @param isStarted whether the channel is started then. A channel that cannot be started is added all the same. */
export async function createChannel(
  name: string,
  input: number,
  output: AddOutputRequest | number | undefined,
  isStarted: boolean
): Promise<CreateReply> {
  const reply = await mutate(addChannelWithSources(name, input, output), {
    success: ({ id = 0 }) => channelSuccess(OUTCOME.added, [{ id, name }])
  })
  const { result, id = 0 } = reply
  if (result === SUCCESS && isStarted) {
    const success = channelSuccess(OUTCOME.started, [{ id, name }])
    await sendMutation(enableChannel, { id, enable: true }, { success })
  }
  return reply
}

/** Starts or stops channels, one after the other, up to the first failure. @returns whether all succeeded */
export async function enableChannels(channels: readonly Channel[], isEnabled: boolean): Promise<boolean> {
  const success = channelSuccess(isEnabled ? OUTCOME.started : OUTCOME.stopped, channels)
  // One question for several channels.
  const isAsked = !isEnabled && channels.length > 1 && channels.every(asksBeforeOffAir)
  if (isAsked) {
    const tryStop = ({ id }: Channel) => send(enableChannel, { id, enable: false, 'dry-run': true })
    if (!(await confirmOffAir(await Promise.all(channels.map(tryStop))))) return false
  }
  for (const { id } of channels) {
    const enable = (options: ForceOption) => send(enableChannel, { id, enable: isEnabled, ...(!isAsked && options) })
    if (!(await succeeded(mutate(enable, { success, attempt: `${enableChannel.path} ${id}` })))) return false
  }
  return true
}

/** Starts or stops the recording of a channel. */
export const record = (
  call: typeof startRecording | typeof stopRecording,
  channel: Channel,
  outcome: Translation
): Promise<boolean> =>
  succeeded(sendMutation(call, { channel: channel.id }, { success: channelSuccess(outcome, [channel]) }))

/** Adds a stopped copy of a channel. The message names what the copy does not have. */
export const copyChannel = ({ id }: Channel) =>
  sendMutation(
    duplicateChannel,
    { id },
    {
      success: ({ id: copy, name, 'left-out': leftOut }) => ({
        ...channelSuccess(OUTCOME.added, [{ id: copy, name }]),
        ...(leftOut.length > 0 && { note: { text: TEXT.leftOut, names: leftOut.map(leftOutText) } })
      })
    }
  )

const LEFT_OUT_REASONS: Readonly<Record<LeftOut['why'], Translation>> = {
  port: TEXT.leftOutPort,
  target: TEXT.leftOutTarget,
  device: TEXT.leftOutDevice,
  hidden: TEXT.hiddenInput
}

const leftOutText = ({ name, why }: LeftOut): string => {
  const reason = t(LEFT_OUT_REASONS[why])
  return name ? `${name} (${reason})` : reason
}

export const removeChannels = (channels: readonly Channel[]) =>
  succeeded(
    sendMutation(
      deleteChannels,
      { id: channels.map(({ id }) => id) },
      deletionOf(channels.map((channel) => ({ name: nameOf(channel) })))
    )
  )
