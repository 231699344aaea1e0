// The licence of the hub.
import { atom } from 'nanostores'
import { activateLicense, deactivateLicense, getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type MutateOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'

export const $license = createLiveValue({ call: getLicense, request: atom({}), pace: 'slower', topic: 'status' })

export const activate = (title: string, sn: string, options: MutateOptions) =>
  sendMutation(activateLicense, { 'user-name': title, sn }, options)

export const deactivate = (title: string): Promise<boolean> =>
  succeeded(sendMutation(deactivateLicense, { 'user-name': title }))

export async function uploadFile(file: File): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  await mutate(fetchJson(apiUrl(uploadLicense.path), { method: 'POST', body }))
}
