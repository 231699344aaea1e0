// Handlers of links to recordings.
import { randomBytes } from 'node:crypto'
import { NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import {
  addShare,
  deleteShare,
  getSharedRecording,
  listShares,
  SHARE_DOWNLOADS_MAX,
  SHARE_HOURS,
  SHARES_MAX
} from '../../../contract/recording/share.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { fileResponse } from '../../downloads/file-response.ts'
import { type StoppableStream, stoppableStream } from '../../downloads/stoppable-stream.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { ShareRow } from '../../store/recording-shares.ts'
import { channelName, fileOf, type RecordingParts, requireMedia } from './library.ts'

const HOUR = 3_600_000

/** Downloads with a link that run, by its ID. */
type Running = Map<number, Set<StoppableStream>>

function handleAddShare(parts: RecordingParts): Handler {
  const { recordingShares } = parts.store
  return handleChange(addShare, (context, request) => {
    const recording = requireMedia(parts, context, request.id)
    const { first, last } = recording.stored?.segments ?? {}
    const { from = first?.start ?? 0, to = last?.end ?? 0, hours = SHARE_HOURS.default } = request
    context.detail = `${channelName(parts, recording.channel)} ${recording.id}, ${hours} h`
    fileOf(parts, recording, from, to)
    const now = Date.now()
    recordingShares.removeEnded(now)
    if (recordingShares.all().length >= SHARES_MAX) throw new CallError(TOO_MANY, { max: SHARES_MAX })
    const token = randomBytes(32).toString('base64url')
    const expires = now + hours * HOUR
    const id = recordingShares.add({
      recording_id: recording.id,
      channel_id: recording.channel,
      token_hash: hashSecret(token),
      from_time: from,
      to_time: to,
      expires,
      created_by: requireCaller(context).user.name
    })
    return { id, url: `/api${getSharedRecording.path}?token=${token}`, expires }
  })
}

/** The links of channels that the caller may see. */
function visibleShares({ store, gate }: RecordingParts, context: Context): ShareRow[] {
  const isVisible = gate.channelsVisibleTo(requireCaller(context))
  const now = Date.now()
  return store.recordingShares.all().filter(({ channel_id, expires }) => expires > now && isVisible(channel_id))
}

function handleDeleteShare(parts: RecordingParts, running: Running): Handler {
  return handleChange(deleteShare, (context, { id }) => {
    const share = visibleShares(parts, context).find((each) => each.id === id)
    if (!share) throw new CallError(NOT_EXIST)
    context.detail = `${channelName(parts, share.channel_id)} ${share.recording_id}`
    parts.store.recordingShares.remove(id)
    context.afterCommit(() => {
      for (const { stop } of running.get(id) ?? []) stop()
    })
    return {}
  })
}

function handleGetShared(parts: RecordingParts, running: Running): Handler {
  const { store, recordings } = parts
  return handle(getSharedRecording, (context, { token }) => {
    const share = store.recordingShares.byHash(hashSecret(token))
    const recording = share && recordings.find(share.recording_id)
    if (!recording || share.expires <= Date.now()) throw new CallError(NOT_EXIST)
    const streams = running.get(share.id) ?? new Set()
    if (streams.size >= SHARE_DOWNLOADS_MAX) throw new CallError(TOO_MANY, { max: SHARE_DOWNLOADS_MAX })
    const response = fileResponse(fileOf(parts, recording, share.from_time, share.to_time), context.range)
    if (!response.body) return response
    const stream = stoppableStream(response.body, () => {
      streams.delete(stream)
      if (streams.size === 0) running.delete(share.id)
    })
    streams.add(stream)
    running.set(share.id, streams)
    return new Response(stream.stream, response)
  })
}

export function recordingShareHandlers(parts: RecordingParts): Handler[] {
  const running: Running = new Map()
  return [
    handleAddShare(parts),
    handle(listShares, (context) => ({
      list: visibleShares(parts, context).map(({ id, recording_id: recording, channel_id: channel, ...share }) => ({
        id,
        recording,
        'channel-name': channelName(parts, channel),
        from: share.from_time,
        to: share.to_time,
        expires: share.expires,
        user: share.created_by
      }))
    })),
    handleDeleteShare(parts, running),
    handleGetShared(parts, running)
  ]
}
