// The consoles that the hub has, and the upload of another one. How far an upload is the hub says, to everybody.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { CANCELED } from '../../../contract/codes.ts'
import { cancelUpdate, type UpdateRefused, updateStatus, uploadUpdate } from '../../../contract/update.ts'
import { exchange } from '../../link/fetch-json.ts'
import { address } from '../../link/relay.ts'
import { liveValue } from '../../state/live-value.ts'
import { onClear } from '../../state/session.ts'
import { act, change, well } from '../../state/toasts.ts'

/** Milliseconds for an upload and for what the hub then checks. */
const UPLOAD_TIMEOUT = 300_000

export const $update = liveValue({ call: updateStatus, request: atom({}), pace: 'slower', topic: 'status' })

let sending: AbortController | undefined
onClear(() => sending?.abort())

export async function upload(file: File): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  sending = abort
  const body = new FormData()
  body.append('file', file)
  // What the file is refused for stands on the screen.
  const quiet = ({ result, ...answer }: Envelope & UpdateRefused) => result === CANCELED || 'update-fault' in answer
  const sent = exchange(address(uploadUpdate.path), { method: 'POST', body }, { signal, timeout: UPLOAD_TIMEOUT })
  // Only its end by the user rejects.
  await act(sent, { quiet }).catch(() => {})
}

/** Ends an upload, whoever began it, or throws away what was uploaded. */
export async function cancel(): Promise<boolean> {
  const done = await well(change(cancelUpdate, {}))
  sending?.abort()
  return done
}
