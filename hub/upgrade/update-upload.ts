// One upload of a console update: receives the file, verifies it, and unpacks it into the staging folder.
import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { CANCELED, NO_SPACE, TIMEOUT, TOO_LARGE } from '../../contract/codes.ts'
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import { UPDATE_FILE_MAX, type UploadedUpdate } from '../../contract/update.ts'
import type { Budget } from '../../pack/budget.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { toUploadRefused } from './refusals.ts'
import { stageUpdate } from './staging.ts'

/**
 * Rejects as soon as the signal is aborted, even if no more bytes arrive.
 * @param onProgress called with the number of bytes written
 * @throws UploadRefused with code 18 if the file is too large
 */
export async function receiveUpload(
  file: FileHandle,
  source: ByteSource,
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
    if (written > UPDATE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: UPDATE_FILE_MAX })
    await file.appendFile(bytes)
    onProgress(written)
  })
  await Promise.race([received, aborted])
}

/** Milliseconds for the whole upload. */
export const UPLOAD_TIMEOUT = 300_000
/** Milliseconds between reports of the progress to consoles. */
const REPORT_INTERVAL = 500
const MEGABYTE = 1 << 20

interface UpdateUploadOptions {
  /** File and folder to create; both are removed if the upload fails. */
  file: string
  staging: string
  trusted: readonly KeyObject[]
  budget: Budget | undefined
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
    const { file, staging, trusted, budget, onStep } = this.#options
    const { signal } = this.#abort
    const timer = setTimeout(() => this.#abort.abort(new UploadRefused(TIMEOUT)), UPLOAD_TIMEOUT).unref()
    const requireFreeSpace = (bytes: number) => this.#requireFreeSpace(bytes)
    try {
      await requireFreeSpace(size)
      signal.throwIfAborted()
      this.#enter('uploading')
      const handle = await open(file, 'w', 0o600)
      await receiveUpload(handle, source, signal, (written) => this.#reportProgress(written, size)).finally(() =>
        handle.close()
      )
      onStep('received')
      this.progress = 100
      this.#enter('verifying')
      const update = await stageUpdate(file, staging, { trusted, budget, signal, requireFreeSpace })
      signal.throwIfAborted()
      onStep('staged')
      rmSync(file)
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

  async #requireFreeSpace(need: number): Promise<void> {
    const free = await this.#options.freeSpace()
    const keep = FIRMWARE_SPACE_MIN * MEGABYTE
    if (free - need < keep)
      throw new UploadRefused(NO_SPACE, { 'free-size': free, 'need-size': need, 'keep-size': keep })
  }
}
