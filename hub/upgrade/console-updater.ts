// Updates the hub's console: an upload is verified and unpacked, then installed into the slot that is not in use, and
// served on trial (docs/wire.md, Console updates). An uploaded release of the whole hub is passed on.
import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { CANCELED, DATA_LOSS, IN_PROGRESS, NOT_EXIST, STATE_CHANGED, SUCCESS, TOO_LARGE } from '../../contract/codes.ts'
import type { LogEvent } from '../../contract/events.ts'
import { compareVersions } from '../../contract/mwf.ts'
import { SYSTEM_STATUS_BITS } from '../../contract/system.ts'
import {
  type ConsoleVersion,
  type StoredConsole,
  type TrustedKey,
  UPDATE_FILE_MAX,
  UPDATE_STATE,
  type UpdateRefusal,
  type UpdateStatus,
  type UploadedUpdate
} from '../../contract/update.ts'
import type { Budget } from '../../pack/budget.ts'
import { DEVELOPMENT_FINGERPRINT, fingerprint } from '../../pack/keys.ts'
import { MACHINE_KEYS_FOLDER, TRUSTED_KEYS_FILE } from '../../pack/trusted-keys.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { ActiveConsole } from './active-console.ts'
import type { OnlineUpgrade } from './online-upgrade.ts'
import { FAULT_RESULTS, updateRefusal } from './refusals.ts'
import type { ReleaseUpgrade } from './release-upgrade.ts'
import { SlotFolder } from './slots.ts'
import { UpdateUpload } from './update-upload.ts'

/** Milliseconds; a browser loads the console within ten seconds even over the slowest supported line. */
const CONFIRM_TIMEOUT = 90_000
/** Bytes of a form besides the file. */
const FORM_OVERHEAD_MAX = 1 << 20

export interface ConsoleUpdaterOptions {
  /** The hub's data folder. */
  data: string
  /** Folder of the built-in console. */
  dist: string
  /** Version of the hub. */
  version: string
  /** Keys whose packs are accepted; none = no update can be installed. */
  trusted: readonly KeyObject[]
  /** Upgrades of the whole hub; undefined where only the console can be replaced. */
  releases?: ReleaseUpgrade
  /** Size limits of a console; none by default. */
  budget?: Budget
  /** The state or the progress changed. */
  onChange(): void
  logEvent(line: { event: LogEvent; detail: string; level: number }): void
  /** Serves a folder from now on. */
  serveFolder(root: string): void
  /** For tests: free bytes. */
  freeSpace?: () => Promise<number>
  /** For tests: milliseconds until a new console must confirm. */
  confirmTimeout?: number
  /** For tests: called between the steps. */
  onStep?: (name: 'received' | 'staged' | 'adopted' | 'switched' | 'confirmed' | 'reverted') => void
}

export class ConsoleUpdater {
  readonly #options: ConsoleUpdaterOptions
  readonly #slots: SlotFolder
  readonly #active: ActiveConsole
  /** The upload in progress. */
  #upload: UpdateUpload | undefined
  /** The uploaded update that waits for its installation. */
  #uploaded: UploadedUpdate | undefined
  /** Releases on a web server. */
  #online: Pick<OnlineUpgrade, 'start' | 'stateBits' | 'progress' | 'newerVersion' | 'cancel'> | undefined
  /** Why the last upload was refused. */
  #failure: UploadRefused | undefined

