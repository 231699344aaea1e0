// Uploads of firmware files, whole or in chunks over several connections. All bytes are streamed to disk.
import { open } from 'node:fs/promises'
import {
  FILE_TYPE_ERROR,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  RANGE_ERROR,
  TOO_LARGE,
  TOO_MANY
} from '../../contract/codes.ts'
import { FIRMWARE_FILE_MAX, FIRMWARE_SPACE_MIN, type UploadState } from '../../contract/firmware.ts'
import { firmwareFile } from '../../contract/rules/file.ts'
import { type FirmwareFolder, isUploadId, type UploadNote } from './folder.ts'
import { InvalidFirmwareFile, inspectFirmware } from './inspect-file.ts'

/** An upload is refused with a result code and further fields of the response. */
export class UploadRefused extends Error {
  readonly code: number
  readonly extra: Readonly<Record<string, unknown>>
  constructor(code: number, extra: Readonly<Record<string, unknown>> = {}) {
    super(`The upload is refused: result code ${code}.`)
    this.code = code
    this.extra = extra
  }
}

/** A complete file that passed inspection and is not yet stored as firmware. */
export interface CheckedUpload {
  id: string
  name: string
  checked: NonNullable<UploadNote['checked']>
}

/** Uploads of all users at a time. */
const UPLOADS_MAX = 16
/** Characters of a file name. */
const NAME_MAX = 200
const MEGABYTE = 1 << 20
/** For an upload of unknown size the free space is checked again after this many bytes. */
const SPACE_CHECK_INTERVAL = 8 * MEGABYTE

/** A chunk that is being received. */
interface ReceivingChunk {
  stop(): void
  done: Promise<void>
}

/** All methods throw `UploadRefused`. An upload belongs to the user who started it. */
export class Uploads {
  readonly #folder: FirmwareFolder
  readonly #freeSpace: () => Promise<number>
  /** By upload ID. */
  readonly #receiving = new Map<string, ReceivingChunk>()

  /** @param freeSpace free bytes of the disk */
  constructor(folder: FirmwareFolder, freeSpace: () => Promise<number> = folder.freeSpace) {
    this.#folder = folder
    this.#freeSpace = freeSpace
  }

  /** Starts an upload in chunks. */
  async startUpload(owner: number, name: string, size: number, sha256?: string): Promise<UploadState> {
    const id = await this.#create(owner, name, size, sha256)
    return { upload: id, name: sanitizeName(name), size, offset: 0 }
  }

  uploadState(owner: number, id: string): UploadState {
    return this.#stateOf(id, this.#findIncomplete(owner, id))
  }

