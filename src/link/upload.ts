// Sends a firmware file to the hub in pieces. Goes on where it stopped when a broken connection is back, and also where another page
// stopped, when the same file is chosen again after a reload.
import type { Envelope } from '../../contract/call.ts'
import { NOT_EXIST, RANGE_ERROR, SUCCESS } from '../../contract/codes.ts'
import { PIECE_SIZE, queryUpload, sendPiece, startUpload, type UploadState } from '../../contract/firmware.ts'
import { CACHE_PREFIX, PACE } from '../../contract/limits.ts'
import { exchange } from './exchange.ts'
import { unheard } from './failure.ts'
import { address } from './relay.ts'
import { send } from './send.ts'

/** Bytes of the first piece, and of one on the slowest line. Pieces grow and shrink so that each takes about `PIECE_TIME`. */
const FIRST_PIECE = 256 * 1024
const SMALLEST_PIECE = 64 * 1024
/** Milliseconds: often enough to show progress. */
const PIECE_TIME = 1000
/** Milliseconds after which a piece is given up, and asked how far it came. */
const PIECE_TIMEOUT = 60_000
/** Milliseconds before the first try after a broken connection; doubled up to the slowest pace. */
const AGAIN_AFTER = 500

const KEY = `${CACHE_PREFIX}upload`

/** How far a file has come. */
export interface Progress {
  /** Bytes that the hub has. */
  sent: number
  /** Bytes per second of the last piece; 0 = not known. */
  rate: number
}

/** What is told while a file is sent. */
export interface UploadListener {
  /** The upload's id, as soon as there is one. */
  begun(upload: string): void
  progress(progress: Progress): void
  /** The hub is not heard. It is tried again by itself; what comes next says that it is there again. */
  broken(): void
}

/** An upload that was begun, and the file it is of. */
interface Kept {
  upload: string
  of: string
}

/** Tells a file from another one of its name. */
const markOf = ({ name, size, lastModified }: File) => JSON.stringify([name, size, lastModified])

/** The upload of a file that was begun earlier and not ended. */
function keptFor(file: File): string | undefined {
  try {
    const { upload, of } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
    return of === markOf(file) ? upload : undefined
  } catch {
    return undefined
  }
}

/** Forgets the upload that was begun: it has ended, or shall not be gone on with. */
export function forgetUpload(): void {
  localStorage.removeItem(KEY)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Asks until the hub is heard. Rejected only when `signal` ends it. @param broken told each time that it is not */
export async function untilHeard<Reply extends Envelope>(
  ask: () => Promise<Reply>,
  signal: AbortSignal,
  broken: () => void
): Promise<Reply> {
  for (let wait = AGAIN_AFTER; ; wait = Math.min(2 * wait, PACE.slowest)) {
    const reply = await ask()
    if (!unheard(reply.result)) return reply
    broken()
    await pause(wait, signal)
  }
}

/** Finds the upload of a file that was begun, or begins one. */
async function begin(file: File, signal: AbortSignal): Promise<Partial<UploadState> & Envelope> {
  const upload = keptFor(file)
  const found = upload ? await send(queryUpload, { upload }, { signal }) : { result: NOT_EXIST }
  return found.result === NOT_EXIST ? send(startUpload, { name: file.name, size: file.size }, { signal }) : found
}

/**
 * Sends a file. It is then to be finished (`finishUpload`), or thrown away (`cancelUpload`).
 * @returns 0 when the hub has all of it; else why it refuses the file. Rejected only when `signal` ends it
 */
export async function sendFile(file: File, signal: AbortSignal, listener: UploadListener): Promise<Envelope> {
  const begun = await untilHeard(() => begin(file, signal), signal, listener.broken)
  const { result, upload, offset = 0 } = begun
  if (result !== SUCCESS || upload === undefined) return begun
  localStorage.setItem(KEY, JSON.stringify({ upload, of: markOf(file) } satisfies Kept))
  listener.begun(upload)
  let sent = offset
  let length = FIRST_PIECE
  listener.progress({ sent, rate: 0 })
  while (sent < file.size) {
    const asked = performance.now()
    const piece = file.slice(sent, sent + length)
    let reply: Partial<UploadState> & Envelope = await exchange(
      address(sendPiece.path, { upload, offset: sent }),
      { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: piece },
      { signal, timeout: PIECE_TIMEOUT }
    )
    const took = Math.max(1, performance.now() - asked)
    const good = reply.result === SUCCESS
    // Twice as long at most: one quick piece says little. One that did not come through was too long, if anything.
    const fitting = good ? Math.min(2 * length, (length * PIECE_TIME) / took) : length / 2
    length = Math.round(Math.max(SMALLEST_PIECE, Math.min(PIECE_SIZE, fitting)))
    // Not heard; or what was thought to be lost is still on its way to the hub, which takes one piece at a time.
    if (unheard(reply.result) || (reply.result === RANGE_ERROR && reply.offset === sent)) {
      listener.broken()
      await pause(AGAIN_AFTER, signal)
      reply = await untilHeard(() => send(queryUpload, { upload }, { signal }), signal, listener.broken)
    }
    // Another place than was thought is no fault: what came of a broken piece counts.
    if (reply.result !== SUCCESS && reply.result !== RANGE_ERROR) return reply
    sent = reply.offset ?? sent
    listener.progress({ sent, rate: good ? (piece.size / took) * 1000 : 0 })
  }
  return { result: SUCCESS }
}
