// Uploads of firmware files: whole, or in pieces that may come over many connections. All is streamed to disk.
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
import { type Folder, isUploadId, type Note } from './folder.ts'
import { BadFile, checkFirmware } from './inspect-file.ts'

/** Why an upload does not go on: a result code, and what the answer says besides. */
export class UploadRefused extends Error {
  readonly code: number
  readonly extra: Readonly<Record<string, unknown>>
  constructor(code: number, extra: Readonly<Record<string, unknown>> = {}) {
    super(`upload: ${code}`)
    this.code = code
    this.extra = extra
  }
}

/** A whole file that was checked and waits to be adopted. */
export interface Uploaded {
  id: string
  name: string
  checked: NonNullable<Note['checked']>
}

/** Uploads that are not adopted, of all users. */
const UPLOADS_MAX = 16
/** Characters of a file's name. */
const NAME_MAX = 200
const MEGABYTE = 1 << 20
/** Bytes after which an upload whose size nobody told looks at the free space again. */
const LOOK_EVERY = 8 * MEGABYTE

export type Uploads = ReturnType<typeof createUploads>

/** The name within what a sender calls the file, which may be a path of any system. */
function plainName(name: string): string {
  const plain = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim()
  if (!/.\.mwf$/i.test(plain) || plain.length > NAME_MAX) throw new UploadRefused(FILE_TYPE_ERROR)
  return plain
}

