// One end of the connection between hub and engine: calls functions of the other end over a WebSocket, and is called. A
// connection whose other end is silent or does not read is dropped, so that buffers are bounded.
import type { RawData, WebSocket } from 'ws'
import { EngineAwayError } from '../interfaces/errors.ts'
import type { EngineMethods, HubMethods } from '../interfaces/wire.ts'
import { SilenceMonitor } from './silence-monitor.ts'

/** Milliseconds between two messages, at most. */
const HEARTBEAT_INTERVAL = 1000
/** Milliseconds without a message after which the other end is considered stuck. */
export const SILENCE_MAX = 4000
/** Bytes in the buffer of the socket above which the other end is considered stuck. */
const BUFFER_MAX = 32 << 20
/** Bytes of a message. The largest one has the state of all channels. */
export const MESSAGE_MAX = 64 << 20
/** Milliseconds for the response to a call. */
const CALL_TIMEOUT = 15_000
/** Bytes in the buffer of the socket above which binary messages are left out. */
const BINARY_BUFFER_MAX = 1 << 20

/** The functions of one end. */
type Methods<M> = { [name in keyof M]: (...args: never[]) => unknown }
/** The functions of this end, which may respond later. */
export type Handlers<M extends Methods<M>> = {
  [name in keyof M]: (...args: Parameters<M[name]>) => ReturnType<M[name]> | Promise<Awaited<ReturnType<M[name]>>>
}

interface Message {
  /** Function to call. */
  call?: string
  args?: unknown[]
  /** Number of a call that has a response, and of its response. */
  turn?: number
  result?: unknown
  error?: { message: string; code?: unknown }
}

interface PendingCall {
  resolve(result: unknown): void
  reject(error: Error): void
  timer: ReturnType<typeof setTimeout>
}

interface PeerOptions<Local extends Methods<Local>> {
  handlers: Handlers<Local>
  /** Receives binary messages. */
  onBinary?(data: Buffer): void
  /** A function of this end has thrown while it handled a call without a response. */
  onError?(name: string, error: unknown): void
  /**
   * Called once, when the connection has ended. @param isStuck whether it was dropped because the other end was silent
   * or did not read
   */
  onClose(isStuck: boolean): void
}

/** An error that a function of the other end has thrown. */
class RemoteError extends Error {
  readonly code: unknown
  constructor(message: string, code: unknown) {
    super(message)
    this.code = code
  }
}

export class Peer<Remote extends Methods<Remote>, Local extends Methods<Local>> {
  readonly #socket: WebSocket
  readonly #options: PeerOptions<Local>
  /** By turn. */
  readonly #calls = new Map<number, PendingCall>()
  readonly #silence: SilenceMonitor
  #lastTurn = 0
  #isClosed = false

  /** @param socket an open WebSocket */
  constructor(socket: WebSocket, options: PeerOptions<Local>) {
    this.#socket = socket
    this.#options = options
    this.#silence = new SilenceMonitor(SILENCE_MAX, HEARTBEAT_INTERVAL, {
      onCheck: () => this.#send({}),
      onSilence: () => this.#drop(true)
    })
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('error', () => this.close())
    socket.on('close', () => this.close())
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  /** Calls a function of the other end whose response does not matter. Does nothing if the connection has ended. */
  notify<Name extends keyof Remote & string>(name: Name, ...args: Parameters<Remote[Name]>): void {
    this.#send({ call: name, args })
  }

  /**
   * Calls a function of the other end.
   * @throws RemoteError with the message and the code of an error there; EngineAwayError if the connection ends or
   * there is no response
   */
  call<Name extends keyof Remote & string>(
    name: Name,
    ...args: Parameters<Remote[Name]>
  ): Promise<Awaited<ReturnType<Remote[Name]>>> {
    if (this.#isClosed) return Promise.reject(new EngineAwayError('There is no connection'))
    return new Promise((resolve, reject) => {
      const turn = ++this.#lastTurn
      const timer = setTimeout(() => {
        this.#calls.delete(turn)
        reject(new EngineAwayError(`No response to ${name}`))
      }, CALL_TIMEOUT)
      this.#calls.set(turn, { resolve: resolve as (result: unknown) => void, reject, timer })
      this.#send({ call: name, args, turn })
    })
  }

  /** Sends a binary message, unless the other end reads too slowly. */
  sendBinary(data: Buffer): void {
    if (!this.#isClosed && this.#socket.bufferedAmount < BINARY_BUFFER_MAX) this.#socket.send(data)
  }

  /** Ends the connection at once. */
  close(): void {
    this.#drop(false)
  }

  #drop(isStuck: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#silence.stop()
    this.#socket.terminate()
    for (const { reject, timer } of this.#calls.values()) {
      clearTimeout(timer)
      reject(new EngineAwayError('The connection has ended'))
    }
    this.#calls.clear()
    this.#options.onClose(isStuck)
  }

  #send(message: Message): void {
    if (this.#isClosed) return
    if (this.#socket.bufferedAmount > BUFFER_MAX) return void this.#drop(true)
    this.#socket.send(JSON.stringify(message))
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#silence.reset()
    if (isBinary) return void this.#options.onBinary?.(data as Buffer)
    const message = parseMessage(String(data))
    if (message.call !== undefined) void this.#handleCall(message.call, message)
    else if (message.turn !== undefined) this.#handleResponse(message.turn, message)
  }

  async #handleCall(name: string, { args = [], turn }: Message): Promise<void> {
    const { handlers } = this.#options
    try {
      if (!Object.hasOwn(handlers, name)) throw new Error(`There is no function ${name}`)
      const result = handlers[name as keyof Local](...(args as never))
      // Without a promise the response is sent at once, in the order of the calls.
      const value = result instanceof Promise ? await result : result
      if (turn !== undefined) this.#send({ turn, result: value })
    } catch (thrown) {
      const { message, code } = thrown as Error & { code?: unknown }
      if (turn !== undefined) this.#send({ turn, error: { message, code } })
      else this.#options.onError?.(name, thrown)
    }
  }

  #handleResponse(turn: number, { result, error }: Message): void {
    const pending = this.#calls.get(turn)
    if (!pending) return
    this.#calls.delete(turn)
    clearTimeout(pending.timer)
    if (error) pending.reject(new RemoteError(error.message, error.code))
    else pending.resolve(result)
  }
}

/** A message that is not JSON has no fields: the other end is of another version. */
function parseMessage(text: string): Message {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? message : {}
  } catch {
    return {}
  }
}

/** The connection at the hub's end. */
export type EnginePeer = Peer<EngineMethods, HubMethods>
/** The connection at the engine's end. */
export type HubPeer = Peer<HubMethods, EngineMethods>
