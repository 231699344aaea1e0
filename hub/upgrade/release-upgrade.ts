// The hub's side of an upgrade of the whole hub: it keeps the uploaded release until it is installed, lets the update
// service unpack it, and begins the trial, which the next start of the hub runs (trial/trial-runner.ts).
import type { KeyObject } from 'node:crypto'
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import {
  ALREADY_EXISTS,
  DATA_LOSS,
  IN_PROGRESS,
  NO_SPACE,
  NOT_EXIST,
  STATE_CHANGED,
  UNKNOWN_ERROR,
  WRONG_STATE
} from '../../contract/codes.ts'
import type { ConsoleVersion, StoredRelease, UploadedUpdate } from '../../contract/update.ts'
import { readFreeSpace } from '../../data-files/free-space.ts'
import { type Machine, receiveRelease, requireRelease } from '../../pack/release.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import { HEAD_MAX, readUpdateHead, type UpdateHead } from '../../pack/update.ts'
import type { InstalledRelease, ReleaseListing } from '../../pack/update-service.ts'
import { logger } from '../../process-log/logger.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { RESTART_DELAY } from '../machine/system-operation.ts'
import { versionOf } from './console-folder.ts'
import { requireSpace, toUploadRefused, updateRefusal } from './refusals.ts'
import { databaseSize, hasFormerDatabase } from './trial/trial-database.ts'
import { type Trial, type TrialFailure, UpgradeFiles } from './trial/trial-files.ts'
import type { TrialLink } from './trial/trial-link.ts'
import { type UpdaterClient, UpdaterError } from './updater-client.ts'

/** The uploaded release, in the folder of the upgrade. */
const READY = 'ready.update'
/** Milliseconds between two looks at the installed releases, which only the package manager changes besides. */
const REFRESH_INTERVAL = 60_000
/** Milliseconds to install a release. */
const INSTALL_TIMEOUT = 600_000

export interface ReleaseUpgradeOptions {
  /** The data folder; undefined for a hub that keeps nothing, which cannot be upgraded. */
  data: string | undefined
  /** Version of the hub. */
  version: string
  trusted: readonly KeyObject[]
  machine: Machine
  /** The update service; undefined where there is none. */
  updater: UpdaterClient | undefined
  /** The trial of this hub; undefined if it is not on trial. */
  trial: TrialLink | undefined
  /** Number of the engine protocol of this hub. */
  engineProtocol: number
  /** Version of the release from which the engine runs; undefined if it is unknown. */
  engineVersion(): string | undefined
  /** The channels that carry a stream. */
  channelsOnAir(): Trial['channels']
  /** Ends the process; it is started again, and runs the trial. Undefined where nobody starts it again. */
  endProcess: (() => void) | undefined
  onChange(): void
}

interface UploadedRelease extends UploadedUpdate {
  /** Number of its engine protocol. */
  engine: number
}

