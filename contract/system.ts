// Status of the hub and its machine.

import { CHANNEL_CONTROL, INPUT_OUTPUT_VIEW, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall, type EmptyRequest } from './call.ts'
import type { GlobalConfig } from './device/config.ts'
import type { Health, HubVerdict } from './health.ts'
import type { CurrentLicense, LicenseRegistration } from './license/calls.ts'
import type { MachineMode } from './machine/machine.ts'
import type { PasswordRules } from './rules/password.ts'
import type { HttpsState } from './web/certificate.ts'

/** Bits of `status-code`. */
export const SYSTEM_STATUS_BITS = {
  /** An uploaded update has a higher version than the console in use. */
  newVersion: 0x1000,
  /** The hub is about to be restarted, by its supervisor or with its machine. */
  rebooting: 0x2000,
  srtFailed: 0x4000,
  /** An update is being uploaded, verified, or on trial. */
  updating: 0x8000,
  resetting: 0x10000,
  importing: 0x20000,
  lowMemory: 0x40000,
  engineAway: 0x80000,
  /** Changes cannot be stored; `storage-fault` says why. */
  storageFault: 0x100000,
  /** The machine of the hub is being shut down. */
  shuttingDown: 0x200000
} as const

/** Why changes cannot be stored: the disk is full, read-only, or fails. */
export type StorageFault = 'full' | 'read-only' | 'failed'

/** Bits of the update service, which are in the same number (docs/wire.md, Settings). */
export const UPDATE_STATUS_BITS = {
  checking: 0x1,
  checkingOnline: 0x2,
  downloading: 0x4,
  verifying: 0x8,
  uploading: 0x10,
  cancelling: 0x20,
  restarting: 0x40,
  unavailable: 0x100,
  failed: 0x200
} as const

export interface SystemStatusRequest {
  'global-config'?: number
  /** 1: the response includes `net-history`. */
  history?: number
}

/** Network traffic in Mbps, oldest first. */
export interface TrafficHistory {
  rx: number[]
  tx: number[]
}

export interface SharedPort {
  /** The port; it opens when the first channel starts. */
  port?: number
  /** SRT passphrase for publishers and players, if one is set. Returned only to callers that may edit the system configuration. */
  passphrase?: string
  /** Why the port cannot be opened, in the language of the request. The hub keeps retrying. `port` is then absent. */
  reason?: string
  /** The next step, in the language of the request. */
  'next-step'?: string
}

/** The port for HLS outputs and downloads. */
export interface FilesPortStatus {
  /** Absent while it is closed, and for clients that reach the hub through a reverse proxy but not its other ports. */
  port?: number
  /** Why the port cannot be opened, as in `SharedPort`. The web server serves the same files. */
  reason?: string
  'next-step'?: string
}

/** A measured value is absent if the machine does not provide it. */
export interface SystemStatus {
  system: {
    health?: Health<HubVerdict>
    info: {
      /** Seconds since the epoch. */
      'date-time': number
      'cloud-version': string
      'hardware-ver'?: string
      /** Session expiry in minutes; -1 never. */
      'expired-time': number
      /** Bits of `FEATURE_BITS`. */
      'feature-support': number
      /** Name of the hub, and of its machine; returned only to callers that may view the system configuration. */
      'device-name'?: string
      'host-name'?: string
      /** Whether the hub changes the settings of its machine; returned like `host-name`. */
      machine?: MachineMode
      /** The data saver is on in browsers without a setting of their own. */
      'data-saver'?: true
      /** Port for device registration; returned only to callers that may view the system configuration or accept devices. */
      'link-port'?: number
      /** State of HTTPS; returned only to callers that may view the system configuration. */
      'https-state'?: HttpsState
      /** Name of the script of the console on trial (`update.ts`); returned only to the Admin group. */
      'console-trial'?: string
    }
    status: {
      'status-code': number
      /** Percent of all cores, 0-100. */
      cpu?: number
      /** Memory in use, 0-1. */
      mem?: number
      /** MB. */
      'mem-total'?: number
      /** File system of the hub's data, in MB. */
      'disk-info'?: { total: number; free: number }
      /** Mbps of all interfaces except loopback. */
      'net-tx'?: number
      'net-rx'?: number
      /** Hottest sensor, in degrees Celsius. */
      temperature?: number
      /** Fastest fan, in revolutions per minute. */
      'fan-rpm'?: number
      /** Uptime of the machine, and of the hub, in seconds. */
      'up-time'?: number
      'hub-up-time'?: number
      'cpu-count'?: number
      /** Set while changes cannot be stored. Reading, signing in, and calls that delete or end something are possible. */
      'storage-fault'?: StorageFault
    }
    /** The numbers of devices, channels and outputs include only objects that the caller may see. */
    device: {
      'num-pending': number
      'num-warn': number
      'num-all': number
      'num-online': number
      'num-rejected': number
    }
    channel: { 'num-all': number; 'num-enabled': number; 'num-live': number }
    output: { 'num-all': number; 'num-live': number }
    /** `num-live`: players and servers that receive an output now. */
    client: { 'num-live': number }
    /**
     * Problems that the caller may see: channels that are down, all that are bad, those that only degrade something, and those of both that
     * nobody has acknowledged.
     */
    problem?: { 'num-down': number; 'num-bad': number; 'num-warn': number; 'num-new': number }
    /** The shared ports. Returned only to callers that may view channels or the system configuration. */
    ports?: { srt: SharedPort; rtmp: SharedPort; files?: FilesPortStatus }
    /** Cloud registration; absent if the hub is not registered. */
    cloud?: { online: boolean }
  }
  /** Only `status` for callers that may not view the system configuration. */
  'license-reg'?: LicenseRegistration
  'cur-license'?: Partial<CurrentLicense>
  /** Rules for new passwords. */
  'pwd-rule'?: Partial<PasswordRules>
  /** With `global-config` in the request: the global connection configuration of devices. */
  'global-config'?: GlobalConfig
  /** With `history` in the request: one value per second for 60 s, one per minute for 60 min. */
  'net-history'?: { 'mbps-s': TrafficHistory; 'mbps-m': TrafficHistory }
}

export const systemStatus = declareCall<SystemStatusRequest, { status: SystemStatus }>(
  'GET',
  '/system/status',
  'session'
)

/** An IP address of the hub and its network interface. */
export interface HubAddress {
  iface: string
  address: string
}

/** Addresses and ports under which clients reach the hub. */
export interface HubAddresses {
  /** IPv4 addresses; at least one if the hub has a network. */
  addresses: HubAddress[]
  /** Open ports: the web server, HLS and downloads, and the shared ports. */
  ports: { web?: number; files?: number; srt?: number; rtmp?: number }
}

/** Ports of outputs in listener mode are not included; they are in `listOutputs`. */
export const listAddresses = declareCall<EmptyRequest, HubAddresses>(
  'GET',
  '/system/addresses',
  SYSTEM_CONFIG_VIEW | INPUT_OUTPUT_VIEW
)

/** Retries to open the closed shared ports, and the port for files, at once. */
export const retryPorts = declareCall<EmptyRequest>('POST', '/system/ports/retry', CHANNEL_CONTROL)

/** Returns all calls as an OpenAPI document, without an envelope. */
export const describeApi = declareCall<EmptyRequest, never>('GET', '/openapi.json', 'session')
