// Recordings of channels (docs/wire.md, "Recordings").
import { CHANNEL_CONTROL, CHANNEL_EDIT, CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { ChannelRecording, Recording, RecordingSegment } from './recording.schema.ts'

export const startRecording = declareCall('POST /recording/start', CHANNEL_CONTROL)

export const stopRecording = declareCall('POST /recording/stop', CHANNEL_CONTROL)

export const listRecordings = declareCall('GET /recording/list', CHANNEL_VIEW)

export const listSegments = declareCall('GET /recording/segments', CHANNEL_VIEW)

export const getRecording = declareCall('GET /recording/get', CHANNEL_VIEW)

export const deleteRecordings = declareCall('POST /recording/del', CHANNEL_EDIT)
