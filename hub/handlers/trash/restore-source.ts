// Restores inputs, outputs and presets of destinations from the trash.
import { TOO_MANY } from '../../../contract/codes.ts'
import { BACKUPS_MAX, CHANNEL_OUTPUTS_MAX, NAME_MAX } from '../../../contract/limits.ts'
import { ndiNameBytes, utf8Length } from '../../../contract/ndi-name-length.ts'
import { type OutputPreset, PRESETS_MAX } from '../../../contract/stream/preset.ts'
import { HTTP, NDI } from '../../../contract/stream/protocols.ts'
import { formatSourceUrl, isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import { CallError, requireCaller } from '../../http/handler.ts'
import { ndiMachineNameOf } from '../../ndi/machine-name.ts'
import { newStreamKey } from '../../store/channels.ts'
import type { InputRow, OutputRow } from '../../store/sources.ts'
import type { TrashedInput, TrashedOutput } from '../../store/trash.ts'
import { changeWithinLicense } from '../license-limits.ts'
import { requireAllowedInput } from '../stream/input.ts'
import { hostField, requireFreeTarget } from '../stream/output.ts'
import { listenPort, playbackKeys, playbackPort } from '../stream/output-config.ts'
import { boundPorts, type PortUser } from '../stream/ports-in-use.ts'
import { nextPresetId } from '../stream/preset.ts'
import { channelInputHosts, channelOutputHosts, inputHost, outputHost, requireOtherHosts } from '../stream/same-host.ts'
import { applyChannels, requireAllowedHost } from '../stream/source-checks.ts'
import { isLongerThan, type Restoration, type RestoreParts } from './restoration.ts'

/** The URL of an input, with another port if its own is in use. */
function freeUrl({ portsInUse }: RestoreParts, restoration: Restoration, { id, url }: InputRow): string {
  const ports = boundPorts(url)?.ports ?? []
  const user: PortUser = { kind: 'input', id, url }
  const parsed = parseSourceUrl(url)
  if (isFault(parsed) || ports.every((port) => portsInUse.holderOf(port, user) === undefined)) return url
  const port = portsInUse.firstUnused(ports.length, user)
  restoration.leaveOut('port', String(ports[0]), String(port))
  const { srt } = parsed
  return formatSourceUrl(srt?.localPort ? { ...parsed, srt: { ...srt, localPort: port } } : { ...parsed, port })
}

/** The name of a channel; undefined if the caller may not see it. */
const channelName = ({ gate }: RestoreParts, { context }: Restoration, { id, name }: { id: number; name: string }) =>
  gate.canSeeChannel(requireCaller(context), id) ? name : undefined

/** Makes an input the main input of a channel again. @returns false if the channel or the licence does not permit it */
function restoreMainInput({ store }: RestoreParts, channel: number, input: number): boolean {
  const { channels } = store
  const row = channels.byId(channel)
  if (!row || row.input_id !== null) return false
  return changeWithinLicense(
    store,
    () => channels.setInput(channel, input),
    () => channels.setInput(channel, null)
  )
}

/** Makes an input a backup of a channel again. @returns false if the channel or the licence does not permit it */
function restoreBackup({ store }: RestoreParts, channel: number, input: number, place: number): boolean {
  const { channels } = store
  const before = channels.backupIds(channel)
  if (!channels.byId(channel) || before.length >= BACKUPS_MAX) return false
  return changeWithinLicense(
    store,
    () => channels.setBackups(channel, before.toSpliced(place, 0, input)),
    () => channels.setBackups(channel, before)
  )
}

/**
 * @returns the name of the input
 * @throws CallError 32 if the address policy forbids its host; 1005 if an output of its channel has that host, unless
 * forced
 */
export function restoreInput(parts: RestoreParts, restoration: Restoration, trashed: TrashedInput): string {
  const { sources, trash } = parts.store
  const { row, channels, backups } = trashed
  requireAllowedInput(parts, row.url)
  const isTaken = (name: string) => sources.inputByName(name) !== undefined
  const name = restoration.freeName(row.name, isLongerThan(NAME_MAX), isTaken)
  trash.insertRow('input', { ...row, name, url: freeUrl(parts, restoration, row) })
  for (const channel of channels)
    if (!restoreMainInput(parts, channel.id, row.id))
      restoration.leaveOut('channel', channelName(parts, restoration, channel))
  for (const channel of backups)
    if (!restoreBackup(parts, channel.id, row.id, channel.place))
      restoration.leaveOut('channel', channelName(parts, restoration, channel))
  const users = [...channels, ...backups].map(({ id }) => id).filter((id) => parts.store.channels.byId(id))
  const hosts = parts.store.channels.byInput(row.id).flatMap(({ id }) => channelOutputHosts(parts, id))
  requireOtherHosts([inputHost(row.url)], hosts, 'id', restoration.force)
  applyChannels(parts, restoration.context, users)
  return name
}

type StoredOutput = Pick<OutputRow, 'protocol' | 'config'>

const withField = (row: StoredOutput, field: string, value: string | number): StoredOutput => ({
  ...row,
  config: { ...row.config, [field.replace('config.', '')]: value }
})

/** The output, with a free port and new keys in place of those that are in use. */
function withFreeAddress({ store, portsInUse }: RestoreParts, restoration: Restoration, output: StoredOutput) {
  let row = output
  const user: PortUser = { kind: 'output', id: undefined }
  const listen = listenPort(row)
  if (listen && portsInUse.holderOf(listen.port, user)) {
    const port = portsInUse.firstUnused(1, user)
    restoration.leaveOut('port', String(listen.port), String(port))
    row = withField(row, listen.field, port)
  }
  // Outputs at different ports may have equal keys.
  const others = store.sources.outputs().filter((other) => playbackPort(other) === playbackPort(row))
  const inUse = new Set(others.flatMap(playbackKeys).map(({ key }) => key))
  for (const { key, field } of playbackKeys(row)) {
    if (!inUse.has(key) && !store.channels.byKey(key)) continue
    restoration.leaveOut(field === 'config.key' ? 'key' : 'sub-key')
    row = withField(row, field, newStreamKey(row.protocol === HTTP ? 'HLS' : 'RTSP'))
  }
  return row
}

/** Adds an output to its channel again. @returns false if the channel or the licence does not permit it */
function restoreChannelOutput(
  { store }: RestoreParts,
  output: number,
  { id, enable }: { id: number; enable: number }
): boolean {
  const { channels } = store
  const count = channels.outputIds(id).length + channels.deviceOutputs(id).length
  if (!channels.byId(id) || count >= CHANNEL_OUTPUTS_MAX) return false
  const add = () => {
    channels.addOutput(id, output)
    if (enable === 0) channels.setOutputEnable(id, output, false)
  }
  return changeWithinLicense(store, add, () => channels.removeOutput(id, output))
}

/**
 * @returns the name of the output
 * @throws CallError 32 if the address policy forbids its host; 41 if another output sends to its target; 1005 if an
 * input of its channel has that host, unless forced
 */
export function restoreOutput(parts: RestoreParts, restoration: Restoration, { row, channel }: TrashedOutput): string {
  const { sources, trash, channels } = parts.store
  // The machine can have a longer NDI name than at the time of the deletion.
  const ndiBytes = row.protocol === NDI ? ndiNameBytes(ndiMachineNameOf(parts)) : Number.POSITIVE_INFINITY
  const isTooLong = (name: string) => isLongerThan(NAME_MAX)(name) || utf8Length(name) > ndiBytes
  const name = restoration.freeName(row.name, isTooLong, (taken) => sources.outputByName(taken) !== undefined)
  const stored: StoredOutput = { protocol: row.protocol, config: JSON.parse(row.config) }
  const output = withFreeAddress(parts, restoration, stored)
  requireFreeTarget(parts, restoration.context, output, undefined)
  requireAllowedHost(parts, outputHost(output), hostField(row.protocol))
  trash.insertRow('output', { ...row, name, config: JSON.stringify(output.config) })
  if (channel && restoreChannelOutput(parts, row.id, channel))
    requireOtherHosts(channelInputHosts(parts, channel.id), [outputHost(output)], 'id', restoration.force)
  else if (channel) restoration.leaveOut('channel', channelName(parts, restoration, channel))
  applyChannels(parts, restoration.context, channel && channels.byId(channel.id) ? [channel.id] : [])
  return name
}

/**
 * @returns the name of the preset
 * @throws CallError 17 if there are too many
 */
export function restorePreset({ store }: RestoreParts, restoration: Restoration, preset: OutputPreset): string {
  const { settings, changes } = store
  const presets = settings.get('output-presets')
  if (presets.length >= PRESETS_MAX) throw new CallError(TOO_MANY, { max: PRESETS_MAX })
  const isTaken = (taken: string) => presets.some(({ name }) => name.toLowerCase() === taken.toLowerCase())
  const name = restoration.freeName(preset.name, isLongerThan(NAME_MAX), isTaken)
  // An import can have given the ID to another preset.
  const isIdTaken = presets.some(({ id }) => id === preset.id)
  if (isIdTaken) restoration.newId = nextPresetId(store)
  settings.set('output-presets', [...presets, { ...preset, id: restoration.newId ?? preset.id, name }])
  restoration.context.afterCommit(() => changes.markChanged('source'))
  return name
}
