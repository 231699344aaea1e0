// Settings of the hub (docs/wire.md, "Settings").

import { NDI_EDIT, NDI_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { type Access, declareCall } from './call.ts'
import type { HubSettingsRequest } from './hub-settings.schema.ts'
import type { Settings } from './settings.schema.ts'
import type { WebRequest } from './web/settings.ts'

export type { Settings, SrtSettings, SyslogTarget } from './settings.schema.ts'

export const SYSLOG_PROTOCOLS = ['off', 'udp', 'tcp'] as const

/** Parts that only the Admin group may change. */
export const ADMIN_SETTINGS: readonly (keyof Settings)[] = ['log', 'hosts', 'syslog', 'pwd-rule']

/** Parts about NDI: NDI_VIEW reads them and NDI_EDIT changes them, and these permissions open no other part. */
export const NDI_SETTINGS = ['ndi-discovery', 'channel', 'hub-ndi-server'] as const satisfies (keyof Settings)[]

export const isNdiSetting = (part: string): boolean => (NDI_SETTINGS as readonly string[]).includes(part)

/** The permission for a part of the settings. */
export function settingAccess(part: keyof Settings): { view: Access; edit: Access } {
  if (isNdiSetting(part)) return { view: NDI_VIEW, edit: NDI_EDIT }
  return { view: SYSTEM_CONFIG_VIEW, edit: ADMIN_SETTINGS.includes(part) ? 'admin' : SYSTEM_CONFIG_EDIT }
}

export const getSettings = declareCall('GET /settings/get', SYSTEM_CONFIG_VIEW | NDI_VIEW)

export interface SettingsRequest extends HubSettingsRequest {
  web?: WebRequest
  /** With `srt` or `rtmp`: also if clients of channels are connected to the port. */
  force?: boolean
}

export const setSettings = declareCall('POST /settings/set', SYSTEM_CONFIG_EDIT | NDI_EDIT)
