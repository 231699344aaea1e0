// The documented calls of a device by which a hub sets up its streams, and no others (docs/wire.md, "Device
// generations"). All other documented calls are answered as over a device link.
import { ALREADY_EXISTS, INVALID_ARG, NOT_EXIST, SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { PRO_CONVERT_AUDIO, PRO_CONVERT_DECODER, ULTRA_STREAM } from '../../contract/device/products.ts'
import { DEVICE_STATUS_BITS } from '../../contract/device/status.ts'
import { handleApi } from '../apis/api.ts'
import type { ApiRequest, Appliance } from '../apis/appliance.ts'
import { handleMwapi } from '../apis/mwapi.ts'
import { handleUsapi } from '../apis/usapi.ts'
import { createCamera, previewWidth } from '../test-picture/camera.ts'
import { SentStreams } from './sent-streams.ts'
import { ServerList } from './server-list.ts'
import { createSourcePlayer, type SourcePlayer } from './source-player.ts'

export interface DocumentedApi {
  /** @returns undefined for a call that is not documented */
  handle(request: ApiRequest): Record<string, unknown> | undefined
  /** The JPEG at a path; undefined if there is none. */
  picture(path: string): Buffer | undefined
  /** Ends all streams. */
  stop(): void
}

interface DocumentedApiOptions {
  appliance: Appliance
  /** Path of the clip that the device sends; undefined if it is not encoded yet. */
  clipPath(): string | undefined
}

type Answer = Record<string, unknown>

/** Path of the picture of the input. */
const SNAPSHOT = '/snapshot/input.jpg'
const PICTURE_WIDTH = 320
const ULTRA_CALLS = ['ping', 'set-name', 'reboot', 'update', 'start-rec', 'stop-rec']
const PRO_CONVERT_CALLS = ['ping', 'set-eth-config', 'reboot', 'update', 'get-update-state']
const NAME_MAX = 120

function createUltra({ appliance, clipPath }: DocumentedApiOptions): DocumentedApi {
  const { machine, entry } = appliance
  const isStream = entry.model.family === ULTRA_STREAM
  const servers = new ServerList({ clipPath, hasSrt: !isStream, onSending: machine.setPushing })
  const takePicture = createCamera(entry.sn, previewWidth(PICTURE_WIDTH))

  function status(base: Answer): Answer {
    const mask = Number(base['cur-status']) & ~DEVICE_STATUS_BITS.streaming
    const streaming = servers.isLive ? DEVICE_STATUS_BITS.streaming : 0
    return { ...base, 'cur-status': mask | streaming, 'live-status': servers.status(isStream) }
  }

  return {
    handle(request) {
      const { query } = request
      const method = query.get('method') ?? ''
      const base = () => handleUsapi(appliance, request) as Answer
      switch (method) {
        case 'get-info':
          return { ...base(), snapshot: SNAPSHOT, 'main-snapshot': SNAPSHOT, 'sub-snapshot': '' }
        case 'get-status':
          return status(base())
        case 'get-settings':
          return { result: SUCCESS, name: appliance.name(), 'stream-server': servers.settings() }
        case 'add-server':
          return { result: servers.add(query) }
        case 'set-server':
          return { result: servers.set(query) }
        case 'enable-server':
          return { result: servers.enable(query) }
        case 'start-live':
          return { result: servers.start() }
        case 'stop-live':
          return { result: servers.stop() }
        default:
          return ULTRA_CALLS.includes(method) ? base() : undefined
      }
    },
    picture: (path) =>
      path === SNAPSHOT
        ? takePicture({ name: appliance.name(), signal: machine.read().signal !== undefined, time: Date.now() })
        : undefined,
    stop: () => void servers.stop()
  }
}

/** Saved sources of a decoder, and the one that is selected. */
class Channels {
  readonly #player: SourcePlayer
  readonly #urls = new Map<string, string>()
  #selected: { ndi: boolean; name: string } = { ndi: true, name: 'STUDIO (Program)' }

  constructor(player: SourcePlayer) {
    this.#player = player
  }

  /** @returns undefined for a call that has nothing to do with sources */
  handle(method: string, query: URLSearchParams): Answer | undefined {
    const name = query.get('name') ?? ''
    const url = query.get('url') ?? ''
    switch (method) {
      case 'list-channels':
        return { status: SUCCESS, channels: [...this.#urls].map(([each, target]) => ({ name: each, url: target })) }
      case 'get-channel':
        return { status: SUCCESS, 'ndi-name': this.#selected.ndi, name: this.#selected.name }
      case 'add-channel':
      case 'modify-channel': {
        if (name === '' || name.length > NAME_MAX || !URL.canParse(url)) return { status: INVALID_ARG }
        if (this.#urls.has(name) !== (method === 'modify-channel'))
          return { status: method === 'add-channel' ? ALREADY_EXISTS : NOT_EXIST }
        this.#urls.set(name, url)
        if (this.#isSelected(name)) this.#player.select(url)
        return { status: SUCCESS }
      }
      case 'del-channel':
        if (!this.#urls.delete(name)) return { status: NOT_EXIST }
        if (this.#isSelected(name)) this.#select({ ndi: true, name: '' })
        return { status: SUCCESS }
      case 'set-channel': {
        const ndi = query.get('ndi-name') === 'true'
        if (!ndi && !this.#urls.has(name)) return { status: NOT_EXIST }
        this.#select({ ndi, name })
        return { status: SUCCESS }
      }
      default:
        return undefined
    }
  }

  /** `ndi` of `get-summary-info`. */
  summary(): Answer {
    const { ndi, name } = this.#selected
    return { name, url: ndi ? '' : this.#player.url(), connected: this.#player.isPlaying() || (ndi && name !== '') }
  }

  #isSelected(name: string): boolean {
    return !this.#selected.ndi && this.#selected.name === name
  }

  #select(selection: { ndi: boolean; name: string }): void {
    this.#selected = selection
    this.#player.select(selection.ndi ? undefined : this.#urls.get(selection.name))
  }
}

function createProConvert({ appliance }: DocumentedApiOptions): DocumentedApi {
  const { machine, entry } = appliance
  const isDecoder = entry.model.family === PRO_CONVERT_DECODER
  const player = createSourcePlayer(machine)
  const channels = new Channels(player)
  return {
    handle(request) {
      const { query } = request
      const method = query.get('method') ?? ''
      const answer = isDecoder ? channels.handle(method, query) : undefined
      if (answer) return answer
      if (PRO_CONVERT_CALLS.includes(method)) return handleMwapi(appliance, request) as Answer
      if (method !== 'get-summary-info') return undefined
      const summary = handleMwapi(appliance, request) as Answer & { ndi: Answer }
      const ndi = isDecoder ? channels.summary() : { name: `${appliance.name().toUpperCase()} (Channel 1)` }
      return { ...summary, ndi: { ...summary.ndi, ...ndi } }
    },
    picture: () => undefined,
    stop: () => player.select(undefined)
  }
}

interface Source {
  id: number
  config: { type: number; name: string; url: string }
}

/** `type` of a source with a URL. */
const URL_SOURCE = 1

function createNewer({ appliance, clipPath }: DocumentedApiOptions): DocumentedApi {
  const { family } = appliance.entry.model
  const sent = new SentStreams(clipPath)
  const player = createSourcePlayer(appliance.machine)
  const sources: Source[] = [{ id: 1, config: { type: URL_SOURCE, name: 'Lobby', url: 'rtsp://192.0.2.9/live' } }]
  let lastId = 1
  let selected = 1
  const answer = (status: number, more: object = {}): Answer => ({
    status,
    code: status === SUCCESS ? 'OK' : '',
    ...more
  })
  const isConfig = (value: unknown): value is Source['config'] => {
    const { type, name, url } = (value ?? {}) as Partial<Source['config']>
    return type === URL_SOURCE && typeof name === 'string' && typeof url === 'string' && URL.canParse(url)
  }
  const play = () => player.select(sources.find(({ id }) => id === selected)?.config.url)
  const find = (id: unknown) => sources.find((source) => source.id === id)

  /** @returns undefined for a call that has nothing to do with sources */
  function handleSource(call: string, { id, config }: Record<string, unknown>): Answer | undefined {
    switch (call) {
      case 'GET /api/source/list':
        return answer(SUCCESS, { list: sources, selected, mode: 'static' })
      case 'POST /api/source/add':
        if (!isConfig(config)) return answer(INVALID_ARG)
        if (sources.some((source) => source.config.name === config.name)) return answer(ALREADY_EXISTS)
        sources.push({ id: ++lastId, config })
        return answer(SUCCESS)
      case 'POST /api/source/set': {
        const source = find(id)
        if (!source || !isConfig(config)) return answer(source ? INVALID_ARG : NOT_EXIST)
        source.config = config
        if (selected === id) play()
        return answer(SUCCESS)
      }
      case 'POST /api/source/del':
        if (!find(id)) return answer(NOT_EXIST)
        sources.splice(
          sources.findIndex((source) => source.id === id),
          1
        )
        if (selected === id) selected = 0
        return answer(SUCCESS)
      case 'POST /api/source/select':
        selected = find(id)?.id ?? 0
        play()
        return answer(SUCCESS)
      default:
        return undefined
    }
  }

  return {
    handle(request) {
      const { method, path, body } = request
      if (path.startsWith('/api/source/'))
        return family === PRO_CONVERT_DECODER ? handleSource(`${method} ${path}`, body) : answer(UNSUPPORTED)
      const ownAnswer = family === PRO_CONVERT_AUDIO ? sent.handle(`${method} ${path}`, body) : undefined
      return ownAnswer ?? (handleApi(appliance, request) as Answer)
    },
    picture: () => undefined,
    stop() {
      player.select(undefined)
      sent.stop()
    }
  }
}

/** @throws Error for a model without an API */
export function createDocumentedApi(options: DocumentedApiOptions): DocumentedApi {
  const { api, name } = options.appliance.entry.model
  switch (api) {
    case 'usapi':
      return createUltra(options)
    case 'mwapi':
      return createProConvert(options)
    case 'api':
      return createNewer(options)
    default:
      throw new Error(`${name} has no API`)
  }
}
