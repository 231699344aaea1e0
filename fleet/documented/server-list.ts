// Streaming servers of Ultra Stream and Ultra Encode as the vendor documents them (docs/wire.md, "Device generations"):
// a list of at most 16, each of which really sends its stream while the device is live.
import { PORT_MAX } from '../../contract/limits.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { createPusher, type Pusher } from '../streams/pusher.ts'

/** Result codes of the Ultra family. */
const CODE = {
  success: 0,
  repeated: 1,
  connected: 22,
  connecting: 23,
  idle: 27,
  noAddress: 29,
  busy: -9,
  parameters: -10,
  timeout: -12,
  waiting: 24,
  notFound: -14,
  noSpace: -16,
  nameInUse: -27
} as const

const TYPE = { rtmp: 0, rtsp: 100, srtCaller: 120, srtListener: 121 } as const
const SERVERS_MAX = 16
/** Milliseconds after which a server that does not respond counts as failed. */
const CONNECT_TIMEOUT = 3000
const COMMON = ['type', 'name', 'is-use', 'stream-index', 'net-mode', 'audio']
/** Documented parameters of the types that the device has. It lists RTSP servers, but does not serve RTSP. */
const PARAMETERS: Readonly<Record<number, readonly string[]>> = {
  [TYPE.rtmp]: ['url', 'key', 'is-auth', 'user', 'passwd', 'token', 'event-data'],
  [TYPE.rtsp]: [
    ...['port', 'max-connection', 'is-auth', 'user', 'passwd', 'is-main', 'main-stream-name'],
    ...['is-sub', 'sub-stream-name', 'is-audio']
  ],
  [TYPE.srtCaller]: ['ip-addr', 'port', 'latency', 'bandwidth', 'mtu', 'aes', 'aes-word', 'stream-id'],
  [TYPE.srtListener]: ['port', 'max-connections', 'latency', 'bandwidth', 'mtu', 'aes', 'aes-word']
}

interface Server {
  id: number
  settings: Record<string, string>
  isUsed: boolean
  pusher: Pusher
  isSending: boolean
  /** When it was started, by a monotonic clock in milliseconds. */
  orderedAt: number
  startedAt: number
  /** Bytes sent in total and when, at the last two reports. */
  progress: { bytes: number; at: number }[]
}

interface ServerListOptions {
  /** Path of the clip that is sent; undefined if it is not encoded yet. */
  clipPath(): string | undefined
  /** Whether the model can send over SRT. */
  hasSrt: boolean
  onSending(isSending: boolean): void
}

const isPort = (text: string | undefined) => /^\d+$/.test(text ?? '') && Number(text) >= 1 && Number(text) <= PORT_MAX

/** Settings that a device reports as numbers. */
const NUMBERS = ['port', 'max-connection', 'is-auth', 'is-main', 'is-sub', 'is-audio', 'aes', 'latency']
const LISTENERS: readonly number[] = [TYPE.rtsp, TYPE.srtListener]

/** The settings of a server that waits for players, as the device reports them. */
const listenerSettings = (settings: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value])
  )

export class ServerList {
  readonly #options: ServerListOptions
  readonly #servers: Server[] = []
  #lastId = 0
  #isLive = false

  constructor(options: ServerListOptions) {
    this.#options = options
  }

  get isLive(): boolean {
    return this.#isLive
  }

