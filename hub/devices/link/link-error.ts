// Error of a call to a device.
import { CLIENT_OFFLINE, TARGET_TIMEOUT } from '../../../contract/codes.ts'

/** A call that a device did not answer, or refused. The message does not contain secrets. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** 10007: no link. 10004: no usable answer in time. Otherwise the result code with which the device refused an order. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function offlineError(sn: string): LinkError {
  return new LinkError(CLIENT_OFFLINE, `${sn} is not connected`)
}

/** No answer, or one that cannot be used: both have the same code. */
export function noAnswerError(reason: string): LinkError {
  return new LinkError(TARGET_TIMEOUT, reason)
}
