// Builds the wanted state of a channel for the stream engine from the stored configuration.
import type { DeviceConfig } from '../../contract/device/config.ts'
import { PRO_CONVERT_AUDIO, ULTRA_STREAM } from '../../contract/device/products.ts'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import { parseNdiUrl } from '../../contract/ndi/url.ts'
import { engineSettings } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS, type StoredChannelSettings } from '../../contract/stream/channel-settings.schema.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'
import { HTTP, NDI, PROTOCOL_DEFAULT, RTMP } from '../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { PushSettings, WantedChannel, WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { type ChannelRow, channelSettings, holdOf } from '../store/channels.ts'
import type { DeviceRow } from '../store/devices.ts'
import { type InputRow, inputSettings } from '../store/sources.ts'
import type { Store } from '../store/store.ts'

/** @returns undefined if the channel does not exist */
export function wantedChannel(store: Store, id: number): WantedChannel | undefined {
  const row = store.channels.byId(id)
  if (!row) return undefined
  const settings = channelSettings(row)
  const hold = holdOf(row)
  return {
    id,
    name: row.name,
    enable: row.enable === 1,
    input:
      row.input_id === null ? { id: 0, name: row.name, kind: 'pushed', channel: id } : wantedInput(store, row.input_id),
    outputs: [...ndiOutput(row, settings), ...userOutputs(store, id), ...deviceOutputs(store, id)],
    access: { ...settings.protocol, ...engineSettings(CHANNEL_SETTINGS, 'access', settings) },
    backups: store.channels.backupIds(id).flatMap((node) => wantedInput(store, node) ?? []),
    ...engineSettings(CHANNEL_SETTINGS, 'own', settings),
    ...(hold && { hold })
  }
}

/**
 * The configuration of a device. Each half, input and output, is the device's own if it has one, else the global one.
 */
function deviceConfig({ settings, deviceConfigs }: Store, device: number): DeviceConfig {
  return { ...settings.get('device-config'), ...deviceConfigs.get(device) }
}

/** Whether a device has no RTMP in its documented API. */
export const isSrtOnly = ({ deviceAddresses }: Store, { id, module }: Pick<DeviceRow, 'id' | 'module'>): boolean =>
  module === PRO_CONVERT_AUDIO && deviceAddresses.has(id)

/** How a device sends its stream to the hub. */
export function sendsOver(store: Store, { id, module }: Pick<DeviceRow, 'id' | 'module'>): 'NDI' | 'RTMP' | 'SRT' {
  if (store.deviceStreams.ndiSource(id) !== '') return 'NDI'
  // Ultra Stream has no SRT in its documented API. Over a device link it takes the orders of the link.
  if (module === ULTRA_STREAM && store.deviceAddresses.has(id)) return 'RTMP'
  if (isSrtOnly(store, { id, module })) return 'SRT'
  // Protocol 0 of a device stands for the global default.
  const protocol = deviceConfig(store, id).input?.protocol || store.settings.get('device-config').input?.protocol
  return protocol === RTMP ? 'RTMP' : 'SRT'
}

function wantedInput(store: Store, id: number): WantedInput | null {
  const source = store.sources.input(id)
  if (source) return urlInput(source)
  const device = store.devices.byId(id)
  if (!device) return null
  const ndiSource = store.deviceStreams.ndiSource(id)
  if (ndiSource !== '') return { id, name: device.name, kind: 'ndi', source: { name: ndiSource } }
  const { input } = deviceConfig(store, id)
  const push: PushSettings = {
    latency: input?.latency ?? LATENCY_DEFAULT,
    'stream-index': input?.['stream-index'] === 1 ? 1 : 0,
    ...(sendsOver(store, device) === 'RTMP' && { protocol: RTMP })
  }
  return { id, name: device.name, kind: 'device', sn: device.sn, push }
}

function urlInput(row: InputRow): WantedInput | null {
  const { id, name, protocol, url: text } = row
  if (protocol === NDI) {
    const source = parseNdiUrl(text)
    return 'fault' in source ? null : { id, name, kind: 'ndi', source }
  }
  const url = parseSourceUrl(text)
  return isFault(url)
    ? null
    : { id, name, kind: 'url', url, ...engineSettings(INPUT_SETTINGS, 'own', inputSettings(row)) }
}

function ndiOutput(row: ChannelRow, { ndi }: StoredChannelSettings): WantedOutput[] {
  const { enable, ...config } = ndi ?? { enable: false }
  return enable ? [{ id: row.id, name: row.name, protocol: NDI, config } as WantedOutput] : []
}

function userOutputs({ channels, sources, settings }: Store, id: number): WantedOutput[] {
  return channels.outputIds(id).flatMap((outputId) => {
    const output = sources.output(outputId)
    if (!output) return []
    const isOn = output.enable === 1 && (output.protocol !== HTTP || settings.get('hls').enable)
    return [{ ...output, enable: isOn } as WantedOutput]
  })
}

function deviceOutputs(store: Store, id: number): WantedOutput[] {
  return store.channels.deviceOutputs(id).flatMap(({ id: deviceId, enable }) => {
    const device = store.devices.byId(deviceId)
    if (!device) return []
    const { latency = LATENCY_DEFAULT, 'buffer-ms': buffer } = deviceConfig(store, deviceId).output ?? {}
    const config = { sn: device.sn, latency, ...(buffer !== undefined && { 'buffer-ms': buffer }) }
    return [{ id: deviceId, name: device.name, enable: enable === 1, protocol: PROTOCOL_DEFAULT, config }]
  })
}
