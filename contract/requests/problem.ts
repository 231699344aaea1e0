// Request schemas of the calls for problems.
import * as z from 'zod'
import { PROBLEM_NOTE_MAX } from '../limits.ts'
import { acknowledgeProblems, listProblems } from '../problem.ts'
import { defineSchema, emptyRequest } from './schema.ts'

defineSchema(listProblems, emptyRequest)
defineSchema(
  acknowledgeProblems,
  z.object({
    id: z
      .array(z.string().regex(/^[\w-]{1,96}$/))
      .min(1)
      .max(1000),
    note: z
      .string()
      .max(PROBLEM_NOTE_MAX)
      .regex(/^\P{Cc}*$/u)
      .optional(),
    undo: z.boolean().optional()
  })
)
