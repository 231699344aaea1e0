// Releases of the hub on a web server: the hub looks for them once a day, and downloads one when an administrator asks
// for it. A downloaded update is then verified and kept like an upload.
import type { KeyObject } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { IN_PROGRESS, SUCCESS, UNKNOWN_ERROR, WRONG_STATE } from '../../contract/codes.ts'
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import { UPDATE_STATE } from '../../contract/update.ts'
import { type ChannelRelease, HUB_CHANNEL_NAME, RELEASE_CHANNELS } from '../../pack/channel-file.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import { logger } from '../../process-log/logger.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { DailyCheck } from '../online/daily-check.ts'
import { downloadFile } from '../online/download.ts'
import { fetchChannelFile } from '../online/fetch-channel.ts'
import { addressOf } from '../online/http-get.ts'
import { OnlineError } from '../online/online-error.ts'
import type { StoredUpdateCheck } from '../store/settings.ts'
import type { Store } from '../store/store.ts'

/** Milliseconds between reports of the progress to consoles. */
const REPORT_INTERVAL = 500

interface OnlineUpgradeOptions {
  store: Store
  /** Version of the hub. */
  version: string
  trusted: readonly KeyObject[]
  /** File for the download. */
  path: string
  freeSpace(): Promise<number>
  /** Whether the whole hub can be replaced; else only consoles are offered. */
  offersReleases(): boolean
  /** Takes a downloaded update over. */
  upload(size: number, source: ByteSource): Promise<unknown>
  /** The releases, or the download, changed. */
  onChange(): void
}

/** What a user can change. */
export interface UpdateSettings {
  address?: string | undefined
  enable?: boolean | undefined
  preReleases?: boolean | undefined
}

interface Download {
  release: ChannelRelease
  /** Bytes. */
  received: number
  abort: AbortController
}

interface Fault {
  fault: OnlineFault
  details: OnlineFaultDetails
}

export class OnlineUpgrade {
  readonly #options: OnlineUpgradeOptions
  readonly #daily: DailyCheck
  readonly #closing = new AbortController()
  #isChecking = false
  #download: Download | undefined
  #failure: Fault | undefined
  #reportedAt = 0

