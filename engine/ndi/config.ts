// The configuration of all NDI processes: `ndi-config.v1.json` of the NDI runtime, merged over the one that the account
// of the engine has. Each process gets a copy of its own at its start, so that a change of the settings never touches a
// process on air. The format is documented by the vendor (docs.ndi.video, "Configuration files").
import { readFileSync, writeFileSync } from 'node:fs'
import { homedir, hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { NDI_DISCOVERY_PORT } from '../../contract/limits.ts'
import type { NdiDiscoverySettings } from '../../contract/ndi/settings.ts'
import {
  NDI_AUTO,
  NDI_MULTI_TCP,
  NDI_MULTICAST,
  NDI_RUDP,
  NDI_TCP,
  NDI_UDP,
  type NdiTransportFields
} from '../../contract/ndi/transport.ts'
import { isIpv4 } from '../../contract/rules/rules.ts'
import { ForbiddenAddressError } from '../interfaces/errors.ts'
import type { NdiProcessConfig, NdiProcessOptions, NdiSearch, NdiState } from '../interfaces/ndi.ts'
import { createPrivateFolder, removeFolder } from '../process/private-files.ts'

const FILE_NAME = 'ndi-config.v1.json'
/** Environment variable with the folder of the configuration. */
const FOLDER_VARIABLE = 'NDI_CONFIG_DIR'

/**
 * Milliseconds for which the addresses of hosts are used without looking them up again, and that the start of a process
 * waits for them.
 */
const LOOK_UP_INTERVAL = 10_000
const LOOK_UP_WAIT = 1000

/** Defaults of the NDI runtime for multicast. */
const MULTICAST_PREFIX = '239.255.0.0'
const MULTICAST_MASK = '255.255.0.0'

/** Modes that are switched on and off by name. Without any of them a source is sent over one TCP connection. */
const MODES = ['rudp', 'tcp', 'unicast'] as const
/**
 * The only mode that is left on, by `transport-mode`. Multicast leaves the others on, for receivers that it does not
 * reach.
 */
const ONLY_MODE: Readonly<Record<number, (typeof MODES)[number] | undefined>> = {
  [NDI_UDP]: 'unicast',
  [NDI_RUDP]: 'rudp',
  [NDI_MULTI_TCP]: 'tcp',
  [NDI_TCP]: undefined
}

interface NdiConfigOptions {
  /** As `HostLookup.resolveHost`. */
  resolveHost(host: string): Promise<string>
  /** Folder of the account's own configuration. Default: `NDI_CONFIG_DIR`, or `.ndi` in the home folder. */
  accountFolder?: string | undefined
}

/** A running process. */
interface Running {
  options: NdiProcessOptions
  text: string
}

export class NdiConfig {
  readonly #resolveHost: NdiConfigOptions['resolveHost']
  readonly #accountFolder: string
  readonly #running = new Set<Running>()
  #settings: NdiDiscoverySettings | undefined
  /** IPv4 addresses of the hosts in the settings; undefined for a host that is unknown or forbidden. */
  #addresses = new Map<string, string | undefined>()
  #lookedUpAt = Number.NEGATIVE_INFINITY

  constructor({ resolveHost, accountFolder }: NdiConfigOptions) {
    this.#resolveHost = resolveHost
    this.#accountFolder = accountFolder ?? process.env[FOLDER_VARIABLE] ?? join(homedir(), '.ndi')
  }

  /** Applies settings to processes that start afterwards. Resolves when the host names have been looked up. */
  configure(settings: NdiDiscoverySettings): Promise<void> {
    this.#settings = settings
    this.#lookedUpAt = Number.NEGATIVE_INFINITY
    return this.lookUpHosts()
  }

  /** Looks up the host names of the settings again, unless that was done just now. */
  async lookUpHosts(): Promise<void> {
    const settings = this.#settings
    if (!settings || performance.now() - this.#lookedUpAt < LOOK_UP_INTERVAL) return
    this.#lookedUpAt = performance.now()
    const hosts = [...settings['extra-ips'], ...settings.servers.map(({ address }) => address)]
    const found = await Promise.all(
      hosts.map(async (host) => {
        // While a name server is away, the last address is kept.
        const keep = (error: unknown) =>
          error instanceof ForbiddenAddressError ? undefined : this.#addresses.get(host)
        return [host, await this.#resolveHost(host).catch(keep)] as const
      })
    )
    // The settings may have changed in the meantime.
    if (this.#settings === settings) this.#addresses = new Map(found)
  }

  /** Looks up host names before a process starts, but does not wait long for a name server. */
  async prepare(): Promise<void> {
    const waited = Promise.withResolvers<void>()
    const timer = setTimeout(waited.resolve, LOOK_UP_WAIT)
    await Promise.race([this.lookUpHosts(), waited.promise])
    clearTimeout(timer)
  }

  open(options: NdiProcessOptions): NdiProcessConfig {
    const text = this.#format(options)
    const folder = createPrivateFolder('ndi-config')
    try {
      writeFileSync(join(folder, FILE_NAME), text, { mode: 0o600 })
    } catch (error) {
      removeFolder(folder)
      throw error
    }
    const running: Running = { options, text }
    this.#running.add(running)
    return {
      environment: { [FOLDER_VARIABLE]: folder },
      onExit: () => {
        this.#running.delete(running)
        removeFolder(folder)
      }
    }
  }

  machineName(): string {
    return (this.#settings?.['machine-name'] || this.defaultMachineName()).toUpperCase()
  }

  defaultMachineName(): string {
    const { machinename: name } = this.#accountNdi()
    return typeof name === 'string' && name ? name : hostname()
  }

  observe(): Pick<NdiState, 'outdated' | 'unusable' | 'accountConfig' | 'machineName'> {
    const { servers = [], ifaces = [], enable, 'extra-ips': extra = [] } = this.#settings ?? {}
    const hosts = [...extra, ...(enable ? servers.map(({ address }) => address) : [])]
    const { state } = this.#readAccountConfig()
    return {
      outdated: [...this.#running]
        .filter(({ options, text }) => this.#format(options) !== text)
        .map(({ options: { role, name } }) => ({ role, name })),
      unusable: [
        ...hosts.filter((host) => this.#addresses.has(host) && this.#addresses.get(host) === undefined),
        ...ifaces.filter((iface) => addressOfInterface(iface) === undefined)
      ],
      machineName: this.machineName(),
      ...(state && { accountConfig: state })
    }
  }

  #format({ role, transport, search }: NdiProcessOptions): string {
    const direction = role === 'receive' || role === 'find' ? 'recv' : 'send'
    const shared = mergeJson(this.#readAccountConfig().config, { ndi: this.#formatDiscovery() })
    const own = { ndi: { ...formatSearch(search, shared), ...formatTransport(transport, direction) } }
    return JSON.stringify(mergeJson(shared, own))
  }

  #formatDiscovery(): Record<string, Json> {
    if (!this.#settings) return {}
    const { enable, servers, ifaces, 'machine-name': machine, ...rest } = this.#settings
    const { 'send-groups': send, 'recv-groups': recv, 'extra-ips': extra } = rest
    const ips = extra.flatMap((host) => this.#addresses.get(host) ?? [])
    const discovery = servers.flatMap(({ address, port }) => {
      const ip = this.#addresses.get(address)
      return ip === undefined ? [] : [port === NDI_DISCOVERY_PORT ? ip : `${ip}:${port}`]
    })
    const { networks } = this.#accountNdi()
    const accountIps = isObject(networks) && typeof networks.ips === 'string' ? networks.ips.split(',') : []
    const allIps = [...new Set([...accountIps.map((ip) => ip.trim()).filter(Boolean), ...ips])]
    // Without one of the interfaces that are wanted, NDI stays on this machine rather than using one that is not
    // wanted.
    const allowed = ifaces.flatMap((iface) => addressOfInterface(iface) ?? [])
    return {
      ...(machine && { machinename: machine }),
      networks: { ips: allIps.join(','), ...(enable && { discovery: discovery.join(',') }) },
      groups: { ...(send && { send }), ...(recv && { recv }) },
      ...(ifaces.length > 0 && { adapters: { allowed: allowed.length > 0 ? allowed : ['127.0.0.1'] } })
    }
  }

  #accountNdi(): Record<string, Json> {
    const { ndi } = this.#readAccountConfig().config
    return isObject(ndi) ? ndi : {}
  }

  #readAccountConfig(): { config: Record<string, Json>; state?: 'merged' | 'invalid' } {
    let text: string
    try {
      text = readFileSync(join(this.#accountFolder, FILE_NAME), 'utf8')
    } catch {
      return { config: {} }
    }
    try {
      const config: Json = JSON.parse(text)
      if (isObject(config)) return { config, state: 'merged' }
    } catch {}
    return { config: {}, state: 'invalid' }
  }
}

/** The IPv4 address of a network interface of this machine; undefined if it does not exist. */
function addressOfInterface(iface: string): string | undefined {
  const interfaces = networkInterfaces()
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const candidates = isIpv4(iface) ? all.filter(({ address }) => address === iface) : (interfaces[iface] ?? [])
  return candidates.find(({ family }) => family === 'IPv4')?.address
}

/** The extra addresses of a process come in addition to those that all processes have. */
function formatSearch(search: NdiSearch | undefined, { ndi }: Record<string, Json>): Record<string, Json> {
  if (!search) return {}
  const { addresses, servers = [], groups } = search
  const networks = isObject(ndi) && isObject(ndi.networks) ? ndi.networks : {}
  const shared = typeof networks.ips === 'string' ? networks.ips.split(',').filter(Boolean) : []
  const ips = [...new Set([...shared, ...addresses])].join(',')
  return {
    ...((addresses.length > 0 || servers.length > 0) && {
      networks: { ...(ips && { ips }), ...(servers.length > 0 && { discovery: servers.join(',') }) }
    }),
    ...(groups && { groups: { recv: groups } })
  }
}

function formatTransport(transport: NdiTransportFields = {}, direction: 'send' | 'recv'): Record<string, Json> {
  const { 'transport-mode': mode = NDI_AUTO } = transport
  if (mode === NDI_AUTO) return {}
  if (mode === NDI_MULTICAST) {
    if (direction === 'recv') return { multicast: { recv: { enable: true } } }
    const { 'mcast-ip': netprefix = MULTICAST_PREFIX, 'mcast-sub-mask': netmask = MULTICAST_MASK } = transport
    return { multicast: { send: { enable: true, netprefix, netmask, ttl: transport['mcast-time-to-live'] ?? 1 } } }
  }
  const switches = MODES.map((name) => [name, { [direction]: { enable: name === ONLY_MODE[mode] } }] as const)
  return { ...Object.fromEntries(switches), multicast: { [direction]: { enable: false } } }
}

/** A JSON value. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges two JSON objects. Where both have a value that is not an object, that of `over` is taken. */
function mergeJson(under: Record<string, Json>, over: Record<string, Json>): Record<string, Json> {
  const merged = new Map(Object.entries(under))
  for (const [name, value] of Object.entries(over)) {
    const previous = merged.get(name)
    merged.set(name, isObject(previous) && isObject(value) ? mergeJson(previous, value) : value)
  }
  return Object.fromEntries(merged)
}
