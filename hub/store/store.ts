// The store: the repositories, the change counter, and the event log.
import { join } from 'node:path'
import type { LogEvent } from '../../contract/events.ts'
import { LOG_ERROR, LOG_INFO } from '../../contract/log.ts'
import type { StorageFault } from '../../contract/system.ts'
import { type Encryption, type KeyFile, openEncryption } from '../../data-files/encryption.ts'
import { DATABASE_FILE } from '../data-folder/entries.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { type AlertDeliveries, alertDeliveries } from './alert-deliveries.ts'
import { type AlertDestinations, alertDestinations } from './alert-destinations.ts'
import { type AlertRules, alertRules } from './alert-rules.ts'
import { type Catalogs, catalogs } from './catalogs.ts'
import { Changes } from './changes.ts'
import { type ChannelVisibility, channelVisibility } from './channel-visibility.ts'
import { type Channels, channels } from './channels.ts'
import { type DeviceAddresses, deviceAddresses } from './device-addresses.ts'
import { type DeviceConfigs, deviceConfigs } from './device-configs.ts'
import { type DeviceStreams, deviceStreams } from './device-streams.ts'
import { Devices } from './devices.ts'
import { type DisplayCodes, displayCodes } from './display-codes.ts'
import { type FirmwareStore, firmware } from './firmware.ts'
import { type LicenseUsage, licenseUsageReader } from './license-usage.ts'
import { Logs } from './logs.ts'
import { Matrices } from './matrices.ts'
import { type ProblemStore, problems } from './problems.ts'
import { type PushBrowsers, pushBrowsers } from './push-browsers.ts'
import { type RecordingShareStore, recordingShares } from './recording-shares.ts'
import { type RecordingStore, recordings } from './recordings.ts'
import { type Rollouts, rollouts } from './rollouts.ts'
import { type SavedViews, savedViews } from './saved-views.ts'
import { type SecondFactors, secondFactors } from './second-factors.ts'
import { type SettingsStore, settings } from './settings.ts'
import { type SourceAccess, sourceAccess } from './source-access.ts'
import { type Sources, sources } from './sources.ts'
import { type Tags, tags } from './tags.ts'
import { Timeline } from './timeline.ts'
import { type Tokens, tokens } from './tokens.ts'
import { Trash } from './trash.ts'
import { type Users, users } from './users.ts'
import { type VerdictStore, verdicts } from './verdicts.ts'

/** A line to write to the event log, with the current time. */
interface NewEvent {
  event: LogEvent
  detail?: string
  /** `LOG_INFO` by default. */
  level?: number
  /** Serial number of a device: the line goes to the device log. Without it the line goes to the system log. */
  sn?: string
  /** ID of the channel that the line is about: only users with access to the channel can read the line. */
  channel?: number
  /** Milliseconds since the epoch. Default: now. */
  time?: number
}

export interface Store {
  readonly database: Database
  /** Encrypts secrets with the key of the data folder. */
  readonly encryption: Encryption
  readonly changes: Changes
  readonly users: Users
  readonly secondFactors: SecondFactors
  readonly savedViews: SavedViews
  readonly tokens: Tokens
  readonly displayCodes: DisplayCodes
  readonly devices: Devices
  readonly deviceConfigs: DeviceConfigs
  readonly deviceAddresses: DeviceAddresses
  readonly deviceStreams: DeviceStreams
  readonly catalogs: Catalogs
  readonly sources: Sources
  readonly sourceAccess: SourceAccess
  readonly channels: Channels
  readonly channelVisibility: ChannelVisibility
  readonly tags: Tags
  readonly firmware: FirmwareStore
  readonly rollouts: Rollouts
  readonly problems: ProblemStore
  readonly recordings: RecordingStore
  readonly recordingShares: RecordingShareStore
  readonly alertDestinations: AlertDestinations
  readonly alertRules: AlertRules
  readonly alertDeliveries: AlertDeliveries
  readonly pushBrowsers: PushBrowsers
  readonly logs: Logs
  readonly timeline: Timeline
  readonly verdicts: VerdictStore
  readonly matrices: Matrices
  readonly trash: Trash
  readonly settings: SettingsStore
  /** What the licence limits (license-usage.ts). */
  licenseUsage(): LicenseUsage
  /**
   * Writes a line to the event log: within the current transaction if there is one, else batched. Lines about refused
   * devices and about devices that come and go are rate-limited.
   */
  logEvent(line: NewEvent): void
  close(): void
}

/** The file with the key for stored secrets, so that the database alone does not reveal them. */
const keyFileOf = (data: string): KeyFile | undefined =>
  data === ':memory:'
    ? undefined
    : {
        path: join(data, 'device.key'),
        remedy: 'restore the original file, or remove it and enter the passwords of devices again'
      }

/** @param data folder of the database file; `:memory:` keeps nothing */
export function openStore(data: string): Store {
  const database = openDatabase(data === ':memory:' ? data : join(data, DATABASE_FILE))
  const encryption = openEncryption(keyFileOf(data))
  const changes = new Changes()
  const settingsStore = settings(database)
  const logStore = new Logs(database, () => settingsStore.get('log'))
  const userStore = users(database)
  const store: Store = {
    database,
    encryption,
    changes,
    users: userStore,
    secondFactors: secondFactors(database),
    savedViews: savedViews(database),
    tokens: tokens(database),
    displayCodes: displayCodes(database),
    devices: new Devices(database),
    deviceConfigs: deviceConfigs(database),
    deviceAddresses: deviceAddresses(database, encryption),
    deviceStreams: deviceStreams(database),
    catalogs: catalogs(database),
    sources: sources(database),
    sourceAccess: sourceAccess(database),
    channels: channels(database),
    channelVisibility: channelVisibility(database),
    tags: tags(database),
    firmware: firmware(database),
    rollouts: rollouts(database),
    problems: problems(database),
    recordings: recordings(database),
    recordingShares: recordingShares(database),
    alertDestinations: alertDestinations(database, encryption),
    alertRules: alertRules(database),
    alertDeliveries: alertDeliveries(database),
    pushBrowsers: pushBrowsers(database, encryption),
    logs: logStore,
    timeline: new Timeline(database, logStore.age),
    verdicts: verdicts(database),
    matrices: new Matrices(database),
    trash: new Trash(database, logStore.age),
    settings: settingsStore,
    licenseUsage: licenseUsageReader(database),
    logEvent({ event, detail = '', level = LOG_INFO, sn = '', channel, time = Date.now() }) {
      const line = { time, level, event, detail, sn, channel }
      if (database.runBatched(() => logStore.addEvent(sn ? 'device' : 'system', line))) changes.markChanged('log')
    },
    close: () => database.close()
  }
  followStorageFaults(store)
  return store
}

/** Logs storage faults, and stores at their end the sessions that were in memory. */
function followStorageFaults({ database, users, changes, logEvent }: Store): void {
  const logFault = (fault: StorageFault) => logEvent({ event: `storage-${fault}`, level: LOG_ERROR })
  if (database.storageFault) logFault(database.storageFault)
  database.onStorageFault((fault) => {
    if (fault) logFault(fault)
    else {
      users.storeMemorySessions()
      logEvent({ event: 'storage-recovered' })
    }
    changes.markChanged('status')
  })
}
