// Adding a channel and changing its settings: name, keys, inputs, backups, schedule.
import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, PLAY_KEY_EXISTS, PUSH_KEY_EXISTS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { LOG_CHANGED, LOG_NONE } from '../../../contract/log.ts'
import { streamKey } from '../../../contract/rules/rules.ts'
import { changedSettings, mergeSettings } from '../../../contract/setting.schema.ts'
import { type AddChannelRequest, addChannel, setChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { CHANNEL_SETTINGS } from '../../../contract/stream/channel-settings.schema.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import { CallError, type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import {
  type ChannelKeys,
  type ChannelRow,
  channelSetting,
  channelSettings,
  newChannelKeys
} from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { requireNdiName } from '../ndi-names.ts'
import { playbackKeys } from '../stream/output-config.ts'
import { channelOutputHosts, hostOfInput, requireOtherHosts } from '../stream/same-host.ts'
import { applyAfterCommit, markSourcesChanged, requireChannel } from './changes.ts'
import { includeCreator } from './security.ts'

export interface ChannelSettingsParts {
  store: Store
  gate: Gate
  engine: EngineClient
  scheduler: Scheduler
  applyChannel: (id: number) => Promise<void>
}

/**
 * The play and push key of a channel: those of the request, else the previous ones, else new ones.
 * @throws CallError 7 if a new key has more than 63 units; 1001 or 1002 if another channel or an output uses the play
 * or push key, because every key is unique in the hub
 */
function channelKeys(store: Pick<Store, 'channels' | 'sources'>, request: AddChannelRequest, previous?: ChannelRow) {
  const [stored, generated] = [previous && channelSettings(previous), newChannelKeys()]
  const keyOf = (name: keyof ChannelKeys) => {
    const key = (request.config?.[name] ?? stored?.[name]) || generated[name]
    // Keys of earlier versions and of imports can be longer.
    const fault = key === stored?.[name] ? undefined : streamKey(key)
    if (!fault) return key
    const { name: kind, ...limits } = fault
    throw new CallError(INVALID_ARG, { field: `config.${name}`, fault: kind, ...limits })
  }
  const keys = { 'play-key': keyOf('play-key'), 'push-key': keyOf('push-key') }
  const isTaken = (key: string) => {
    const row = store.channels.byKey(key)
    if (row) return row.id !== previous?.id
    return store.sources.outputs().some((output) => playbackKeys(output).some((other) => other.key === key))
  }
  if (isTaken(keys['play-key'])) throw new CallError(PLAY_KEY_EXISTS, { field: 'config.play-key' })
  if (isTaken(keys['push-key']) || keys['push-key'] === keys['play-key'])
    throw new CallError(PUSH_KEY_EXISTS, { field: 'config.push-key' })
  return keys
}

/** @throws CallError 1003 if another channel than `id` has this name */
function requireFreeName({ store }: { store: Store }, name: string, id?: number): void {
  const row = store.channels.byName(name)
  if (row && row.id !== id) throw new CallError(NAME_EXISTS, { field: 'name' })
}

/**
 * Whether the caller may use a node as an input: an input source that the caller sees, or an accepted device that
 * can send and that the caller sees.
 */
