// The hub's own ports as the firewall page shows them: what uses each, and which running channels.
import { hasAnyBit, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../../../contract/access/permissions.ts'
import { opens, type PortRange } from '../../../contract/machine/firewall/effect.ts'
import {
  type FirewallSettings,
  type HubFirewallPort,
  type PortUse,
  RULE_PROTOCOL
} from '../../../contract/machine/firewall/firewall.ts'
import { HTTP, NDI, PROTOCOL_DEFAULT, RTMP, RTSP, SRT } from '../../../contract/stream/protocols.ts'
import { WEB_PORTS } from '../../../contract/web/ports.ts'
import type { WantedChannel, WantedInput } from '../../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { Interruption } from '../../channels/off-air.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import { wantedChannel } from '../../channels/wanted.ts'
import type { PortForwards } from '../../devices/port-forwards.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { portUseText } from '../../messages/firewall.ts'
import type { Language } from '../../messages/language.ts'
import type { DevicePages } from '../../pages/device-pages.ts'
import type { InputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { listenPort } from '../stream/output-config.ts'
import { boundPorts } from '../stream/ports-in-use.ts'

interface FirewallPortsParts {
  store: Store
  webPorts: WebPorts
  portForwards: PortForwards
  devicePages: DevicePages
  sharedPorts: SharedPorts
}

interface ListFirewallPortsParts {
  store: Store
  gate: Gate
  engine: EngineClient
  webPorts: WebPorts
  portForwards: PortForwards
  devicePages: DevicePages
  sharedPorts: SharedPorts
}

const { tcp, udp } = RULE_PROTOCOL

/** Multicast DNS (RFC 6762), by which NDI sources are found. */
const MDNS_PORT = 5353

/** A port, and the IDs of the running channels that use it. */
interface UsedPort {
  port: Omit<HubFirewallPort, 'label'>
  /** Of the input, output or matrix. */
  name?: string
  channels: ReadonlySet<number>
  /** Permission to see the name; 0: everybody. */
  permission: number
  /** Node ID of the input or output. */
  source?: number
}

/**
 * Ports of the NDI runtime, which takes the first free ones of each range: enough for 99 sources or inputs. Receivers
 * connect to the sources of the hub. To an input the source sends over a way that it opens itself: reliable UDP, which
 * is the usual one, UDP, or several TCP connections. A single TCP connection needs none of these, and multicast arrives
 * at ports that the source chooses.
 */
const NDI_SOURCES: UsedPort['port'] = { port: 5960, 'last-port': 6059, protocol: tcp, use: 'ndi' }
const NDI_INPUTS: readonly UsedPort['port'][] = [
  { port: 5960, 'last-port': 6059, protocol: udp, use: 'ndi-input' },
  { port: 6960, 'last-port': 7059, protocol: udp, use: 'ndi-input', 'one-way': true },
  { port: 6960, 'last-port': 7059, protocol: tcp, use: 'ndi-input' }
]

/** IDs of running channels by the shared port, input or output that they use. */
class ChannelUses {
  readonly #uses = new Map<string, Set<number>>()

  constructor({ store, engine }: { store: Store; engine: EngineClient }) {
    for (const { id, enable } of store.channels.all()) {
      const wanted = enable === 1 ? wantedChannel(store, id) : undefined
      if (!wanted) continue
      this.#addWanted(wanted)
      for (const { protocol, outputId } of engine.observe(id).clients ?? [])
        if (outputId === undefined) this.#add(protocol === RTMP ? 'rtmp' : protocol === SRT ? 'srt' : 'files', id)
    }
  }

  of(use: string): ReadonlySet<number> {
    return this.#uses.get(use) ?? new Set()
  }

  #add(use: string, channel: number): void {
    const channels = this.#uses.get(use) ?? new Set()
    this.#uses.set(use, channels.add(channel))
  }

  #addWanted({ id, input, backups = [], outputs }: WantedChannel): void {
    for (const each of [input, ...backups]) if (each) this.#add(inputUse(each), id)
    for (const output of outputs) {
      if (output.enable === false) continue
      const { protocol } = output
      if (protocol === NDI) this.#add('ndi', id)
      else if (protocol === PROTOCOL_DEFAULT) this.#add('srt', id)
      else if (protocol === HTTP) this.#add('files', id)
      else this.#add(`output ${output.id}`, id)
    }
  }
}

function inputUse(input: WantedInput): string {
  if (input.kind === 'ndi') return 'mdns'
  if (input.kind === 'device') return input.push?.protocol === RTMP ? 'rtmp' : 'srt'
  // A publisher is observed as a client, at the port that it has chosen.
  return input.kind === 'pushed' ? 'publisher' : `input ${input.id}`
}

function webPorts({ webPorts: web }: { webPorts: WebPorts }, uses: ChannelUses): UsedPort[] {
  return WEB_PORTS.flatMap((use) =>
    web.ports[use].listeners().map(({ port }) => {
      const isConsole = use === 'http' || use === 'https'
      const own: UsedPort['port'] = { port, protocol: tcp, use, ...(isConsole && { 'is-console': true }) }
      return { port: own, channels: uses.of(use), permission: 0 }
    })
  )
}

/** A port without a name. */
const unnamed = (port: number, protocol: 0 | 1, use: PortUse, channels: ReadonlySet<number> = new Set()): UsedPort => ({
  port: { port, protocol, use },
  channels,
  permission: 0
})

