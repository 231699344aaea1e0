// The system bus (D-Bus), over which the hub reaches the services of the system: NetworkManager, logind, timedated. It
// connects with the first call, and again with the first one after the connection was lost.
import type { EventEmitter } from 'node:events'
import { DBusError, Message, type MessageBus, systemBus } from '@jellybrick/dbus-next'

/** Milliseconds in which a service must answer. Polkit and an activation of the service are included. */
const CALL_TIMEOUT = 15_000

/** Argument of calls of services: polkit must not ask a user for a password, because the hub has no terminal. */
export const NOT_INTERACTIVE = false

export interface BusCall {
  /** Bus name of the service. */
  destination: string
  path: string
  interface: string
  member: string
  /** D-Bus signature of the arguments. */
  signature?: string
  body?: unknown[]
}

/** A service has refused a call, or cannot be reached. `name` is the name of the D-Bus error. */
export class BusError extends Error {
  readonly errorName: string
  /** Bus name of the service. */
  readonly destination: string
  constructor(errorName: string, message: string, destination: string) {
    super(message)
    this.errorName = errorName
    this.destination = destination
  }

  /** The service does not run, and the bus could not start it: the message is that of the bus. */
  get isAway(): boolean {
    return /\.(Spawn\.\w+|ServiceUnknown|NameHasNoOwner|NoReply|TimedOut)$|^NoBus$/.test(this.errorName)
  }

  /** Polkit or the bus does not let the user of the hub make the call. */
  get isRefused(): boolean {
    return /(PermissionDenied|AccessDenied|NotAuthorized|InteractiveAuthorizationRequired)$/.test(this.errorName)
  }
}

/** Name of errors that the connection itself has, such as a missing socket. */
const NO_BUS = 'NoBus'
const BUS = 'org.freedesktop.DBus'
const BUS_OBJECT = { destination: BUS, path: '/org/freedesktop/DBus', interface: BUS }

export class SystemBus {
  #bus: MessageBus | undefined

  /** @returns the values that the method returns @throws BusError */
  async call(call: BusCall): Promise<unknown[]> {
    const bus = this.#connect()
    try {
      const reply = await withTimeout(bus.call(new Message(call)), call.destination)
      return reply?.body ?? []
    } catch (error) {
      if (error instanceof DBusError) throw new BusError(error.type, error.text, call.destination)
      this.#drop(bus)
      throw error instanceof BusError ? error : new BusError(NO_BUS, String(error), call.destination)
    }
  }

  /**
   * Calls a function with the values of each signal that services send.
   * @returns stops that. It ends as well when the connection is lost.
   */
  async watchSignal(
    signal: { interface: string; member: string },
    listener: (values: unknown[]) => void
  ): Promise<() => void> {
    const rule = `type='signal',interface='${signal.interface}',member='${signal.member}'`
    const match = (member: string) =>
      this.call({ ...BUS_OBJECT, member, signature: 's', body: [rule] }).catch(() => undefined)
    await match('AddMatch')
    const bus = this.#bus
    const handleMessage = (message: Message) => {
      if (message.interface === signal.interface && message.member === signal.member) listener(message.body)
    }
    bus?.on('message', handleMessage)
    return () => {
      bus?.off('message', handleMessage)
      if (bus === this.#bus) void match('RemoveMatch')
    }
  }

  /** Whether a service runs, and if not, whether the bus can start it. */
  async stateOf(name: string): Promise<'running' | 'stopped' | 'missing'> {
    try {
      const [isRunning] = await this.call({ ...BUS_OBJECT, member: 'NameHasOwner', signature: 's', body: [name] })
      if (isRunning) return 'running'
      const [activatable] = (await this.call({ ...BUS_OBJECT, member: 'ListActivatableNames' })) as [string[]]
      return activatable.includes(name) ? 'stopped' : 'missing'
    } catch {
      return 'missing'
    }
  }

  close(): void {
    if (this.#bus) this.#drop(this.#bus)
  }

  #connect(): MessageBus {
    if (this.#bus) return this.#bus
    const bus = openBus()
    this.#bus = bus
    // Without a listener the event would end the hub. The running call ends with its timeout or its own error.
    ;(bus as EventEmitter).on('error', () => this.#drop(bus))
    return bus
  }

  #drop(bus: MessageBus): void {
    if (this.#bus === bus) this.#bus = undefined
    try {
      bus.disconnect()
    } catch {
      // It was never connected.
    }
  }
}

function openBus(): MessageBus {
  try {
    return systemBus()
  } catch (error) {
    throw new BusError(NO_BUS, String(error), BUS)
  }
}

function withTimeout<T>(promise: Promise<T>, destination: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = new BusError(NO_BUS, 'No answer from the system bus', destination)
    const timer = setTimeout(reject, CALL_TIMEOUT, error)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
