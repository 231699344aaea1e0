// Firmware from a web server: finds the releases for the families of accepted devices, and downloads one at a time.
import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { FILE_EXISTS, IN_PROGRESS, NOT_EXIST, WRONG_STATE } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { findFamily } from '../../contract/device/products.ts'
import type { FirmwareError, FirmwareInfo } from '../../contract/firmware.ts'
import { INSTALLATION_STATE } from '../../contract/installation-state.ts'
import { compareVersions, fitsDevice, formatVersion, modelKey, parseVersion } from '../../contract/mwf.ts'
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import type { ChannelRelease } from '../../pack/channel-file.ts'
import { logger } from '../../process-log/logger.ts'
import { DailyCheck } from '../online/daily-check.ts'
import { fetchChannelFiles } from '../online/fetch-channel.ts'
import { OnlineError } from '../online/online-error.ts'
import { ReleaseDownload } from '../online/release-download.ts'
import { type FirmwareRow, firmwareInfoOf } from '../store/firmware.ts'
import type { StoredFirmwareCheck } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import type { FirmwareFolder } from './folder.ts'
import { InvalidFirmwareFile, inspectFirmware } from './inspect-file.ts'
import { UploadRefused } from './uploads.ts'

/** A release that fits a model and a hardware version. */
export type FirmwareRelease = ChannelRelease & Required<Pick<ChannelRelease, 'model' | 'hardware'>>

interface OnlineFirmwareOptions {
  store: Store
  folder: FirmwareFolder
  /** Keys whose channel files are accepted. */
  trusted: readonly KeyObject[]
  /** Free bytes of the disk. */
  freeSpace(): Promise<number>
  /** Adds a complete file to the firmware files. */
  add(id: string, name: string, file: Awaited<ReturnType<typeof inspectFirmware>>): void
  /** The releases, or the download, changed. */
  onChange(): void
}

/** Releases that are kept. */
const RELEASES_MAX = 300
const NOTHING: StoredFirmwareCheck = { schedule: null, date: 0, numbers: {}, address: '', releases: [] }

/** Why the last download failed. */
export type DownloadFailure =
  | { kind: 'online'; fault: OnlineFault; details: OnlineFaultDetails }
  | { kind: 'firmware'; error: FirmwareError }

const isFirmware = (release: ChannelRelease): release is FirmwareRelease =>
  release.model !== undefined && release.hardware !== undefined && parseVersion(release.version) !== undefined

const newestFirst = (a: ChannelRelease, b: ChannelRelease): number =>
  b.time.localeCompare(a.time) || compareVersions(b.version, a.version)

/** What of a release says which devices it fits. */
const targetOf = ({ model, hardware }: FirmwareRelease) => ({
  'product-id': 0,
  'product-name': model,
  'hardware-ver': hardware
})

const isSameFirmware = (info: FirmwareInfo, release: FirmwareRelease) =>
  formatVersion(info) === release.version &&
  fitsDevice(targetOf(release), { ...info, 'module-name': info['product-name'] })

export class OnlineFirmware {
  readonly #options: OnlineFirmwareOptions
  readonly #daily: DailyCheck
  readonly #closing = new AbortController()
  readonly #download: ReleaseDownload<FirmwareRelease>
  #isChecking = false
  #failed: { id: string; failure: DownloadFailure } | undefined