function hubPorts(parts: FirewallPortsParts, uses: ChannelUses): UsedPort[] {
  const { store, portForwards, devicePages, sharedPorts } = parts
  const [srt, rtmp] = [sharedPorts.portOf('srt'), sharedPorts.portOf('rtmp')]
  const server = store.settings.get('hub-ndi-server')
  const panels = store.matrices.all().filter(({ panel }) => panel.enable)
  return [
    ...webPorts(parts, uses),
    ...(srt ? [unnamed(srt, udp, 'srt', uses.of('srt'))] : []),
    ...(rtmp ? [unnamed(rtmp, tcp, 'rtmp', uses.of('rtmp'))] : []),
    ...[...portForwards.listeningPorts(), ...devicePages.ports()].map((port) => unnamed(port, tcp, 'forward')),
    ...(server.enable ? [unnamed(server.port, tcp, 'ndi-server')] : []),
    ...panels.map(({ name, panel }): UsedPort => {
      const port = { port: panel.port, protocol: tcp, use: 'panel' } as const
      return { port, name, channels: new Set(), permission: NDI_VIEW }
    })
  ]
}

function streamPorts({ store }: { store: Store }, uses: ChannelUses): UsedPort[] {
  const outputs = store.sources.outputs().flatMap((row): UsedPort[] => {
    const { port } = listenPort(row) ?? {}
    if (port === undefined) return []
    const protocol = row.protocol === RTSP ? tcp : udp
    const own: UsedPort['port'] = { port, protocol, use: 'output' }
    return [
      {
        port: own,
        name: row.name,
        channels: uses.of(`output ${row.id}`),
        permission: INPUT_OUTPUT_VIEW,
        source: row.id
      }
    ]
  })
  const inputs = store.sources.inputs().flatMap((row) =>
    (boundPorts(row.url)?.ports ?? []).map((port): UsedPort => {
      const isOneWay = row.protocol !== SRT
      const own: UsedPort['port'] = { port, protocol: udp, use: 'input', ...(isOneWay && { 'one-way': true }) }
      return {
        port: own,
        name: row.name,
        channels: uses.of(`input ${row.id}`),
        permission: INPUT_OUTPUT_VIEW,
        source: row.id
      }
    })
  )
  return [...outputs, ...inputs]
}

function ndiPorts({ store }: { store: Store }, uses: ChannelUses): UsedPort[] {
  const hasRouter = store.matrices.all().length > 0
  const [senders, receivers] = [uses.of('ndi'), uses.of('mdns')]
  if (!hasRouter && senders.size === 0 && receivers.size === 0) return []
  // Besides the channels, the pages of a router receive pictures of sources.
  const inputs = hasRouter || receivers.size > 0 ? NDI_INPUTS : []
  return [
    ...(hasRouter || senders.size > 0 ? [{ port: NDI_SOURCES, channels: senders, permission: 0 }] : []),
    ...inputs.map((port) => ({ port, channels: receivers, permission: 0 })),
    unnamed(MDNS_PORT, udp, 'mdns', new Set([...senders, ...receivers]))
  ]
}

/**
 * What a change of the firewall ends. Existing connections stay, so these are the inputs that receive without one, and
 * the players of HLS, which soon open another one.
 */
export function interruptionByFirewall(
  { store, webPorts: web }: Pick<FirewallPortsParts, 'store' | 'webPorts'>,
  before: FirewallSettings,
  after: FirewallSettings
): Interruption {
  const isBlocked = (range: PortRange, source = '') => opens(before, range, source) && !opens(after, range, source)
  const isNdiBlocked = NDI_INPUTS.some((range) => range['one-way'] && isBlocked(range))
  const receivesAtBlockedPort = ({ protocol, url }: InputRow) =>
    protocol === NDI
      ? isNdiBlocked
      : protocol !== SRT && boundPorts(url)?.ports.some((port) => isBlocked({ port, protocol: udp }))
  const inputs = store.sources.inputs().filter(receivesAtBlockedPort)
  const files = web.ports.files.listeners()
  return {
    kind: 'firewall',
    inputs: inputs.map(({ id }) => id),
    blocksHls: (address) => files.some(({ port }) => isBlocked({ port, protocol: tcp }, address))
  }
}

/** The ports of the hub, with the names that a caller may see. */
export function listFirewallPorts(
  parts: ListFirewallPortsParts,
  caller: Caller,
  language: Language
): HubFirewallPort[] {
  const uses = new ChannelUses(parts)
  const isVisible = parts.gate.channelsVisibleTo(caller)
  const isSourceVisible = parts.gate.sourcesVisibleTo(caller)
  const names = new Map(parts.store.channels.all().map(({ id, name }) => [id, name]))
  const used = [...hubPorts(parts, uses), ...streamPorts(parts, uses), ...ndiPorts(parts, uses)]
  return used.map(({ port, name = '', channels, permission, source }) => {
    const streams = [...channels].filter(isVisible).map((id) => names.get(id) ?? '')
    const isPermitted = permission === 0 || hasAnyBit(caller.user.permission, permission)
    const mayName = isPermitted && (source === undefined || isSourceVisible(source))
    const mayNameStreams = hasAnyBit(caller.user.permission, INPUT_OUTPUT_VIEW)
    return {
      ...port,
      label: portUseText(language, port.use, mayName ? name : ''),
      ...(streams.length > 0 && mayNameStreams && { streams }),
      ...(channels.size > (mayNameStreams ? streams.length : 0) && { 'hidden-streams': true as const })
    }
  })
}
