// What a device says of its recordings and streams, and of the tally of its NDI: device-api 3.3.
import { type DeviceActivity, type DeviceSession, type DeviceStatus, RUNNING } from '../../../contract/device/device.ts'
import {
  answerCode,
  type Fields,
  fields,
  integer,
  list,
  NAME_MAX,
  number,
  RATE_MAX,
  runningMask,
  said,
  text
} from './fields.ts'

/** Sessions looked at: a device has 16 servers at most. */
const SESSIONS_MAX = 16
/** Milliseconds: more than a century. */
const RUN_MAX = 4e12

/** 'Initial, idle' (device-api 3.5). */
const IDLE = 27

/** 0 and 1, or false and true. */
function flag(value: unknown): boolean | undefined {
  return value === 1 || value === true ? true : value === 0 || value === false ? false : undefined
}

function sessionOf(session: Fields): DeviceSession | undefined {
  const id = integer(session.id, 0, 0xffff_ffff)
  if (id === undefined) return undefined
  return said({
    id,
    type: integer(session.type, 0, 0xffff),
    name: text(session.name, NAME_MAX),
    use: flag(session['is-use']),
    result: answerCode(session.result),
    'run-ms': number(session['run-ms'], 0, RUN_MAX),
    bps: number(session['inst-bps'] ?? session['cur-bps'], 0, RATE_MAX)
  })
}

/**
 * Reads `rec-status` or `live-status`: one session's own words, or those of all with a list of them.
 * @param bit what `cur-status` says: a device that has not recorded since it started says result 0, too, so that tells nothing
 * @returns undefined where the device says neither
 */
function activity(value: unknown, bit: boolean | undefined, name: 'rec' | 'live'): DeviceActivity | undefined {
  const status = fields(value)
  const ran = number(status['run-ms'], 0, RUN_MAX)
  if (bit === undefined && ran === undefined) return undefined
  const sessions = list(status[name], SESSIONS_MAX)
    .map(sessionOf)
    .filter((session) => session !== undefined)
  const result = answerCode(status.result)
  // The bit stands while it sends to the hub, too: a stream of its own is not idle then.
  const on = (bit ?? ran !== 0) && result !== IDLE
  return said({
    on,
    ...(on && ran !== undefined && { 'run-ms': ran }),
    result,
    ...(sessions.length > 0 && { sessions })
  })
}

/** Whether a bit of `cur-status` stands; undefined where there is no mask. */
function runs(mask: number | undefined, bit: number): boolean | undefined {
  return mask === undefined ? undefined : (mask & bit) !== 0
}

/** What it does, under the Ultra family's names. */
export function doings(status: Fields): Pick<DeviceStatus, 'cur-status' | 'recording' | 'live' | 'tally'> {
  const running = runningMask(status['cur-status'])
  const ndi = fields(status['ndi-tally'])
  return {
    'cur-status': running,
    recording: activity(status['rec-status'], runs(running, RUNNING.recording), 'rec'),
    live: activity(status['live-status'], runs(running, RUNNING.streaming), 'live'),
    tally: tally(ndi['on-preview'], ndi['on-program'])
  }
}

/** Reads two flags of a tally. */
export function tally(preview: unknown, program: unknown): DeviceStatus['tally'] {
  const [onPreview, onProgram] = [flag(preview), flag(program)]
  return onPreview === undefined || onProgram === undefined ? undefined : { preview: onPreview, program: onProgram }
}