  /** `add-server`. @returns a result code */
  add(query: URLSearchParams): number {
    if (this.#servers.length >= SERVERS_MAX) return CODE.noSpace
    const settings = this.#readSettings(query, undefined)
    if (typeof settings === 'number') return settings
    const server: Server = {
      id: ++this.#lastId,
      settings,
      isUsed: settings['is-use'] !== '0',
      isSending: false,
      orderedAt: 0,
      startedAt: 0,
      progress: [],
      pusher: createPusher({
        clipPath: this.#options.clipPath,
        isListener: () => Number(server.settings.type) === TYPE.srtListener,
        onSending: (isSending) => {
          if (!isSending) server.orderedAt = performance.now()
          this.#setSending(server, isSending)
        },
        onProgress(bytes) {
          server.progress = [...server.progress, { bytes, at: performance.now() }].slice(-2)
        }
      })
    }
    this.#servers.push(server)
    return CODE.success
  }

  /** `set-server`. @returns a result code */
  set(query: URLSearchParams): number {
    const server = this.#find(query)
    if (!server) return CODE.notFound
    if (this.#isLive && server.isUsed) return CODE.busy
    const settings = this.#readSettings(query, server)
    if (typeof settings === 'number') return settings
    server.settings = settings
    return CODE.success
  }

  /** `enable-server`. @returns a result code */
  enable(query: URLSearchParams): number {
    const server = this.#find(query)
    if (!server) return CODE.notFound
    const use = query.get('is-use')
    if (use !== '0' && use !== '1') return CODE.parameters
    server.isUsed = use === '1'
    if (!server.isUsed) this.#stop(server)
    return CODE.success
  }

  /** `start-live`. @returns a result code */
  start(): number {
    if (!this.#servers.some(({ isUsed }) => isUsed)) return CODE.noAddress
    const wasLive = this.#isLive
    this.#isLive = true
    for (const server of this.#servers) if (server.isUsed && !server.pusher.currentOrder()) this.#start(server)
    return wasLive ? CODE.repeated : CODE.success
  }

  /** `stop-live`, and the end of the power. @returns a result code */
  stop(): number {
    const wasLive = this.#isLive
    this.#isLive = false
    for (const server of this.#servers) this.#stop(server)
    return wasLive ? CODE.success : CODE.repeated
  }

  /** `stream-server` of `get-settings`. */
  settings(): object[] {
    return this.#servers.map(({ id, settings, isUsed }) => ({
      ...settings,
      ...(LISTENERS.includes(Number(settings.type)) && listenerSettings(settings)),
      id,
      type: Number(settings.type),
      'is-use': isUsed ? 1 : 0
    }))
  }

  /** `live-status` of `get-status`. @param isSingle Ultra Stream reports one stream */
  status(isSingle: boolean): object {
    const live = this.#servers.map((server) => this.#serverStatus(server))
    const [first] = live.filter((server) => server['is-use'] === 1)
    const summary = { result: this.#isLive ? CODE.success : CODE.idle, 'run-ms': 0 }
    if (isSingle)
      return { ...summary, ...(this.#isLive && first && { result: first.result, 'run-ms': first['run-ms'] }) }
    return { ...summary, 'run-ms': Math.max(0, ...live.map((server) => server['run-ms'])), live }
  }

  #serverStatus({ id, settings, isUsed, isSending, orderedAt, startedAt, progress, pusher }: Server) {
    const [before, last] = progress
    const elapsed = before && last ? last.at - before.at : 0
    const isRunning = pusher.currentOrder() !== undefined
    const isListener = Number(settings.type) === TYPE.srtListener
    const calling = performance.now() - orderedAt > CONNECT_TIMEOUT ? CODE.timeout : CODE.connecting
    return {
      id,
      type: Number(settings.type),
      'is-use': isUsed ? 1 : 0,
      'is-skd-runnung': 0,
      name: settings.name,
      'run-ms': isSending ? Date.now() - startedAt : 0,
      result: isSending ? CODE.connected : !isRunning ? CODE.idle : isListener ? CODE.waiting : calling,
      'stream-index': Number(settings['stream-index'] ?? 0),
      'inst-bps':
        isSending && before && last && elapsed > 0 ? Math.round(((last.bytes - before.bytes) * 8000) / elapsed) : 0,
      net: 1,
      ...(settings['ip-addr'] && { 'ip-addr': settings['ip-addr'], port: Number(settings.port) })
    }
  }

  #find(query: URLSearchParams): Server | undefined {
    return this.#servers.find(({ id }) => String(id) === query.get('id'))
  }

  /** @returns the settings of a server, or a result code. @param own the server that is changed */
  #readSettings(query: URLSearchParams, own: Server | undefined): Record<string, string> | number {
    const { method: _method, id: _id, ...settings } = Object.fromEntries(query)
    const type = Number(settings.type)
    if (type !== TYPE.rtmp && type !== TYPE.rtsp && !this.#options.hasSrt) return CODE.parameters
    const known = PARAMETERS[type]
    // The real device may ignore a parameter that it does not know. This one refuses it, to find mistakes.
    if (!known || Object.keys(settings).some((name) => ![...COMMON, ...known].includes(name))) return CODE.parameters
    const { name = '' } = settings
    if (!/^[A-Za-z0-9 ._+'[\]()-]{1,32}$/.test(name) || name.trim() !== name) return CODE.parameters
    if (type === TYPE.rtmp && (!/^rtmp:\/\/[^/]+\/\S+$/.test(settings.url ?? '') || !settings.key))
      return CODE.parameters
    if (type === TYPE.srtCaller && (!settings['ip-addr'] || !isPort(settings.port))) return CODE.parameters
    if (LISTENERS.includes(type) && !isPort(settings.port)) return CODE.parameters
    const isSame = (other: Server) =>
      type === TYPE.rtmp
        ? other.settings.url === settings.url && other.settings.key === settings.key
        : other.settings['ip-addr'] === settings['ip-addr'] && other.settings.port === settings.port
    const others = this.#servers.filter((other) => other !== own)
    if (others.some((other) => other.settings.name === name)) return CODE.nameInUse
    return others.some((other) => Number(other.settings.type) === type && isSame(other)) ? CODE.repeated : settings
  }

  #start(server: Server): void {
    const { settings } = server
    if (Number(settings.type) === TYPE.rtsp) return
    server.orderedAt = performance.now()
    server.progress = []
    const latency = Number(settings.latency ?? 120)
    const index = settings['stream-index'] === '1' ? 1 : 0
    if (Number(settings.type) !== TYPE.rtmp) {
      const passphrase = Number(settings.aes ?? 0) > 0 ? (settings['aes-word'] ?? '') : ''
      const order = { port: Number(settings.port), passphrase, latency, 'stream-index': index } as const
      server.pusher.start(settings['ip-addr'] ?? '0.0.0.0', { ...order, 'stream-id': settings['stream-id'] ?? '' })
      return
    }
    const { hostname, port } = new URL((settings.url ?? '').replace(/^rtmp:/, 'http:'))
    const order = {
      protocol: RTMP,
      port: Number(port || 1935),
      passphrase: '',
      latency,
      'stream-index': index
    } as const
    server.pusher.start(hostname.replace(/^\[|\]$/g, ''), { ...order, 'stream-id': settings.key ?? '' })
  }

  #stop(server: Server): void {
    server.pusher.stop()
    this.#setSending(server, false)
  }

  #setSending(server: Server, isSending: boolean): void {
    if (isSending && !server.isSending) server.startedAt = Date.now()
    server.isSending = isSending
    this.#options.onSending(this.#servers.some((each) => each.isSending))
  }
}
