// What the hub itself has devices do, in the words of their generation (reference 1.3). Consoles may also relay these calls.
import { SUCCESS, TARGET_TIMEOUT, UNSUPPORTED, WRONG_STATE } from '../../contract/codes.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import { type DeviceStatus, WARNING } from '../../contract/device/device.ts'
import type { DeviceHello } from '../../contract/device/link.ts'
import type { Action, Adapter, Meaning } from './adapters/adapter.ts'
import { fields } from './adapters/fields.ts'
import { ADAPTERS } from './adapters/generations.ts'
import { LinkError } from './link/link-error.ts'
import type { DeviceLinks } from './link/links.ts'
import type { DeviceRequest } from './link/request.ts'

export interface ActionOptions {
  links: Pick<DeviceLinks, 'request'>
  /** The API that a device answers; undefined for an unknown device. */
  apiOf(sn: string): DeviceHello['api'] | undefined
  /** What the hub last heard of a device. */
  observed(sn: string): { warns: number; status: DeviceStatus } | undefined
  /** Asks a device how it is, at once; resolves when what it said is known, or nothing came. */
  look(sn: string): Promise<void>
  /** Milliseconds for a device to answer, and for `look`. */
  timing?: { answer: number; look: number } | undefined
}

export type Outcome = Omit<ActionResult, 'sn'>

/** Milliseconds. */
const TIMING = { answer: 5000, look: 1500 }
/** Bytes of an answer: a code and some words. */
const ANSWER_MAX = 16 << 10
const RENAMED: Meaning = { done: [], reasons: {} }

export function createDeviceActions({ links, apiOf, observed, look, timing = TIMING }: ActionOptions) {
  async function tell(sn: string, adapter: Adapter, call: DeviceRequest, meaning: Meaning): Promise<Outcome> {
    let answer: unknown
    try {
      const { body } = await links.request(sn, { ...call, maxBody: ANSWER_MAX }, timing.answer)
      answer = JSON.parse(body.toString())
    } catch (error) {
      if (error instanceof LinkError) return { result: error.code }
      if (error instanceof SyntaxError) return { result: TARGET_TIMEOUT }
      throw error
    }
    const code = adapter.code(answer)
    if (code === undefined) return { result: TARGET_TIMEOUT }
    const reboot = fields(answer)['ext-need-reboot'] === true && { 'ext-need-reboot': true }
    if (code === SUCCESS || meaning.done.includes(code)) return { result: SUCCESS, ...reboot }
    const reason = meaning.reasons[code]
    return { result: code, api: adapter.api, ...(reason && { reason }) }
  }

  /** Tells, then looks: whatever came of it, the lists shall show it. */
  async function act(
    sn: string,
    callOf: (adapter: Adapter) => DeviceRequest | undefined,
    meaningOf: (adapter: Adapter) => Meaning
  ): Promise<Outcome> {
    const api = apiOf(sn)
    const adapter = api && ADAPTERS[api]
    const call = adapter && callOf(adapter)
    if (!call) return { result: UNSUPPORTED }
    const outcome = await tell(sn, adapter, call, meaningOf(adapter))
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timing.look)
    })
    await Promise.race([look(sn), enough])
    clearTimeout(timer)
    return outcome
  }

  return {
    /** As told: asks a device how it is, at once. */
    look,

    /** Renames a device. A name that it will not take comes back as its own code. */
    rename: (sn: string, name: string) =>
      act(
        sn,
        (adapter) => adapter.rename(name),
        () => RENAMED
      ),

    /** Has a device do something. 9 for one that cannot. */
    async act(sn: string, action: Action): Promise<Outcome> {
      const outcome = await act(
        sn,
        (adapter) => adapter.actions[action],
        (adapter) => adapter.meaning(action)
      )
      // 'Wrong state' tells little; that there is nothing to record or stream the device has said besides.
      if (outcome.api !== 'api' || outcome.result !== WRONG_STATE || !action.startsWith('start')) return outcome
      const signal = ((observed(sn)?.warns ?? 0) & WARNING.noSignal) === 0
      return signal ? outcome : { ...outcome, reason: 'no-signal' }
    }
  }
}

export type DeviceActions = ReturnType<typeof createDeviceActions>