export function createUploads(folder: Folder, free: () => Promise<number> = folder.free) {
  /** Pieces on their way, by upload: a new one of the same upload takes the place of one whose connection hangs. */
  const arriving = new Map<string, { stop(): void; done: Promise<void> }>()

  /** Refuses what would leave too little room, with what other uploads will still need taken into account. */
  async function makeSure(need: number, except?: string): Promise<void> {
    const reserved = folder
      .notes()
      .filter(({ id, note }) => id !== except && !note.checked)
      .reduce((sum, { id, note }) => sum + Math.max(0, note.size - folder.size(id)), 0)
    const keep = FIRMWARE_SPACE_MIN * MEGABYTE
    const there = (await free()) - reserved
    if (there - need >= keep) return
    throw new UploadRefused(NO_SPACE, { 'free-size': Math.max(0, there), 'need-size': need, 'keep-size': keep })
  }

  async function begin(owner: number, name: string, size: number, sha256?: string): Promise<string> {
    const plain = plainName(name)
    if (size > FIRMWARE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: FIRMWARE_FILE_MAX })
    await makeSure(size)
    if (folder.notes().length >= UPLOADS_MAX) throw new UploadRefused(TOO_MANY, { max: UPLOADS_MAX })
    return folder.create({ name: plain, size, owner, ...(sha256 !== undefined && { sha256 }) })
  }

  /** An upload of this user that still goes on. */
  function going(owner: number, id: string): Note {
    const note = isUploadId(id) ? folder.note(id) : undefined
    if (!note || note.owner !== owner || note.checked) throw new UploadRefused(NOT_EXIST)
    return note
  }

  function stateOf(id: string, note: Note): UploadState {
    return { upload: id, name: note.name, size: note.size, offset: folder.size(id) }
  }

  async function check(id: string, note: Note): Promise<Uploaded> {
    try {
      const checked = await checkFirmware(folder.path(id), note.name, note.sha256)
      folder.setNote(id, { ...note, checked })
      return { id, name: note.name, checked }
    } catch (error) {
      folder.remove(id)
      throw error instanceof BadFile ? new UploadRefused(error.code) : error
    }
  }

  /** Writes to the end of an upload's file, and brings it to the disk at the end, however that comes. */
  async function append(id: string, write: (put: (bytes: Uint8Array) => Promise<void>) => Promise<void>) {
    const file = await open(folder.path(id), 'a', 0o600)
    try {
      await write(async (bytes) => {
        await file.appendFile(bytes)
      })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new UploadRefused(NO_SPACE) : error
    } finally {
      await file.sync().catch(() => {})
      await file.close()
    }
  }

  return {
    /** Begins an upload in pieces. @throws UploadRefused */
    async start(owner: number, name: string, size: number, sha256?: string): Promise<UploadState> {
      const id = await begin(owner, name, size, sha256)
      return { upload: id, name: plainName(name), size, offset: 0 }
    },

    /** @throws UploadRefused */
    state: (owner: number, id: string): UploadState => stateOf(id, going(owner, id)),

    /** Takes a piece. When the connection breaks, what came is kept. @throws UploadRefused */
    async piece(
      owner: number,
      id: string,
      offset: number,
      body: ReadableStream<Uint8Array> | null
    ): Promise<UploadState> {
      const note = going(owner, id)
      const other = arriving.get(id)
      other?.stop()
      await other?.done
      // The one before it may have brought bytes while it was waited for, or another one may have come meanwhile.
      if (arriving.has(id) || folder.size(id) !== offset)
        throw new UploadRefused(RANGE_ERROR, { offset: folder.size(id) })
      const reader = body?.getReader()
      const { promise: done, resolve: ended } = Promise.withResolvers<void>()
      arriving.set(id, { stop: () => void reader?.cancel().catch(() => {}), done })
      // A connection that broke ends the piece as its end does: how far it came is for the next one.
      const read = async () => (await reader?.read().catch(() => undefined))?.value
      try {
        let size = offset
        await append(id, async (put) => {
          for (let bytes = await read(); bytes; bytes = await read()) {
            size += bytes.length
            if (size > note.size) throw new UploadRefused(TOO_LARGE, { max: note.size })
            await put(bytes)
          }
        })
      } finally {
        arriving.delete(id)
        ended()
        reader?.releaseLock()
      }
      return stateOf(id, note)
    },

    /** Checks a file that is whole. One that is no good is removed. @throws UploadRefused */
    async finish(owner: number, id: string): Promise<Uploaded> {
      const note = isUploadId(id) ? folder.note(id) : undefined
      // Asked once more, since the first answer was lost.
      if (note?.checked && note.owner === owner) return { id, name: note.name, checked: note.checked }
      going(owner, id)
      const state = stateOf(id, note as Note)
      if (state.offset !== state.size || arriving.has(id))
        throw new UploadRefused(NEED_MORE_DATA, { offset: state.offset })
      return check(id, note as Note)
    },

    /** @throws UploadRefused */
    async cancel(owner: number, id: string): Promise<void> {
      const note = isUploadId(id) ? folder.note(id) : undefined
      if (note?.owner !== owner) throw new UploadRefused(NOT_EXIST)
      const piece = arriving.get(id)
      piece?.stop()
      await piece?.done
      folder.remove(id)
    },

    /**
     * Takes a file at once. What did not come to its end is removed.
     * @param size bytes of it, as far as that is known beforehand
     * @param fill calls `put` with the bytes, in their order, and throws where they are not whole
     * @throws UploadRefused, and what `fill` throws
     */
    async whole(
      owner: number,
      name: string,
      size: number,
      fill: (put: (bytes: Uint8Array) => Promise<void>) => Promise<void>
    ): Promise<Uploaded> {
      const id = await begin(owner, name, size)
      try {
        let written = 0
        let look = LOOK_EVERY
        await append(id, (put) =>
          fill(async (bytes) => {
            written += bytes.length
            if (written > FIRMWARE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: FIRMWARE_FILE_MAX })
            if (written > look) {
              look += LOOK_EVERY
              await makeSure(LOOK_EVERY, id)
            }
            await put(bytes)
          })
        )
      } catch (error) {
        folder.remove(id)
        throw error
      }
      return check(id, folder.note(id) as Note)
    },

    /** A file that was checked, by the name the wire has for it; undefined where there is none. */
    uploaded(path: string): Uploaded | undefined {
      const id = path.replace(/\.mwf$/, '')
      const note = isUploadId(id) ? folder.note(id) : undefined
      return note?.checked && { id, name: note.name, checked: note.checked }
    }
  }
}
