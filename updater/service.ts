// The update service: verifies updates with releases, and writes them where the launcher finds them. It trusts nothing
// that the hub says: the signature is verified here, with keys that only root may write.
import type { KeyObject } from 'node:crypto'
import { chmodSync, createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fingerprint } from '../pack/keys.ts'
import { PackError } from '../pack/pack-error.ts'
import { type Machine, type ReceivedRelease, receiveRelease, verifyRelease } from '../pack/release.ts'
import { unpackImage } from '../pack/unpack.ts'
import type { InstalledRelease, ReleaseListing, ServiceError } from '../pack/update-service.ts'
import type { ReleaseFolder } from './release-folder.ts'

/** Bytes that stay free. */
const SPACE_KEPT = 50 << 20
/** Milliseconds to list or to unpack an image. */
const UNPACK_TIMEOUT = 300_000
/** Mode of the folder of a release. */
const RELEASE_MODE = 0o755
/** Bytes of folders, and of the last blocks of files, beyond the bytes of the files. */
const OVERHEAD = 8 << 20

/** A request that is refused, or has failed. */
export class RequestError extends Error {
  readonly code: ServiceError
  constructor(code: ServiceError, message: string) {
    super(message)
    this.code = code
  }
}

export interface UpdateServiceOptions {
  folder: ReleaseFolder
  trusted: readonly KeyObject[]
  machine: Machine
  /** Starts programs that run from the release before again. */
  restartPrograms(): void
}

export class UpdateService {
  readonly #options: UpdateServiceOptions
  #isInstalling = false

  constructor(options: UpdateServiceOptions) {
    this.#options = options
  }

  list(): ReleaseListing {
    const { folder, trusted } = this.#options
    return { releases: folder.list(), keys: trusted.map(fingerprint) }
  }

  /**
   * Verifies an update, and unpacks it as a release on trial. @param signal aborted when nobody waits for it any more
   * @throws RequestError, PackError, or the reason of the signal; nothing is left then
   */
  async install(update: AsyncIterable<Buffer>, signal: AbortSignal): Promise<InstalledRelease> {
    if (this.#isInstalling) throw new RequestError('busy', 'Another update is being installed.')
    this.#isInstalling = true
    const { image, staging } = this.#options.folder.incoming()
    try {
      const received = await this.#receive(update, image)
      await this.#unpack(received, image, staging, signal)
      const { version } = received.statement
      signal.throwIfAborted()
      this.#options.folder.adopt(version)
      return this.#require(version)
    } finally {
      for (const path of [image, staging]) rmSync(path, { recursive: true, force: true })
      this.#isInstalling = false
    }
  }

  markTrial(version: string, engine: boolean): InstalledRelease {
    this.#require(version)
    this.#options.folder.markTrial(version, engine)
    return this.#require(version)
  }

  activate(version: string, keep: readonly string[]): ReleaseListing {
    this.#require(version)
    this.#options.folder.activate(version, keep)
    this.#options.restartPrograms()
    return this.list()
  }

  reject(version: string, reason: string): ReleaseListing {
    this.#require(version)
    this.#options.folder.reject(version, reason)
    return this.list()
  }

  async #receive(update: AsyncIterable<Buffer>, image: string): Promise<ReceivedRelease> {
    const { trusted, machine } = this.#options
    return receiveRelease(update, {
      trusted,
      machine,
      onFacts: ({ version, image: imageSize, unpacked }) => this.#requireInstallable(version, imageSize + unpacked),
      writeImage: (bytes) => pipeline(bytes, createWriteStream(image, { mode: 0o600 }))
    })
  }

  async #requireInstallable(version: string, bytes: number): Promise<void> {
    const { folder } = this.#options
    const existing = folder.find(version)
    if (existing && (existing.packaged || !existing.mark))
      throw new RequestError('exists', `Version ${version} is installed.`)
    const free = await folder.freeSpace()
    if (free < bytes + OVERHEAD + SPACE_KEPT)
      throw new RequestError('space', `The release needs ${bytes + OVERHEAD} bytes, ${free} are free.`)
  }

  async #unpack({ statement, manifest }: ReceivedRelease, image: string, staging: string, signal: AbortSignal) {
    await unpackImage(image, staging, statement.release.unpacked, { signal, timeout: UNPACK_TIMEOUT })
    // The users of hub and engine run its programs, whatever the folder was in which it was packed.
    chmodSync(staging, RELEASE_MODE)
    await verifyRelease(staging, manifest)
    if (manifest.version !== statement.version)
      throw new PackError('The manifest is of another version than the statement.', 'tampered')
  }

  #require(version: string): InstalledRelease {
    const found = this.#options.folder.find(version)
    if (!found) throw new RequestError('unknown', `No release ${version} is installed.`)
    return found
  }
}
