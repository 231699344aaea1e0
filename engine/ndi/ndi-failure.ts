// Converts the errors of `headend-ndi` into failures.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Failure } from '../interfaces/errors.ts'
import { failure } from '../process/failure.ts'

/**
 * @param cause the value of `failed` in the report of the program
 * @returns undefined if the stderr of ffmpeg is more precise
 */
export function ndiFailure(cause: string): Failure | undefined {
  switch (cause) {
    case 'ffmpeg':
      return undefined
    case 'gone':
      return failure(CONNECTION_STATE.disconnected, 'ndi-offline', SOURCE_STATE.offline)
    case 'format':
      return failure(CONNECTION_STATE.streamFailed, 'codec-not-carried', SOURCE_STATE.unsupported)
    case 'processor':
      return failure(CONNECTION_STATE.creationFailed, 'ndi-processor', SOURCE_STATE.unsupported)
    default:
      return failure(CONNECTION_STATE.creationFailed, `ndi-unusable ${cause}`, SOURCE_STATE.unsupported)
  }
}