  constructor(options: OnlineUpgradeOptions) {
    this.#options = options
    this.#daily = new DailyCheck({
      now: Date.now,
      read: () => this.settings.schedule,
      write: (schedule) => this.#store({ ...this.settings, schedule }),
      check: async () => {
        if (this.settings.address && this.settings.enable) await this.check()
      }
    })
  }

  start(): void {
    this.#daily.start()
  }

  close(): void {
    this.#daily.close()
    this.#closing.abort()
  }

  get settings(): StoredUpdateCheck {
    return this.#options.store.settings.get('update-check')
  }

  /** Why the last check, or the last download, failed. */
  get fault(): Fault | undefined {
    const { fault, details = {} } = this.settings
    return this.#failure ?? (fault && { fault, details })
  }

  /** Result code of the last check. */
  get checkResult(): number {
    return this.settings.fault ? UNKNOWN_ERROR : SUCCESS
  }

  /** The releases for this hub, the highest version first. */
  get releases(): readonly ChannelRelease[] {
    const architecture = this.#options.offersReleases() ? process.arch : 'all'
    const { releases, preReleases } = this.settings
    return releases
      .filter((release) => release.architecture === architecture && (preReleases || !release['pre-release']))
      .toSorted((one, other) => compareReleaseVersions(other.version, one.version))
  }

  /** The highest version on the server, if it is higher than that of the hub. */
  newerVersion(): string | undefined {
    const [newest] = this.releases
    return newest && compareReleaseVersions(newest.version, this.#options.version) > 0 ? newest.version : undefined
  }

  /** Bits of `UPDATE_STATE`. */
  stateBits(): number {
    if (this.#download) return this.#download.abort.signal.aborted ? UPDATE_STATE.cancelling : UPDATE_STATE.pulling
    return this.#isChecking ? UPDATE_STATE.checkingOnline : UPDATE_STATE.idle
  }

  /** Percent of the download. */
  get progress(): number {
    const { release, received } = this.#download ?? {}
    return release ? Math.floor((100 * (received ?? 0)) / release.size) : 0
  }

  set({ address, enable, preReleases }: UpdateSettings): void {
    if (address === undefined && enable === undefined && preReleases === undefined) return
    const before = this.settings
    const isOther = address !== undefined && address !== before.address
    this.#options.store.settings.set('update-check', {
      ...before,
      // Another server has other releases, whose numbers may be lower.
      ...(isOther && { address, date: 0, numbers: {}, releases: [], fault: undefined, details: undefined }),
      ...(enable !== undefined && { enable }),
      ...(preReleases !== undefined && { preReleases })
    })
    if (isOther) this.#failure = undefined
    this.#options.onChange()
  }

  /** Asks the server. @throws UploadRefused without a server, or while a check runs */
  async check(): Promise<void> {
    const { address } = this.settings
    if (!address) throw new UploadRefused(WRONG_STATE)
    if (this.#isChecking) throw new UploadRefused(IN_PROGRESS)
    this.#isChecking = true
    this.#options.onChange()
    try {
      const found = await this.#fetchAll(this.settings)
      if (address === this.settings.address)
        this.#store({ ...this.settings, ...found, date: Date.now(), fault: undefined, details: undefined })
    } catch (error) {
      if (!(error instanceof OnlineError)) throw error
      const { fault, details } = error
      if (fault !== 'cancelled' && address === this.settings.address)
        this.#store({ ...this.settings, date: Date.now(), fault, details })
    } finally {
      this.#isChecking = false
      this.#options.onChange()
    }
  }

  find(id: string): ChannelRelease | undefined {
    return this.releases.find(({ sha256 }) => sha256 === id)
  }

  /** Starts the download of a release. @throws UploadRefused while there is one */
  startDownload(release: ChannelRelease): void {
    if (this.#download) throw new UploadRefused(IN_PROGRESS)
    this.#failure = undefined
    this.#download = { release, received: 0, abort: new AbortController() }
    void this.#run(this.#download)
      .catch((error) => {
        if (error instanceof OnlineError && error.fault !== 'cancelled') this.#failure = error
        // The updater shows why it has refused a downloaded update.
        else if (!(error instanceof OnlineError || error instanceof UploadRefused))
          logger.error('The download of an update failed', error)
      })
      .finally(() => {
        this.#download = undefined
        this.#options.onChange()
      })
    this.#options.onChange()
  }

  /** Cancels the download, else dismisses the failure of the last one. @returns whether there was one */
  cancel(): boolean {
    if (this.#download) this.#download.abort.abort()
    else if (this.#failure) this.#failure = undefined
    else return false
    return true
  }

  async #fetchAll({ address, numbers: before }: StoredUpdateCheck) {
    const numbers: Record<string, number> = { ...before }
    const releases: ChannelRelease[] = []
    for (const channel of RELEASE_CHANNELS) {
      const { trusted } = this.#options
      const request = { folder: address, name: HUB_CHANNEL_NAME, channel, trusted, now: Date.now() }
      const file = await fetchChannelFile({
        ...request,
        lastNumber: numbers[channel] ?? 0,
        signal: this.#closing.signal
      }).catch((error) => {
        // A publisher may have no pre-releases.
        if (channel !== 'stable' && error instanceof OnlineError && error.details.status === 404) return undefined
        throw error
      })
      if (!file) continue
      numbers[channel] = file.number
      releases.push(...file.releases)
    }
    return { numbers, releases }
  }

  async #run(download: Download): Promise<void> {
    const { path, freeSpace, upload } = this.#options
    const { release, abort } = download
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await downloadFile({
      address: addressOf(this.settings.address, release.file),
      path,
      digest: release,
      freeSpace,
      signal: AbortSignal.any([abort.signal, this.#closing.signal]),
      onProgress: (received) => this.#report(download, received)
    })
    // From here on the state is that of an upload.
    this.#download = undefined
    try {
      await upload(release.size, async (write) => {
        for await (const bytes of createReadStream(path)) await write(bytes)
      })
    } finally {
      rmSync(path, { force: true })
    }
  }

  #report(download: Download, received: number): void {
    download.received = received
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL) return
    this.#reportedAt = performance.now()
    this.#options.onChange()
  }

  #store(check: StoredUpdateCheck): void {
    const { database, settings } = this.#options.store
    database.transaction(() => settings.set('update-check', check))
  }
}