  /**
   * Receives a chunk. If the connection breaks, the bytes received so far are kept. A new chunk replaces one whose
   * connection hangs.
   */
  async writeChunk(
    owner: number,
    id: string,
    offset: number,
    body: ReadableStream<Uint8Array> | null
  ): Promise<UploadState> {
    const note = this.#findIncomplete(owner, id)
    const previous = this.#receiving.get(id)
    previous?.stop()
    await previous?.done
    // The previous chunk may have written bytes in the meantime, or another one may have started.
    if (this.#receiving.has(id) || this.#folder.fileSize(id) !== offset)
      throw new UploadRefused(RANGE_ERROR, { offset: this.#folder.fileSize(id) })
    const reader = body?.getReader()
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    this.#receiving.set(id, { stop: () => void reader?.cancel().catch(() => {}), done })
    // A broken connection ends the chunk like its end.
    const readBytes = async () => (await reader?.read().catch(() => undefined))?.value
    try {
      let size = offset
      await this.#append(id, async (write) => {
        for (let bytes = await readBytes(); bytes; bytes = await readBytes()) {
          size += bytes.length
          if (size > note.size) throw new UploadRefused(TOO_LARGE, { max: note.size })
          await write(bytes)
        }
      })
    } finally {
      this.#receiving.delete(id)
      finish()
      reader?.releaseLock()
    }
    return this.#stateOf(id, note)
  }

  /** Inspects a complete file. An invalid file is removed. May be repeated if the response was lost. */
  async finishUpload(owner: number, id: string): Promise<CheckedUpload> {
    const note = this.#readNote(id)
    if (note?.checked && note.owner === owner) return { id, name: note.name, checked: note.checked }
    const incomplete = this.#findIncomplete(owner, id)
    const { offset, size } = this.#stateOf(id, incomplete)
    if (offset !== size || this.#receiving.has(id)) throw new UploadRefused(NEED_MORE_DATA, { offset })
    return this.#inspect(id, incomplete)
  }

  async cancelUpload(owner: number, id: string): Promise<void> {
    if (this.#readNote(id)?.owner !== owner) throw new UploadRefused(NOT_EXIST)
    const chunk = this.#receiving.get(id)
    chunk?.stop()
    await chunk?.done
    this.#folder.remove(id)
  }

  /**
   * Receives a whole file at once. An incomplete file is removed.
   * @param size bytes of the file; 0 = unknown
   * @param source errors of it are passed on
   */
  async writeWholeFile(
    owner: number,
    name: string,
    size: number,
    source: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>
  ): Promise<CheckedUpload> {
    const id = await this.#create(owner, name, size)
    try {
      let written = 0
      let nextSpaceCheck = SPACE_CHECK_INTERVAL
      await this.#append(id, (write) =>
        source(async (bytes) => {
          written += bytes.length
          if (written > FIRMWARE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: FIRMWARE_FILE_MAX })
          if (written > nextSpaceCheck) {
            nextSpaceCheck += SPACE_CHECK_INTERVAL
            await this.#requireFreeSpace(SPACE_CHECK_INTERVAL, id)
          }
          await write(bytes)
        })
      )
    } catch (error) {
      this.#folder.remove(id)
      throw error
    }
    return this.#inspect(id, this.#folder.readNote(id) as UploadNote)
  }

  /** A checked upload by the path that the wire uses, `<id>.mwf`; undefined if it does not exist. */
  findCheckedUpload(path: string): CheckedUpload | undefined {
    const id = path.replace(/\.mwf$/, '')
    const note = this.#readNote(id)
    return note?.checked && { id, name: note.name, checked: note.checked }
  }

  /** @returns the new ID */
  async #create(owner: number, name: string, size: number, sha256?: string): Promise<string> {
    const sanitized = sanitizeName(name)
    if (size > FIRMWARE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: FIRMWARE_FILE_MAX })
    await this.#requireFreeSpace(size)
    if (this.#folder.listUploads().length >= UPLOADS_MAX) throw new UploadRefused(TOO_MANY, { max: UPLOADS_MAX })
    return this.#folder.create({ name: sanitized, size, owner, ...(sha256 !== undefined && { sha256 }) })
  }

  #readNote(id: string): UploadNote | undefined {
    return isUploadId(id) ? this.#folder.readNote(id) : undefined
  }

  #findIncomplete(owner: number, id: string): UploadNote {
    const note = this.#readNote(id)
    if (!note || note.owner !== owner || note.checked) throw new UploadRefused(NOT_EXIST)
    return note
  }

  #stateOf(id: string, note: UploadNote): UploadState {
    return { upload: id, name: note.name, size: note.size, offset: this.#folder.fileSize(id) }
  }

  /**
   * Refuses an upload that would leave too little free space, considering the remaining bytes of other uploads.
   * @param except the upload itself
   */
  async #requireFreeSpace(need: number, except?: string): Promise<void> {
    const reserved = this.#folder
      .listUploads()
      .filter(({ id, note }) => id !== except && !note.checked)
      .reduce((sum, { id, note }) => sum + Math.max(0, note.size - this.#folder.fileSize(id)), 0)
    const keep = FIRMWARE_SPACE_MIN * MEGABYTE
    const free = (await this.#freeSpace()) - reserved
    if (free - need >= keep) return
    throw new UploadRefused(NO_SPACE, { 'free-size': Math.max(0, free), 'need-size': need, 'keep-size': keep })
  }

  async #inspect(id: string, note: UploadNote): Promise<CheckedUpload> {
    try {
      const checked = await inspectFirmware(this.#folder.path(id), note.name, note.sha256)
      this.#folder.writeNote(id, { ...note, checked })
      return { id, name: note.name, checked }
    } catch (error) {
      this.#folder.remove(id)
      throw error instanceof InvalidFirmwareFile ? new UploadRefused(error.code) : error
    }
  }

  /** Appends to an upload's file. The bytes are synced to disk also if `work` fails. */
  async #append(id: string, work: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
    const file = await open(this.#folder.path(id), 'a', 0o600)
    try {
      await work(async (bytes) => {
        await file.appendFile(bytes)
      })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new UploadRefused(NO_SPACE) : error
    } finally {
      await file.sync().catch(() => {})
      await file.close()
    }
  }
}

/**
 * The file name without its path, which may be of any operating system. @throws UploadRefused if it is not a firmware
 * file name
 */
function sanitizeName(name: string): string {
  const sanitized = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim()
  if (firmwareFile(sanitized) || sanitized.length > NAME_MAX) throw new UploadRefused(FILE_TYPE_ERROR)
  return sanitized
}
