// The upload that is under way. It goes on while the user is elsewhere in the console; there is one at a time.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { FILE_EXISTS, FILE_TYPE_ERROR, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { firmwareFile } from '../../../contract/file-rules.ts'
import { cancelUpload, finishUpload } from '../../../contract/firmware.ts'
import { send } from '../../link/send.ts'
import { forgetUpload, type Progress, sendFile, untilHeard } from '../../link/upload.ts'
import { refreshLive } from '../../state/live.ts'
import { onClear } from '../../state/session.ts'
import { tell } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { confirm } from '../../ui/confirm.tsx'
import { TEXT } from './text.ts'

/** Milliseconds: the hub reads the whole file to check it. */
const CHECK_TIMEOUT = 180_000

export interface Uploading extends Progress {
  file: File
  /** `refused`: `answer` says why. */
  phase: 'sending' | 'broken' | 'checking' | 'refused'
  answer?: Envelope
}

/** What is shown of it; nothing when there is none, or when it is done. */
export const $upload = atom<Uploading | undefined>(undefined)

/** Ends the one under way. */
let over: AbortController | undefined
/** Its id on the hub, once it has one. */
let begun: string | undefined

const warn = (event: Event) => event.preventDefault()

function stop(): void {
  over?.abort()
  over = begun = undefined
  $upload.set(undefined)
  removeEventListener('beforeunload', warn)
}

// What one user began is not for the next. The hub keeps what it has: the same user may choose the file again.
onClear(stop)

/** Throws away what was sent. */
export async function abandon(): Promise<void> {
  const upload = begun
  stop()
  forgetUpload()
  if (upload) await send(cancelUpload, { upload })
}

/** Has the hub check the file, and adopt it. Asks where the same version is there already. */
async function finish(upload: string, name: string, signal: AbortSignal, broken: () => void): Promise<Envelope> {
  let lost = false
  const ask = (force?: true) =>
    untilHeard(
      () => send(finishUpload, { upload, add: true, force }, { signal, timeout: CHECK_TIMEOUT }),
      signal,
      () => {
        lost = true
        broken()
      }
    )
  let answer = await ask()
  if (answer.result === FILE_EXISTS) {
    const replace = await confirm({ title: t(TEXT.existsTitle, name), text: t(TEXT.existsText), verb: t(TEXT.replace) })
    if (replace && !signal.aborted) answer = await ask(true)
  }
  // It was done, and the answer was lost.
  return lost && answer.result === NOT_EXIST ? { result: SUCCESS } : answer
}

/** Uploads a file, in the place of one that is under way. */
export async function uploadFile(file: File): Promise<void> {
  stop()
  const mine = new AbortController()
  const { signal } = mine
  over = mine
  let shown: Uploading = { file, phase: 'sending', sent: 0, rate: 0 }
  const show = (more: Partial<Uploading>) => {
    shown = { ...shown, ...more }
    if (!signal.aborted) $upload.set(shown)
  }
  const broken = () => show({ phase: 'broken', rate: 0 })
  if (firmwareFile(file.name)) return show({ phase: 'refused', answer: { result: FILE_TYPE_ERROR } })
  addEventListener('beforeunload', warn)
  show({})
  try {
    let answer = await sendFile(file, signal, {
      begun: (upload) => (begun = upload),
      progress: (progress) => show({ phase: 'sending', ...progress }),
      broken
    })
    if (answer.result === SUCCESS && begun) {
      show({ phase: 'checking' })
      answer = await finish(begun, file.name, signal, broken)
    }
    if (signal.aborted) return
    const { result } = answer
    // The user kept the one that is there.
    if (result === FILE_EXISTS) return await abandon()
    removeEventListener('beforeunload', warn)
    if (result !== SUCCESS) return show({ phase: 'refused', answer })
    stop()
    forgetUpload()
    tell(SUCCESS)
    refreshLive()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
