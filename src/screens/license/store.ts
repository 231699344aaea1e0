// The licence of the hub.

import { atom } from 'nanostores'
import { activateLicense, deactivateLicense, getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $license = createLiveValue({ call: getLicense, request: atom({}), pace: 'slower', topic: 'status' })

export const activate = (title: string, sn: string, options: FailureOptions) =>
  sendMutation(
    activateLicense,
    { 'user-name': title, sn },
    { ...options, attempt: activateLicense.path, success: { text: TEXT.activated, names: [title] } }
  )

export const deactivate = (title: string): Promise<boolean> =>
  succeeded(
    sendMutation(deactivateLicense, { 'user-name': title }, { success: { text: OUTCOME.removed, names: [title] } })
  )

export async function uploadFile(file: File): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  await mutate(fetchJson(apiUrl(uploadLicense.path), { method: 'POST', body }), {
    attempt: uploadLicense.path,
    success: { text: OUTCOME.added, names: [file.name] }
  })
}