  constructor(options: OnlineFirmwareOptions) {
    this.#options = options
    this.#download = new ReleaseDownload(options)
    this.#daily = new DailyCheck({
      now: Date.now,
      read: () => options.store.settings.get('firmware-check').schedule,
      write: (schedule) => this.#store({ ...options.store.settings.get('firmware-check'), schedule }),
      check: async () => {
        if (this.address) await this.check()
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

  get address(): string {
    return this.#options.store.settings.get('firmware-server').address
  }

  /** What the last check has found on the server that is set up. */
  get found(): StoredFirmwareCheck {
    const stored = this.#options.store.settings.get('firmware-check')
    // Another server has other releases, whose numbers may be lower.
    return stored.address === this.address ? stored : { ...NOTHING, address: this.address, schedule: stored.schedule }
  }

  /** Newest first. */
  get releases(): readonly FirmwareRelease[] {
    return this.found.releases.filter(isFirmware)
  }

  get failure(): DownloadFailure | undefined {
    return this.#failed?.failure
  }

  /** State of a release, the progress of its download in percent, and its file on the hub. */
  stateOf(release: FirmwareRelease): { state: number; progress: number; file?: FirmwareRow } {
    const { current, progress } = this.#download
    if (current?.release.sha256 === release.sha256) {
      const receiving = current.received > 0 ? INSTALLATION_STATE.download : INSTALLATION_STATE.init
      return { state: current.isComplete ? INSTALLATION_STATE.updating : receiving, progress }
    }
    const file = this.#options.store.firmware.all().find((row) => isSameFirmware(firmwareInfoOf(row), release))
    if (file) return { state: INSTALLATION_STATE.done, progress: 100, file }
    return {
      state: this.#failed?.id === release.sha256 ? INSTALLATION_STATE.failed : INSTALLATION_STATE.idle,
      progress: 0
    }
  }

  /**
   * Asks the server for the releases of each family that has an accepted device.
   * @throws UploadRefused without a server, or while a check runs
   */
  async check(): Promise<void> {
    if (!this.address) throw new UploadRefused(WRONG_STATE)
    if (this.#isChecking) throw new UploadRefused(IN_PROGRESS)
    this.#isChecking = true
    const { address, found } = this
    try {
      const { numbers, releases } = await this.#fetchAll(found)
      if (address === this.address)
        this.#store({ ...this.found, date: Date.now(), fault: undefined, details: undefined, numbers, releases })
    } catch (error) {
      if (!(error instanceof OnlineError)) throw error
      const { fault, details } = error
      if (fault !== 'cancelled' && address === this.address)
        this.#store({ ...this.found, date: Date.now(), fault, details })
    } finally {
      this.#isChecking = false
    }
    this.#options.onChange()
  }

  /** Starts a download. @throws UploadRefused */
  startDownload(id: string): void {
    const release = this.releases.find(({ sha256 }) => sha256 === id)
    if (!release) throw new UploadRefused(NOT_EXIST)
    if (this.#download.current) throw new UploadRefused(IN_PROGRESS)
    const { file } = this.stateOf(release)
    if (file) throw new UploadRefused(FILE_EXISTS, { id: file.id })
    this.#failed = undefined
    const fileId = id.slice(0, 32)
    this.#download.start({
      release,
      folder: this.address,
      createPath: () => this.#options.folder.downloadPath(fileId),
      take: () => this.#add(release, fileId),
      onFailure: (error) => {
        const failure = failureOf(error)
        if (failure) this.#failed = { id, failure }
      }
    })
  }

  /** @throws UploadRefused if there is no download */
  cancelDownload(): void {
    if (!this.#download.current) throw new UploadRefused(NOT_EXIST)
    this.#download.cancel()
  }

  async #fetchAll(found: StoredFirmwareCheck): Promise<Pick<StoredFirmwareCheck, 'numbers' | 'releases'>> {
    const { devices } = this.#options.store
    const accepted = devices.all().filter((row) => row.reg_state === REGISTRATION_STATE.accepted)
    const families = new Set(accepted.map((row) => findFamily(row.module)?.name ?? '').filter(Boolean))
    const numbers: Record<string, number> = { ...found.numbers }
    const releases = new Map<string, ChannelRelease>()
    for (const family of families) {
      const files = await fetchChannelFiles({
        folder: found.address,
        name: modelKey(family),
        trusted: this.#options.trusted,
        lastNumberOf: (channel) => found.numbers[`${modelKey(family)}-${channel}`] ?? 0,
        signal: this.#closing.signal
      })
      for (const { name, channel, number, releases: published } of files) {
        numbers[`${name}-${channel}`] = number
        for (const release of published) releases.set(release.sha256, release)
      }
    }
    const sorted = [...releases.values()].sort(newestFirst)
    return { numbers, releases: sorted.slice(0, RELEASES_MAX) }
  }

  /** Inspects a downloaded file, and adds it to the firmware files. */
  async #add(release: FirmwareRelease, id: string): Promise<void> {
    const { folder, add } = this.#options
    const path = folder.downloadPath(id)
    const name = release.file.split('/').at(-1) ?? ''
    const file = await inspectFirmware(path, name, release.sha256).catch((error) => {
      rmSync(path, { force: true })
      throw error
    })
    if (!isSameFirmware(file.info, release)) {
      rmSync(path, { force: true })
      throw new InvalidFirmwareFile(0)
    }
    // The dialog of an update then asks for consent, and devices are not offered it by themselves.
    if (release['pre-release']) file.info['firmware-id'] = 1
    if (this.#closing.signal.aborted) return
    folder.adoptDownload(id)
    add(id, name, file)
  }

  #store(check: StoredFirmwareCheck): void {
    const { database, settings } = this.#options.store
    database.transaction(() => settings.set('firmware-check', check))
  }
}

/** Undefined for a download that a user has cancelled. */
function failureOf(error: unknown): DownloadFailure | undefined {
  if (error instanceof OnlineError) {
    const { fault, details } = error
    return fault === 'cancelled' ? undefined : { kind: 'online', fault, details }
  }
  if (error instanceof InvalidFirmwareFile) return { kind: 'firmware', error: 'wrong-model' }
  logger.error('The download of firmware failed', error)
  return { kind: 'firmware', error: 'download-failed' }
}
