// Settings, one JSON value per part (docs/wire.md, Settings). A part that was never written has its default.

import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import type { BackupResult, BackupSettings } from '../../contract/backup/backup.ts'
import type { ExportPart } from '../../contract/backup/export.ts'
import type { CloudSettings } from '../../contract/cloud-registration.ts'
import type { DeviceConfig } from '../../contract/device/config.ts'
import { HUB_SETTINGS, type HubSettings } from '../../contract/hub-settings.schema.ts'
import { FREE_LIMITS, type LicenseLimits } from '../../contract/license/license.ts'
import { LINK_PORT } from '../../contract/limits.ts'
import { FIREWALL_MODE, type FirewallOutcome, type FirewallSettings } from '../../contract/machine/firewall/firewall.ts'
import type { NetworkOutcome } from '../../contract/machine/network.ts'
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import type { OutputPreset } from '../../contract/stream/preset.ts'
import type { WebPortName } from '../../contract/web/ports.ts'
import type { StoredLicense } from '../../license/statement.ts'
import type { ChannelRelease } from '../../pack/channel-file.ts'
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
  /** Somebody has switched the redirect off: it is not on by default. */
  'redirect-off'?: boolean
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
  /**
   * When it was set, or the last scheduled backup was made, in milliseconds since the epoch: earlier backups are not
   * due.
   */
  since: number
  /** When the last scheduled backup was made. */
  scheduled?: number
  /** SHA-256 of the host key of the SFTP server, in base64; empty: not known yet. */
  'host-key': string
}

/** Registration with a cloud. */
export interface StoredCloud extends CloudSettings {
  /** Encrypted JSON of `CloudSecrets` (`hub/cloud/`); empty: none. */
  secrets: string
  /** Public key with which the cloud signs, in base64 (SPKI, DER); empty: none is known. */
  'signing-key': string
  /** Fingerprint of a signing key of the cloud, from the invitation; empty: it had none. */
  fingerprint: string
}

/** A cloud that the hub has left, and that is not told yet. */
export interface StoredFarewell extends Omit<StoredCloud, 'enable' | 'role'> {
  /** Serial number with which the hub was registered. */
  sn: string
  /** When the hub left it, in milliseconds since the epoch. */
  since: number
}

/** Releases of firmware that the hub has found on a web server. */
export interface StoredFirmwareCheck {
  /** Minute of the day of the daily check, and when the last one began. */
  schedule: { minute: number; last: number } | null
  /** When the server was asked last, in milliseconds since the epoch. */
  date: number
  fault?: OnlineFault
  details?: OnlineFaultDetails
  /** Numbers of the last accepted channel files, by their names. */
  numbers: Readonly<Record<string, number>>
  /** The server from which they are. */
  address: string
  releases: readonly ChannelRelease[]
}

/** Releases of the hub that it has found on a web server, and how it looks for them. */
export interface StoredUpdateCheck extends StoredFirmwareCheck {
  /** Once a day. */
  enable: boolean
  /** Pre-releases count. */
  preReleases: boolean
}

/** A part that no setting of `setSettings` is. */
interface OwnPart<Value> {
  default: Value
  /**
   * The part of an export that contains it; `hub`: none, because it belongs to the machine, its licence or its history.
   */
  part: ExportPart | 'hub'
}

const own = <Value>(value: Value, part: ExportPart | 'hub' = 'hub'): OwnPart<Value> => ({ default: value, part })

