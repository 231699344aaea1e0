// Faults of checks and downloads.
import type { OnlineFault, OnlineFaultDetails } from '../../contract/online.ts'
import { ChannelFileError } from '../../pack/channel-file.ts'
import { ForbiddenServerError } from '../machine/server-address.ts'

/** A channel file or a release was not downloaded. */
export class OnlineError extends Error {
  readonly fault: OnlineFault
  readonly details: OnlineFaultDetails
  constructor(fault: OnlineFault, details: OnlineFaultDetails = {}, message: string = fault) {
    super(message)
    this.fault = fault
    this.details = details
  }
}

/** The fault behind an error of a connection. @param signal the one with which the request was made */
export function toOnlineError(error: unknown, signal: AbortSignal): OnlineError {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof OnlineError) return cause
  if (signal.aborted) return new OnlineError('cancelled')
  if (error instanceof ChannelFileError) return new OnlineError(error.fault, {}, error.message)
  if (error instanceof ForbiddenServerError) return new OnlineError('forbidden-address', {}, error.message)
  const { code = '', message } = error as NodeJS.ErrnoException
  return new OnlineError('unreachable', { error: code || message })
}
