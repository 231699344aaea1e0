// Reads recordings, live streams and the NDI tally from a status (docs/wire.md, "Device generations").
import { activityError } from '../../../contract/device/action-codes.ts'
import type { ActionError } from '../../../contract/device/live.ts'
import {
  DEVICE_STATUS_BITS,
  type DeviceActivity,
  type DeviceSession,
  type DeviceStatus
} from '../../../contract/device/status.ts'
import { readDisks } from './disks.ts'
import {
  type Fields,
  fields,
  integer,
  NAME_MAX,
  number,
  objectList,
  omitUndefined,
  RATE_MAX,
  resultCode,
  runningMask,
  text
} from './fields.ts'
import { refineError } from './refine-error.ts'

/** Maximum number of sessions read: a device has at most 16 servers. */
const SESSIONS_MAX = 16
/** Plausible maximum of a duration in milliseconds: more than a century. */
const DURATION_MAX = 4e12

/** Code for 'initial, idle'. */
const IDLE = 27

/** Reads 0 and 1, or false and true. */
function readFlag(value: unknown): boolean | undefined {
  return value === 1 || value === true ? true : value === 0 || value === false ? false : undefined
}

/** Finds the error for a result; undefined if the result is no error that has a name. */
type ErrorOf = (result: number | undefined) => ActionError | undefined

function readSession(session: Fields, errorOf: ErrorOf): DeviceSession | undefined {
  const id = integer(session.id, 0, 0xffff_ffff)
  if (id === undefined) return undefined
  const result = resultCode(session.result)
  return omitUndefined({
    id,
    type: integer(session.type, 0, 0xffff),
    name: text(session.name, NAME_MAX),
    use: readFlag(session['is-use']),
    result,
    reason: errorOf(result),
    'run-ms': number(session['run-ms'], 0, DURATION_MAX),
    bps: number(session['inst-bps'] ?? session['cur-bps'], 0, RATE_MAX)
  })
}

/**
 * Reads `rec-status` or `live-status`: the fields of a single session, or a summary with a list of sessions.
 * @param isRunning the bit of `cur-status`. The result alone is ambiguous: it also is 0 if the device has not recorded
 * since it started
 * @param name name of the list of sessions
 * @param errorOf finds the error for a result
 * @returns undefined if the device reports neither the bit nor a duration
 */
function readActivity(
  value: unknown,
  isRunning: boolean | undefined,
  name: 'rec' | 'live',
  errorOf: ErrorOf
): DeviceActivity | undefined {
  const status = fields(value)
  const duration = number(status['run-ms'], 0, DURATION_MAX)
  if (isRunning === undefined && duration === undefined) return undefined
  const sessions = objectList(status[name], SESSIONS_MAX)
    .map((session) => readSession(session, errorOf))
    .filter((session) => session !== undefined)
  const result = resultCode(status.result)
  // The streaming bit is also set while the device pushes to the hub. Its own stream is then reported as idle.
  const on = (isRunning ?? duration !== 0) && result !== IDLE
  return omitUndefined({
    on,
    ...(on && duration !== undefined && { 'run-ms': duration }),
    result,
    reason: errorOf(result),
    ...(sessions.length > 0 && { sessions })
  })
}

/** Whether a bit of `cur-status` is set; undefined if there is no mask. */
function hasBit(mask: number | undefined, bit: number): boolean | undefined {
  return mask === undefined ? undefined : (mask & bit) !== 0
}

/** Reads the running state of a device, from the field names of the Ultra family. */
export function readActivities(status: Fields): Pick<DeviceStatus, 'cur-status' | 'recording' | 'live' | 'tally'> {
  const running = runningMask(status['cur-status'])
  const ndi = fields(status['ndi-tally'])
  const known: DeviceStatus = omitUndefined({ 'cur-status': running, disks: readDisks(status['disk-info']) })
  const errorOf =
    (kind: 'rec' | 'live'): ErrorOf =>
    (result) => {
      const error = activityError(kind, result)
      return error && refineError(error, known)
    }
  const read = (kind: 'rec' | 'live', bit: number) =>
    readActivity(status[`${kind}-status`], hasBit(running, bit), kind, errorOf(kind))
  return {
    'cur-status': running,
    recording: read('rec', DEVICE_STATUS_BITS.recording),
    live: read('live', DEVICE_STATUS_BITS.streaming),
    tally: readTally(ndi['on-preview'], ndi['on-program'])
  }
}

/** @returns undefined unless both flags are valid */
export function readTally(preview: unknown, program: unknown): DeviceStatus['tally'] {
  const [onPreview, onProgram] = [readFlag(preview), readFlag(program)]
  return onPreview === undefined || onProgram === undefined ? undefined : { preview: onPreview, program: onProgram }
}
