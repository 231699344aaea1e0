// Converts errors of the system and of the engine's components into failures.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { ForbiddenAddressError, NdiUnavailableError, NotInstalledError } from '../interfaces/errors.ts'
import type { Failure } from '../interfaces/failure.ts'
import { failure } from './failure.ts'

/** By system error code. */
const CAUSES: Readonly<Record<string, readonly [connState: number, reason: Reason]>> = {
  ENETUNREACH: [CONNECTION_STATE.failed, 'network-fails'],
  EHOSTUNREACH: [CONNECTION_STATE.failed, 'network-fails'],
  ETIMEDOUT: [CONNECTION_STATE.tcpPortFailed, 'timed-out'],
  ECONNREFUSED: [CONNECTION_STATE.refused, 'call-refused'],
  ECONNRESET: [CONNECTION_STATE.disconnected, 'other-end']
}

export function systemFailure(error: NodeJS.ErrnoException & { hostname?: string; port?: number }): Failure {
  if (error instanceof NdiUnavailableError) return error.failure
  if (error instanceof ForbiddenAddressError) return creationFailure('forbidden')
  if (error instanceof NotInstalledError) return creationFailure(`not-installed ${error.program}`)
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return failure(CONNECTION_STATE.nameNotFound, `name-unknown ${error.hostname ?? ''}`)
  // With TCP a single port can be unreachable. Datagrams have no connection that could fail.
  if (error.syscall === 'connect' && /^E(NET|HOST)UNREACH$/.test(error.code ?? ''))
    return failure(CONNECTION_STATE.tcpPortFailed, 'network-fails')
  if (error.code === 'EADDRINUSE' && error.port) return creationFailure(`port-taken ${error.port}`)
  // Ports below 1024 need a right that the engine does not have.
  if (error.code === 'EACCES' && (error.syscall === 'listen' || error.syscall === 'bind') && error.port)
    return creationFailure(`port-privileged ${error.port}`)
  const cause = CAUSES[error.code ?? '']
  return cause ? failure(...cause) : creationFailure(`not-started ${error.message}`)
}

const creationFailure = (reason: Reason) => failure(CONNECTION_STATE.creationFailed, reason, SOURCE_STATE.addFailed)
