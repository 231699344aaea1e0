// Releases of the hub on a web server: the hub looks for them once a day, and downloads one when an administrator asks
// for it. A downloaded update is then verified and kept like an upload.
import type { KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { IN_PROGRESS, SUCCESS, UNKNOWN_ERROR, WRONG_STATE } from '../../contract/codes.ts'
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import { UPDATE_STATE } from '../../contract/update.ts'
import type { Subfolder } from '../../data-files/subfolder.ts'
import { type ChannelRelease, HUB_CHANNEL_NAME } from '../../pack/channel-file.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import { logger } from '../../process-log/logger.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { DailyCheck } from '../online/daily-check.ts'
import { fetchChannelFiles } from '../online/fetch-channel.ts'
import { OnlineError } from '../online/online-error.ts'
import { ReleaseDownload } from '../online/release-download.ts'
import type { StoredUpdateCheck } from '../store/settings.ts'
import type { Store } from '../store/store.ts'

/** The downloaded update, in the folder. */
const FILE = 'online.update'

interface OnlineUpgradeOptions {
  store: Store
  /** Version of the hub. */
  version: string
  trusted: readonly KeyObject[]
  /** Folder for the download. */
  folder: Subfolder
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

interface Fault {
  fault: OnlineFault
  details: OnlineFaultDetails
}

export class OnlineUpgrade {
  readonly #options: OnlineUpgradeOptions
  readonly #daily: DailyCheck
  readonly #closing = new AbortController()
  readonly #download: ReleaseDownload<ChannelRelease>
  #isChecking = false
  #failure: Fault | undefined

  constructor(options: OnlineUpgradeOptions) {
    this.#options = options
    const { folder, onChange } = options
    this.#download = new ReleaseDownload({ freeSpace: () => folder.freeSpace(), onChange })
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
    this.#download.close()
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
    const download = this.#receiving
    if (download) return download.abort.signal.aborted ? UPDATE_STATE.cancelling : UPDATE_STATE.pulling
    return this.#isChecking ? UPDATE_STATE.checkingOnline : UPDATE_STATE.idle
  }

  /** Percent of the download. */
  get progress(): number {
    return this.#receiving ? this.#download.progress : 0
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
    if (this.#download.current) throw new UploadRefused(IN_PROGRESS)
    const { folder, upload } = this.#options
    this.#failure = undefined
    this.#download.start({
      release,
      folder: this.settings.address,
      createPath: () => join(folder.open(), FILE),
      async take() {
        try {
          await upload(release.size, async (write) => {
            for await (const bytes of createReadStream(folder.pathOf(FILE))) await write(bytes)
          })
        } finally {
          folder.remove(FILE)
        }
      },
      onFailure: (error) => {
        if (error instanceof OnlineError && error.fault !== 'cancelled') this.#failure = error
        // The updater shows why it has refused a downloaded update.
        else if (!(error instanceof OnlineError || error instanceof UploadRefused))
          logger.error('The download of an update failed', error)
      }
    })
  }

  /** Cancels the download, else dismisses the failure of the last one. @returns whether there was one */
  cancel(): boolean {
    if (this.#receiving) this.#download.cancel()
    else if (this.#failure) this.#failure = undefined
    else return false
    return true
  }

  /** The download until its file is complete. From there on the state is that of an upload. */
  get #receiving() {
    const { current } = this.#download
    return current?.isComplete ? undefined : current
  }

  async #fetchAll({ address, numbers }: StoredUpdateCheck) {
    const files = await fetchChannelFiles({
      folder: address,
      name: HUB_CHANNEL_NAME,
      trusted: this.#options.trusted,
      required: 'stable',
      lastNumberOf: (channel) => numbers[channel] ?? 0,
      signal: this.#closing.signal
    })
    const accepted = files.map(({ channel, number }): [string, number] => [channel, number])
    return {
      numbers: { ...numbers, ...Object.fromEntries(accepted) },
      releases: files.flatMap((file) => file.releases)
    }
  }

  #store(check: StoredUpdateCheck): void {
    const { database, settings } = this.#options.store
    database.transaction(() => settings.set('update-check', check))
  }
}
