// What can go wrong with a call to a device.
import { CLIENT_OFFLINE, TARGET_TIMEOUT } from '../../../contract/codes.ts'

/** A call that a device did not answer, or refused. The message says why, without secrets. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** 10007: no link. 10004: no usable answer in time. Else the result with which the device refused an order. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function offline(sn: string): LinkError {
  return new LinkError(CLIENT_OFFLINE, `${sn} is not connected`)
}

/** No answer, or one that is of no use: the console is told the same of both. */
export function noAnswer(why: string): LinkError {
  return new LinkError(TARGET_TIMEOUT, why)
}
