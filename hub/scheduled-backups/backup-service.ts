// Makes backups of the configuration, by schedule and on demand.
import type { BackupList, BackupResult, BackupSecrets, BackupSettings } from '../../contract/backup/backup.ts'
import { LOG_ERROR } from '../../contract/log.ts'
import type { Transfer } from '../export/transfer.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import type { StoredBackup } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import { BackupFolder } from './backup-folder.ts'
import { uploadToS3 } from './s3.ts'
import { uploadOverSftp } from './sftp.ts'
import { UploadError } from './upload.ts'

/** Milliseconds between checks whether a backup is due. */
const CHECK_INTERVAL = 30_000
/**
 * Milliseconds between scheduled backups at least, whatever the clock says. Less than a day, because a backup that was
 * missed is made late, and the next one at its time.
 */
const INTERVAL_MIN = 18 * 3600_000
/** Milliseconds. The step of a clock that was set is measured less accurately than to the millisecond. */
const CLOCK_ACCURACY = 1000
const SECRETS_OWNER = 'backups'
/** Fields of a target that say to whom the password is sent. */
const RECIPIENT = ['kind', 'host', 'port', 'user', 'endpoint', 'access-key'] as const

interface BackupServiceOptions {
  store: Store
  transfer: Transfer
  /** The data folder; undefined if the hub keeps its data in memory. */
  data: string | undefined
  /**
   * Milliseconds since the epoch. A step of the clock is reported to `clockStepped` before this returns the new time.
   */
  now: () => number
}

