import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import type { Launcher } from '../interfaces/launcher.ts'
import type { Relay, RelayCallbacks } from '../interfaces/relay.ts'
import { findProgram } from '../process/find-program.ts'
import { createRelay, RELAY_PROGRAM } from './relay.ts'

/** The command that installs the relay. */
const INSTALL_RELAY = 'apt-get install -y gcc libc6-dev && make native'

/** Starts a relay. @throws NotInstalledError with the command that installs it */
export function startRelay(launcher: Launcher, callbacks: RelayCallbacks): Relay {
  if (findProgram(RELAY_PROGRAM) === undefined) throw new NotInstalledError('headend-relay', INSTALL_RELAY)
  return createRelay(launcher, callbacks)
}

/** The relay if it is missing, with the command that installs it. */
export const listMissingRelay = (): MissingPartDetail[] =>
  findProgram(RELAY_PROGRAM) === undefined ? [`no-relay ${INSTALL_RELAY}`] : []