/** Parts that have calls of their own, and what the hub notes. */
const OWN_PARTS = {
  /** The default visibility of devices and of channels. */
  'device-security': own<Visibility>({ 'group-mask': ALL_GROUPS, 'usr-mask': 0 }, 'devices'),
  'channel-security': own<Visibility>({ 'group-mask': ALL_GROUPS, 'usr-mask': 0 }, 'streams'),
  /** The default stream configuration of devices. */
  'device-config': own<DeviceConfig>({}, 'devices'),
  /** Name of the hub; empty: the host name. */
  'device-name': own('', 'settings'),
  'license-limits': own<LicenseLimits>(FREE_LIMITS),
  /** The licence that was activated or uploaded last. */
  license: own<StoredLicense | null>(null),
  /** The latest time that the hub has ever seen, in milliseconds since the epoch. */
  'license-clock': own(0),
  /** When the newest known statement of each licence was issued, by serial number, in milliseconds since the epoch. */
  'license-issued': own<Readonly<Record<string, number>>>({}),
  web: own<StoredWeb>({
    ports: {},
    'enable-https': null,
    'redirect-http': false,
    hsts: 'off',
    'hsts-name': null,
    pair: null,
    'former-pair': null
  }),
  /** SHA-256 of the trusted certificate with which a client on another machine has signed in. */
  'https-served': own(''),
  /** Whether the NDI runtime of the machine could route when it was last looked for. */
  'ndi-routing': own(false),
  'output-presets': own<OutputPreset[]>([], 'streams'),
  /** A change of the network that waits for its confirmation, how the last one ended, and the notes on interfaces. */
  'network-change': own<StoredNetworkChange | null>(null),
  'network-outcome': own<NetworkOutcome | null>(null),
  'network-notes': own<InterfaceNotes>({}),
  backup: own<StoredBackup>({
    enable: false,
    time: '03:00',
    keep: 14,
    target: { kind: 'folder' },
    secrets: '',
    since: 0,
    'host-key': ''
  }),
  cloud: own<StoredCloud>({
    enable: false,
    host: '',
    port: LINK_PORT,
    organisation: '',
    role: 'view',
    secrets: '',
    'signing-key': '',
    fingerprint: '',
    ssl: true
  }),
  'cloud-farewells': own<StoredFarewell[]>([]),
  /** Serial number with which the hub registers: another one with each cloud. */
  'cloud-serial': own(''),
  /** The last backup. */
  'backup-result': own<BackupResult | null>(null),
  'firmware-check': own<StoredFirmwareCheck>({ schedule: null, date: 0, numbers: {}, address: '', releases: [] }),
  'update-check': own<StoredUpdateCheck>({
    schedule: null,
    date: 0,
    numbers: {},
    address: '',
    releases: [],
    enable: true,
    preReleases: false
  }),
  /** The firewall; a change of it that waits for its confirmation, and how the last one ended. */
  firewall: own<FirewallSettings>({ mode: FIREWALL_MODE.open, rules: [] }),
  'firewall-change': own<StoredFirewallChange | null>(null),
  'firewall-outcome': own<FirewallOutcome | null>(null),
  /** Components of a hardware update that runs, for the log; null: none runs. */
  'hardware-update': own<string | null>(null),
  /** Until when no scheduled start or stop of a channel was missed, in milliseconds since the epoch. */
  'schedules-kept': own(0),
  /** Key pair of the hub at push services (RFC 8292): the secret key is encrypted. Empty: none was made yet. */
  'push-keys': own({ public: '', secret: '' }),
  /** ID of the last line of each log that the syslog server has. */
  'syslog-position': own<{ operation: number; event: number } | undefined>(undefined)
}

type OwnParts = typeof OWN_PARTS
/** All members of a part are stored, also those that requests and responses may leave out. */
type Stored<Value> = Value extends object ? Required<Value> : Value
/** The stored parts. */
export type StoredSettings = { [Part in keyof HubSettings]: Stored<HubSettings[Part]> } & {
  [Part in keyof OwnParts]: OwnParts[Part]['default']
}

/** Name of a stored part. */
export type SettingName = keyof StoredSettings

const PARTS: Readonly<Record<SettingName, OwnPart<unknown>>> = { ...HUB_SETTINGS, ...OWN_PARTS }

/** The part of an export that contains a setting; undefined if none does. */
export function exportPartOf(name: string): ExportPart | undefined {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name as SettingName].part : 'hub'
  return part === 'hub' ? undefined : part
}

/** The settings that no export contains. */
export const SETTINGS_OF_HUB: readonly string[] = Object.keys(PARTS).filter((name) => exportPartOf(name) === undefined)

export function settings(database: Database) {
  const stored = createQueryCache(database, ['setting'], (part: keyof StoredSettings) => {
    const row = database.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', part)
    return { value: row ? JSON.parse(row.value) : PARTS[part].default, isStored: row !== undefined }
  })
  return {
    /** The value is frozen. */
    get<Part extends keyof StoredSettings>(part: Part): StoredSettings[Part] {
      return stored(part)?.value
    },
    /** Whether somebody has set the part, or an import; else it has its default. */
    isSet(part: keyof StoredSettings): boolean {
      return stored(part)?.isStored === true
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
