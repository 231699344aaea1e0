// Actions that the hub carries out on devices: rename, reboot, recording and streaming.
import { SUCCESS, TARGET_TIMEOUT, UNSUPPORTED, WRONG_STATE } from '../../contract/codes.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import type { Action, CodeMeaning } from '../../contract/device/action-codes.ts'
import { DEVICE_WARNING_BITS, type DeviceStatus } from '../../contract/device/status.ts'
import { LinkError } from '../../device-link/link-error.ts'
import type { DeviceRequest } from '../../device-link/request.ts'
import type { Adapter } from './adapters/adapter.ts'
import { fields } from './adapters/fields.ts'
import { adapterOf } from './adapters/generations.ts'
import { refineError } from './adapters/refine-error.ts'
import type { DeviceLinks } from './link/links.ts'

interface DeviceActionsOptions {
  links: Pick<DeviceLinks, 'request'>
  /** The API of a device; undefined for an unknown device. */
  apiOf(sn: string): string | undefined
  /** Last observation of a device. */
  observationOf(sn: string): { warns: number; status: DeviceStatus } | undefined
  /** Polls the status of a device out of turn. Resolves when the result has been reported, or the poll failed. */
  pollNow(sn: string): Promise<void>
  /** Milliseconds to wait for the response to an action, and for the poll after it. */
  timing?: { response: number; poll: number } | undefined
}

export type ActionOutcome = Omit<ActionResult, 'sn'>

const DEFAULT_TIMING = { response: 5000, poll: 1500 }
/** Maximum size in bytes of the response to an action. */
const RESPONSE_MAX = 16 << 10
const RENAME_CODES: CodeMeaning = { successCodes: [], reasons: {} }

export function createDeviceActions(options: DeviceActionsOptions) {
  const { links, apiOf, observationOf, pollNow, timing = DEFAULT_TIMING } = options

  async function send(
    sn: string,
    adapter: Adapter,
    request: DeviceRequest,
    meaning: CodeMeaning
  ): Promise<ActionOutcome> {
    let response: unknown
    try {
      const { body } = await links.request(sn, { ...request, maxBody: RESPONSE_MAX }, timing.response)
      response = JSON.parse(body.toString())
    } catch (error) {
      if (error instanceof LinkError) return { result: error.code }
      if (error instanceof SyntaxError) return { result: TARGET_TIMEOUT }
      throw error
    }
    const code = adapter.resultCode(response)
    if (code === undefined) return { result: TARGET_TIMEOUT }
    const reboot = fields(response)['ext-need-reboot'] === true && { 'ext-need-reboot': true }
    if (code === SUCCESS || meaning.successCodes.includes(code)) return { result: SUCCESS, ...reboot }
    const reason = meaning.reasons[code]
    return { result: code, api: adapter.api, ...(reason && { reason }) }
  }

  /** Sends a request and then polls the status, whatever the outcome, so that lists show the new state. */
  async function sendAndPoll(
    sn: string,
    requestOf: (adapter: Adapter) => DeviceRequest | undefined,
    meaningOf: (adapter: Adapter) => CodeMeaning
  ): Promise<ActionOutcome> {
    const api = apiOf(sn)
    const adapter = api === undefined ? undefined : adapterOf(api)
    const request = adapter && requestOf(adapter)
    if (!request) return { result: UNSUPPORTED }
    const outcome = await send(sn, adapter, request, meaningOf(adapter))
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timing.poll)
    })
    await Promise.race([pollNow(sn), timeout])
    clearTimeout(timer)
    return outcome
  }

  return {
    pollNow,

    /** Renames a device. If the device refuses the name, the result is the device's own code. */
    rename: (sn: string, name: string): Promise<ActionOutcome> =>
      sendAndPoll(
        sn,
        (adapter) => adapter.rename(name),
        () => RENAME_CODES
      ),

    /** Carries out an action. The result is 9 (unsupported) if the device does not have it. */
    async performAction(sn: string, action: Action): Promise<ActionOutcome> {
      const outcome = await sendAndPoll(
        sn,
        (adapter) => adapter.actions[action],
        (adapter) => adapter.codeMeaning(action)
      )
      const { status = {}, warns = 0 } = observationOf(sn) ?? {}
      if (outcome.reason) return { ...outcome, reason: refineError(outcome.reason, status) }
      // The newer API also returns 'wrong state' if the device has no input signal. The status shows the actual cause.
      if (outcome.api !== 'api' || outcome.result !== WRONG_STATE || !action.startsWith('start')) return outcome
      return (warns & DEVICE_WARNING_BITS.noSignal) === 0 ? outcome : { ...outcome, reason: 'no-signal' }
    }
  }
}

export type DeviceActions = ReturnType<typeof createDeviceActions>
