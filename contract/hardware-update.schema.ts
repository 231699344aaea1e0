// Schemas of hardware-update.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { IN_PROGRESS, NOT_EXIST, UNSUPPORTED, WRONG_STATE } from './codes.ts'
import { StatusInfo } from './device/status.schema.ts'
import { emptyRequest, own, vendor } from './fields.schema.ts'
import { HARDWARE_UPDATE_FAULTS } from './hardware-update.ts'
import { dryRun } from './off-air.schema.ts'

export const HardwareUpdateFault = z.enum(HARDWARE_UPDATE_FAULTS)
/** A component of the machine that the program updates. */
export const HardwareComponent = z.object({
  ...StatusInfo.shape,
  id: z.string().meta(own('Id of the component')),
  name: z.string().meta(own('Name, as the program has it')),
  version: z.string().meta(own('Version in use')),
  offered: z.string().optional().meta(own('Version that an update installs; absent if there is none')),
  'needs-reboot': z
    .boolean()
    .optional()
    .meta(own('`true`: an installed version takes effect with the next restart of the machine'))
})
export const HardwareUpdateStatus = z.object({
  ...StatusInfo.shape,
  available: z.boolean().meta(own('Whether the image of the hub supplies a program for updates of its hardware')),
  state: z.int().meta(vendor('`INSTALLATION_STATE`')),
  progress: z.int().meta(own('Percent of the update')),
  components: z.array(HardwareComponent).meta(own('Components that the program updates')),
  'hardware-fault': HardwareUpdateFault.optional().meta(own('Why `state` is `failed`')),
  cause: z
    .string()
    .optional()
    .meta(own('With `hardware-fault`: the sentence in the language of the request, with the words of the program'))
})

export type HardwareUpdateFault = z.infer<typeof HardwareUpdateFault>
export type HardwareComponent = z.infer<typeof HardwareComponent>
export type HardwareUpdateStatus = z.infer<typeof HardwareUpdateStatus>

export const hardwareUpdateSchemas = {
  'GET /hardware-update/status': {
    summary: 'Returns the components of the machine that can be updated, and the state of their update.',
    request: emptyRequest,
    response: HardwareUpdateStatus,
    source: 'own',
    examples: [{}]
  },
  'POST /hardware-update/start': {
    summary: 'Updates all components for which a newer version is offered.',
    operation: ['Update hardware', '更新硬件'],
    request: z.object({ ...dryRun }),
    errors: {
      [NOT_EXIST]: 'no version is offered',
      [IN_PROGRESS]: 'an update is running',
      [UNSUPPORTED]: 'this hub has no program for it'
    },
    source: 'own',
    examples: [{}, { 'dry-run': true }]
  },
  'POST /hardware-update/cancel': {
    summary: 'Cancels an update before a component is written, or clears the report of a failure.',
    operation: ['Cancel hardware update', '取消硬件更新'],
    request: emptyRequest,
    errors: {
      [NOT_EXIST]: 'nothing to cancel',
      [IN_PROGRESS]: 'it is being cancelled',
      [WRONG_STATE]: 'a component is being written; or the program refuses, with `message`',
      [UNSUPPORTED]: 'this hub has no program for it'
    },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
