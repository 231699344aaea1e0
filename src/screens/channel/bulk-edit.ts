// A change of many channels: the hub says for each channel what the change would do before it is made. It is then made
// with one line of progress for each channel, and can be undone.
import type { ObjectSecurity } from '../../../contract/access/visibility.ts'
import type { Envelope } from '../../../contract/call.ts'
import {
  ALREADY_EXISTS,
  INVALID_ARG,
  NAME_EXISTS,
  PORT_OCCUPIED,
  STATE_CHANGED,
  SUCCESS
} from '../../../contract/codes.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../../contract/limits.ts'
import { streamName } from '../../../contract/rules/rules.ts'
import {
  addChannelOutputs,
  type Channel,
  type ChannelConfig,
  deleteChannelOutputs,
  setChannel
} from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import type { ChannelOutput } from '../../../contract/stream/leg.schema.ts'
import { type AddOutputRequest, addOutput, deleteOutputs } from '../../../contract/stream/source.ts'
import { assignTags, type Tag } from '../../../contract/tag.ts'
import { send } from '../../link/send.ts'
import { audienceText, guestMask, listedAudiences } from '../../parts/access/audience.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { runBulk } from '../../parts/bulk-action.ts'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { channelLink } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import type { ForceOption } from '../../state/mutations.ts'
import { offAirItems } from '../../state/off-air.ts'
import { notify } from '../../state/toasts.ts'
import { $users } from '../../state/users.ts'
import { faultOf, faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { licenseLimitText } from '../../text/license.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { responseLines } from '../../text/response-message.ts'
import * as UI from '../../ui/text.ts'
import { TEXT } from './bulk-text.ts'
import { createOutput, currentChannel, inputName, previousSettings } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

export interface PlannedChange {
  channel: Channel
  /** What changes, as sentences; empty if the channel has it already. */
  lines: readonly string[]
  /** Why it cannot be made. */
  refusal?: string | undefined
  /** What goes off air. */
  interruptions?: readonly string[] | undefined
  apply: (force: ForceOption) => Promise<Envelope>
  undo: (force: ForceOption) => Promise<Envelope>
}

export const isPossible = ({ lines, refusal }: PlannedChange): boolean => lines.length > 0 && !refusal

/** A setting with its old and its new value. */
export const changeText = (setting: string, before: string | number, after: string | number): string =>
  t(TEXT.change, setting, before, after)

/** What the response to a dry run says. */
function verdictOf(reply: Envelope): Pick<PlannedChange, 'refusal' | 'interruptions'> {
  if (reply.result === SUCCESS) return { interruptions: offAirItems(reply) }
  return { refusal: reply.result === INVALID_ARG ? faultText(faultOf(reply)) : responseLines(reply)[0] }
}

/** Stands for the name of the channel and for its number among the selected ones. */
const PLACEHOLDER = /\{(name|n)\}/g

export const expandText = (text: string, { name }: { name: string }, number: number): string =>
  text.replace(PLACEHOLDER, (_, key) => (key === 'n' ? String(number) : name.replace(/\s+/g, '-')))

/** Name of the form field with the stream key of a channel. */
export const keyField = ({ id }: Pick<Channel, 'id'>): string => `key ${id}`

/** The name of a new output: those of channel and destination. That of the channel is shortened if both are long. */
function outputName(channel: string, suffix: string): string {
  let start = channel
  while (start && streamName(`${start} ${suffix}`)) start = start.slice(0, -1).trimEnd()
  return `${start} ${suffix}`.trim()
}

/** The output of a channel. @param index of the channel @param counted what is added to the port */
function outputFor(
  values: SourceValues,
  channel: Channel,
  index: number,
  [port, copy]: readonly [port: number, copy: number]
): AddOutputRequest {
  const expanded = Object.entries(values).map(([field, text]) => [field, expandText(text, channel, index + 1)])
  const { suffix = '' } = values
  const key = values[keyField(channel)]
  const countedPort = (field: string) => values[field] && { [field]: String(Number(values[field]) + port) }
  const isVaried = (values['dst-ip'] ?? '').search(PLACEHOLDER) >= 0
  return OUTPUT_FORM.requestOf({
    ...Object.fromEntries(expanded),
    ...(key && { key }),
    ...countedPort('bind-port'),
    ...(!isVaried && countedPort('dst-port')),
    title: outputName(channel.name, copy > 1 ? `${suffix} ${copy}` : suffix)
  })
}

/** Where an output sends to, or the port at which players connect. */
function addressOf({ config }: AddOutputRequest): string {
  const { url, 'dst-ip': host = '', 'dst-port': port, 'bind-port': bind = '' } = config as Record<string, string>
  return url ?? `${host}:${port ?? bind}`
}

/** Most ports and names that are tried for one output. */
const ATTEMPTS_MAX = 100

/**
 * Plans a new output of each channel, with a name and a port that are free.
 * @param values of the form: those of a destination, and the stream key of each channel (`keyField`)
 */
export async function planOutputs(channels: readonly Channel[], values: SourceValues): Promise<PlannedChange[]> {
  const { 'output-num': used = 0, 'limit-output-num': limit = 0 } = $channels.get().response ?? {}
  /** Configurations of the outputs that are planned. */
  const planned = new Set<string>()
  const changes: PlannedChange[] = []
  let active = used
  let port = 0
  for (const [index, channel] of channels.entries()) {
    const { id, config, outputs } = channel
    let [copy, attempts] = [1, 0]
    let request = outputFor(values, channel, index, [port, copy])
    let reply: Envelope = await send(addOutput, { ...request, 'dry-run': true })
    while (++attempts < ATTEMPTS_MAX && (reply.result === PORT_OCCUPIED || reply.result === NAME_EXISTS)) {
      if (reply.result === NAME_EXISTS) copy++
      else port++
      request = outputFor(values, channel, index, [port, copy])
      reply = await send(addOutput, { ...request, 'dry-run': true })
    }
    port++
    const target = JSON.stringify(request.config)
    if (values.kind !== 'hls' && planned.has(target)) reply = { result: ALREADY_EXISTS, exists: 'server' }
    planned.add(target)
    const isOverLimit = config.enable && limit > 0 && active >= limit
    const limitReached =
      outputs.total >= CHANNEL_OUTPUTS_MAX
        ? t(TEXT.full, CHANNEL_OUTPUTS_MAX)
        : isOverLimit && licenseLimitText('max-output-count', active, limit)
    const refusal = limitReached || verdictOf(reply).refusal
    if (config.enable && !refusal) active++
    let created = 0
    changes.push({
      channel,
      lines: [
        changeText(t(CHANNEL_TEXT.outputs), outputs.total, outputs.total + 1),
        `+ ${request.name} (${addressOf(request)})`
      ],
      refusal,
      async apply() {
        const response = await createOutput(id, request, (call) => call({}))
        created = response.id ?? 0
        return response
      },
      undo: (force) => send(deleteOutputs, { id: created, ...force, force: true })
    })
  }
  return changes
}

/** Plans the removal of outputs from their channels. They stay saved. */
export function planRemoval(
  channels: readonly Channel[],
  isRemoved: (output: ChannelOutput) => boolean
): Promise<PlannedChange[]> {
  const plan = async (channel: Channel): Promise<PlannedChange> => {
    const { id, outputs } = channel
    const removed = outputs.list.filter(isRemoved)
    const request = { id, outputs: removed.map((output) => output.id) }
    return {
      channel,
      lines:
        removed.length > 0
          ? [
              changeText(t(CHANNEL_TEXT.outputs), outputs.total, outputs.total - removed.length),
              ...removed.map((output) => `− ${inputName(output)}`)
            ]
          : [],
      ...(removed.length > 0 && verdictOf(await send(deleteChannelOutputs, { ...request, 'dry-run': true }))),
      apply: (force) => send(deleteChannelOutputs, { ...request, ...force }),
      undo: () => send(addChannelOutputs, request)
    }
  }
  return Promise.all(channels.map(plan))
}

/** Settings that a channel gets, and what changes, as sentences. */
export interface SettingsChange {
  config: Partial<ChannelConfig>
  lines: readonly string[]
}

/** Plans other settings of each channel. */
export function planSettings(
  channels: readonly Channel[],
  changeOf: (channel: Channel) => SettingsChange
): Promise<PlannedChange[]> {
  const plan = async (channel: Channel): Promise<PlannedChange> => {
    const { id } = channel
    const { config, lines } = changeOf(channel)
    const settings = Object.keys(config) as (keyof ChannelConfig)[]
    const set = ({ name }: Pick<Channel, 'name'>, values: Partial<ChannelConfig>, options: object) =>
      send(setChannel, { id, name, config: values as ChannelConfig, ...options })
    let saved: Channel | undefined
    return {
      channel,
      lines,
      ...(lines.length > 0 && verdictOf(await set(channel, config, { 'dry-run': true }))),
      async apply(force) {
        const now = await currentChannel(id)
        const unchanged = Object.keys(previousSettings(settings, channel.config, channel, now))
        if (unchanged.length < settings.length) return { result: STATE_CHANGED }
        const reply = await set(now ?? channel, config, force)
        if (reply.result === SUCCESS) saved = await currentChannel(id)
        return reply
      },
      async undo(force) {
        const now = await currentChannel(id)
        const previous = previousSettings(settings, channel.config, saved, now)
        if (Object.keys(previous).length === 0) return { result: STATE_CHANGED }
        return set(now ?? channel, previous, force)
      }
    }
  }
  return Promise.all(channels.map(plan))
}

/** Plans who sees each channel. */
export function planAccess(channels: readonly Channel[], security: ObjectSecurity): PlannedChange[] {
  const audiences = listedAudiences($users.get().value)
  const guests = guestMask(audiences)
  const textOf = (access: ObjectSecurity) => {
    const masks = { 'group-mask': 0, 'usr-mask': 0, ...access }
    if (!access['is-inherit']) return audienceText(masks, audiences)
    // Guests are those of the channel, also while it inherits.
    const own = { 'group-mask': 0, 'usr-mask': masks['usr-mask'] & guests }
    return own['usr-mask'] ? `${t(TEXT.inherit)} + ${audienceText(own, audiences)}` : t(TEXT.inherit)
  }
  return channels.map((channel) => {
    const { id, 'is-inherit': inherits = 0, 'group-mask': groups = 0, 'usr-mask': users = 0 } = channel
    const previous = { 'is-inherit': inherits, 'group-mask': groups, 'usr-mask': users }
    const [before, after] = [textOf(previous), textOf(security)]
    const set = async (access: ObjectSecurity) => {
      const { details: [detail] = [], ...reply } = await send(setChannelSecurity, { id, security: access })
      return { ...reply, ...detail }
    }
    return {
      channel,
      lines: before === after ? [] : [changeText(t(ACCESS_TEXT.access), before, after)],
      apply: () => set(security),
      undo: () => set(previous)
    }
  })
}

/** Plans which tags each channel gets and loses. */
export const planTags = (channels: readonly Channel[], add: readonly Tag[], remove: readonly Tag[]): PlannedChange[] =>
  channels.map((channel) => {
    const { id, tags = [] } = channel
    const [added, removed] = [
      add.filter((tag) => !tags.includes(tag.id)),
      remove.filter((tag) => tags.includes(tag.id))
    ]
    const assign = (plus: readonly Tag[], minus: readonly Tag[]) =>
      send(assignTags, { channels: [id], add: plus.map((tag) => tag.id), remove: minus.map((tag) => tag.id) })
    return {
      channel,
      lines: [...added.map(({ name }) => `+ ${name}`), ...removed.map(({ name }) => `− ${name}`)],
      apply: () => assign(added, removed),
      undo: () => assign(removed, added)
    }
  })

/**
 * Makes the planned changes, and shows progress and failures by channel.
 * @param title of the progress dialog
 */
export async function applyChanges(title: string, changes: readonly PlannedChange[]): Promise<void> {
  const made = new Set<PlannedChange>()
  const run = (
    verb: string,
    some: readonly PlannedChange[],
    work: (change: PlannedChange, force: ForceOption) => Promise<Envelope>,
    undo?: () => unknown
  ) =>
    runBulk({
      title: verb,
      devices: some.map(({ channel: { id, name } }) => ({
        sn: String(id),
        name,
        path: channelLink(id)
      })),
      outcome: OUTCOME.saved,
      batchSize: 1,
      ...(undo && { undo }),
      async sendBatch([sn], force) {
        const change = some.find(({ channel }) => String(channel.id) === sn) as PlannedChange
        return work(change, force)
      }
    })
  const undo = () => run(t(UI.undo), [...made], (change, force) => change.undo(force))
  const isComplete = await run(
    title,
    changes,
    async (change, force) => {
      // The preview has named what goes off air. The hub asks about anything else.
      const reply = await change.apply(change.interruptions ? {} : force)
      if (reply.result === SUCCESS) made.add(change)
      return reply
    },
    undo
  )
  if (!isComplete && made.size > 0)
    notify(SUCCESS, { text: OUTCOME.saved, names: [...made].map(({ channel }) => channel.name), undo })
}
