// Error of a call to a device.
import { CLIENT_OFFLINE, TARGET_TIMEOUT, VERIFY_FAILED } from '../contract/codes.ts'

/** A call to which a device did not respond, or which it refused. The message does not contain secrets. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /**
   * 10007: no link. 10004: no usable response in time. Otherwise the result code with which the device refused an
   * order.
   */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A device that otherwise responds soon has sent nothing for so long that it counts as offline. */
export class SilenceError extends LinkError {
  constructor() {
    super(TARGET_TIMEOUT, 'the device does not respond')
  }
}

/** A device has another certificate than before. Nothing was sent to it. */
export class CertificateError extends LinkError {
  /** SHA-256 of the certificate as hex. */
  readonly cert: string

  constructor(cert: string) {
    super(VERIFY_FAILED, 'the certificate of the device has changed')
    this.cert = cert
  }
}

export function offlineError(sn: string): LinkError {
  return new LinkError(CLIENT_OFFLINE, `${sn} is not connected`)
}

/** No response, or an unusable response: both have the same code. */
export function noResponseError(reason: string): LinkError {
  return new LinkError(TARGET_TIMEOUT, reason)
}
