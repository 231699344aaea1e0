// Stored versions of the console, and the upload of an update. The hub reports the progress of an upload to all users.

import type { Envelope } from '../../../contract/call.ts'
import { CANCELED } from '../../../contract/codes.ts'
import { cancelUpdate, type UpdateRefusal, updateStatus, uploadUpdate } from '../../../contract/update.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import { onSessionClear } from '../../state/session.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Milliseconds for the upload and its verification by the hub. */
const UPLOAD_TIMEOUT = 300_000

export const $update = createLiveValue({ call: updateStatus, pace: 'slower', topic: 'status' })

let uploadAbort: AbortController | undefined
onSessionClear(() => uploadAbort?.abort())

export async function uploadPackage(file: File): Promise<void> {
  const abortController = new AbortController()
  const { signal } = abortController
  uploadAbort = abortController
  const body = new FormData()
  body.append('file', file)
  // The screen itself shows why a file was rejected.
  const isShownElsewhere = ({ result, ...reply }: Envelope & UpdateRefusal) =>
    result === CANCELED || 'update-fault' in reply
  const response = fetchJson(apiUrl(uploadUpdate.path), { method: 'POST', body }, { signal, timeout: UPLOAD_TIMEOUT })
  // The promise rejects only if the user cancels.
  await mutate(response, { isShownElsewhere, success: { text: OUTCOME.added, names: [file.name] } }).catch(() => {})
}

/** Cancels the current upload, also one of another user, or discards the uploaded update. */
export async function discardUpdate(): Promise<boolean> {
  const isCanceled = await succeeded(sendMutation(cancelUpdate, {}, { success: { text: TEXT.discarded } }))
  uploadAbort?.abort()
  return isCanceled
}
