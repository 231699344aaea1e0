// One upload of an update: receives the file and verifies it. A console is unpacked into the staging folder, a release
// is kept as it is.
import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { CANCELED, TIMEOUT, TOO_LARGE } from '../../contract/codes.ts'
import { UPDATE_FILE_MAX, type UploadedUpdate } from '../../contract/update.ts'
import type { Budget } from '../../pack/budget.ts'
import { HEAD_MAX, RELEASE_NAME, readUpdateHead, type UpdateHead } from '../../pack/update.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { requireSpace, toUploadRefused, updateRefusal } from './refusals.ts'
import type { ReleaseUpgrade } from './release-upgrade.ts'
import { stageUpdate } from './staging.ts'

/** Bytes that an upload may have: those of a console, until its signed statement says that it is a release. */
class UploadLimit {
  max = UPDATE_FILE_MAX
  /** The start of the update, once it has arrived. */
  head: UpdateHead | undefined
  #start: Buffer = Buffer.alloc(0)
  readonly #trusted: readonly KeyObject[]
  readonly #acceptRelease: (head: UpdateHead) => void

  constructor(trusted: readonly KeyObject[], acceptRelease: (head: UpdateHead) => void) {
    this.#trusted = trusted
    this.#acceptRelease = acceptRelease
  }

  /** Reads the next bytes. @throws PackError or UploadRefused if the update is not accepted */
  add(bytes: Uint8Array): void {
    if (this.head) return
    this.#start = Buffer.concat([this.#start, bytes.subarray(0, HEAD_MAX - this.#start.length)])
    this.head = readUpdateHead(this.#start, this.#trusted)
    if (this.head?.statement.name !== RELEASE_NAME) return
    this.#acceptRelease(this.head)
    this.max = this.head.size
  }
}

/**
 * Rejects as soon as the signal is aborted, even if no more bytes arrive.
 * @param onProgress called with the number of bytes written
 * @throws UploadRefused with code 18 if the file is too large
 */
async function receiveUpload(
  file: FileHandle,
  source: ByteSource,
  limit: UploadLimit,
  signal: AbortSignal,
  onProgress: (written: number) => void
): Promise<void> {
  let written = 0
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const received = source(async (bytes) => {
    signal.throwIfAborted()
    written += bytes.length
    limit.add(bytes)
    if (written > limit.max) throw new UploadRefused(TOO_LARGE, { max: limit.max })
    await file.appendFile(bytes)
    onProgress(written)
  })
  await Promise.race([received, aborted])
}

/** Milliseconds for the upload of a console, and of a release: 100 MB over 256 kbit/s. */
export const UPLOAD_TIMEOUT = 300_000
const RELEASE_UPLOAD_TIMEOUT = 3_600_000
/** Milliseconds between reports of the progress to consoles. */
const REPORT_INTERVAL = 500

interface UpdateUploadOptions {
  /** File and folder to create; both are removed if the upload fails. */
  file: string
  staging: string
  trusted: readonly KeyObject[]
  budget: Budget | undefined
  releases: Pick<ReleaseUpgrade, 'accept' | 'keep'> | undefined
  freeSpace(): Promise<number>
  /** The phase or the progress changed. */
  onChange(): void
  onStep(name: 'received' | 'staged'): void
}

export class UpdateUpload {
  /** `checking`: whether there is enough disk space. */
  phase: 'checking' | 'uploading' | 'verifying' | 'cancelling' = 'checking'
  /** Percent of the current phase. */
  progress = 0
  readonly #options: UpdateUploadOptions
  readonly #abort = new AbortController()
  #reportedAt = 0

  constructor(options: UpdateUploadOptions) {
    this.#options = options
  }

  /** @param size bytes of the request; 0 = unknown. @throws UploadRefused */
  async run(size: number, source: ByteSource): Promise<UploadedUpdate> {
    const { file, staging, trusted, budget, releases, onStep } = this.#options
    const { signal } = this.#abort
    const limitTime = (time: number) => setTimeout(() => this.#abort.abort(new UploadRefused(TIMEOUT)), time).unref()
    let timer = limitTime(UPLOAD_TIMEOUT)
    const limit = new UploadLimit(trusted, (head) => {
      if (!releases) throw updateRefusal('no-releases')
      releases.accept(head)
      clearTimeout(timer)
      timer = limitTime(RELEASE_UPLOAD_TIMEOUT)
    })
    const requireFreeSpace = (bytes: number) => this.#requireFreeSpace(bytes)
    try {
      await requireFreeSpace(size)
      signal.throwIfAborted()
      this.#enter('uploading')
      const handle = await open(file, 'w', 0o600)
      await receiveUpload(handle, source, limit, signal, (written) => this.#reportProgress(written, size)).finally(() =>
        handle.close()
      )
      onStep('received')
      this.progress = 100
      this.#enter('verifying')
      const isRelease = limit.head?.statement.name === RELEASE_NAME
      const update = await (isRelease && releases
        ? releases.keep(file)
        : stageUpdate(file, staging, { trusted, budget, signal, requireFreeSpace }))
      signal.throwIfAborted()
      onStep('staged')
      rmSync(file, { force: true })
      return update
    } catch (error) {
      for (const path of [file, staging]) rmSync(path, { recursive: true, force: true })
      throw toUploadRefused(signal.aborted ? signal.reason : error)
    } finally {
      clearTimeout(timer)
    }
  }

  cancel(): void {
    this.phase = 'cancelling'
    this.#abort.abort(new UploadRefused(CANCELED))
  }

  #enter(phase: UpdateUpload['phase']): void {
    this.phase = phase
    this.#options.onChange()
  }

  #reportProgress(written: number, size: number): void {
    this.progress = size > 0 ? Math.min(100, Math.floor((100 * written) / size)) : 0
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL) return
    this.#reportedAt = performance.now()
    this.#options.onChange()
  }

  async #requireFreeSpace(bytes: number): Promise<void> {
    requireSpace(await this.#options.freeSpace(), bytes)
  }
}
