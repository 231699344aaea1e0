// Schemas of machine/power.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { DATA_LOSS, DEVICE_BUSY, INVALID_ARG, MISMATCH, PORT_OCCUPIED, READ_ONLY, UNSUPPORTED } from '../codes.ts'
import { LockoutInfo } from '../envelope.schema.ts'
import { emptyRequest, md5, secondFactorCode } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import { MachineAccess } from './machine.schema.ts'

const force = z.boolean().optional()

/** A program that holds up a restart or shutdown of the machine (an inhibitor of systemd-logind). */
export const Inhibitor = z.object({
  who: z.string(),
  why: z.string()
})
export const PowerState = z.object({
  access: MachineAccess.describe('Whether the hub can restart and shut down its machine'),
  name: z.string().describe('Name of the hub. The request of a reset repeats it'),
  'start-time': z
    .int()
    .describe(
      'When this hub was started, in milliseconds since the epoch: another value means that it was started again'
    ),
  channels: z.array(z.string()).describe('Names of the running channels, which stop'),
  'has-other-channels': z
    .literal(true)
    .optional()
    .describe('Whether channels that the caller may not see are running, too'),
  uploads: z
    .array(z.string())
    .describe(
      'File names of uploads of device firmware that are incomplete. A restart interrupts them, a reset deletes them'
    ),
  busy: z
    .string()
    .optional()
    .describe('Why the hub refuses a restart, a shutdown and a reset now, in the language of the request'),
  inhibitors: z.array(Inhibitor).optional().describe('Programs of the machine that hold up a restart or shutdown'),
  failure: z
    .string()
    .optional()
    .describe('Why the last restart or shutdown did not happen, in the language of the request')
})
export const ResetReply = z.object({
  'http-port': z.int().describe('Port of the console after the reset')
})

export type Inhibitor = z.infer<typeof Inhibitor>
export type PowerState = z.infer<typeof PowerState>
export type ResetReply = z.infer<typeof ResetReply>

/** Errors of a restart and of a shutdown. */
const powerErrors = {
  [DEVICE_BUSY]: 'during an update, a reset or an import, or while a program holds it up, with `message`',
  [READ_ONLY]: 'with `message` if the hub cannot do it',
  [DATA_LOSS]: 'with `owner-i` and `owner-hidden` while channels run or uploads are incomplete, unless `force` is set'
}

export const powerSchemas = {
  'GET /system/power': {
    summary: 'Returns what a restart, a shutdown or a reset would interrupt, and why it is refused now.',
    request: emptyRequest,
    response: PowerState,
    responseNote:
      '`access` as for the [network](#network-of-the-machine), `name` (of the hub), `start-time` (of this hub, milliseconds since the epoch; another one means that it was started again), `channels` (names of running channels), `has-other-channels`, `uploads` (names of incomplete uploads of device firmware), `busy` (why a restart is refused now), `inhibitors` (programs of the machine that hold it up: `who`, `why`), `failure` (why the last restart did not happen)',

    source: 'own',
    examples: [{}]
  },
  'POST /system/reboot': {
    summary: 'Restarts the machine, about a second after the response.',
    operation: ['Restart machine', '重启机器'],
    request: z.object({ force: force.describe('Stops running channels, and interrupts uploads'), ...dryRun }),
    errors: powerErrors,
    source: 'own',
    examples: [{}, { force: true }]
  },
  'POST /reboot': {
    summary: 'Restarts the machine, under the path with which newer devices are restarted.',
    operation: ['Restart machine', '重启机器'],
    request: z.object({ force: force.describe('Stops running channels, and interrupts uploads'), ...dryRun }),
    requestNote: 'as above. Relayed to a device, it [restarts the device](#relayed-calls)',
    errors: powerErrors,
    source: 'vendor: the path',
    examples: [{}, { force: true }]
  },
  'POST /system/shutdown': {
    summary: 'Shuts the machine down. Errors as for a restart.',
    operation: ['Shut down machine', '关闭机器'],
    request: z.object({ force: force.describe('Stops running channels, and interrupts uploads'), ...dryRun }),
    errors: powerErrors,
    source: 'own',
    examples: [{}, { force: true }]
  },
  'POST /system/reset': {
    summary:
      'Resets all settings: the hub starts again as at its first start. For administrators, because afterwards the first user is one.',
    operation: ['Reset all settings', '重置所有设置'],
    request: z.object({
      name: z.string().min(1).max(256).describe('of the hub, again'),
      pass: md5.describe("MD5 of the caller's password"),
      code: secondFactorCode.optional().describe('of the second factor'),
      'keep-network': z
        .boolean()
        .optional()
        .describe(
          'Keeps ports, also those of SRT and RTMP, HTTPS with its certificates, the further names of the hub, and the notes on network interfaces'
        ),
      'keep-license': z.boolean().optional().describe('Keeps the licence'),
      force: force.describe('Stops running channels, and deletes incomplete uploads'),
      ...dryRun
    }),
    response: z.object({ ...ResetReply.shape, ...LockoutInfo.shape }),
    responseNote: '`http-port` (of the console afterwards)',
    errors: {
      [INVALID_ARG]: 'another name',
      [DEVICE_BUSY]: 'as above',
      [DATA_LOSS]: 'as above',
      [PORT_OCCUPIED]: 'with `port` and `holder`: another program has a port that the hub would return to',
      [MISMATCH]: 'with `locked-s`, 1101',
      [UNSUPPORTED]: 'the hub keeps its data in memory'
    },
    source: 'own',
    examples: [
      { name: 'hub', pass: 'e3afed0047b08059d0fada10f400c1e5' },
      {
        name: 'x'.repeat(256),
        pass: 'e3afed0047b08059d0fada10f400c1e5',
        code: '123456',
        'keep-network': true,
        'keep-license': false,
        force: true
      }
    ]
  }
} satisfies CallSchemas
