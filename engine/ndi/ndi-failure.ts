// What our program of NDI says when it cannot go on, as a failure of a leg.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import { type Failure, failure } from '../process/failure.ts'

/** undefined where what ffmpeg said tells more. */
export function ndiFailure(word: string): Failure | undefined {
  switch (word) {
    case 'ffmpeg':
      return undefined
    case 'gone':
      return failure(CONNECTION.disconnected, 'other-end')
    case 'format':
      return failure(CONNECTION.streamFailed, 'codec-not-carried', SOURCE.unsupported)
    case 'processor':
      return failure(CONNECTION.creationFailed, 'ndi-processor', SOURCE.unsupported)
    default:
      return failure(CONNECTION.creationFailed, `ndi-unusable ${word}`, SOURCE.unsupported)
  }
}
