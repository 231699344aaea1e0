// Finds conflicts between the ports of this machine that the hub uses: its own, those of outputs and inputs, port
// forwards and device pages. A port counts as used whether it is open now or only when a channel starts. UDP and TCP
// are not distinguished.

import { hasAnyBit, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../../../contract/access/permissions.ts'
import type { PortHolder } from '../../../contract/call.ts'
import { PORT_OCCUPIED } from '../../../contract/codes.ts'
import { isMulticast as isMulticastAddress } from '../../../contract/stream/address-policy.ts'
import { RTP, UDP } from '../../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import type { WebPortName } from '../../../contract/web/ports.ts'
import { listenAddress } from '../../../engine/access/listen-address.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import type { PortForwards } from '../../devices/port-forwards.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { isPortFree } from '../../machine/port-program.ts'
import type { DevicePages } from '../../pages/device-pages.ts'
import type { Store } from '../../store/store.ts'
import { listenPort } from './output-config.ts'

/** The local ports on which an input receives. */
interface BoundPorts {
  ports: readonly number[]
  /** It receives a multicast group. Several inputs can receive groups on the same port. */
  isMulticast: boolean
}

/**
 * The intended user of a port. Its own port does not count as used. An input does not conflict with inputs of the same
 * URL, because one URL can be stored under several names.
 */
export type PortUser =
  | { kind: 'srt' | 'rtmp' | 'forward' | 'ndi-server' | WebPortName }
  | { kind: 'output' | 'panel'; id: number | undefined }
  | { kind: 'input'; id: number | undefined; url: string }

/** The local ports on which the hub receives a source; undefined if the hub connects to the source instead. */
export function boundPorts(url: string): BoundPorts | undefined {
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return undefined
  const { protocol, port, srt, host } = parsed
  if (srt) return srt.mode === 'caller' ? undefined : { ports: [srt.localPort ?? port], isMulticast: false }
  const isMulticast = isMulticastAddress(host)
  if (protocol === UDP) return { ports: [port], isMulticast }
  // RTCP uses the next port.
  return protocol === RTP ? { ports: [port, port + 1], isMulticast } : undefined
}

/** The ports of the hub itself, as responses name them. */
const WEB_PORT_HOLDERS = { http: 'web', https: 'https', link: 'links', files: 'files' } as const

/** The parts of the hub that listen on ports, or store the ports that they will use. */
interface PortUsers {
  store: Store
  gate: Gate
  webPorts: WebPorts
  sharedPorts: SharedPorts
  portForwards: PortForwards
  devicePages: DevicePages
}

/** The port that is proposed first, and how many are tried. */
const FIRST_PORT = 9001
const ALL_ADDRESSES = listenAddress('::')
const PORTS_TRIED = 1000

export class PortsInUse {
  readonly #users: PortUsers

  constructor(users: PortUsers) {
    this.#users = users
  }

  /** The current user of a port; undefined if it is free. */
  holderOf(port: number, user: PortUser): PortHolder | undefined {
    const { portForwards, devicePages, sharedPorts, webPorts, store } = this.#users
    for (const part of ['srt', 'rtmp'] as const)
      if (user.kind !== part && sharedPorts.portOf(part) === port) return { of: part }
    const own = webPorts.nameOf(port)
    if (own && own !== user.kind) return { of: WEB_PORT_HOLDERS[own] }
    const ndiServer = store.settings.get('hub-ndi-server')
    if (user.kind !== 'ndi-server' && ndiServer.enable && ndiServer.port === port) return { of: 'ndi-server' }
    if ([...portForwards.listeningPorts(), ...devicePages.ports()].includes(port)) return { of: 'forward' }
    return this.#storedHolderOf(port, user)
  }

  #storedHolderOf(port: number, user: PortUser): PortHolder | undefined {
    const { matrices, sources } = this.#users.store
    const matrix = matrices
      .all()
      .find(({ id, panel }) => panel.enable && panel.port === port && !(user.kind === 'panel' && user.id === id))
    if (matrix) return { of: 'panel', name: matrix.name }
    const output = sources
      .outputs()
      .find((row) => !(user.kind === 'output' && row.id === user.id) && listenPort(row)?.port === port)
    if (output) return { of: 'output', name: output.name }
    const isMulticast = user.kind === 'input' && (boundPorts(user.url)?.isMulticast ?? false)
    const input = sources.inputs().find((row) => {
      if (user.kind === 'input' && (row.id === user.id || row.url === user.url)) return false
      const bound = boundPorts(row.url)
      return bound?.ports.includes(port) && !(isMulticast && bound.isMulticast)
    })
    return input && { of: 'input', name: input.name }
  }

  /**
   * The first port for an SRT listener that neither the hub nor another program uses; undefined if all that were tried
   * are in use.
   */
  async findFree(): Promise<number | undefined> {
    for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port++)
      if (!this.holderOf(port, { kind: 'output', id: undefined }) && (await isPortFree('udp', port, ALL_ADDRESSES)))
        return port
    return undefined
  }

  /**
   * The first of `count` successive ports that the hub does not use. Other programs are not considered.
   * @throws CallError 1007 if all that were tried are in use
   */
  firstUnused(count: number, user: PortUser): number {
    const ports = Array.from({ length: PORTS_TRIED }, (_, index) => FIRST_PORT + index)
    const isUnused = (port: number) => this.holderOf(port, user) === undefined
    const first = ports.find((port) => Array.from({ length: count }, (_, index) => port + index).every(isUnused))
    if (first === undefined) throw new CallError(PORT_OCCUPIED)
    return first
  }

  /**
   * @param field of the request that has the port
   * @throws CallError 1007 with the first port that is in use, and its user if the caller may see it
   */
  requireFree(context: Context, ports: readonly number[], field: string, user: PortUser): void {
    for (const port of ports) {
      const holder = this.holderOf(port, user)
      if (!holder) continue
      throw new CallError(PORT_OCCUPIED, { field, port, ...(this.#maySee(context, holder) && { holder }) })
    }
  }

  #maySee(context: Context, { of, name }: PortHolder): boolean {
    if (name === undefined) return true
    const caller = requireCaller(context)
    if (!hasAnyBit(caller.user.permission, of === 'panel' ? NDI_VIEW : INPUT_OUTPUT_VIEW)) return false
    const { sources } = this.#users.store
    const source = of === 'input' ? sources.inputByName(name) : of === 'output' ? sources.outputByName(name) : undefined
    return source === undefined || this.#users.gate.sourcesVisibleTo(caller)(source.id)
  }
}
