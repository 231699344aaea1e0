// Sends a firmware file to the hub in pieces. Goes on where it stopped when a broken connection is back, and also where another page
// stopped, when the same file is chosen again after a reload.
import type { Envelope } from '../../contract/call.ts'
import { FILE_EXISTS, NOT_EXIST, RANGE_ERROR, SUCCESS } from '../../contract/codes.ts'
import {
  cancelUpload,
  finishUpload,
  queryUpload,
  type SpaceNumbers,
  sendPiece,
  startUpload,
  type UploadState
} from '../../contract/firmware.ts'
import { CACHE_PREFIX, PACE } from '../../contract/limits.ts'
import { unheard } from './failure.ts'
import { exchange } from './fetch-json.ts'
import { address } from './relay.ts'
import { send } from './send.ts'

/** Bytes of a piece: what a slow line carries in the time that a request has. */
const PIECE = 1 << 19
/** Milliseconds: the hub reads the whole file to check it. */
const CHECK_TIMEOUT = 180_000

export interface Sending {
  /** Ends it: what was sent is thrown away, and the promise rejected. */
  signal: AbortSignal
  /** Told how many bytes the hub has, and whether it is not heard now: then it is tried again by itself. */
  told: (sent: number, broken?: boolean) => void
  /** Asked where the hub has this version already. */
  replace: () => Promise<boolean>
}

/** Uploads a file. @returns what the hub says to the whole of it, or why it does not take it */
export async function sendFile(file: File, { signal, told, replace }: Sending): Promise<Envelope & SpaceNumbers> {
  const { name, size, lastModified } = file
  const key = `${CACHE_PREFIX}${name} ${size} ${lastModified}`
  let upload = sessionStorage.getItem(key) ?? ''
  let offset = 0

  /** Asks until the hub is heard and nothing of the file is still on its way. @param again what is asked from the second time on */
  async function heard<Reply extends Envelope>(ask: () => Promise<Reply>, again = ask): Promise<Reply> {
    for (let next = ask; ; next = again) {
      const reply = await next()
      if (!unheard(reply.result) && reply.result !== RANGE_ERROR) return reply
      told(offset, true)
      await new Promise((resolve, reject) => {
        setTimeout(resolve, PACE.slow)
        signal.addEventListener('abort', reject)
      })
    }
  }
  const query = () => send(queryUpload, { upload }, { signal })
  const begin = () => send(startUpload, { name, size }, { signal })
  const next = (): ReturnType<typeof query> =>
    exchange(
      address(sendPiece.path, { upload, offset }),
      {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: file.slice(offset, offset + PIECE)
      },
      { signal }
    ) as never
  const finish = async (force?: true): Promise<Envelope> =>
    send(finishUpload, { upload, add: true, force }, { signal, timeout: CHECK_TIMEOUT })

  try {
    let state: Envelope & UploadState = await heard(upload ? query : begin)
    if (state.result === NOT_EXIST) state = await heard(begin)
    while (state.result === SUCCESS) {
      ;({ upload, offset } = state)
      sessionStorage.setItem(key, upload)
      told(offset)
      if (offset === size) break
      state = await heard(next, query)
    }
    if (state.result !== SUCCESS) return state
    // Where it is unknown after the first answer was lost, it was done.
    const answer = await heard(finish, async () => {
      const second = await finish()
      return second.result === NOT_EXIST ? { result: SUCCESS } : second
    })
    return answer.result === FILE_EXISTS && (await replace()) ? await heard(() => finish(true)) : answer
  } finally {
    if (signal.aborted) void send(cancelUpload, { upload })
  }
}
