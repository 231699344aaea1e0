// Settings of the hub (docs/wire.md, "Settings").

import { NDI_EDIT, NDI_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { type Access, declareCall, type EmptyRequest } from './call.ts'
import type { HubName } from './machine/name.ts'
import type { NdiDiscoverySettings, NdiServerSettings, NdiServerState } from './ndi/settings.ts'
import type { PasswordRules } from './rules/password.ts'
import type { KeyLength } from './stream/protocols.ts'
import type { TrialStart, WebRequest, WebSettings } from './web/settings.ts'

export interface Settings {
  /** Invitation code that devices must send to register: 4 digits. `code-value` is returned only to callers that may edit the settings. */
  security: { 'enable-code': boolean; 'code-value'?: string }
  /** Rules for new passwords. Existing passwords stay valid. In a write, an absent field requires nothing. */
  'pwd-rule': PasswordRules
  /** Session expiry in minutes: 1-1440, or -1 for never. */
  'expired-time': number
  /** Retention of each log: 1,000-1,000,000 lines and 90-3650 days. Only the Admin group changes it, because a smaller one erases lines. */
  log: { 'max-lines': number; 'max-days': number }
  /** Shared SRT port. If it is open, a new one disconnects all clients, and has to be confirmed. */
  srt: SrtSettings
  /** Shared RTMP port, as the SRT port. */
  rtmp: { port: number }
  /** Whether HLS outputs run. Off stops all of them at once; they start again when it is on. Downloads and other outputs do not depend on it. */
  hls: { enable: boolean }
  /**
   * Address policy: forbids loopback, private and link-local addresses as stream sources and targets, also as the result of a DNS lookup.
   * Prevents users of a hub from probing its network (SSRF).
   */
  streams: { 'forbid-private': boolean }
  /** Default of the data saver, for browsers without a setting of their own: fewer and smaller preview images. */
  previews: { 'data-saver': boolean }
  /**
   * Names and addresses under which the hub answers, besides its own addresses and its host name: at most 32, without ports. Other names in
   * the Host header are refused (DNS rebinding). Only the Admin group may set them, and not so that the name of the request is refused.
   */
  hosts: { names: string[] }
  /** A copy of every log line is sent to this syslog server (RFC 5424). Only the Admin group changes it. */
  syslog: SyslogTarget
  /** How the hub announces and finds NDI sources. */
  'ndi-discovery': NdiDiscoverySettings
  /** Whether new channels have an NDI output, unless their request says so itself. */
  channel: { 'ndi-enable': boolean }
  /** The discovery server of the hub. `state` is only in responses; absent while the engine is away. */
  'hub-ndi-server': NdiServerSettings & { state?: NdiServerState }
}

export const SYSLOG_PROTOCOLS = ['off', 'udp', 'tcp'] as const

export interface SyslogTarget {
  protocol: (typeof SYSLOG_PROTOCOLS)[number]
  /** Name or IPv4 address; empty if `protocol` is `off`. */
  host: string
  port: number
}

export interface SrtSettings {
  port: number
  /** Key length in bytes; 0 without a passphrase. */
  'pb-key-len': KeyLength
  /** 10-79 characters. Returned only to callers that may edit the settings. Empty or absent in a write: the stored passphrase is kept. */
  passphrase?: string
}

/** Parts that only the Admin group may change. */
export const ADMIN_SETTINGS: readonly (keyof Settings)[] = ['log', 'hosts', 'syslog', 'pwd-rule']

/** Parts about NDI: NDI_VIEW reads them and NDI_EDIT changes them, and these permissions open no other part. */
export const NDI_SETTINGS = ['ndi-discovery', 'channel', 'hub-ndi-server'] as const satisfies (keyof Settings)[]

/** The permission for a part of the settings. */
export function settingAccess(part: keyof Settings): { view: Access; edit: Access } {
  if ((NDI_SETTINGS as readonly string[]).includes(part)) return { view: NDI_VIEW, edit: NDI_EDIT }
  return { view: SYSTEM_CONFIG_VIEW, edit: ADMIN_SETTINGS.includes(part) ? 'admin' : SYSTEM_CONFIG_EDIT }
}

/** Returns the parts that the caller may read. `setDeviceName` sets the part `name`. */
export const getSettings = declareCall<
  EmptyRequest,
  { settings: Partial<Settings> & { web?: WebSettings; name?: HubName } }
>('GET', '/settings/get', SYSTEM_CONFIG_VIEW | NDI_VIEW)

export type SettingsRequest = Partial<
  Omit<Settings, 'pwd-rule' | 'hub-ndi-server'> & {
    'pwd-rule': Partial<PasswordRules>
    'hub-ndi-server': NdiServerSettings
    web: WebRequest
    /** With `srt` or `rtmp`: also if clients of channels are connected to the port. */
    force: boolean
  }
>

/**
 * Sets exactly one part per call. 31 if the caller may not change the part (`settingAccess`). Password rules, and `web` with a certificate,
 * take a recent proof of the password (1100), and no access token (31). 1007 for a port that the hub or another program uses, with `holder` if
 * that is known. 1005 with `owner-i` for a new port whose former one has clients; `force` disconnects them.
 * `web`: 38 with `fault` for a combination that would make the console unreachable, -102 and -103 for a certificate and a key that cannot be
 * used. With a new port, `trial`.
 */
export const setSettings = declareCall<SettingsRequest, { trial?: TrialStart }>(
  'POST',
  '/settings/set',
  SYSTEM_CONFIG_EDIT | NDI_EDIT
)