function isInput({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): boolean {
  if (store.sources.input(id)) return gate.sourcesVisibleTo(requireCaller(context))(id)
  const device = store.devices.byId(id)
  if (device?.reg_state !== REGISTRATION_STATE.accepted || (device.dir & DIR_INPUT) === 0) return false
  return gate.canSeeDevice(requireCaller(context), device)
}

/** @throws CallError 16 with `field` if the caller cannot use the node as an input or backup */
export function requireInput(parts: { store: Store; gate: Gate }, context: Context, id: number, field: string): void {
  if (isInput(parts, context, id)) return
  context.objects.push(`input:${id}`)
  throw new CallError(NOT_EXIST, { field })
}

/**
 * Name of an input in the operation log. The name may be a device's, so the line is marked as being about that device.
 */
export function inputName({ store }: { store: Store }, context: Context, id: number): string | number {
  const device = store.devices.byId(id)
  context.objects.push(device ? `device:${device.sn}` : `input:${id}`)
  return (device ?? store.sources.input(id))?.name ?? id
}

/** @throws CallError 1005 if an output of the channel sends to the host of one of these inputs, unless forced */
export function requireOtherHost(
  parts: { store: Store },
  row: ChannelRow,
  inputs: readonly number[],
  field: string,
  force: boolean | undefined
): void {
  const hosts = inputs.map((id) => hostOfInput(parts, id))
  requireOtherHosts(hosts, channelOutputHosts(parts, row.id), field, force)
}

function setBackups(
  parts: { store: Store; gate: Gate },
  context: Context,
  row: ChannelRow,
  backups: readonly number[],
  force: boolean | undefined
): void {
  const { channels } = parts.store
  const previous = channels.backupIds(row.id)
  if (new Set(backups).size < backups.length || backups.includes(row.input_id ?? 0))
    throw new CallError(INVALID_ARG, { field: 'config.backups', fault: 'same' })
  // A backup that the caller may not see can stay: its id is in `config.backups` of every response.
  const added = backups.filter((id) => !previous.includes(id))
  for (const id of added) requireInput(parts, context, id, 'config.backups')
  requireOtherHost(parts, row, added, 'config.backups', force)
  channels.setBackups(row.id, backups)
}

/**
 * Stores the settings of a request. A setting that the request leaves out is not changed.
 * @returns whether the schedule has changed
 */
function storeSettings(
  parts: { store: Store; gate: Gate },
  context: Context,
  id: number,
  { config, force }: AddChannelRequest & { force?: boolean }
): boolean {
  const { channels } = parts.store
  const row = channels.byId(id)
  if (!row || !config) return false
  const { backups, 'play-key': _play, 'push-key': _push, ...requested } = config
  // A channel without an NDI output does not get one that is disabled: it would be listed in the outputs.
  if (requested.ndi && !requested.ndi.enable && !row.ndi) delete requested.ndi
  const previous = channelSettings(row)
  if (backups) setBackups(parts, context, row, backups, force)
  channels.setSettings(id, mergeSettings(CHANNEL_SETTINGS, previous, requested))
  return requested.schedule !== undefined && JSON.stringify(requested.schedule) !== JSON.stringify(previous.schedule)
}

/** The settings of a channel, with its backups. */
function settingsOf({ channels }: Pick<Store, 'channels'>, id: number): Readonly<Record<string, unknown>> {
  const row = channels.byId(id)
  return row ? { ...channelSettings(row), backups: channels.backupIds(id) } : {}
}

/** The tag with the settings that differ, for the operation log; empty if none does. */
function changedTag(before: ReturnType<typeof settingsOf>, after: ReturnType<typeof settingsOf>): string {
  const changed = changedSettings(CHANNEL_SETTINGS, before, after)
  return changed.length > 0 ? ` ${LOG_CHANGED}${changed.join(',')}` : ''
}

/** @throws CallError 7 if the channel has an NDI output and NDI would not announce its name */
function requireAnnouncedName(parts: { store: Store; engine: EngineClient }, id: number): void {
  const row = parts.store.channels.byId(id)
  if (row && channelSetting(row, 'ndi')?.enable) requireNdiName(parts, row.name)
}

export function handleAddChannel(parts: ChannelSettingsParts): Handler {
  const { store, scheduler } = parts
  return handleChange(addChannel, (context, request) => {
    context.detail = request.name
    requireFreeName(parts, request.name)
    const keys = channelKeys(store, request)
    const id = enforceLicense(store, () => store.channels.add(request.name, keys))
    context.objects.push(`channel:${id}`)
    includeCreator(parts, context, id)
    enforceLicense(store, () => {
      storeSettings(parts, context, id, request)
      if (!request.config?.ndi && store.settings.get('channel')['ndi-enable'])
        store.channels.setSettings(id, { ndi: { enable: true } })
    })
    requireAnnouncedName(parts, id)
    applyAfterCommit(parts, context, id)
    if (request.config?.backups) markSourcesChanged(parts, context)
    context.afterCommit(() => scheduler.scheduleChanged(id))
    return { id }
  })
}

export function handleSetChannel(parts: ChannelSettingsParts): Handler {
  const { store, scheduler } = parts
  return handleChange(setChannel, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    context.detail = row.name === request.name ? row.name : `${row.name} → ${request.name}`
    requireFreeName(parts, request.name, row.id)
    const keys = channelKeys(store, request, row)
    const before = settingsOf(store, row.id)
    store.channels.setName(row.id, request.name)
    store.channels.setSettings(row.id, keys)
    const isRescheduled = enforceLicense(store, () => storeSettings(parts, context, row.id, request))
    requireAnnouncedName(parts, row.id)
    context.detail += changedTag(before, settingsOf(store, row.id))
    applyAfterCommit(parts, context, row.id)
    if (request.config?.backups) markSourcesChanged(parts, context)
    if (isRescheduled) context.afterCommit(() => scheduler.scheduleChanged(row.id, channelSetting(row, 'schedule')))
    return {}
  })
}

export function handleSetChannelInput(parts: ChannelSettingsParts): Handler {
  const { store } = parts
  return handleChange(setChannelInput, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    context.detail = request.input === 0 ? `${row.name} ${LOG_NONE}` : row.name
    if (request.input !== 0) {
      requireInput(parts, context, request.input, 'input')
      if (request.input !== row.input_id) requireOtherHost(parts, row, [request.input], 'input', request.force)
      context.detail = `${row.name}: ${inputName(parts, context, request.input)}`
    }
    enforceLicense(store, () => {
      // A backup that becomes the main input is removed from the backups.
      const backups = store.channels.backupIds(row.id).filter((id) => id !== request.input)
      store.channels.setInput(row.id, request.input || null)
      store.channels.setBackups(row.id, backups)
    })
    applyAfterCommit(parts, context, row.id)
    markSourcesChanged(parts, context)
    return {}
  })
}
