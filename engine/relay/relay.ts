// Runs `headend-relay` (engine/native/relay), which receives one stream and copies it to all receivers, sends it
// commands, and receives its events as JSON lines.
import { createConnection, Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getSystemErrorName } from 'node:util'
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import type {
  ContinuedSource,
  DatagramSource,
  DatagramTarget,
  ProcessSubscription,
  Relay,
  RelayAddress,
  RelayCallbacks,
  RelayReport,
  Tap,
  TapConnection,
  TapSubscription
} from '../interfaces/relay.ts'
import { findProgram } from '../process/find-program.ts'
import { createPrivateFolder, removeFolder } from '../process/private-files.ts'
import { continuationGreeting, holdGreeting, sourceAddress, subscriptionAddress, tapAddress } from './relay-address.ts'
import { ReportBuilder, type ReportEvent } from './report-builder.ts'
import { TapReader } from './tap-reader.ts'

/** Path of the program as `make native` builds it. */
export const RELAY_PROGRAM: string = fileURLToPath(new URL('../../build/headend-relay', import.meta.url))
/**
 * All taps read into this buffer, one after the other, because a buffer for each read costs more time than the reading.
 */
const READ_BUFFER = Buffer.alloc(256 << 10)
/** Milliseconds for which a tap collects media. */
const BATCH = 20
/** IDs of taps, above those of the caller's subscribers. */
const FIRST_TAP = 1_000_000_000

interface RelayEvent extends ReportEvent {
  listening?: true
  failed?: string
  opened?: [number: number, error: number]
  moved?: [number: number, error: number]
  added?: [id: number, error: number]
  ended?: number
  closed?: number
}

type Waiter = PromiseWithResolvers<void>

class NativeRelay implements Relay {
  readonly socketPath: string
  readonly #callbacks: RelayCallbacks
  readonly #folder = createPrivateFolder('relay')
  readonly #process: Process
  readonly #builder = new ReportBuilder()
  readonly #listening: Waiter = Promise.withResolvers()
  /** By number of the source. */
  readonly #opening = new Map<number, Waiter>()
  /** By ID of the target; in the order of the commands. */
  readonly #adding = new Map<number, Waiter[]>()
  readonly #taps = new Map<Tap, TapConnection & { id: number }>()
  #sourceNumber = 0
  #lastTap = FIRST_TAP
  #isEnded = false

  constructor(launcher: Pick<Launcher, 'run'>, callbacks: RelayCallbacks, program: string) {
    this.#callbacks = callbacks
    this.socketPath = join(this.#folder, 'media')
    // A rejection is reported to those who wait for it.
    this.#listening.promise.catch(() => {})
    try {
      this.#process = launcher.run({
        program,
        args: [this.socketPath],
        pipeStdin: true,
        // It reports four times a second.
        hasHeartbeat: true,
        onMessage: (text) => this.#handleEvent(JSON.parse(text)),
        onEnd: (lines) => {
          this.#handleEnd()
          callbacks.onExit(lines)
        }
      })
    } catch (error) {
      removeFolder(this.#folder)
      throw error
    }
  }

  isStuck = (): boolean => this.#process.isStuck?.() ?? false

  ready(): Promise<void> {
    return this.#listening.promise
  }

