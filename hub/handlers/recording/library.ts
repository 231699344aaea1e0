// The recordings that a caller may see, and their files.
import { NOT_EXIST, NOT_PERMITTED } from '../../../contract/codes.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { PreviewAccess } from '../../auth/preview-access.ts'
import type { DownloadFile } from '../../downloads/file-response.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import { previewOfChannel } from '../../preview/preview-id.ts'
import type { KnownRecording, Recordings } from '../../recordings/recordings.ts'
import { segmentsFile } from '../../recordings/segments-file.ts'
import type { Store } from '../../store/store.ts'

export interface RecordingParts {
  store: Store
  gate: Gate
  engine: EngineClient
  recordings: Recordings
  previewAccess: PreviewAccess
  applyChannel: (id: number) => Promise<void>
}

/** Name of a channel, also of one that was deleted. */
export const channelName = ({ store }: { store: Store }, channel: number) =>
  store.channels.byId(channel)?.name ?? store.trash.byObject('channel', channel)?.name ?? String(channel)

/** @throws CallError 16 if there is no such recording, or the caller may not see its channel */
export function requireRecording(parts: RecordingParts, context: Context, id: number): KnownRecording {
  context.objects.push(`recording:${id}`)
  const recording = parts.recordings.find(id)
  if (!recording || !parts.gate.canSeeChannel(requireCaller(context), recording.channel)) throw new CallError(NOT_EXIST)
  return recording
}

/** @throws CallError 16 as `requireRecording`, 31 if the caller may not see all devices among the channel's inputs */
export function requireMedia(parts: RecordingParts, context: Context, id: number): KnownRecording {
  const recording = requireRecording(parts, context, id)
  const { session } = requireCaller(context)
  const { channel } = recording
  const isDeleted = parts.store.channels.byId(channel) === undefined
  if (!isDeleted && !parts.previewAccess(session)(previewOfChannel(channel))) throw new CallError(NOT_PERMITTED)
  return recording
}

/** @throws CallError 16 if no segment is complete in the period */
export function fileOf(parts: RecordingParts, recording: KnownRecording, from: number, to: number): DownloadFile {
  const segments = parts.recordings.partsOf(recording, from, to)
  if (segments.length === 0) throw new CallError(NOT_EXIST)
  const start = Math.max(from, recording.stored?.segments.first?.start ?? from)
  const time = new Date(start).toISOString().slice(0, 19).replace('T', ' ')
  return segmentsFile(`${channelName(parts, recording.channel)} ${time}Z`, segments)
}
