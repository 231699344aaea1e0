// State of a bulk action: sends one operation for many devices in batches, and keeps the result of each device.
import { atom, type ReadableAtom } from 'nanostores'
import type { Envelope } from '../../contract/call.ts'
import {
  DEVICE_TYPE_ERROR,
  NOT_EXIST,
  NOT_PERMITTED,
  OFF_AIR,
  STATE_CHANGED,
  SUCCESS,
  UNSUPPORTED
} from '../../contract/codes.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import { ASK_FIRST, type ForceOption } from '../state/mutations.ts'
import type { Translation } from '../text/language.ts'
import type { LinkedDevice } from './device/device-link.ts'

/** Default number of devices in one call. */
const BATCH_SIZE = 200
/** Calls that are in progress at the same time. */
const CONCURRENCY = 2

/** Response of one batch. Without `details`, its result applies to every device of the batch. */
export type BulkReply = Envelope & { details?: readonly ActionResult[] }

export interface BulkJob {
  /** Name of the operation, such as 'Reboot': title of the progress dialog. */
  title: string
  /** Of an object that is no device, `sn` is its id, and `path` the link to it. */
  devices: readonly (LinkedDevice & { path?: string })[]
  /** What the message of a success says. `{0}` are the names of the devices. */
  outcome: Translation
  /** Undoes the operation after a success. */
  undo?: () => unknown
  /** Whether the devices are gone after a success, so that the message leads to none. */
  isRemoval?: boolean
  /** Where several devices are after a success, if they are not in the list that the user sees. */
  listPath?: string | undefined
  /**
   * Sends the operation for the devices with these serial numbers. A response that channels go off air (1102) cancels
   * the devices.
   */
  sendBatch: (sn: string[], force: ForceOption) => Promise<BulkReply>
  /** Devices in one call; smaller for operations that the hub forwards to each device. */
  batchSize?: number
  /**
   * Path of the page with the progress of each device. Set if the hub only queues the operation: a success then means
   * queued.
   */
  progressPath?: string
}

export type BulkState = 'failed' | 'cancelled' | 'running' | 'waiting' | 'done'

/** Progress of one device. */
export interface BulkLine {
  sn: string
  name: string
  state: BulkState
  /** Set when the device is done or has failed. */
  reply?: Envelope
}

/** Results that do not change if the same operation is sent again. */
const FINAL_RESULTS: readonly (number | undefined)[] = [UNSUPPORTED, DEVICE_TYPE_ERROR, NOT_PERMITTED, STATE_CHANGED]

/** Whether a device has failed or was cancelled, and may succeed at another attempt. */
export const canRetry = ({ state, reply }: BulkLine): boolean =>
  state === 'cancelled' || (state === 'failed' && !FINAL_RESULTS.includes(reply?.result))

export interface BulkRun {
  $lines: ReadableAtom<readonly BulkLine[]>
  /** Sends all waiting devices. Resolves when none is waiting or running any more. */
  process: () => Promise<unknown>
  /** Cancels the devices whose call has not been sent yet. */
  cancelWaiting: () => void
  /** Sets the devices that may succeed at another attempt back to waiting. */
  requeueFailed: () => void
}

export function createBulkRun({
  devices,
  sendBatch,
  batchSize = BATCH_SIZE
}: Pick<BulkJob, 'devices' | 'sendBatch' | 'batchSize'>): BulkRun {
  const $lines = atom<readonly BulkLine[]>(devices.map(({ sn, name }) => ({ sn, name, state: 'waiting' })))

  const updateLines = (changesOf: (line: BulkLine) => Partial<BulkLine> | false) =>
    $lines.set($lines.get().map((line) => ({ ...line, ...changesOf(line) })))

  async function sendDevices(serials: string[]): Promise<void> {
    const reply = await sendBatch(serials, ASK_FIRST)
    if (reply.result === OFF_AIR) return updateLines(({ sn }) => serials.includes(sn) && { state: 'cancelled' })
    // A batch succeeds or fails as a whole: one deleted device fails it for the others, so each device is sent alone.
    if (!reply.details && reply.result === NOT_EXIST && serials.length > 1) {
      for (const sn of serials) await sendDevices([sn])
      return
    }
    updateLines(({ sn }) => {
      const deviceReply = reply.details?.find((detail) => detail.sn === sn) ?? reply
      return serials.includes(sn) && { state: deviceReply.result === SUCCESS ? 'done' : 'failed', reply: deviceReply }
    })
  }

  async function runWorker(): Promise<void> {
    for (;;) {
      const waiting = $lines.get().filter(({ state }) => state === 'waiting')
      const serials = waiting.slice(0, batchSize).map(({ sn }) => sn)
      if (serials.length === 0) return
      updateLines(({ sn }) => serials.includes(sn) && { state: 'running' })
      await sendDevices(serials)
    }
  }

  return {
    $lines,
    process: () => Promise.all(Array.from({ length: CONCURRENCY }, runWorker)),
    cancelWaiting: () => updateLines(({ state }) => state === 'waiting' && { state: 'cancelled' }),
    requeueFailed: () => updateLines((line) => canRetry(line) && { state: 'waiting', reply: undefined })
  }
}
