// The licence of the hub.

import { computed } from 'nanostores'
import type { ResponseOf } from '../../../contract/call.ts'
import { activateLicense, deactivateLicense, getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import { LICENSE_STATE } from '../../../contract/license/license.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { isMissingCall } from '../../other-hubs.ts'
import type { LiveState, LiveStore } from '../../state/live-store.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import { $system } from '../../state/system.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

type License = ResponseOf<typeof getLicense>

const $ownLicense = createLiveValue({ call: getLicense, pace: 'slower', topic: 'status' })

/** The licence in the status of a hub that has no call for it. Its usage is counted from the objects in the status. */
function licenseIn({ system, ...status }: SystemStatus): License {
  const { device, channel, output } = system
  const used = {
    'max-channel-count': channel?.['num-all'],
    'max-live-count': channel?.['num-enabled'],
    'max-output-count': output?.['num-live'],
    'max-dev-count': device?.['num-all']
  }
  const { 'license-reg': registration = { status: LICENSE_STATE.none }, 'cur-license': current } = status
  return {
    'license-reg': registration,
    // Limits that the hub does not send are not listed.
    'cur-license': { used, ...current } as License['cur-license'],
    machine: '',
    online: true
  }
}

/** The licence: of the call for it, or of the status of a hub without that call. */
export const $license: LiveStore<LiveState & { value?: License }> = Object.assign(
  computed([$ownLicense, $system], (own, { value, ...state }) => {
    if (own.phase !== 'failed' || !isMissingCall(own.code)) return own
    return { ...state, ...(value && { value: licenseIn(value.status) }) }
  }),
  { refresh: $ownLicense.refresh }
)

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
