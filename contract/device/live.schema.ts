// Schemas of device/live.
import * as z from 'zod'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from './live.ts'
import { RecordingError } from './recording.schema.ts'

export const LiveError = z.enum(LIVE_ERRORS)
export const QuickStreamError = z.enum(QUICK_STREAM_ERRORS)
/** Why a recording or stream failed, derived from the device's code. */
export const ActionError = z.union([RecordingError, LiveError, QuickStreamError])

export type LiveError = z.infer<typeof LiveError>
export type QuickStreamError = z.infer<typeof QuickStreamError>
export type ActionError = z.infer<typeof ActionError>
