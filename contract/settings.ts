// Settings of the hub (docs/wire.md, "Settings").

import { NDI_EDIT, NDI_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { type Access, declareCall } from './call.ts'
import type { HubSettingName, HubSettingsRequest } from './hub-settings.schema.ts'
import type { Settings } from './settings.schema.ts'
import type { WebRequest } from './web/settings.ts'

export type { Settings, SrtSettings, SyslogTarget } from './settings.schema.ts'

export const SYSLOG_PROTOCOLS = ['off', 'udp', 'tcp'] as const

/** Which users may change a setting, whether the hub asks for their password, and whether a change can interrupt. */
export interface SettingRights {
  edit: Access
  /**
   * The caller must have proved the password lately, as for calls with `reauthenticate`. Access tokens are not
   * permitted.
   */
  reauthenticate?: true
  /** A change can interrupt streams, players, downloads, or connections of devices and programs. */
  interrupts?: true
}

/** The part that a request of `setSettings` has. */
export type SettingPart = HubSettingName | 'web'

const SYSTEM = { edit: SYSTEM_CONFIG_EDIT }
const NDI = { edit: NDI_EDIT }
/**
 * Rights of settings that protect all users of the hub, or that decide which lines of the logs are kept. A person who
 * finds an open console must not weaken these settings, and a user must not remove a limit that applies to him.
 */
const PROTECTED = { edit: 'admin', reauthenticate: true } as const

/**
 * The rights of each part: every request with the part needs them. Rows `part.member` are for members with other
 * rights. A request needs them besides if it changes the stored value of the member, and in `web`, where absent members
 * stay as they are, if it has the member.
 */
export const SETTING_RIGHTS = {
  security: PROTECTED,
  'expired-time': PROTECTED,
  'admin-session': PROTECTED,
  'pwd-rule': PROTECTED,
  log: PROTECTED,
  srt: { ...SYSTEM, interrupts: true },
  'srt.pb-key-len': { ...PROTECTED, interrupts: true },
  'srt.passphrase': { ...PROTECTED, interrupts: true },
  rtmp: { ...SYSTEM, interrupts: true },
  hls: { ...SYSTEM, interrupts: true },
  streams: { ...PROTECTED, interrupts: true },
  previews: SYSTEM,
  syslog: PROTECTED,
  'firmware-server': PROTECTED,
  hosts: PROTECTED,
  'ndi-discovery': NDI,
  channel: NDI,
  'hub-ndi-server': { ...NDI, interrupts: true },
  web: { ...SYSTEM, interrupts: true },
  'web.enable-https': { ...PROTECTED, interrupts: true },
  'web.redirect-http': PROTECTED,
  'web.hsts': PROTECTED,
  'web.cert-filename': PROTECTED,
  'web.cert-key-filename': PROTECTED
} as const satisfies Readonly<Record<SettingPart | `${SettingPart}.${string}`, SettingRights>>

/** Parts about NDI: NDI_VIEW reads them and NDI_EDIT changes them, and these permissions open no other part. */
export const NDI_SETTINGS = ['ndi-discovery', 'channel', 'hub-ndi-server'] as const satisfies (keyof Settings)[]

export const isNdiSetting = (part: string): boolean => (NDI_SETTINGS as readonly string[]).includes(part)

/** The rights of a part, or of a member: those of its part, unless it has its own. */
export function settingRights(part: SettingPart, member = ''): SettingRights {
  const rows: Readonly<Record<string, SettingRights>> = SETTING_RIGHTS
  return rows[`${part}.${member}`] ?? SETTING_RIGHTS[part]
}

export const getSettings = declareCall('GET /settings/get', SYSTEM_CONFIG_VIEW | NDI_VIEW)

export interface SettingsRequest extends HubSettingsRequest {
  web?: WebRequest
  /** With `srt` or `rtmp`: also if clients of channels are connected to the port. */
  force?: boolean
}

export const setSettings = declareCall('POST /settings/set', SYSTEM_CONFIG_EDIT | NDI_EDIT, { interrupts: true })
