// Settings of the hub: reference 4.10, 5.7. Parts are added by the screens that need them.
import { call, type Nothing } from './call.ts'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './permissions.ts'
import type { KeyLength } from './stream/protocols.ts'

export interface Settings {
  /** Invitation code a device must send to register: 4 digits. Answered only to who may edit. */
  security: { 'enable-code': boolean; 'code-value'?: string }
  /** Session expiry in minutes, -1 never, highest 1440. */
  'expired-time': number
  /** Ours: how much of each log is kept: lines, 1,000-1,000,000, and days, 1-3650. */
  log: { 'max-lines': number; 'max-days': number }
  /** The port of SRT that all channels share. A port that changes takes effect at once, and cuts who is connected. */
  srt: SrtSettings
  /** The same of RTMP. */
  rtmp: { port: number }
  /**
   * Ours: streams neither come from nor go to this machine, private networks and the link, by address or by name. Where the sources of a
   * hub that many share lead into its network, users could look around there.
   */
  streams: { 'forbid-private': boolean }
}

export interface SrtSettings {
  port: number
  /** Bytes of the key, without a passphrase 0. */
  'pb-key-len': KeyLength
  /** 10-79 characters, answered only to who may edit; an empty or absent one in a write keeps the stored one (reference 8, point 7). */
  passphrase?: string
}

export const getSettings = call<Nothing, { settings: Settings }>('GET', '/settings/get', SYSTEM_CONFIG_VIEW)
/** Exactly one part a call. 1007 with `holder` for a port that something else of the hub has. */
export const setSettings = call<Partial<Settings>>('POST', '/settings/set', SYSTEM_CONFIG_EDIT)
