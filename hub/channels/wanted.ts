// What the store wants of a channel, in the stream engine's terms.
import type { DeviceConfig } from '../../contract/device/config.ts'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import { parseNdiUrl } from '../../contract/stream/ndi-url.ts'
import { NDI, PROTOCOL_DEFAULT } from '../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { Wanted } from '../../engine/engine.ts'
import type { PushManner } from '../../engine/interfaces/channel.ts'
import { type ChannelRow, lifeOf, ndiOf, reachOf } from '../store/channels.ts'
import type { Store } from '../store/store.ts'

/** The channel as it should be; undefined when it is no more. */
export function wantedOf(
  { channels, sources, devices, deviceConfigs, settings }: Store,
  id: number
): Wanted | undefined {
  const row = channels.byId(id)
  if (!row) return undefined
  const life = lifeOf(row)
  const { enable: offersNdi, ...ndi } = ndiOf(row) ?? { enable: false }
  const own: Wanted['outputs'] = offersNdi ? [{ id, name: row.name, protocol: NDI, config: ndi }] : []
  return {
    id,
    name: row.name,
    enable: row.enable === 1,
    input: row.input_id === null ? { id: 0, name: row.name, kind: 'pushed', channel: id } : inputOf(row.input_id),
    outputs: own.concat(
      channels.outputIds(id).flatMap((outputId) => {
        const output = sources.output(outputId)
        return output ? [{ ...output, enable: output.enable === 1 } as Wanted['outputs'][number]] : []
      }),
      channels.devices(id).flatMap(({ id: deviceId, enable }) => {
        const device = devices.byId(deviceId)
        if (!device) return []
        const { output } = configOf(deviceId)
        const { latency = LATENCY_DEFAULT, 'buffer-ms': buffer } = output ?? {}
        const config = { sn: device.sn, latency, ...(buffer !== undefined && { 'buffer-ms': buffer }) }
        return { id: deviceId, name: device.name, enable: enable === 1, protocol: PROTOCOL_DEFAULT, config }
      })
    ),
    door: doorOf(row),
    backups: channels.backupIds(id).flatMap((node) => inputOf(node) ?? []),
    switch: life.switch,
    slate: life.slate
  }

  /** Each half as a whole: its own, else the global one (reference 4.6). */
  function configOf(device: number): DeviceConfig {
    return { ...settings.get('device-config'), ...deviceConfigs.of(device) }
  }

  function inputOf(inputId: number): Wanted['input'] {
    const source = sources.input(inputId)
    if (source) {
      const { name } = source
      if (source.protocol === NDI) {
        const ndi = parseNdiUrl(source.url)
        return 'fault' in ndi ? null : { id: inputId, name, kind: 'ndi', source: ndi }
      }
      const url = parseSourceUrl(source.url)
      return isFault(url) ? null : { id: inputId, name, kind: 'url', url }
    }
    const device = devices.byId(inputId)
    if (!device) return null
    const { input } = configOf(inputId)
    const manner = { latency: input?.latency ?? LATENCY_DEFAULT, 'stream-index': input?.['stream-index'] === 1 ? 1 : 0 }
    return { id: inputId, name: device.name, kind: 'device', sn: device.sn, manner: manner as PushManner }
  }
}

function doorOf(row: ChannelRow): Wanted['door'] {
  const { protocol, 'allow-ip': allowIp } = reachOf(row)
  return { pushKey: row.push_key, playKey: row.play_key, ...protocol, allowIp }
}