  constructor(options: ConsoleUpdaterOptions) {
    this.#options = options
    this.#slots = new SlotFolder(options.data)
    this.#active = new ActiveConsole({
      slots: this.#slots,
      dist: options.dist,
      version: options.version,
      trusted: options.trusted,
      confirmTimeout: options.confirmTimeout ?? CONFIRM_TIMEOUT,
      onChange: options.onChange,
      logEvent: options.logEvent,
      serveFolder: options.serveFolder,
      onStep: (name) => options.onStep?.(name)
    })
  }

  /** @param online finds and downloads updates, which it then uploads */
  offerOnline(online: OnlineUpgrade): void {
    this.#online = online
  }

  /** Folder of the console in use. */
  root(): string {
    return this.#active.build.root
  }

  /** Script of the console that is on trial: a browser which runs it may confirm. */
  trialScript(): string | undefined {
    return this.#active.isOnTrial || this.#options.releases?.isOnTrial ? this.#active.build.script : undefined
  }

  /** Bits for `status-code` of the system. */
  statusBits(): number {
    return (
      this.stateBits() |
      (this.#isUpdating ? SYSTEM_STATUS_BITS.updating : 0) |
      (this.#newerVersion() === undefined ? 0 : SYSTEM_STATUS_BITS.newVersion)
    )
  }

  /** Bits of `UPDATE_STATE`. */
  stateBits(): number {
    if (this.#upload) return UPDATE_STATE[this.#upload.phase]
    if (this.#options.releases?.isInstalling) return UPDATE_STATE.verifying
    if (this.#isUpdating) return UPDATE_STATE.restarting
    if (this.#online?.stateBits()) return this.#online.stateBits()
    if (!this.#isEnabled) return UPDATE_STATE.unavailable
    return this.#hasFailed ? UPDATE_STATE.failed : UPDATE_STATE.idle
  }

  status(): UpdateStatus {
    const { result, extra } = this.#lastFailure()
    return {
      state: this.stateBits(),
      progress: this.#upload?.progress ?? this.#online?.progress ?? 0,
      'enable-update': this.#isEnabled,
      ...(!this.#isEnabled && {
        command: this.#keyCommand()
      }),
      version: this.#options.version,
      'online-status': {
        'update-result': result,
        'is-newest': this.#newerVersion() === undefined,
        'newest-version': this.#newerVersion() ?? this.#active.build.version.version
      },
      ...extra,
      consoles: [...this.#listUploaded(), ...this.#active.list()],
      ...this.#describeReleases()
    }
  }

  /** The command that installs a trusted key. The update service reads no file of the hub. */
  #keyCommand(): string {
    const { data, releases } = this.#options
    return releases?.isPossible
      ? `sudo install -D -m 644 ${TRUSTED_KEYS_FILE} ${MACHINE_KEYS_FOLDER}/${TRUSTED_KEYS_FILE} && sudo systemctl restart headend-updater headend`
      : `sudo install -m 644 ${TRUSTED_KEYS_FILE} ${resolve(data)}/`
  }

  #describeReleases(): Pick<UpdateStatus, 'releases' | 'engine-version'> {
    const { releases } = this.#options
    if (!releases?.isPossible) return {}
    const engineVersion = releases.engineVersion()
    // The built-in console was built with the release from which the hub runs, from the same commit.
    const build = this.#active.read('built-in')?.version
    return {
      releases: releases
        .list()
        .map((release) => (release.use === 'active' || release.use === 'trial' ? { ...build, ...release } : release)),
      ...(engineVersion !== undefined && { 'engine-version': engineVersion })
    }
  }

  /** The keys whose updates are accepted. */
  trustedKeys(): TrustedKey[] {
    return this.#options.trusted.map(fingerprint).map((print) => ({
      fingerprint: print,
      ...(print === DEVELOPMENT_FINGERPRINT && { development: true })
    }))
  }

  /** Chooses the console to serve, and removes leftovers of an interrupted update. */
  start(): void {
    this.#slots.clean()
    this.#active.start()
    this.#options.releases?.start()
    this.#online?.start()
  }

  /**
   * Receives and verifies an update. An incomplete or invalid one is removed.
   * @param size bytes of the request; 0 = unknown
   * @param source errors of it are passed on
   * @throws UploadRefused
   */
  async upload(size: number, source: ByteSource): Promise<UploadedUpdate> {
    this.requireIdle()
    if (!this.#options.releases?.isPossible && size > UPDATE_FILE_MAX + FORM_OVERHEAD_MAX)
      throw new UploadRefused(TOO_LARGE, { max: UPDATE_FILE_MAX })
    const { trusted, budget, releases, freeSpace, onChange, onStep } = this.#options
    this.#upload = new UpdateUpload({
      ...this.#slots.incoming(),
      trusted,
      budget,
      releases,
      freeSpace: freeSpace ?? (() => this.#slots.freeSpace()),
      onChange,
      onStep: (name) => onStep?.(name)
    })
    this.#uploaded = undefined
    releases?.forgetUploaded()
    try {
      this.#clearFailure()
      onChange()
      const update = await this.#upload.run(size, source)
      if (releases?.hasUploaded) return update
      this.#uploaded = update
      return { ...update, ...(this.#isOlder(update) && { older: true }) }
    } catch (error) {
      if (error instanceof UploadRefused && error.code !== CANCELED) this.#failure = error
      throw error
    } finally {
      this.#upload = undefined
      onChange()
    }
  }

  /**
   * Cancels the upload in progress, else removes the uploaded update, else clears the last failure. @throws
   * UploadRefused
   */
  cancel(): void {
    if (this.#upload) this.#upload.cancel()
    else if (this.#online?.cancel() || this.#options.releases?.discard()) {
      // It was a download, the release, or the failure of one of them.
    } else if (this.#uploaded) {
      this.#uploaded = undefined
      this.#slots.clean()
    } else {
      if (!this.#failure && !this.#active.fault) throw new UploadRefused(NOT_EXIST)
      this.#clearFailure()
    }
    this.#options.onChange()
  }

  /** Installs the uploaded update. @returns its version @throws UploadRefused */
  install(id: string, force: boolean): ConsoleVersion {
    this.requireIdle()
    if (!this.#uploaded) throw new UploadRefused(NOT_EXIST)
    if (this.#uploaded.id !== id) throw new UploadRefused(STATE_CHANGED)
    if (this.#isOlder(this.#uploaded) && !force) throw new UploadRefused(DATA_LOSS)
    const slot = this.#active.freeSlot
    this.#slots.adopt(slot)
    this.#active.slotChanged()
    this.#uploaded = undefined
    this.#options.onStep?.('adopted')
    const build = this.#active.read(slot)
    if (!build) throw updateRefusal('damaged')
    this.#active.startTrial(slot, build)
    this.#failure = undefined
    return build.version
  }

  /**
   * The console in use works. @returns its version @throws UploadRefused if the script is not that of the console in
   * use
   */
  confirm(script: string): ConsoleVersion {
    this.#active.confirm(script)
    if (this.#options.releases?.isOnTrial) return this.#options.releases.confirm()
    return this.#active.build.version
  }

  /** Goes back to the previous console. @returns its version @throws UploadRefused */
  revert(): ConsoleVersion {
    this.requireIdle()
    const slot = this.#active.previousSlot
    const build = slot && this.#active.read(slot)
    if (!slot || !build) throw new UploadRefused(NOT_EXIST)
    this.#active.startTrial(slot, build)
    this.#failure = undefined
    return build.version
  }

  close(): void {
    this.#upload?.cancel()
    this.#active.close()
    this.#slots.close()
  }

  get #isEnabled(): boolean {
    return this.#options.trusted.length > 0
  }

  /** @throws UploadRefused while there is an update, or if no update is possible */
  requireIdle(): void {
    if (!this.#isEnabled) throw updateRefusal('no-keys')
    if (this.#upload || this.#isUpdating) throw new UploadRefused(IN_PROGRESS)
  }

  get #isUpdating(): boolean {
    const { releases } = this.#options
    return Boolean(
      this.#upload || this.#active.isOnTrial || releases?.isInstalling || releases?.isEnding || releases?.isOnTrial
    )
  }

  get #hasFailed(): boolean {
    const { releases } = this.#options
    return Boolean(this.#failure || this.#active.fault || releases?.failure || releases?.rollback())
  }

  #clearFailure(): void {
    this.#failure = undefined
    this.#active.clearFault()
  }

  /** Version of the uploaded update, if it is higher than that of the console in use. */
  #newerVersion(): string | undefined {
    const version = this.#uploaded?.version
    if (version === undefined) return this.#options.releases?.newerVersion() ?? this.#online?.newerVersion()
    return compareVersions(version, this.#active.build.version.version) > 0 ? version : undefined
  }

  /** Whether a version is lower than that of the console in use. */
  #isOlder({ version }: ConsoleVersion): boolean {
    return compareVersions(version, this.#active.build.version.version) < 0
  }

  #listUploaded(): StoredConsole[] {
    const uploaded = this.#uploaded
    if (!uploaded) return []
    return [{ ...uploaded, ...(this.#isOlder(uploaded) && { older: true }), slot: 'uploaded', use: 'ready' }]
  }

  /** Why the last upload was refused, else why the last installed console failed, else why updates are disabled. */
  #lastFailure(): { result: number; extra: UpdateRefusal } {
    if (this.#isUpdating) return { result: SUCCESS, extra: {} }
    const failure = this.#failure ?? this.#options.releases?.failure
    if (failure) return { result: failure.code, extra: failure.extra }
    const fault = this.#active.fault ?? (this.#isEnabled ? undefined : 'no-keys')
    return fault ? { result: FAULT_RESULTS[fault], extra: { 'update-fault': fault } } : { result: SUCCESS, extra: {} }
  }
}
