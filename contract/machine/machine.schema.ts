// Schemas of machine/machine.
import * as z from 'zod'
import { MACHINE_MODES } from './machine.ts'

export const MachineMode = z.enum(MACHINE_MODES)
/** Whether the hub can change one part of the machine, such as its network. */
export const MachineAccess = z.object({
  machine: MachineMode,
  reason: z
    .string()
    .optional()
    .describe('Why the hub cannot change this part, in the language of the request. Absent if it can'),
  'next-step': z.string().optional().describe('The next step, in the language of the request'),
  command: z
    .string()
    .optional()
    .describe(
      'With `next-step`: the commands that do it, one in a line, for a shell on the machine of the hub. Absent if no command does it'
    ),
  package: z.string().optional().describe('With `reason`: the Debian package that provides the missing service')
})

export type MachineMode = z.infer<typeof MachineMode>
export type MachineAccess = z.infer<typeof MachineAccess>
