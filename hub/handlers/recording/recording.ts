// Handlers of recordings: start, stop, list, download, delete.
import { UNSUPPORTED, WRONG_STATE } from '../../../contract/codes.ts'
import {
  deleteRecordings,
  getRecording,
  listRecordings,
  listSegments,
  type Recording,
  startRecording,
  stopRecording
} from '../../../contract/recording/recording.ts'
import type { Translation } from '../../../contract/text/language.ts'
import { paginate } from '../../../web-server/pages.ts'
import { fileResponse } from '../../downloads/file-response.ts'
import { CallError, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import { type Language, translate } from '../../messages/language.ts'
import { reasonText } from '../../messages/reasons.ts'
import type { KnownRecording } from '../../recordings/recordings.ts'
import { applyAfterCommit, requireChannel } from '../channel/changes.ts'
import { channelName, fileOf, type RecordingParts, requireMedia, requireRecording } from './library.ts'
import { recordingShareHandlers } from './share.ts'

/** Its rule would start it again. */
const RECORDED_ALWAYS: Translation = [
  'The channel is always recorded. Change when it is recorded.',
  '该通道始终录制。请更改其录制方式。'
]

function serialize(parts: RecordingParts, language: Language, { id, channel, row, stored }: KnownRecording): Recording {
  const isRunning = row !== undefined && row.ended === null
  const segments = stored?.segments
  const observed = isRunning ? parts.engine.observe(channel).recording : undefined
  const from = segments?.first?.start ?? id
  return {
    id,
    channel,
    'channel-name': channelName(parts, channel),
    user: row?.started_by ?? '',
    running: isRunning,
    from,
    to: segments?.last?.end ?? from,
    segments: segments?.count ?? 0,
    bytes: segments?.bytes ?? 0,
    ...(observed?.reason && { fault: reasonText(language, observed.reason) })
  }
}

function startAndStop(parts: RecordingParts): Handler[] {
  return [
    handleChange(startRecording, (context, { channel }) => {
      const row = requireChannel(parts, context, channel)
      context.detail = row.name
      if (!parts.recordings.isAvailable) throw new CallError(UNSUPPORTED)
      const id = parts.recordings.begin(channel, requireCaller(context).user.name)
      applyAfterCommit(parts, context, channel)
      return { id }
    }),
    handleChange(stopRecording, (context, { channel }) => {
      const row = requireChannel(parts, context, channel)
      context.detail = row.name
      if (parts.recordings.ruleOf(channel).mode === 'always')
        throw new CallError(WRONG_STATE, { message: translate(context.language, RECORDED_ALWAYS) })
      const id = parts.recordings.end(channel)
      if (id === undefined) throw new CallError(WRONG_STATE)
      applyAfterCommit(parts, context, channel)
      context.afterCommit(() => parts.recordings.ended(channel, id))
      return { id }
    })
  ]
}

export function recordingHandlers(parts: RecordingParts): Handler[] {
  const { store, gate, recordings } = parts
  return [
    ...startAndStop(parts),
    ...recordingShareHandlers(parts),
    handle(listRecordings, (context, request) => {
      const isVisible = gate.channelsVisibleTo(requireCaller(context))
      const { channel: wanted } = request
      const visible = recordings
        .all()
        .filter(({ channel }) => isVisible(channel) && (wanted === undefined || channel === wanted))
      const { list, ...page } = paginate(visible, request)
      const { free, hoursLeft } = recordings
      return {
        ...page,
        list: list.map((each) => serialize(parts, context.language, each)),
        ...(free !== undefined && { free }),
        ...(hoursLeft !== undefined && { 'hours-left': Math.round(hoursLeft * 10) / 10 })
      }
    }),
    handle(listSegments, (context, { id, from = 0, to = Number.MAX_SAFE_INTEGER, ...page }) => {
      const { stored } = requireRecording(parts, context, id)
      const { list, ...rest } = paginate(stored?.segments.between(from, to) ?? [], page)
      return { ...rest, list: list.map(({ start, end, bytes }) => ({ from: start, to: end, bytes })) }
    }),
    handle(getRecording, (context, { id, from = 0, to = Number.MAX_SAFE_INTEGER }) =>
      fileResponse(fileOf(parts, requireMedia(parts, context, id), from, to), context.range)
    ),
    handleChange(deleteRecordings, (context, request) => {
      const found = [...new Set([request.id].flat())].map((id) => requireRecording(parts, context, id))
      context.detail = found.map(({ channel, id }) => `${channelName(parts, channel)} ${id}`).join(', ')
      if (found.some(({ row }) => row?.ended === null)) throw new CallError(WRONG_STATE)
      for (const { id } of found) {
        store.recordings.remove(id)
        store.recordingShares.removeOfRecording(id)
      }
      context.afterCommit(() => recordings.delete(found))
      return {}
    })
  ]
}
