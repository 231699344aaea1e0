// Schemas of device/recording.
import * as z from 'zod'
import { RECORDING_ERRORS } from './recording.ts'

export const RecordingError = z.enum(RECORDING_ERRORS)

export type RecordingError = z.infer<typeof RecordingError>
