// Downloads a release from a web server, one at a time, and reports the progress to consoles.
import type { ChannelRelease } from '../../pack/channel-file.ts'
import { downloadFile } from './download.ts'
import { addressOf } from './http-get.ts'

/** Milliseconds between reports of the progress to consoles. */
const REPORT_INTERVAL = 500

interface ReleaseDownloadOptions {
  /** Free bytes of the disk. */
  freeSpace(): Promise<number>
  /** The download began, progressed or ended. */
  onChange(): void
}

interface Job<Release extends ChannelRelease> {
  release: Release
  /** Address of the folder on the web server. */
  folder: string
  /** Creates the folder of the file. @returns the path of the file */
  createPath(): string
  /** Takes over the complete file. */
  take(): Promise<void>
  /** @param error `OnlineError`, an error of the file system, or one of `take` */
  onFailure(error: unknown): void
}

interface CurrentDownload<Release extends ChannelRelease> {
  release: Release
  /** Bytes. */
  received: number
  /** Whether the file is complete, and is being taken over. */
  isComplete: boolean
  abort: AbortController
}

export class ReleaseDownload<Release extends ChannelRelease> {
  readonly #options: ReleaseDownloadOptions
  readonly #closing = new AbortController()
  #current: CurrentDownload<Release> | undefined
  #reportedAt = 0

  constructor(options: ReleaseDownloadOptions) {
    this.#options = options
  }

  /** The download that runs. */
  get current(): Readonly<CurrentDownload<Release>> | undefined {
    return this.#current
  }

  /** Percent of the download that runs. */
  get progress(): number {
    return this.#current ? Math.floor((100 * this.#current.received) / this.#current.release.size) : 0
  }

  /** Starts a download while none runs. */
  start(job: Job<Release>): void {
    const current = { release: job.release, received: 0, isComplete: false, abort: new AbortController() }
    this.#current = current
    void this.#run(current, job)
      .catch(job.onFailure)
      .finally(() => {
        this.#current = undefined
        this.#options.onChange()
      })
    this.#options.onChange()
  }

  /** Cancels the download. The next one of the same release continues it. */
  cancel(): void {
    this.#current?.abort.abort()
  }

  close(): void {
    this.#closing.abort()
  }

  async #run(current: CurrentDownload<Release>, { release, folder, createPath, take }: Job<Release>): Promise<void> {
    const { freeSpace, onChange } = this.#options
    await downloadFile({
      address: addressOf(folder, release.file),
      path: createPath(),
      digest: release,
      freeSpace,
      signal: AbortSignal.any([current.abort.signal, this.#closing.signal]),
      onProgress: (received) => this.#report(current, received)
    })
    current.isComplete = true
    onChange()
    await take()
  }

  #report(current: CurrentDownload<Release>, received: number): void {
    current.received = received
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL) return
    this.#reportedAt = performance.now()
    this.#options.onChange()
  }
}
