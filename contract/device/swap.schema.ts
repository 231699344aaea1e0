// Schemas of device/swap.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { DEVICE_BUSY, INVALID_ARG, NOT_EXIST, OBJECT_BUSY, UNSUPPORTED, WRONG_STATE } from '../codes.ts'
import { own, serial } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'

/**
 * What a device cannot take over from the place of another one.
 * - `input`: it sends no stream, and channels use the other device as an input
 * - `output`: it plays no stream, and a channel has the other device as an output
 * - `recording`: it has no recording and no live stream of its own
 * - `connection`: it has no connection configuration
 * - `picture`: it sends no picture
 * - `name`: it does not accept the name
 * - `offline`: it is offline, so channels wait for it, and it gets the name when it is back
 */
export const SwapLoss = z.enum(['input', 'output', 'recording', 'connection', 'picture', 'name', 'offline'])

export type SwapLoss = z.infer<typeof SwapLoss>

export const swapSchemas = {
  'POST /device/swap': {
    summary:
      'Puts another device in the place of a device: name, group, channels, connection configuration, access, tags and favorites. The device gets the place of the other one, so the same call with both serial numbers exchanged undoes it. What the other device cannot take over is refused with 1005 and `losses` unless `force` is set. A name is set on a device that is online.',
    operation: ['Swap devices', '对调设备'],
    request: z.object({
      sn: serial.describe('the device whose place is taken, such as a broken one'),
      'to-sn': serial.describe('the device that takes the place'),
      force: z.boolean().optional().describe('without what the other device cannot take over'),
      ...dryRun
    }),
    response: z.object({ id: z.int().meta(own('Node id of the place, which the other device has now')) }),
    errors: {
      [INVALID_ARG]: 'the same device twice',
      [UNSUPPORTED]: 'with `losses`: channels use one of the devices, and the other one has not its direction',
      [DEVICE_BUSY]: 'firmware is being updated',
      [NOT_EXIST]: '',
      [WRONG_STATE]: 'not accepted',
      [OBJECT_BUSY]: 'with `losses`, without `force`'
    },
    source: 'own',
    examples: [
      { sn: 'B313210600123', 'to-sn': 'B313210600124' },
      { sn: 'B313210600123', 'to-sn': 'B313210600124', force: true }
    ]
  }
} satisfies CallSchemas
