// Schemas of change-feed.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { TOPICS } from './change-feed.ts'
import { NOT_LOGGED_IN } from './codes.ts'
import { emptyRequest } from './fields.schema.ts'

export const Topic = z.enum(TOPICS)

export type Topic = z.infer<typeof Topic>

export const changeFeedSchemas = {
  'GET /changes': {
    summary: 'Returns the newest revision of each topic.',
    request: emptyRequest,
    response: z.object({
      revs: z.record(Topic, z.number()).describe('newest revision of each topic')
    }),
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
