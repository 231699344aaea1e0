// The versions of the hub and its console, and the upload of an update, whose progress the hub reports to all users.

import type { Envelope } from '../../../contract/call.ts'
import { CANCELED } from '../../../contract/codes.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { cancelUpdate, type UpdateRefusal, updateStatus, uploadUpdate } from '../../../contract/update.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import { onSessionClear } from '../../state/session.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Milliseconds for the upload of a release and its verification by the hub, which waits less long for a console. */
const UPLOAD_TIMEOUT = 3_600_000

/** The release of the hub at its last answer. */
let runningRelease: string | undefined

export const $update = createLiveValue({ call: updateStatus, pace: 'slower', topic: 'status' }, ({ releases }) => {
  const { version, commit } = releases?.find(({ use }) => use === 'active' || use === 'trial') ?? {}
  if (!version) return
  const release = `${version} ${commit}`
  // The hub was upgraded, or went back: it has another console.
  if (runningRelease && runningRelease !== release) location.reload()
  runningRelease = release
})

/** In session storage: the script of the console on trial for which the page was reloaded. */
const RELOADED_KEY = `${CACHE_PREFIX}trial`

/**
 * Reloads the page if it runs another console than the one on trial, which its own script must confirm: once for each,
 * because a cache may deliver this page again.
 * @param script name of the script of the console on trial
 */
export function reloadForTrial(script: string | undefined): void {
  if (!script || !window.pageLoader || window.pageLoader.script.endsWith(script)) return
  if (sessionStorage.getItem(RELOADED_KEY) === script) return
  sessionStorage.setItem(RELOADED_KEY, script)
  location.reload()
}

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
