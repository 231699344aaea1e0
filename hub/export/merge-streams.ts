// Inputs, outputs and channels after an import.
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { HTTP, RTSP, SRT } from '../../contract/stream/protocols.ts'
import { newChannelKeys, newStreamKey } from '../store/channels.ts'
import { toColumns } from '../store/stored-settings.ts'
import { ExportError } from './archive.ts'
import type { DeviceMap } from './merge-devices.ts'
import type { Merge } from './merge-state.ts'
import type { MaskMap } from './merge-users.ts'
import { stripConfig, stripUrl } from './redact.ts'
import type { Row } from './tables.ts'

export function mergeStreams(merge: Merge, masks: MaskMap, devices: DeviceMap): void {
  const { result } = merge
  const isImported = merge.parts.has('streams')
  result.input = merge.rows('input', 'streams')
  result.output = merge.rows('output', 'streams')
  const incomplete = isImported ? completeSources(merge) : new Set<number>()
  copyChannels(merge, masks, isImported ? devices.imported : devices.local)
  if (isImported) for (const channel of result.channel) completeChannel(merge, channel)
  stopIncomplete(merge, incomplete)
}

/**
 * Takes secrets of inputs and outputs that are otherwise the same from this hub. @returns IDs of those whose secrets
 * are missing
 */
function completeSources(merge: Merge): Set<number> {
  const { result, local } = merge
  const incomplete = new Set<number>()
  const markIncomplete = ({ id, name }: Row) => {
    incomplete.add(Number(id))
    merge.note('secret', String(name))
  }
  for (const input of result.input.filter((row) => merge.isWithheld('input', row))) {
    const own = local.input.find((row) => isSame(row, input) && stripUrl(String(row.url)) === input.url)
    if (own) input.url = own.url as string
    else markIncomplete(input)
  }
  for (const output of result.output.filter((row) => merge.isWithheld('output', row))) {
    const own = local.output.find((row) => isSame(row, output) && stripConfig(String(row.config)) === output.config)
    if (own) output.config = own.config as string
    else if (!generateKeys(output)) markIncomplete(output)
  }
  return incomplete
}

const isSame = (row: Row, other: Row) => row.name === other.name && row.protocol === other.protocol

/** Outputs for players get new keys. @returns false if the output needs a secret that the hub cannot choose */
function generateKeys(output: Row): boolean {
  const config = parseConfig(output)
  if (config['enable-auth'] || output.protocol === SRT) return false
  if (output.protocol === HTTP) output.config = JSON.stringify({ ...config, key: newStreamKey('HLS') })
  else if (output.protocol === RTSP) {
    const key = () => newStreamKey('RTSP')
    output.config = JSON.stringify({ ...config, key: key(), ...(config['is-sub'] ? { 'sub-key': key() } : {}) })
  } else return false
  return true
}

function parseConfig({ name, config }: Row): Record<string, unknown> {
  try {
    return JSON.parse(String(config))
  } catch {
    throw new ExportError('value', `output ${name}`)
  }
}

/** @param deviceId translates the ID of a device that a channel refers to */
function copyChannels(merge: Merge, masks: MaskMap, deviceId: (id: number) => number | undefined): void {
  const { result } = merge
  const sources = new Set(result.input.map(({ id }) => Number(id)))
  const nodeId = (id: number) => (sources.has(id) ? id : deviceId(id))
  result.channel = merge.rows('channel', 'streams')
  const names = new Map(result.channel.map(({ id, name }) => [id, String(name)]))
  const noteLost = (channel: Row[string] | undefined) => merge.note('reference', names.get(channel as number) ?? '')
  for (const channel of result.channel) {
    if (channel.input_id === null) continue
    channel.input_id = nodeId(Number(channel.input_id)) ?? null
    if (channel.input_id !== null) continue
    // Without its input the channel would wait for a publisher.
    channel.enable = 0
    noteLost(channel.id)
  }
  result.channel_output = merge.rows('channel_output', 'streams')
  result.channel_backup = merge.rows('channel_backup', 'streams').flatMap((row) => {
    const node = nodeId(Number(row.node_id))
    if (node === undefined) noteLost(row.channel_id)
    return node === undefined ? [] : [{ ...row, node_id: node }]
  })
  result.channel_device = merge.rows('channel_device', 'streams').flatMap((row) => {
    const device = deviceId(Number(row.device_id))
    if (device === undefined) noteLost(row.channel_id)
    return device === undefined ? [] : [{ ...row, device_id: device }]
  })
  result.channel_visibility = merge
    .rows('channel_visibility', 'streams')
    .filter(({ channel_id: id }) => names.has(id as number))
    .map((row) => masks.map('channel_visibility', row, 'group_mask', 'usr_mask'))
  const stored = new Set([...result.input, ...result.output].map(({ id }) => id))
  // Those that the import removes are still named in the log.
  const removed = merge.local.source_access.filter(({ source_id: id }) => !stored.has(id as number))
  const kept = merge
    .rows('source_access', 'streams')
    .filter(({ source_id: id }) => stored.has(id as number))
    .map((row) => masks.map('channel_visibility', row, undefined, 'usr_mask'))
    // The ID of a channel that is not part of the export can be that of another one here.
    .map((row) => (row.channel_id === 0 || names.has(row.channel_id as number) ? row : { ...row, channel_id: -1 }))
  result.source_access = [...removed, ...kept]
}

/**
 * Keys that the export does not have stay those of the channel with this name; a new channel gets new ones. A manual
 * switch stays on air.
 */
function completeChannel(merge: Merge, channel: Row): void {
  const own = merge.local.channel.find(({ name }) => name === channel.name)
  channel.hold = own && own.id === channel.id && own.input_id === channel.input_id ? (own.hold as string) : ''
  if (!merge.isWithheld('channel', channel)) return
  for (const [name, key] of Object.entries(toColumns(CHANNEL_SETTINGS, newChannelKeys())))
    channel[name] = own ? (own[name] as string) : String(key)
  if (!own) merge.note('key', String(channel.name))
}

/** A picture without its password, or to a place without its key, must not go on air. */
function stopIncomplete({ result }: Merge, incomplete: ReadonlySet<number>): void {
  const backups = new Set(
    result.channel_backup.filter(({ node_id: id }) => incomplete.has(Number(id))).map(({ channel_id: id }) => id)
  )
  for (const channel of result.channel)
    if (incomplete.has(Number(channel.input_id)) || backups.has(channel.id as number)) channel.enable = 0
  for (const row of result.channel_output) if (incomplete.has(Number(row.output_id))) row.enable = 0
}
