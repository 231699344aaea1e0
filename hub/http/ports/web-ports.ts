// The ports of the console (with and without TLS), of device registration, and of files. Each is opened at the start of
// the hub and can be moved: the new port opens beside the old one, and takes its place once a client has reached the
// hub there. Otherwise it is closed again. Nothing is stored before that, so a hub that is restarted meanwhile has its
// old ports.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  PORT_CONFIRM_PATH,
  PORT_CONFIRM_TIME,
  PORT_DEFAULTS,
  type PortOutcome,
  type PortTrial,
  WEB_PORTS,
  type WebPortName
} from '../../../contract/web/ports.ts'
import { logger } from '../../../process-log/logger.ts'
import { Emitter } from '../../emitter.ts'
import type { StoredWeb } from '../../store/settings.ts'
import { ListeningPort, type StartListener } from './listening-port.ts'

/**
 * The ports of the environment. HTTPS is enabled by default if it has one; `null`: the hub starts without HTTPS,
 * whatever the settings say.
 */
export type PortEnvironment = Readonly<Record<Exclude<WebPortName, 'https'>, number> & { https?: number | null }>

export interface WebPortsOptions {
  /** The stored setting. */
  stored(): StoredWeb
  /** Stores a confirmed port. */
  store(web: StoredWeb): void
  onEvent(event: 'port-confirmed' | 'port-not-confirmed', detail: string): void
  /** Milliseconds until a new port is closed again; for tests. */
  confirmTime?: number
}

interface Trial {
  name: WebPortName
  port: number
  secret: string
  endsAt: number
  timer: NodeJS.Timeout
}

const CONFIRM_TIME = PORT_CONFIRM_TIME * 1000

/** Milliseconds in which the reply to a request leaves through a port that is closed then. */
const REPLY_TIME = 500

export class WebPorts {
  /** A port opened, closed or moved, or could not be opened. */
  readonly changed = new Emitter()
  readonly ports: Readonly<Record<WebPortName, ListeningPort>>
  readonly #options: WebPortsOptions
  #environment: PortEnvironment | undefined
  #starters: Readonly<Record<WebPortName, StartListener>> | undefined
  #trial: Trial | undefined
  #last: PortOutcome | undefined
  #replyTimer: NodeJS.Timeout | undefined

  constructor(options: WebPortsOptions) {
    this.#options = options
    const portOf = (name: WebPortName) => new ListeningPort(name, this.changed.emit)
    this.ports = { http: portOf('http'), https: portOf('https'), link: portOf('link'), files: portOf('files') }
  }

  /**
   * Opens the ports. The hub works without those for HTTPS and files.
   * @throws when the port for HTTP or for registration is in use, and so is that of the environment
   */
  async open(environment: PortEnvironment, starters: Readonly<Record<WebPortName, StartListener>>): Promise<void> {
    this.#environment = environment
    this.#starters = starters
    for (const name of ['link', 'http'] as const) {
      const listener = await this.#startRequired(name)
      await this.ports[name].open(async () => listener)
    }
    await this.#openPort('files')
    if (this.isHttpsEnabled()) await this.#openPort('https')
  }

  /** The open port. */
  portOf(name: WebPortName): number | undefined {
    return this.ports[name].observe().port
  }

  /** The open ports, those on trial included. */
  openPorts(): number[] {
    return WEB_PORTS.flatMap((name) => this.ports[name].listeners().map(({ port }) => port))
  }

  /** The port that belongs to this number, also while it is on trial. */
  nameOf(port: number): WebPortName | undefined {
    return WEB_PORTS.find((name) => this.ports[name].listeners().some((listener) => listener.port === port))
  }

