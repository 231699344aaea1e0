// Schemas of stream/fault-picture.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST, NOT_PERMITTED } from '../codes.ts'
import { queryId } from '../fields.schema.ts'

export const faultPictureSchemas = {
  'GET /channel/fault-picture': {
    summary:
      'Returns the picture on air when the checks of the content found the fault that the channel has now. It is kept until the fault ends, or the hub restarts, which then takes another one.',
    request: z.object({ id: queryId }),
    content: 'image/jpeg',
    responseNote: 'the picture, 320 pixels wide',
    errors: {
      [NOT_EXIST]: 'unknown channel, or there is no picture: the content has no fault, or no video',
      [NOT_PERMITTED]: 'the caller may not see all devices among the inputs of the channel'
    },
    source: 'own',
    examples: [{ id: 100001 }]
  }
} satisfies CallSchemas
