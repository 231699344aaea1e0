// Schemas of stream/channel-watch.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST, NOT_PERMITTED, TOO_MANY, TRY_AGAIN, WRONG_STATE } from '../codes.ts'
import { queryId, queryNumber } from '../fields.schema.ts'

export const channelWatchSchemas = {
  'GET /channel/watch': {
    summary:
      'Opens the stream that the outputs of a channel receive as endless fragmented MP4. The response is not JSON unless it is an error. Its content type names the codecs; it ends when they change, and the client opens it again. A user plays at most 4 at a time: a further one ends the stream that began first. If all places are in use, the user with the most gives one up to another user.',
    request: z.object({
      id: queryId,
      v: queryNumber(0, Number.MAX_SAFE_INTEGER).describe(
        'any number, which bypasses caches. A client that keeps it for as long as it plays does not end the stream of another one when its own was ended for that: it gets 17 until the user plays less than 4'
      )
    }),
    content: 'video/mp4',
    responseNote: 'endless fragmented MP4',
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: 'the caller may not see all devices among the inputs of the channel',
      [WRONG_STATE]: 'the channel is stopped',
      [TRY_AGAIN]: 'there is no stream at the moment',
      [TOO_MANY]: 'with `max` (32 of all users, 4 of one)'
    },
    source: 'own',
    examples: [{ id: 100001 }, { id: 100001, v: 1795846013071 }]
  }
} satisfies CallSchemas
