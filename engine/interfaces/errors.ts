// Errors that the engine's components throw to each other.
import type { Reason } from '../../contract/stream/reason.ts'

/** The address policy forbids the address of a stream source or target. */
export class ForbiddenAddressError extends Error {}

/** A network interface that a stream uses does not exist on this machine, or has no address. */
export class InterfaceMissingError extends Error {
  /** Name or address of the interface. */
  readonly iface: string
  constructor(iface: string) {
    super(`There is no network interface ${iface} with an address`)
    this.iface = iface
  }
}

/** A program that a stream needs is not installed. */
export class NotInstalledError extends Error {
  readonly program: string
  /** The command that installs it; undefined if the program is a system package of the same name. */
  readonly installCommand: string | undefined
  constructor(program: string, installCommand?: string) {
    super(`${program} is not installed`)
    this.program = program
    this.installCommand = installCommand
  }
}

/** NDI cannot be used on this machine at the moment. */
export class NdiUnavailableError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** The process of the engine cannot be reached. */
export class EngineAwayError extends Error {}

/** A shared port to which a device should push is not open. */
export class PortClosedError extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super('The shared port is not open')
    this.reason = reason
  }
}

/** Why an input or output does not work, as it is shown. */
export interface Failure {
  /** A value of `SOURCE_STATE`. */
  state: number
  /** A value of `CONNECTION_STATE`. */
  connState: number
  /** Contains no secrets. */
  reason: Reason
}
