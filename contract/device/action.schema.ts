// Schemas of device/action.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  CLIENT_OFFLINE,
  DEVICE_BUSY,
  INVALID_ARG,
  NOT_EXIST,
  TARGET_TIMEOUT,
  TRY_AGAIN,
  UNSUPPORTED,
  WRONG_STATE
} from '../codes.ts'
import { family, own, serial, serials, textRule } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import { dottedDeviceName } from '../rules/rules.ts'
import { ActionError } from './live.schema.ts'

/** API generation of a device. Each generation has its own result codes. */
export const DeviceApi = z.enum(['usapi', 'mwapi', 'api'])
/** Result for one device. */
export const ActionResult = z.object({
  sn: z.string().meta(family('Serial number')),
  result: z
    .number()
    .meta(
      family(
        "0; 9 not supported by the family; 16; 38 not accepted; 10007 offline; 10004 no valid response in time; 4 not reached in time; with `api` the device's own code",
        'own: codes'
      )
    ),
  api: DeviceApi.optional().meta(
    own("`usapi`, `mwapi` or `api`: `result` is the device's own code of this generation")
  ),
  reason: ActionError.optional().meta(own('Name of a more specific error, see below')),
  message: z.string().optional().meta(own('Error message in the language of the request')),
  'ext-need-reboot': z.boolean().optional().meta(family('The change takes effect when the device restarts'))
})
/**
 * The hub calls the devices concurrently, with a timeout for each, and then polls their status, so lists are up to
 * date when the response arrives. `result` of the call is 0 if any device succeeded, else that of the first device,
 * with its `api` and `reason`.
 */
export const ActionResults = z.object({
  details: z.array(ActionResult)
})

export type DeviceApi = z.infer<typeof DeviceApi>
export type ActionResult = z.infer<typeof ActionResult>
export type ActionResults = z.infer<typeof ActionResults>

/** Codes of the hub; with `api` in an entry of `details`, the code is the device's own. */
const actionErrors = {
  [UNSUPPORTED]: 'per device: not supported by the family',
  [NOT_EXIST]: 'per device',
  [WRONG_STATE]: 'per device: not accepted',
  [CLIENT_OFFLINE]: 'per device: offline',
  [TARGET_TIMEOUT]: 'per device: no valid response in time',
  [TRY_AGAIN]: 'per device: not reached in time'
}

export const actionSchemas = {
  'POST /device/reboot': {
    summary: 'Restarts devices. Succeeds if the device is already rebooting.',
    operation: ['Reboot devices', '重启设备'],
    request: serials.extend(dryRun),
    response: ActionResults,
    errors: { ...actionErrors, [DEVICE_BUSY]: 'during an update' },
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/rename': {
    summary: 'Renames a device.',
    operation: ['Rename device', '重命名设备'],
    request: z.object({ sn: serial.describe('one'), name: textRule(dottedDeviceName) }),
    response: ActionResults,
    errors: { [INVALID_ARG]: 'name rule of the family' },
    source: 'own',
    examples: [{ sn: 'B313210600123', name: "Hall 1.2+'[]()" }]
  },
  'POST /device/record/start': {
    summary: 'Starts recordings. This and the calls below succeed if the device is already in the requested state.',
    operation: ['Start recording', '开始录制'],
    request: serials,
    response: ActionResults,
    errors: actionErrors,
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/record/stop': {
    summary: 'Stops recordings.',
    operation: ['Stop recording', '停止录制'],
    request: serials,
    response: ActionResults,
    errors: actionErrors,
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/live/start': {
    summary: 'Starts live streams. For a Director, starts and stops its Quick Stream.',
    operation: ['Start streaming', '开始推流'],
    request: serials,
    response: ActionResults,
    errors: actionErrors,
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  },
  'POST /device/live/stop': {
    summary: 'Stops live streams.',
    operation: ['Stop streaming', '停止推流'],
    request: serials.extend(dryRun),
    response: ActionResults,
    errors: actionErrors,
    source: 'own',
    examples: [{ sn: ['B313210600123'] }]
  }
} satisfies CallSchemas
