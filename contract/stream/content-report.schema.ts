// Schema of the results of content checks.
import * as z from 'zod'
import { CONTENT_CHECKS, CONTENT_STATES } from './content-checks.ts'

/** What the checks of the content of an input have found. */
export const ContentReport = z.object({
  checks: z
    .array(z.object({ check: z.enum(CONTENT_CHECKS), state: z.enum(CONTENT_STATES) }))
    .describe('The checks that are on and apply. `unknown`: nothing was measured recently'),
  levels: z
    .array(z.number())
    .optional()
    .describe(
      'While there is a fault: the peaks of the sound in dBFS, of each second of the minute in which it was found, oldest first'
    ),
  'in-turns': z
    .literal(true)
    .optional()
    .describe('Inputs are checked in turns, because the processor or the memory of the hub is short')
})

export type ContentReport = z.infer<typeof ContentReport>
