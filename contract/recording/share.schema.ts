// Schemas of recording/share.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST, NOT_PERMITTED, TOO_MANY } from '../codes.ts'
import { emptyRequest, faultIssue, id, own, time, wholeNumber } from '../fields.schema.ts'
import { SHARE_DOWNLOADS_MAX, SHARE_HOURS, SHARES_MAX } from './share.ts'

export const RecordingShare = z.object({
  id: z.int().meta(own('Id of the link')),
  recording: z.int().meta(own('Id of the recording')),
  'channel-name': z.string().meta(own('Name of the channel')),
  from: z.int().meta(own('Begin of the period, in milliseconds since the epoch')),
  to: z.int().meta(own('End of the period')),
  expires: z.int().meta(own('When the link ends')),
  user: z.string().meta(own('Name of the user who made it'))
})

export type RecordingShare = z.infer<typeof RecordingShare>

export const shareSchemas = {
  'POST /recording/share/add': {
    summary:
      'Makes a link with which anybody downloads a part of a recording, without an account, until it ends. The address is returned once; the hub keeps a hash of its token.',
    operation: ['Share recording', '分享录制'],
    request: z
      .object({
        id: id.describe('id of the recording'),
        from: time.optional().describe('milliseconds since the epoch; by default its beginning'),
        to: time.optional().describe('by default its end'),
        hours: wholeNumber(1, SHARE_HOURS.max).optional().describe('1-720, by default 24')
      })
      .superRefine(({ from, to }, context) => {
        if (from !== undefined && to !== undefined && from > to)
          context.addIssue({ ...faultIssue({ name: 'order' }), path: ['to'] })
      }),
    response: z.object({
      id: z.int().meta(own('Id of the link')),
      url: z.string().meta(own('Path and query of the file at the ports of the console')),
      expires: z.int().meta(own('When the link ends, in milliseconds since the epoch'))
    }),
    errors: {
      [NOT_EXIST]: 'unknown recording, or no complete segment in the period',
      [NOT_PERMITTED]: 'the caller may not see all devices among the inputs of the channel',
      [TOO_MANY]: `${SHARES_MAX} links`
    },
    source: 'own',
    examples: [{ id: 1796014130514 }, { id: 1796014130514, from: 1796014130514, to: 1796014140514, hours: 720 }]
  },
  'GET /recording/share/list': {
    summary: 'Lists the links to recordings of channels that the caller may see, the newest first.',
    request: emptyRequest,
    response: z.object({ list: z.array(RecordingShare) }),
    responseNote: '`list`: the newest first',
    errors: {},
    source: 'own',
    examples: [{}]
  },
  'POST /recording/share/del': {
    summary: 'Ends a link at once, also downloads that run.',
    operation: ['End shared link', '撤销分享链接'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'GET /recording/shared': {
    summary: 'The file of a link, as `GET /recording/get`. The response is not JSON unless it is an error.',
    request: z.object({ token: z.string().max(64) }),
    content: 'video/mp2t',
    responseNote: 'MPEG-TS, as an attachment',
    errors: {
      [NOT_EXIST]: 'the link is wrong or has ended, or what it leads to was deleted',
      [TOO_MANY]: `with \`max\`: ${SHARE_DOWNLOADS_MAX} downloads with this link run`
    },
    source: 'own',
    examples: [{ token: 'q3J0dGVkLXdpdGgtMzItcmFuZG9tLWJ5dGVzLWhlcmU' }]
  }
} satisfies CallSchemas
