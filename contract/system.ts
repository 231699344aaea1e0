// The hub's own state: reference 4.11, 5.1; masks of reference 3.6, 3.7.
import { call, type Nothing } from './call.ts'
import type { GlobalConfig } from './device/config.ts'
import { CHANNEL_CONTROL, INPUT_OUTPUT_VIEW, SYSTEM_CONFIG_VIEW } from './permissions.ts'

/** Bits of `status-code`. */
export const STATUS = {
  newVersion: 0x1000,
  rebooting: 0x2000,
  srtFailed: 0x4000,
  updating: 0x8000,
  resetting: 0x10000,
  importing: 0x20000,
  lowMemory: 0x40000
} as const

/** Bits of `feature-support`. Not public: ours. */
export const FEATURE = { ndiRouter: 0x1 } as const

export interface StatusRequest {
  'global-config'?: number
  /** Ours: 1 to get `net-history` too. */
  history?: number
}

/** Rates in Mbps, oldest first. The last value belongs to `time` of the answer. */
export interface Rates {
  rx: number[]
  tx: number[]
}

export interface SharedPort {
  /** Where it is, or will be as soon as the first channel is started. */
  port?: number
  /** Of SRT, if one is set: what publishers and players need besides their key. Answered only to who may edit the system configuration. */
  passphrase?: string
  /** Instead of it: why it cannot be opened, in the language of who asks; it is tried again and again. */
  reason?: string
  /** What to do about it. */
  'next-step'?: string
}

/** Everything measured is absent where the machine does not have it. */
export interface SystemStatus {
  system: {
    info: {
      /** Seconds since the epoch. */
      'date-time': number
      'cloud-version': string
      'hardware-ver'?: string
      /** Session expiry in minutes; -1 never. */
      'expired-time': number
      'feature-support': number
      /** Ours; answered only to who may view the system configuration. */
      'host-name'?: string
      /** Ours: the port at which devices register; answered only to who may view that, or approve devices. */
      'link-port'?: number
      /** Ours, to who may change the system: script of a new console that has not confirmed yet that it works (`update.ts`). */
      'console-trial'?: string
    }
    status: {
      'status-code': number
      /** Percent of all cores, 0-100. */
      cpu?: number
      /** Share of memory in use, 0-1. */
      mem?: number
      /** Ours: MB. */
      'mem-total'?: number
      /** MB, of the file system that holds the hub's data. */
      'disk-info'?: { total: number; free: number }
      /** Mbps over all interfaces but loopback. */
      'net-tx'?: number
      'net-rx'?: number
      /** Names of the rest are not public: ours. Degrees Celsius; the hottest sensor. */
      temperature?: number
      /** Revolutions per minute; the fastest fan. */
      'fan-rpm'?: number
      /** Seconds since the machine started, and since the hub did. */
      'up-time'?: number
      'hub-up-time'?: number
      'cpu-count'?: number
    }
    /** These, and those of channels and outputs: of what the caller may see. */
    device: {
      'num-pending': number
      'num-warn': number
      'num-all': number
      'num-online': number
      'num-rejected': number
    }
    channel: { 'num-all': number; 'num-enabled': number; 'num-live': number }
    output: { 'num-all': number; 'num-live': number }
    /** `num-live`: players and servers that take an output now. */
    client: { 'num-live': number }
    /** Ours: the ports that all channels share. Answered only to who may view channels or the system configuration. */
    ports?: { srt: SharedPort; rtmp: SharedPort }
    /** Cloud registration: absent where the hub is in no cloud. */
    cloud?: { online: boolean }
  }
  'cur-license'?: { 'max-channel-count'?: number; 'max-dev-count'?: number; 'expired-time'?: number }
  /** On request: the defaults of the connection configuration of devices. */
  'global-config'?: GlobalConfig
  /** Ours, on request: one value a second for 60 s, one a minute for 60 min. */
  'net-history'?: { 'mbps-s': Rates; 'mbps-m': Rates }
}

export const systemStatus = call<StatusRequest, { status: SystemStatus }>('GET', '/system/status', 'session')

/** An address of the hub, and the interface that has it. */
export interface HubAddress {
  iface: string
  address: string
}

/** Where the hub is reached: what an operator types at the other end. */
export interface HubAddresses {
  /** IPv4, one at least where the hub has a network. */
  addresses: HubAddress[]
  /** Those that are open now: of the web server, which has HLS too, and those that all channels share. */
  ports: { web?: number; srt?: number; rtmp?: number }
}

/** Ours. The ports of outputs that listen are theirs. */
export const listAddresses = call<Nothing, HubAddresses>(
  'GET',
  '/system/addresses',
  SYSTEM_CONFIG_VIEW | INPUT_OUTPUT_VIEW
)

/** Ours: tries at once to open shared ports that are not open. */
export const retryPorts = call<Nothing>('POST', '/system/ports/retry', CHANNEL_CONTROL)

/** Ours: all calls as an OpenAPI document, for programs with an access token. Not in an envelope. */
export const describeApi = call<Nothing, never>('GET', '/openapi.json', 'session')
