// Settings, one JSON value per part (docs/wire.md, Settings). A part that was never written has its default.

import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import type { BackupResult, BackupSettings } from '../../contract/backup/backup.ts'
import type { DeviceConfig } from '../../contract/device/config.ts'
import { FREE_LIMITS, type LicenseLimits } from '../../contract/license/license.ts'
import {
  LOG_DAYS,
  LOG_LINES,
  NDI_DISCOVERY_PORT,
  RTMP_PORT,
  SESSION_EXPIRY,
  SRT_PORT,
  SYSLOG_PORT
} from '../../contract/limits.ts'
import { FIREWALL_MODE, type FirewallOutcome, type FirewallSettings } from '../../contract/machine/firewall/firewall.ts'
import type { NetworkOutcome } from '../../contract/machine/network.ts'
import type { NdiDiscoverySettings, NdiServerSettings } from '../../contract/ndi/settings.ts'
import { DEFAULT_PASSWORD_RULES, type PasswordRules } from '../../contract/rules/password.ts'
import type { SrtSettings, SyslogTarget } from '../../contract/settings.ts'
import type { OutputPreset } from '../../contract/stream/preset.ts'
import type { WebPortName } from '../../contract/web/ports.ts'
import type { StoredLicense } from '../../license/statement.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'
import type { InterfaceNotes, StoredFirewallChange, StoredNetworkChange } from './stored-changes.ts'

/** HTTPS and ports. */
export interface StoredWeb {
  /** Chosen ports, each with the default that it replaced: with another default, the chosen port does not count. */
  ports: Readonly<Partial<Record<WebPortName, { port: number; over: number }>>>
  /** Null: as the environment says. */
  'enable-https': boolean | null
  'redirect-http': boolean
  /** `revoked`: it was on, and the hub makes browsers forget it. */
  hsts: 'off' | 'on' | 'revoked'
  /** The host name under which it is on, the only one for which browsers get it. */
  'hsts-name': string | null
  /** File names of the uploaded certificate and its key, and of those before them. Null: the hub's own certificate. */
  pair: { cert: string; key: string } | null
  'former-pair': { cert: string; key: string } | null
}

/** Schedule and target of backups. */
export interface StoredBackup extends BackupSettings {
  /** Encrypted JSON of `BackupSecrets`. */
  secrets: string
  /** When it was set, or the last scheduled backup was made, in milliseconds since the epoch: earlier backups are not due. */
  since: number
  /** When the last scheduled backup was made. */
  scheduled?: number
  /** SHA-256 of the host key of the SFTP server, in base64; empty: not known yet. */
  'host-key': string
}

/**
 * The stored parts. `device-security` and `channel-security` are the default visibility of devices and channels, `device-config` is the default
 * stream configuration of devices.
 */
export interface StoredSettings {
  security: { 'enable-code': boolean; 'code-value': string }
  'expired-time': number
  'device-security': Visibility
  'channel-security': Visibility
  'device-config': DeviceConfig
  'pwd-rule': PasswordRules
  log: { 'max-lines': number; 'max-days': number }
  srt: Required<SrtSettings>
  rtmp: { port: number }
  hls: { enable: boolean }
  streams: { 'forbid-private': boolean }
  previews: { 'data-saver': boolean }
  /** Name of the hub; empty: the host name. */
  'device-name': string
  hosts: { names: string[] }
  'license-limits': LicenseLimits
  /** The licence that was activated or uploaded last. */
  license: StoredLicense | null
  /** The latest time that the hub has ever seen, in milliseconds since the epoch. */
  'license-clock': number
  /** When the newest known statement of each licence was issued, by serial number, in milliseconds since the epoch. */
  'license-issued': Readonly<Record<string, number>>
  web: StoredWeb
  /** Whether the NDI runtime of the machine could route when it was last looked for. */
  'ndi-routing': boolean
  syslog: SyslogTarget
  'output-presets': OutputPreset[]
  /** A change of the network that waits for its confirmation, how the last one ended, and the notes on interfaces. */
  'network-change': StoredNetworkChange | null
  'network-outcome': NetworkOutcome | null
  'network-notes': InterfaceNotes
  backup: StoredBackup
  /** The last backup. */
  'backup-result': BackupResult | null
  /** The firewall; a change of it that waits for its confirmation, and how the last one ended. */
  firewall: FirewallSettings
  'firewall-change': StoredFirewallChange | null
  'firewall-outcome': FirewallOutcome | null
  'ndi-discovery': NdiDiscoverySettings
  channel: { 'ndi-enable': boolean }
  'hub-ndi-server': NdiServerSettings
  /** ID of the last line of each log that the syslog server has. */
  'syslog-position': { operation: number; event: number } | undefined
}

/** Name of a stored part. */
export type SettingName = keyof StoredSettings

const DEFAULTS: StoredSettings = {
  security: { 'enable-code': false, 'code-value': '' },
  'expired-time': SESSION_EXPIRY,
  'device-security': { 'group-mask': ALL_GROUPS, 'usr-mask': 0 },
  'channel-security': { 'group-mask': ALL_GROUPS, 'usr-mask': 0 },
  'device-config': {},
  'pwd-rule': DEFAULT_PASSWORD_RULES,
  log: { 'max-lines': LOG_LINES.default, 'max-days': LOG_DAYS.default },
  srt: { port: SRT_PORT, 'pb-key-len': 0, passphrase: '' },
  rtmp: { port: RTMP_PORT },
  hls: { enable: true },
  streams: { 'forbid-private': false },
  previews: { 'data-saver': false },
  'device-name': '',
  hosts: { names: [] },
  'license-limits': FREE_LIMITS,
  license: null,
  'license-clock': 0,
  'license-issued': {},
  web: {
    ports: {},
    'enable-https': null,
    'redirect-http': false,
    hsts: 'off',
    'hsts-name': null,
    pair: null,
    'former-pair': null
  },
  'ndi-routing': false,
  syslog: { protocol: 'off', host: '', port: SYSLOG_PORT },
  'output-presets': [],
  'network-change': null,
  'network-outcome': null,
  'network-notes': {},
  backup: { enable: false, time: '03:00', keep: 14, target: { kind: 'folder' }, secrets: '', since: 0, 'host-key': '' },
  'backup-result': null,
  firewall: { mode: FIREWALL_MODE.open, rules: [] },
  'firewall-change': null,
  'firewall-outcome': null,
  'ndi-discovery': {
    enable: false,
    servers: [],
    'send-groups': '',
    'recv-groups': '',
    'extra-ips': [],
    'machine-name': '',
    ifaces: []
  },
  channel: { 'ndi-enable': false },
  'hub-ndi-server': { enable: false, port: NDI_DISCOVERY_PORT },
  'syslog-position': undefined
}

export function settings(database: Database) {
  const stored = createQueryCache(database, ['setting'], (part: keyof StoredSettings) => {
    const row = database.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', part)
    return { value: row ? JSON.parse(row.value) : DEFAULTS[part] }
  })
  return {
    /** The value is frozen. */
    get<Part extends keyof StoredSettings>(part: Part): StoredSettings[Part] {
      return stored(part)?.value
    },
    set<Part extends keyof StoredSettings>(part: Part, value: StoredSettings[Part]): void {
      database.run(
        'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        part,
        JSON.stringify(value)
      )
    }
  }
}

export type SettingsStore = ReturnType<typeof settings>