export class BackupService {
  readonly folder: BackupFolder
  /** Export and import of the configuration. */
  readonly transfer: Transfer
  readonly #options: BackupServiceOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: BackupServiceOptions) {
    this.#options = options
    this.transfer = options.transfer
    this.folder = new BackupFolder(options.data)
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL).unref()
  }

  /**
   * Stops the schedule. A backup that is being made is not stored in the folder any more, and its result is not stored.
   */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.folder.close()
  }

  list(): BackupList {
    const { settings } = this.#options.store
    const { secrets: _, since: _since, scheduled: _scheduled, 'host-key': hostKey, ...stored } = settings.get('backup')
    const { passphrase, password } = this.#secrets()
    const last = settings.get('backup-result')
    return {
      settings: stored,
      'has-passphrase': Boolean(passphrase),
      'has-password': Boolean(password),
      ...(hostKey && { 'host-key': hostKey }),
      running: this.isRunning,
      ...(last && { last }),
      list: this.folder.list()
    }
  }

  /** Whether the password has to be entered again: it must not be sent to another server. */
  needsPassword({ target }: BackupSettings): boolean {
    const { target: stored } = this.#options.store.settings.get('backup')
    return target.kind !== 'folder' && RECIPIENT.some((field) => target[field] !== stored[field])
  }

  /** Stores the settings, in the transaction of the caller. */
  set(settings: BackupSettings, { passphrase, password }: BackupSecrets, forgetsHostKey: boolean): void {
    const { store, now } = this.#options
    const known = this.#secrets()
    const secrets = { passphrase: passphrase ?? known.passphrase, password: password ?? known.password }
    const { target, 'host-key': hostKey, scheduled = 0 } = store.settings.get('backup')
    const isSameServer = settings.target.host === target.host && settings.target.port === target.port
    store.settings.set('backup', {
      ...settings,
      secrets: store.encryption.encrypt(JSON.stringify(secrets), SECRETS_OWNER),
      since: now(),
      scheduled,
      'host-key': isSameServer && !forgetsHostKey ? hostKey : ''
    })
  }

  #secrets(): BackupSecrets {
    const { encryption, settings } = this.#options.store
    return JSON.parse(encryption.decrypt(settings.get('backup').secrets, SECRETS_OWNER) ?? '{}')
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Makes the backup of the day if it is due: also one that was missed while the hub was stopped. */
  check(): void {
    const { store, now } = this.#options
    const time = now()
    const backup = store.settings.get('backup')
    if (!backup.enable || this.isRunning || !isDue(backup, time)) return
    // Stored first: a backup that cannot be recorded would be made again at each check.
    try {
      store.database.transaction(() => store.settings.set('backup', { ...backup, since: time, scheduled: time }))
    } catch (error) {
      if (error instanceof StorageFaultError) return
      throw error
    }
    this.run()
  }

  /**
   * Moves the times of the schedule with the clock, so that a clock that was set makes no backup due.
   * @param before times after this one stay: they are from before the clock was wrong
   */
  clockStepped(step: number, before: number): void {
    const { database, settings } = this.#options.store
    const moved = (time: number) => (time <= before ? time + step : time)
    if (settings.get('backup').since === 0) return
    database.runBatched(() => {
      const { since, scheduled = 0, ...backup } = settings.get('backup')
      settings.set('backup', { ...backup, since: moved(since), scheduled: moved(scheduled) })
    })
  }

  /** Starts a backup, unless one is being made. */
  run(): void {
    this.#running ??= this.#make()
      .catch((): BackupResult => ({ time: this.#options.now(), fault: 'store' }))
      .then((result) => this.#storeResult(result))
      .finally(() => {
        this.#running = undefined
        this.#options.store.changes.markChanged('status')
      })
  }

  /** Resolves when no backup is being made. */
  whenIdle = async (): Promise<void> => this.#running

  #storeResult(result: BackupResult): void {
    if (this.#isClosed) return
    const { database, settings, logEvent } = this.#options.store
    database.transactionOrLater(() => settings.set('backup-result', result))
    const { name = '–', fault } = result
    if (fault) logEvent({ event: 'backup-failed', detail: `${name} ${fault}`, level: LOG_ERROR })
    else logEvent({ event: 'backup-made', detail: name })
  }

  async #make(): Promise<BackupResult> {
    const { transfer, store, now } = this.#options
    const time = now()
    const file = await transfer.export(this.#secrets().passphrase || undefined)
    if (this.#isClosed) throw new Error('The hub was closed')
    const name = this.folder.write(file.name, file.bytes)
    const outdated = this.folder
      .list()
      .slice(store.settings.get('backup').keep)
      .map((each) => each.name)
    for (const each of outdated) this.folder.remove(each)
    try {
      await this.#upload(name, file.bytes, outdated)
      return { time, name }
    } catch (error) {
      return { time, name, fault: error instanceof UploadError ? error.fault : 'upload' }
    }
  }

  async #upload(name: string, bytes: Buffer, outdated: readonly string[]): Promise<void> {
    const { store } = this.#options
    const { target, 'host-key': known } = store.settings.get('backup')
    const { password = '' } = this.#secrets()
    const request = { target, password, hostKey: known || undefined, name, bytes, outdated }
    if (target.kind === 's3') await uploadToS3(request)
    if (target.kind !== 'sftp') return
    const hostKey = await uploadOverSftp(request)
    // The settings may have changed meanwhile.
    const current = store.settings.get('backup')
    if (!known && current.target.host === target.host && current.target.port === target.port)
      store.database.transaction(() => store.settings.set('backup', { ...current, 'host-key': hostKey }))
  }
}

function isDue({ time, since, scheduled = 0 }: StoredBackup, now: number): boolean {
  // The clock was set back while the hub was not running.
  if (since - now > CLOCK_ACCURACY) return true
  return since < lastTimeOf(time, now) && now - scheduled >= INTERVAL_MIN
}

/** The last time before `now` at which a clock of the hub showed a time of day. @param time HH:MM */
export function lastTimeOf(time: string, now: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const date = new Date(now)
  date.setHours(hours, minutes, 0, 0)
  if (date.getTime() > now) date.setDate(date.getDate() - 1)
  return date.getTime()
}