  isHttpsEnabled(): boolean {
    const { https } = this.#environment ?? {}
    return https !== null && (this.#options.stored()['enable-https'] ?? https !== undefined)
  }

  /** The port without a setting. */
  defaultOf(name: WebPortName): number {
    return this.#environment?.[name] ?? PORT_DEFAULTS[name]
  }

  /** The port that the settings choose. */
  settingOf(name: WebPortName): number {
    const chosen = this.#options.stored().ports[name]
    return chosen && chosen.over === this.defaultOf(name) ? chosen.port : this.defaultOf(name)
  }

  /** Opens or closes HTTPS after its setting has changed. */
  async httpsChanged(): Promise<void> {
    if (this.isHttpsEnabled()) await this.#openPort('https')
    else {
      if (this.#trial?.name === 'https') await this.#endTrial('canceled')
      await this.ports.https.shut()
    }
  }

  /** As `httpsChanged`, when the reply to the request that changes the setting has been sent: it may use that port. */
  httpsChangedAfterReply(): void {
    clearTimeout(this.#replyTimer)
    this.#replyTimer = setTimeout(() => void this.httpsChanged().catch(logFailure), REPLY_TIME).unref()
  }

  /** Opens the port for HTTPS before the setting enables it. @throws as `StartListener` */
  async openHttps(port: number): Promise<void> {
    const { https } = this.ports
    if (https.observe().port !== undefined) return
    const listener = await this.#start('https', port)
    await https.open(async () => listener)
    // Another request has opened the port meanwhile, or the hub was closed.
    if (!https.listeners().includes(listener)) await listener.close()
  }

  /** The setting with a chosen port. */
  withPort(name: WebPortName, port: number): StoredWeb['ports'] {
    return { ...this.#options.stored().ports, [name]: { port, over: this.defaultOf(name) } }
  }

  /** Whether a new port waits for its confirmation. */
  isTrying(): boolean {
    return this.#trial !== undefined
  }

  trial(): PortTrial | undefined {
    if (!this.#trial) return undefined
    const { name, port, endsAt } = this.#trial
    return { name, port, 'remaining-s': Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)) }
  }

  last(): PortOutcome | undefined {
    return this.#last
  }

  /**
   * Opens a new port beside the old one.
   * @returns the port, and the path and query that confirm it when they are requested there
   * @throws as `StartListener`, and when the trial was cancelled meanwhile
   */
  async startTrial(name: WebPortName, port: number): Promise<{ port: number; confirmPath: string }> {
    if (this.#trial) throw new Error('A new port waits for its confirmation')
    const { confirmTime = CONFIRM_TIME } = this.#options
    const secret = randomBytes(24).toString('base64url')
    const timer = setTimeout(() => void this.#endTrial('not-confirmed').catch(logFailure), confirmTime).unref()
    const trial = { name, port, secret, endsAt: performance.now() + confirmTime, timer }
    this.#trial = trial
    try {
      const listener = await this.#start(name, port)
      if (this.#trial !== trial) {
        await listener.close()
        throw new Error('The trial of the new port was cancelled')
      }
      this.ports[name].addBeside(listener)
      trial.port = listener.port
    } catch (error) {
      clearTimeout(timer)
      if (this.#trial === trial) this.#trial = undefined
      throw error
    }
    return { port: trial.port, confirmPath: `${PORT_CONFIRM_PATH}?ticket=${secret}` }
  }

  /**
   * Confirms the new port from a connection to it: stores it, and closes the old one.
   * @param localPort port of the hub at which the request arrived
   * @returns whether it was confirmed
   */
  async confirm(localPort: number | undefined): Promise<boolean> {
    const trial = this.#trial
    if (!trial || trial.port !== localPort) return false
    const { stored, store, onEvent } = this.#options
    // If this fails, the trial goes on.
    store({ ...stored(), ports: this.withPort(trial.name, trial.port) })
    clearTimeout(trial.timer)
    this.#trial = undefined
    this.#finish(trial, 'confirmed')
    onEvent('port-confirmed', `${trial.name} ${trial.port}`)
    await this.ports[trial.name].moveBeside()
    return true
  }

  /** Like `confirm`, for a request of the path of `startTrial`. */
  async confirmByPath(search: string, localPort: number | undefined): Promise<boolean> {
    const given = Buffer.from(new URLSearchParams(search).get('ticket') ?? '')
    const expected = Buffer.from(this.#trial?.secret ?? '')
    if (given.length !== expected.length || expected.length === 0 || !timingSafeEqual(given, expected)) return false
    return this.confirm(localPort)
  }

  /** Closes the new port at once. @returns whether there was one */
  async cancel(): Promise<boolean> {
    if (!this.#trial) return false
    await this.#endTrial('canceled')
    return true
  }

  async close(): Promise<void> {
    clearTimeout(this.#replyTimer)
    clearTimeout(this.#trial?.timer)
    this.#trial = undefined
    await Promise.all(WEB_PORTS.filter((name) => name !== 'link').map((name) => this.ports[name].close()))
  }

  async #endTrial(outcome: 'not-confirmed' | 'canceled'): Promise<void> {
    const trial = this.#trial
    if (!trial) return
    clearTimeout(trial.timer)
    this.#trial = undefined
    this.#finish(trial, outcome)
    if (outcome === 'not-confirmed') this.#options.onEvent('port-not-confirmed', `${trial.name} ${trial.port}`)
    await this.ports[trial.name].closeBeside()
  }

  #finish({ name, port }: Trial, outcome: PortOutcome['outcome']): void {
    this.#last = { name, port, outcome, at: Date.now() }
  }

  /**
   * The port of the setting, or else that of the environment: a port that another program took must not lock everybody
   * out.
   */
  async #startRequired(name: 'http' | 'link') {
    const [setting, standard] = [this.settingOf(name), this.defaultOf(name)]
    if (setting === standard) return this.#start(name, standard)
    try {
      return await this.#start(name, setting)
    } catch (error) {
      logger.warn('The port of the settings could not be opened', { name, port: setting, error: String(error) })
      return this.#start(name, standard)
    }
  }

  #openPort(name: WebPortName): Promise<void> {
    return this.ports[name].open(() => this.#start(name, this.settingOf(name)))
  }

  async #start(name: WebPortName, port: number) {
    if (!this.#starters) throw new Error('The hub does not listen')
    return this.#starters[name](port)
  }
}

const logFailure = (error: unknown) => logger.error('A new port could not be closed', error)
