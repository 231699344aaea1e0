// Settings of NDI: parts of `settings/get` and `settings/set` (docs/wire.md, "Settings").

/** How the hub announces and finds NDI sources. Applies to NDI processes that start afterwards. */
export interface NdiDiscoverySettings {
  /** Whether the discovery servers are used. Then sources of the hub are announced to them alone, and not by mDNS. */
  enable: boolean
  /** Up to two servers, which are used at the same time. */
  servers: NdiServerAddress[]
  /** Groups of the hub's own sources, separated by commas. Empty: Public. */
  'send-groups': string
  /** Groups whose sources the hub finds. Empty: Public. */
  'recv-groups': string
  /** IPv4 addresses and host names of machines that are asked for their sources, for networks that mDNS does not reach. */
  'extra-ips': string[]
  /** Name under which the hub announces its sources. Empty: its host name. */
  'machine-name': string
  /** Network interfaces that NDI uses, each as name or IPv4 address. Empty: all. */
  ifaces: string[]
}

export interface NdiServerAddress {
  /** IPv4 address or host name. */
  address: string
  port: number
}

/** The discovery server of the hub itself, a program of the vendor. */
export interface NdiServerSettings {
  enable: boolean
  port: number
}

export const NDI_SERVER_STATES = ['not-enabled', 'starting', 'started', 'retry', 'not-installed'] as const

export type NdiServerState = (typeof NDI_SERVER_STATES)[number]
