// Serializes channels for a caller: status of every leg, and only the device names, keys and previews that the caller
// may see.
import { visibleSettings } from '../../../contract/setting.schema.ts'
import { acceptsAnyCertificate } from '../../../contract/stream/certificate-check.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { CHANNEL_SETTINGS } from '../../../contract/stream/channel-settings.schema.ts'
import type { ConfiguredFormat } from '../../../contract/stream/format.ts'
import type { ChannelInput, ChannelOutput, Leg } from '../../../contract/stream/leg.schema.ts'
import {
  CONNECTION_STATE,
  DIR_BOTH,
  HTTP,
  INPUT_CUSTOM,
  INPUT_DEVICE,
  INPUT_OUTPUT_DEVICE,
  INPUT_PUBLISHER,
  NDI,
  OUTPUT_CUSTOM,
  OUTPUT_DEVICE,
  OUTPUT_PLAYER,
  PROTOCOL_DEFAULT,
  SRT
} from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import {
  IDLE_LEG,
  type ObservedChannel,
  type ObservedLeg,
  type ObservedOutput
} from '../../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import type { Registry } from '../../devices/registry.ts'
import type { ChannelHealthMonitor } from '../../health/channel-health.ts'
import { requireCaller, type Viewer } from '../../http/handler.ts'
import { reasonText } from '../../messages/reasons.ts'
import type { WatchFeed } from '../../preview/watch-feed.ts'
import type { Recordings } from '../../recordings/recordings.ts'
import { type ChannelRow, channelSetting, channelSettings, type DeviceOutputRow } from '../../store/channels.ts'
import { inputSettings, type OutputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { outputAddress } from '../stream/output-config.ts'
import { maskUrl } from '../stream/source-url.ts'
import { tagFields } from '../tag-fields.ts'
import { addHealth, withHlsOff } from './health.ts'
import { securityFields } from './security.ts'

interface ChannelResponseParts {
  store: Store
  gate: Gate
  registry: Registry
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  scheduler: Scheduler
  watches: WatchFeed
  recordings: Recordings
}

/** Part of a list that belongs to a channel. */
export interface Page {
  start: number
  count: number
}

/** Status of a leg, without its identity. */
type LegStatus = Pick<Leg, 'kbps' | 'state' | 'conn-state' | 'living-time-s' | 'refused-caller'>

const isConnected = (leg: { 'conn-state': number }) => leg['conn-state'] === CONNECTION_STATE.connected

/** The clients that publish to or play a channel. */
function serializeClients(observed: ObservedChannel | undefined, { start, count }: Page): Channel['clients'] {
  const all = observed?.clients ?? []
  const list = all
    .slice(start, start + count)
    .map(({ id, isPublisher, protocol, address, outputId, kbps, livingTimeS }) => ({
      id,
      type: isPublisher ? INPUT_PUBLISHER : OUTPUT_PLAYER,
      protocol,
      addr: address,
      ...(outputId !== undefined && { output: outputId }),
      'living-time-s': livingTimeS,
      kbps
    }))
  return { start, total: all.length, list }
}

/** Marks a leg that does not check the certificate of its TLS server. */
const certificateFields = (settings: object): Partial<Leg> =>
  acceptsAnyCertificate(settings) ? { 'accepts-any-certificate': true } : {}

/** The channel's own NDI output in the form of a stored output; it has the id and the name of the channel. */
function ndiOutputRow(row: ChannelRow): OutputRow | undefined {
  const ndi = channelSetting(row, 'ndi')
  return (
    ndi && {
      id: row.id,
      name: row.name,
      protocol: NDI,
      config: ndi,
      enable: ndi.enable ? 1 : 0,
      channel_id: row.id
    }
  )
}

/**
 * The preview of what the outputs of a running channel receive. It can show each of the inputs, so the caller has to be
 * allowed to see all of them.
 */
function previewOf(
  row: ChannelRow,
  observed: ObservedChannel | undefined,
  inputs: readonly (ChannelInput | null)[]
): Pick<Channel, 'preview-id'> {
  const [main] = inputs
  // A channel that waits for a publisher has no preview, unless it shows the slate.
  const hasPicture = main && (main.id !== 0 || main.name !== '' || observed?.onAir?.slate)
  return observed && hasPicture && !inputs.some((input) => input?.hidden) ? { 'preview-id': `CHANNEL-${row.id}` } : {}
}

/** Serializes channels for the caller of one request. */
export class ChannelSerializer {
  readonly #parts: ChannelResponseParts
  readonly #context: Viewer
  readonly #outputPage: Page
  readonly #clientPage: Page

  constructor(parts: ChannelResponseParts, context: Viewer, outputPage: Page, clientPage: Page) {
    this.#parts = parts
    this.#context = context
    this.#outputPage = outputPage
    this.#clientPage = clientPage
  }

  serialize(row: ChannelRow): Channel {
    const { engine, channelHealth, scheduler, store, watches, recordings } = this.#parts
    const { language } = this.#context
    const observed = row.enable ? engine.observe(row.id) : undefined
    const { onAir } = observed ?? {}
    const { state, kbps } = observed ?? IDLE_LEG
    const assessed = channelHealth.assess(row.id)
    const { health, input, backups, outputs } = addHealth(language, assessed, {
      input: row.input_id === null ? this.#publisher(observed) : this.#input(row.input_id, observed?.input),
      backups: store.channels.backupIds(row.id).flatMap((id) => this.#input(id, observed?.backups?.get(id)) ?? []),
      outputs: this.#outputs(row, observed)
    })
    const transition = scheduler.nextSwitch(row)
    const { start, count } = this.#outputPage
    const preview = previewOf(row, observed, [input, ...backups])
    const watchers = watches.count(row.id)
    const recording = recordings.describe(row.id, language)
    return {
      id: row.id,
      name: row.name,
      ...(health && { health }),
      config: this.#config(row),
      ...tagFields(store, 'channel', row.id),
      ...securityFields(this.#parts, this.#context, row.id),
      input: input && { ...preview, ...input },
      backups,
      ...preview,
      ...(onAir && {
        'on-air': {
          input: onAir.inputId ?? null,
          slate: onAir.slate,
          why: reasonText(language, onAir.reason),
          ...(onAir.isHeld && { manual: true as const })
        }
      }),
      ...(transition && { 'next-edge': { at: Math.floor(transition.time / 1000), enable: transition.enable } }),
      outputs: { start, total: outputs.length, list: outputs.slice(start, start + count).map(this.#withHlsSwitch) },
      clients: serializeClients(observed, this.#clientPage),
      ...(watchers > 0 && { watchers }),
      ...(recording && { recording }),
      state,
      kbps,
      'living-time-s': channelHealth.secondsOnAir(assessed),
      'conn-num': outputs.filter(isConnected).length
    }
  }

  /** The configuration that the caller may see. */
  #config(row: ChannelRow): Channel['config'] {
    const { permission } = requireCaller(this.#context).user
    const backups = this.#parts.store.channels.backupIds(row.id)
    const settings = { backups, ndi: { enable: false }, ...channelSettings(row) }
    return { enable: row.enable === 1, ...visibleSettings(CHANNEL_SETTINGS, settings, permission) }
  }

  #status(observed: ObservedLeg | undefined): LegStatus {
    const { state, connState, kbps, livingTimeS, refusal } = observed ?? IDLE_LEG
    return {
      kbps,
      state,
      'conn-state': connState,
      'living-time-s': livingTimeS,
      ...(refusal && {
        'refused-caller': {
          at: refusal.at,
          ...(refusal.address && { addr: refusal.address }),
          why: reasonText(this.#context.language, refusal.reason)
        }
      })
    }
  }

  #inputStatus(
    observed: ObservedLeg | undefined,
    configured?: ConfiguredFormat
  ): LegStatus & Pick<ChannelInput, 'format' | 'content' | 'configured'> {
    const { format, content } = observed ?? {}
    return {
      ...this.#status(observed),
      ...(format && { format }),
      ...(content && { content }),
      ...(format && configured && { configured })
    }
  }

  /**
   * The publisher of a channel that has no other input, or the status while it waits for one; null if the channel is
   * stopped.
   */
  #publisher(observed: ObservedChannel | undefined): ChannelInput | null {
    if (!observed) return null
    const { protocol = PROTOCOL_DEFAULT, address = '' } = observed.clients?.find(({ isPublisher }) => isPublisher) ?? {}
    return {
      id: 0,
      name: address,
      type: INPUT_PUBLISHER,
      protocol,
      addr: address,
      ...this.#inputStatus(observed.input)
    }
  }

  /**
   * An input or a backup, by node id; null if it does not exist. If it is a device that the caller may not see, its
   * identity is left out. The status and the id stay, because they belong to the channel,
   * and because an editor needs the id to keep the input unchanged.
   */
  #input(id: number, observed: ObservedLeg | undefined): ChannelInput | null {
    const { store, gate, registry } = this.#parts
    const source = store.sources.input(id)
    if (source)
      return {
        id,
        name: source.name,
        type: INPUT_CUSTOM,
        protocol: source.protocol,
        addr: maskUrl(source.url),
        ...certificateFields(inputSettings(source)),
        ...this.#inputStatus(observed, source.program ? { program: source.program } : undefined)
      }
    const device = store.devices.byId(id)
    if (!device) return null
    if (!gate.canSeeDevice(requireCaller(this.#context), device))
      return {
        id,
        name: '',
        type: INPUT_DEVICE,
        protocol: PROTOCOL_DEFAULT,
        addr: '',
        hidden: true,
        ...this.#inputStatus(observed)
      }
    const { 'preview-id': preview, status } = registry.toWire(device, [])
    return {
      id,
      name: device.name,
      type: device.dir === DIR_BOTH ? INPUT_OUTPUT_DEVICE : INPUT_DEVICE,
      protocol: PROTOCOL_DEFAULT,
      addr: device.connect_ip,
      sn: device.sn,
      ...(preview && { 'preview-id': preview }),
      ...this.#inputStatus(observed, status?.encoder)
    }
  }

  /** All outputs: the channel's own NDI output, then the stored ones, then the devices. */
  #outputs(row: ChannelRow, observed: ObservedChannel | undefined): ChannelOutput[] {
    const { channels, sources } = this.#parts.store
    const rows = [ndiOutputRow(row), ...channels.outputIds(row.id).map((id) => sources.output(id))]
    return [
      ...rows.flatMap((output) => (output ? this.#output(output, observed?.outputs.get(output.id)) : [])),
      ...channels
        .deviceOutputs(row.id)
        .flatMap((device) => this.#deviceOutput(device, observed?.outputs.get(device.id)))
    ]
  }

  #output(output: OutputRow, observed: ObservedOutput | undefined): ChannelOutput {
    return {
      id: output.id,
      name: output.name,
      type: OUTPUT_CUSTOM,
      protocol: output.protocol,
      addr: outputAddress(this.#parts, output),
      enable: output.enable === 1,
      ...certificateFields(output.config),
      ...(output.protocol === SRT && { mode: (output.config as SrtOutput).mode }),
      ...(observed?.clientNum !== undefined && { 'client-num': observed.clientNum }),
      ...this.#status(observed)
    }
  }

  /** An output with the reason why it does not run while HLS is switched off. */
  #withHlsSwitch = (output: ChannelOutput): ChannelOutput =>
    output.protocol === HTTP && !this.#parts.store.settings.get('hls').enable ? withHlsOff(output) : output

  /**
   * A device that plays the channel, without its identity if the caller may not see it; empty if the device does not
   * exist.
   */
  #deviceOutput({ id, enable }: DeviceOutputRow, observed: ObservedLeg | undefined): ChannelOutput[] {
    const { store, gate } = this.#parts
    const device = store.devices.byId(id)
    if (!device) return []
    const status = this.#status(observed)
    const output = { id, type: OUTPUT_DEVICE, protocol: PROTOCOL_DEFAULT, enable: enable === 1, ...status }
    if (!gate.canSeeDevice(requireCaller(this.#context), device))
      return [{ ...output, name: '', addr: '', hidden: true }]
    const { name, connect_ip: addr, sn } = device
    return [{ ...output, type: device.dir === DIR_BOTH ? INPUT_OUTPUT_DEVICE : OUTPUT_DEVICE, name, addr, sn }]
  }
}
