// Why the system did not do as it was told, as a failure of a leg.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { Forbidden } from '../access/address-policy.ts'
import { NdiUnavailable } from '../ndi/runtime.ts'
import { type Failure, failure } from './failure.ts'
import { NotInstalled } from './launcher.ts'

/** By the name of the system's error. */
const CAUSES: Readonly<Record<string, readonly [connState: number, reason: Reason]>> = {
  ENETUNREACH: [CONNECTION.failed, 'network-fails'],
  EHOSTUNREACH: [CONNECTION.failed, 'network-fails'],
  ETIMEDOUT: [CONNECTION.tcpPortFailed, 'timed-out'],
  ECONNREFUSED: [CONNECTION.refused, 'call-refused'],
  ECONNRESET: [CONNECTION.disconnected, 'other-end']
}

export function systemFailure(error: NodeJS.ErrnoException & { hostname?: string; port?: number }): Failure {
  if (error instanceof Forbidden) return failure(CONNECTION.creationFailed, 'forbidden', SOURCE.addFailed)
  if (error instanceof NdiUnavailable) return error.why
  if (error instanceof NotInstalled)
    return failure(CONNECTION.creationFailed, `not-installed ${error.program}`, SOURCE.addFailed)
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return failure(CONNECTION.nameNotFound, `name-unknown ${error.hostname ?? ''}`)
  // Of TCP, where the way to one port may be shut; a datagram has no connection that could fail.
  if (error.syscall === 'connect' && /^E(NET|HOST)UNREACH$/.test(error.code ?? ''))
    return failure(CONNECTION.tcpPortFailed, 'network-fails')
  if (error.code === 'EADDRINUSE' && error.port)
    return failure(CONNECTION.creationFailed, `port-taken ${error.port}`, SOURCE.addFailed)
  const cause = CAUSES[error.code ?? '']
  return cause
    ? failure(...cause)
    : failure(CONNECTION.creationFailed, `not-started ${error.message}`, SOURCE.addFailed)
}
