// Why the system did not do as it was told, as a failure of a leg.
import { CONNECTION, SOURCE } from '../../contract/protocols.ts'
import { type Failure, failure } from './failure.ts'
import { NotInstalled } from './launcher.ts'
import { NdiUnavailable } from './ndi-runtime.ts'
import { Forbidden } from './place.ts'

/** By the name of the system's error. */
const CAUSES: Readonly<Record<string, number>> = {
  ENETUNREACH: CONNECTION.failed,
  EHOSTUNREACH: CONNECTION.failed,
  ETIMEDOUT: CONNECTION.tcpPortFailed,
  ECONNREFUSED: CONNECTION.refused,
  ECONNRESET: CONNECTION.disconnected
}

export function systemFailure(error: NodeJS.ErrnoException & { hostname?: string }): Failure {
  if (error instanceof Forbidden) return failure(CONNECTION.creationFailed, 'forbidden', SOURCE.addFailed)
  if (error instanceof NdiUnavailable) return error.why
  if (error instanceof NotInstalled)
    return failure(CONNECTION.creationFailed, `not-installed ${error.program}`, SOURCE.addFailed)
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return failure(CONNECTION.nameNotFound, `name-unknown ${error.hostname ?? ''}`)
  // Of TCP, where the way to one port may be shut; a datagram has no connection that could fail.
  if (error.syscall === 'connect' && /^E(NET|HOST)UNREACH$/.test(error.code ?? ''))
    return failure(CONNECTION.tcpPortFailed, `not-started ${error.message}`)
  const cause = CAUSES[error.code ?? '']
  const said = `not-started ${error.message}` as const
  return cause === undefined ? failure(CONNECTION.creationFailed, said, SOURCE.addFailed) : failure(cause, said)
}
