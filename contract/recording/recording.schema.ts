// Schemas of recording/recording.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NOT_EXIST, NOT_PERMITTED, UNSUPPORTED, WRONG_STATE } from '../codes.ts'
import { id, ids, listOf, own, page, queryId, queryNumber } from '../fields.schema.ts'

/** The state of the recording of a channel, in the channel itself. */
export const ChannelRecording = z.object({
  id: z.int().meta(own('Id of the recording')),
  since: z.int().meta(own('When it was started, in milliseconds since the epoch')),
  bytes: z.int().meta(own('Bytes recorded so far, with those of the segment that is being written')),
  fault: z
    .string()
    .optional()
    .meta(own('Why nothing is recorded at the moment, as a sentence; also that the channel has no media'))
})

export const Recording = z.object({
  id: z.int().meta(own('Id of the recording')),
  channel: z.int().meta(own('Id of the channel')),
  'channel-name': z.string().meta(own('Name of the channel')),
  user: z.string().meta(own('Name of the user who started it; empty if the hub does not know it')),
  running: z.boolean().meta(own('Whether the recording goes on')),
  from: z.int().meta(own('When it begins, in milliseconds since the epoch')),
  to: z.int().meta(own('When its last complete segment ends; `from` if there is none yet')),
  segments: z.int().meta(own('Number of complete segments')),
  bytes: z.int().meta(own('Bytes of its complete segments')),
  fault: z.string().optional().meta(own('Why nothing is recorded at the moment, as a sentence'))
})

export const RecordingSegment = z.object({
  from: z.int().meta(own('When it begins, in milliseconds since the epoch')),
  to: z.int().meta(own('When it ends')),
  bytes: z.int().meta(own('Bytes of MPEG-TS'))
})

export type ChannelRecording = z.infer<typeof ChannelRecording>
export type Recording = z.infer<typeof Recording>
export type RecordingSegment = z.infer<typeof RecordingSegment>

const range = {
  from: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('milliseconds since the epoch; by default the beginning'),
  to: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('by default the end')
}

export const recordingSchemas = {
  'POST /recording/start': {
    summary:
      'Starts to record the stream that the outputs of a channel receive, until it is stopped. It goes on after a restart of the hub, the engine or the machine. A channel that is being recorded already goes on, and the response has the id of that recording.',
    operation: ['Start recording', '开始录制'],
    request: z.object({ channel: id.describe('id of the channel') }),
    response: z.object({ id: z.int().meta(own('Id of the recording')) }),
    errors: { [NOT_EXIST]: 'unknown channel', [UNSUPPORTED]: 'the hub keeps its data in memory' },
    source: 'own',
    examples: [{ channel: 100001 }]
  },
  'POST /recording/stop': {
    summary: 'Stops to record a channel. The last segment is complete shortly afterwards.',
    operation: ['Stop recording', '停止录制'],
    request: z.object({ channel: id.describe('id of the channel') }),
    response: z.object({ id: z.int().meta(own('Id of the recording')) }),
    errors: { [NOT_EXIST]: 'unknown channel', [WRONG_STATE]: 'it is not being recorded, or always: `message` says so' },
    source: 'own',
    examples: [{ channel: 100001 }]
  },
  'GET /recording/list': {
    summary: 'Lists the recordings of the channels that the caller may see, the newest first.',
    request: z.object({ ...page, channel: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('only of this channel') }),
    response: z.object({
      ...listOf(Recording).shape,
      free: z.int().optional().meta(own('Free bytes of the disk that recordings may use')),
      'hours-left': z
        .number()
        .optional()
        .meta(own('Hours until these are used at the present bit rate of the recorded channels; absent if none is'))
    }),
    errors: {},
    source: 'own',
    examples: [{}, { channel: 100001, start: 0, count: 100 }]
  },
  'GET /recording/segments': {
    summary:
      'Lists the complete segments of a recording, the oldest first. Each begins at a key frame and plays alone.',
    request: z.object({ id: queryId, ...range, ...page }),
    response: z.object({ start: z.int(), total: z.int(), list: z.array(RecordingSegment) }),
    responseNote: '`list`: a page of the segments, oldest first; `start`, `total`',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [
      { id: 1796014130514 },
      { id: 1796014130514, from: 1796014130514, to: 1796014140514, start: 0, count: 10 }
    ]
  },
  'GET /recording/get': {
    summary:
      'The complete segments of a recording that lie in a period, as one file: those that begin or end in it, so that it begins at a key frame. The response is not JSON unless it is an error. A download that broke off can be continued (Range).',
    request: z.object({ id: queryId, ...range }),
    content: 'video/mp2t',
    responseNote: 'MPEG-TS, as an attachment',
    errors: {
      [NOT_EXIST]: 'unknown recording, or no complete segment in the period',
      [NOT_PERMITTED]: 'the caller may not see all devices among the inputs of the channel'
    },
    source: 'own',
    examples: [{ id: 1796014130514 }, { id: 1796014130514, from: 1796014130514, to: 1796014140514 }]
  },
  'POST /recording/del': {
    summary: 'Deletes recordings with their files for good.',
    operation: ['Delete recordings', '删除录制'],
    request: z.object({ id: ids.describe('id or array of ids') }),
    errors: { [NOT_EXIST]: '', [WRONG_STATE]: 'it goes on: stop it first' },
    source: 'own',
    examples: [{ id: 1796014130514 }, { id: [1796014130514, 1796014140514] }]
  }
} satisfies CallSchemas