  openDatagrams({ address, port, iface = '', sender = '', rtp }: DatagramSource): Promise<void> {
    const number = ++this.#sourceNumber
    const waiter: Waiter = Promise.withResolvers()
    if (!this.#send('datagrams', number, address, port, iface, sender, rtp ? 1 : 0)) waiter.reject(endedError())
    else this.#opening.set(number, waiter)
    return waiter.promise
  }

  async openFeed(): Promise<Socket> {
    return this.#connect(this.awaitFeed())
  }

  awaitFeed(): string {
    const number = ++this.#sourceNumber
    this.#send('feed', number)
    return `feed ${number}`
  }

  continueDatagrams(path: string, rtp: boolean): ContinuedSource {
    const greeting = this.awaitFeed()
    const number = this.#sourceNumber
    const opened: Waiter = Promise.withResolvers()
    this.#opening.set(number, opened)
    this.#connect(greeting).then((feed) => {
      const previous = createConnection(path)
      previous.on('error', () => {}).on('close', () => feed.end())
      previous.write(`${continuationGreeting}\n`)
      previous.pipe(feed)
    }, opened.reject)
    return { address: sourceAddress(this, number, rtp), opened: opened.promise }
  }

  moveSource({ path, greeting }: RelayAddress): Promise<void> {
    const waiter: Waiter = Promise.withResolvers()
    if (!this.#send('move-source', this.#sourceNumber, path, greeting)) waiter.reject(endedError())
    else this.#opening.set(this.#sourceNumber, waiter)
    return waiter.promise
  }

  closeSource(): void {
    this.#send('close', this.#sourceNumber)
  }

  selectProgram(program: number | undefined): void {
    this.#send('program', program ?? 0)
  }

  addTarget(id: number, { address, port, payloadBytes, rtp, ttl = 1, iface = '' }: DatagramTarget): Promise<void> {
    const waiter: Waiter = Promise.withResolvers()
    if (!this.#send('target', id, address, port, payloadBytes, rtp ? 1 : 0, ttl, iface)) waiter.reject(endedError())
    else this.#adding.set(id, [...(this.#adding.get(id) ?? []), waiter])
    return waiter.promise
  }

  removeTarget(id: number): void {
    this.#send('untarget', id)
  }

  subscribeProcess(id: number, options: ProcessSubscription): Promise<Socket> {
    return this.#connect(subscriptionAddress(this, id, options).greeting)
  }

  unsubscribe(id: number): void {
    this.#send('unsubscribe', id)
  }

  moveSubscriber(id: number, { path, greeting }: RelayAddress): void {
    this.#send('move', id, path, greeting)
  }

  moveTarget(id: number, { path, greeting }: RelayAddress): void {
    this.#send('move-target', id, path, greeting)
  }

  moveTap(tap: Tap, next: Relay): (() => void) | undefined {
    const connection = this.#taps.get(tap)
    if (!connection) return undefined
    this.#taps.delete(tap)
    this.moveSubscriber(connection.id, next.adoptTap(tap, connection))
    return connection.end
  }

  adoptTap(tap: Tap, { batch, end }: TapConnection): RelayAddress {
    const id = ++this.#lastTap
    this.#taps.set(tap, { id, batch, end })
    return tapAddress(this, id, batch)
  }

  sendNullPackets(id: number): void {
    this.#send('null', id)
  }

  subscribeTap(tap: Tap, { fromCache = false, batch = BATCH, hold }: TapSubscription = {}): () => void {
    let socket: Socket | undefined
    let isCancelled = false
    const reader = new TapReader({
      media(data, starts, tables) {
        if (!isCancelled) tap.media(data, starts, tables)
      },
      end() {
        if (!isCancelled) tap.end()
      }
    })
    const id = ++this.#lastTap
    const end = () => {
      isCancelled = true
      if (this.#taps.get(tap)?.id === id) this.#taps.delete(tap)
      socket?.destroy()
    }
    this.#taps.set(tap, { id, batch, end })
    const callback = (length: number) => {
      reader.push(READ_BUFFER.subarray(0, length))
      return true
    }
    const connect = () => {
      if (isCancelled || this.#isEnded) return
      socket = createConnection({ path: this.socketPath, onread: { buffer: READ_BUFFER, callback } })
      // The relay has ended, which its owner is notified of.
      socket.on('error', () => {})
      socket.write(hold ? holdGreeting(id, batch, hold) : `tap ${id} ${fromCache ? 1 : 0} ${batch}\n`)
    }
    this.#listening.promise.then(connect, () => {})
    return end
  }

  report(): RelayReport {
    return this.#builder.report()
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    this.#handleEnd()
  }

  /** Sends a command. Returns false if the program has ended. */
  #send(...fields: readonly (string | number)[]): boolean {
    if (this.#isEnded) return false
    this.#process.stdin?.write(`${fields.join('\t')}\n`)
    return true
  }

  /** Connects to the program for media. Nothing is read from the socket. */
  async #connect(purpose: string): Promise<Socket> {
    await this.#listening.promise
    if (this.#isEnded) throw endedError()
    const socket = new Socket()
    socket.pause()
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.connect(this.socketPath, () => socket.write(`${purpose}\n`, () => resolve()))
    })
    socket.removeAllListeners('error').on('error', () => {})
    return socket
  }

  #handleEvent(event: RelayEvent): void {
    if (event.listening) this.#listening.resolve()
    if (event.opened) this.#settle(this.#takeOpening(event.opened[0]), 'bind', event.opened[1])
    if (event.moved) this.#settle(this.#takeOpening(event.moved[0]), 'sendmsg', event.moved[1])
    if (event.ended !== undefined) this.#takeOpening(event.ended)?.reject(endedError())
    if (event.added) this.#settle(this.#adding.get(event.added[0])?.shift(), 'connect', event.added[1])
    if (event.ended !== undefined && event.ended === this.#sourceNumber) this.#callbacks.onFeedEnd?.()
    if (event.closed !== undefined && event.closed < FIRST_TAP) this.#callbacks.onSubscriberEnd?.(event.closed)
    if (this.#builder.add(event)) this.#callbacks.onReport?.(this.#builder.report())
  }

  #takeOpening(number: number): Waiter | undefined {
    const waiter = this.#opening.get(number)
    this.#opening.delete(number)
    return waiter
  }

  #settle(waiter: Waiter | undefined, syscall: string, error: number): void {
    if (error === 0) return void waiter?.resolve()
    const code = getSystemErrorName(-error)
    waiter?.reject(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }))
  }

  #handleEnd(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#listening.reject(endedError())
    for (const waiter of [...this.#opening.values(), ...[...this.#adding.values()].flat()]) waiter.reject(endedError())
    removeFolder(this.#folder)
  }
}

const endedError = () => new Error('The relay has ended')

/**
 * Starts a relay. Commands may be sent at once.
 * @param program path of `headend-relay`
 * @throws NotInstalledError if the program does not exist
 */
export const createRelay = (
  launcher: Pick<Launcher, 'run'>,
  callbacks: RelayCallbacks,
  program: string = RELAY_PROGRAM
): Relay => new NativeRelay(launcher, callbacks, program)

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
