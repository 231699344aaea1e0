// Makes backups of the configuration, by schedule and on demand.
import type {
  BackupFault,
  BackupList,
  BackupResult,
  BackupSecrets,
  BackupSettings,
  BackupTarget
} from '../../contract/backup/backup.ts'
import { LOG_ERROR } from '../../contract/log.ts'
import type { Transfer } from '../export/transfer.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import type { StoredBackup } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import { BackupFolder } from './backup-folder.ts'
import { testS3, uploadToS3 } from './s3.ts'
import { testSftp, uploadOverSftp } from './sftp.ts'
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
  needsPassword(target: BackupTarget): boolean {
    const { target: stored } = this.#options.store.settings.get('backup')
    return target.kind !== 'folder' && RECIPIENT.some((field) => target[field] !== stored[field])
  }

  /**
   * Tries whether backups can be stored on a server.
   * @param password undefined: the stored one, which is sent only to the server that it is for
   * @param confirmedKey a host key that the user trusts; undefined: the stored one
   * @returns with a server over SFTP its host key, and whether it is trusted: otherwise no password was sent. `fault`:
   * why backups cannot be stored there
   */
  async test(
    target: BackupTarget,
    password: string | undefined,
    confirmedKey: string | undefined
  ): Promise<{ hostKey?: string; isTrusted?: boolean; fault?: BackupFault }> {
    const server = { target, password: password ?? this.#secrets().password ?? '' }
    if (target.kind === 'sftp') {
      const known = confirmedKey ?? this.#hostKeyOf(target)
      const { hostKey, error } = await testSftp(server, known)
      const isTrusted = hostKey !== '' && hostKey === known
      // That it is not known yet is no fault.
      const fault = known === undefined && error?.fault === 'host-key' ? undefined : error?.fault
      return { ...(hostKey && { hostKey, isTrusted }), ...(fault && { fault }) }
    }
    try {
      if (target.kind === 's3') await testS3(server)
      return {}
    } catch (error) {
      if (error instanceof UploadError) return { fault: error.fault }
      throw error
    }
  }

  /** The stored host key of a server; undefined if there is none. */
  #hostKeyOf({ host, port }: BackupTarget): string | undefined {
    const { target, 'host-key': hostKey } = this.#options.store.settings.get('backup')
    return host === target.host && port === target.port ? hostKey || undefined : undefined
  }

  /**
   * Stores the settings, in the transaction of the caller.
   * @param hostKey one that the user trusts; '' forgets the stored one; undefined keeps it for the same server
   */
  set(settings: BackupSettings, { passphrase, password }: BackupSecrets, hostKey?: string): void {
    const { store, now } = this.#options
    const known = this.#secrets()
    const secrets = { passphrase: passphrase ?? known.passphrase, password: password ?? known.password }
    const { scheduled = 0 } = store.settings.get('backup')
    store.settings.set('backup', {
      ...settings,
      secrets: store.encryption.encrypt(JSON.stringify(secrets), SECRETS_OWNER),
      since: now(),
      scheduled,
      'host-key': hostKey ?? this.#hostKeyOf(settings.target) ?? ''
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
    const request = { target, password, name, bytes, outdated }
    if (target.kind === 's3') await uploadToS3(request)
    const pinHostKey = (hostKey: string) => this.#pinHostKey(target, hostKey)
    if (target.kind === 'sftp') await uploadOverSftp({ ...request, hostKey: known || undefined, pinHostKey })
  }

  #pinHostKey(target: BackupTarget, hostKey: string): void {
    const { database, settings } = this.#options.store
    // The settings may have changed meanwhile.
    const current = settings.get('backup')
    const isSameServer = current.target.host === target.host && current.target.port === target.port
    if (!isSameServer || this.#isClosed) throw new UploadError('host-key')
    try {
      database.transaction(() => settings.set('backup', { ...current, 'host-key': hostKey }))
    } catch (error) {
      throw new UploadError('store', error)
    }
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