export class ReleaseUpgrade {
  readonly #options: ReleaseUpgradeOptions
  readonly #files: UpgradeFiles | undefined
  #listing: ReleaseListing | undefined
  #uploaded: UploadedRelease | undefined
  /** Aborts the step in which the update service unpacks and verifies the release. */
  #installation: AbortController | undefined
  #failure: UploadRefused | undefined
  #isEnding = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: ReleaseUpgradeOptions) {
    this.#options = options
    this.#files = options.data === undefined ? undefined : new UpgradeFiles(options.data)
    options.trial?.onPassed(() => void this.refresh())
  }

  /** Reads what an earlier process has left, and looks for the update service. */
  start(): void {
    if (this.#options.updater === undefined || !this.#files) return
    this.#readUploaded(this.#files)
    void this.refresh()
    this.#timer = setInterval(() => void this.refresh(), REFRESH_INTERVAL).unref()
  }

  /** Asks the update service for the releases. */
  async refresh(): Promise<void> {
    const before = JSON.stringify(this.#listing)
    this.#listing = await this.#options.updater?.list().catch(() => undefined)
    if (JSON.stringify(this.#listing) !== before) this.#options.onChange()
  }

  /** Whether this hub runs from a release, so that another one can replace it. */
  get isPossible(): boolean {
    return this.#installed(this.#options.version) !== undefined && this.#options.endProcess !== undefined
  }

  get isOnTrial(): boolean {
    return this.#options.trial?.isOnTrial ?? false
  }

  /** Seconds until the trial of this hub ends. */
  get secondsLeft(): number {
    return this.#options.trial?.secondsLeft() ?? 0
  }

  /** Whether the process is about to end, so that the next one runs the trial. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  get isInstalling(): boolean {
    return this.#installation !== undefined
  }

  get failure(): UploadRefused | undefined {
    return this.#failure
  }

  /** Why the last trial failed, until it is dismissed. */
  rollback(): TrialFailure | undefined {
    return this.#files?.read('failure')
  }

  /** The version of an uploaded release that is higher than that of the hub. */
  newerVersion(): string | undefined {
    const version = this.#uploaded?.version
    return version !== undefined && !this.#isOlder(version) ? version : undefined
  }

  /** Version of the release from which streams run, if it is another one. */
  engineVersion(): string | undefined {
    const version = this.#options.engineVersion()
    return version === this.#options.version ? undefined : version
  }

  /** Whether the uploaded release has another engine protocol, so that its installation interrupts all streams. */
  get interruptsStreams(): boolean {
    return this.#uploaded !== undefined && this.#uploaded.engine !== this.#options.engineProtocol
  }

  /** Whether the release before has another engine protocol. */
  get revertInterruptsStreams(): boolean {
    const { protocol } = this.#files?.read('former') ?? {}
    return protocol !== undefined && protocol !== this.#options.engineProtocol
  }

  /** A new upload replaces the release that was uploaded before. */
  forgetUploaded(): void {
    this.#uploaded = undefined
    this.#files?.remove(READY)
  }

  list(): StoredRelease[] {
    const { version, trial } = this.#options
    const former = this.#former()
    return [
      ...(this.#uploaded ? [{ ...this.#describeUploaded(this.#uploaded), use: 'ready' as const }] : []),
      trial?.isOnTrial ? { version, use: 'trial', left: trial.secondsLeft() } : { version, use: 'active' },
      ...(former ? [{ version: former.version, use: 'former' as const }] : [])
    ]
  }

  /** Whether an update can be received: it is for this machine. @throws UploadRefused */
  accept(head: UpdateHead): void {
    if (!this.isPossible) throw updateRefusal('no-releases')
    requireRelease(head, this.#options.machine)
    if (head.statement.version === this.#options.version) throw new UploadRefused(ALREADY_EXISTS)
  }

  /**
   * Verifies an uploaded update, and keeps it until it is installed or discarded. @throws UploadRefused or PackError
   */
  async keep(file: string): Promise<UploadedUpdate> {
    const { trusted, machine } = this.#options
    const files = this.#requireFiles()
    const drain = async (bytes: AsyncIterable<Buffer>) => {
      for await (const _ of bytes);
    }
    await receiveRelease(createReadStream(file), { trusted, machine, onFacts: async () => {}, writeImage: drain })
    files.open()
    files.remove(READY, 'failure.json')
    renameSync(file, files.pathOf(READY))
    this.#failure = undefined
    this.#readUploaded(files)
    if (!this.#uploaded) throw new UploadRefused(UNKNOWN_ERROR)
    return this.#describeUploaded(this.#uploaded)
  }

  /** Removes the uploaded release, else dismisses the last failure. @returns whether there was one */
  discard(): boolean {
    if (this.#installation) this.#installation.abort()
    else if (this.#uploaded) this.forgetUploaded()
    else if (this.#failure || this.rollback()) {
      this.#failure = undefined
      this.#files?.remove('failure.json')
    } else return false
    return true
  }

  /** Whether the uploaded update is a release. */
  get hasUploaded(): boolean {
    return this.#uploaded !== undefined
  }

  /**
   * Checks whether the uploaded release can be installed. @returns its version
   * @throws UploadRefused
   */
  async prepareInstallation(id: string, force: boolean): Promise<ConsoleVersion> {
    this.#requireIdle()
    const uploaded = this.#uploaded
    if (!uploaded) throw new UploadRefused(NOT_EXIST)
    if (uploaded.id !== id) throw new UploadRefused(STATE_CHANGED)
    if (this.#isOlder(uploaded.version) && !force) throw new UploadRefused(DATA_LOSS)
    await this.#requireSpaceForCopy()
    return uploaded
  }

  /** Installs the uploaded release in the background, then ends the process to begin the trial. */
  install(): void {
    const uploaded = this.#uploaded
    if (!uploaded) return
    const installation = new AbortController()
    const { signal } = installation
    this.#installation = installation
    this.#failure = undefined
    this.#options.onChange()
    this.#unpack(uploaded, signal)
      .catch(async (error: unknown) => {
        await this.#removeUnpacked(uploaded.version)
        // A user who has cancelled it knows why it has ended.
        if (!signal.aborted) this.#failure = toReleaseRefused(error)
      })
      .finally(() => {
        this.#installation = undefined
        this.#options.onChange()
      })
  }

  /**
   * Checks whether the release before can be activated with its data. @returns its version
   * @throws UploadRefused
   */
  async prepareRevert(force: boolean): Promise<ConsoleVersion> {
    this.#requireIdle()
    const former = this.#former()
    if (!former) throw new UploadRefused(NOT_EXIST)
    if (!force) throw new UploadRefused(DATA_LOSS)
    await this.#requireSpaceForCopy()
    return { version: former.version }
  }

  /** Begins the trial of the release before. */
  revert(): void {
    const former = this.#former()
    if (former) this.#beginTrial(former, { revert: true })
  }

  /** @returns version of the release on trial @throws UploadRefused */
  confirm(): ConsoleVersion {
    this.#options.trial?.confirm()
    return { version: this.#options.version }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#installation?.abort()
  }

  async #unpack({ version, size, engine }: UploadedRelease, signal: AbortSignal): Promise<void> {
    const { updater } = this.#options
    if (!updater) throw updateRefusal('no-releases')
    const files = this.#requireFiles()
    const limit = AbortSignal.any([signal, AbortSignal.timeout(INSTALL_TIMEOUT)])
    const release = await updater.install(createReadStream(files.pathOf(READY)), size, limit)
    signal.throwIfAborted()
    if (engine !== this.#options.engineProtocol) await updater.markTrial(version, { engine: true })
    await this.#requireSpaceForCopy()
    signal.throwIfAborted()
    this.#beginTrial(release, {})
    files.remove(READY)
  }

  /** Removes a release that the update service has unpacked, but whose trial does not begin. */
  async #removeUnpacked(version: string): Promise<void> {
    const { updater } = this.#options
    const { releases = [] } = (await updater?.list().catch(() => undefined)) ?? {}
    const isUnpacked = releases.some(
      (release) => release.version === version && !release.packaged && release.mark?.kind === 'trial'
    )
    if (isUnpacked) await updater?.reject(version, { reason: 'not installed' }).catch(() => {})
  }

  /** From here on each start of the hub runs the trial. */
  #beginTrial({ version, folder }: InstalledRelease, more: Pick<Trial, 'revert'>): void {
    const { version: from, engineVersion, channelsOnAir, endProcess } = this.#options
    const engine = engineVersion()
    this.#requireFiles().write('trial', {
      version,
      from,
      protocol: this.#options.engineProtocol,
      folder,
      phase: 'begun',
      channels: channelsOnAir(),
      ...(engine !== undefined && { engine }),
      ...more,
      starts: 0
    })
    this.#isEnding = true
    if (endProcess) setTimeout(endProcess, RESTART_DELAY)
    this.#options.onChange()
  }

  /** The release before, if it and its data are still there. */
  #former(): InstalledRelease | undefined {
    const former = this.#files?.read('former')
    if (!former || !this.#files || !hasFormerDatabase(this.#files)) return undefined
    return former.version === this.#options.version ? undefined : this.#installed(former.version)
  }

  #installed(version: string): InstalledRelease | undefined {
    return this.#listing?.releases.findLast((release) => release.version === version)
  }

  #isOlder(version: string): boolean {
    return compareReleaseVersions(version, this.#options.version) < 0
  }

  #describeUploaded({ engine: _, ...uploaded }: UploadedRelease): UploadedUpdate {
    return { ...uploaded, ...(this.#isOlder(uploaded.version) && { older: true }) }
  }

  #requireFiles(): UpgradeFiles {
    if (!this.#files) throw updateRefusal('no-releases')
    return this.#files
  }

  /** @throws UploadRefused */
  #requireIdle(): void {
    if (!this.isPossible) throw updateRefusal('no-releases')
    if (this.#installation || this.#isEnding || this.isOnTrial) throw new UploadRefused(IN_PROGRESS)
  }

  /** The database is copied for the trial. @throws UploadRefused */
  async #requireSpaceForCopy(): Promise<void> {
    const { data } = this.#options
    if (data === undefined) throw new UploadRefused(WRONG_STATE)
    requireSpace(await readFreeSpace(data), databaseSize(data))
  }

  #readUploaded(files: UpgradeFiles): void {
    const file = files.pathOf(READY)
    this.#uploaded = undefined
    if (!existsSync(file)) return
    try {
      const head = readUpdateHead(readStart(file), this.#options.trusted)
      const { engine } = head ? requireRelease(head, this.#options.machine) : {}
      if (!head || engine === undefined || head.size !== statSync(file).size) throw new Error('it is incomplete')
      const id = createHash('sha256').update(head.signed.text).digest('hex')
      this.#uploaded = { id, size: head.size, ...versionOf(head.statement), engine }
    } catch (error) {
      logger.warn('The uploaded release was removed', { reason: (error as Error).message })
      files.remove(READY)
    }
  }
}

function readStart(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_MAX)
    return bytes.subarray(0, readSync(handle, bytes, 0, HEAD_MAX, 0))
  } finally {
    closeSync(handle)
  }
}

/** Converts an error of an installation to a refusal. */
function toReleaseRefused(error: unknown): UploadRefused {
  if (!(error instanceof UpdaterError)) return toUploadRefused(error)
  if (error.code === 'space') return new UploadRefused(NO_SPACE)
  if (error.code === 'exists') return new UploadRefused(ALREADY_EXISTS)
  if (error.code === 'busy') return new UploadRefused(IN_PROGRESS)
  logger.error('The update service failed', error)
  return error.code === 'away' || error.code === 'failed' || error.code === 'unknown' || error.code === 'other'
    ? updateRefusal('service')
    : updateRefusal(error.code)
}
