// Handles the requests of the hub over the device link: the paths of the link itself, and the documented API of the
// device.
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { pipeline, Readable } from 'node:stream'
import { DEVICE_BUSY, INVALID_ARG, SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { LINK_STATE_PATH, type PlayOrder, type PushOrder } from '../../contract/device/link.ts'
import { DIR_OUTPUT } from '../../contract/stream/protocols.ts'
import { API_REFUSAL, apiUploadResponse, handleApi } from '../apis/api.ts'
import type { ApiRequest, Appliance } from '../apis/appliance.ts'
import { type DeviceResponse, jsonResponse, misbehave } from '../apis/misbehave.ts'
import { handleMwapi, MWAPI_REFUSAL, mwapiUploadResponse } from '../apis/mwapi.ts'
import { handleUsapi, USAPI_REFUSAL, usapiUploadResponse } from '../apis/usapi.ts'
import type { Behaviour } from '../behaviour.ts'
import type { Model } from '../models.ts'
import { sendPreviews } from '../preview.ts'
import { parsePlayOrder, parsePushOrder } from '../streams/stream-orders.ts'
import { createConnectHandler } from './ports.ts'

/** Functions of the device that requests use. */
interface DeviceServices {
  appliance: Appliance
  behaviour(): Behaviour
  startPush(order: PushOrder): void
  stopPush(): void
  startPlayback(order: PlayOrder): void
  stopPlayback(): void
  /** The hub sent a registration state. */
  setRegistration(registration: number): void
}

/** Maximum size in bytes of a request body other than a firmware file. */
const BODY_MAX = 64 << 10
/** Bytes of a response body written at a time. */
const CHUNK = 64 << 10

const APIS = {
  usapi: { path: /^\/usapi$/, handle: handleUsapi, uploadResponse: usapiUploadResponse, refusal: USAPI_REFUSAL },
  mwapi: {
    path: /^\/mwapi(\/.*)?$/,
    handle: handleMwapi,
    uploadResponse: mwapiUploadResponse,
    refusal: MWAPI_REFUSAL
  },
  api: { path: /^\/api\/.+$/, handle: handleApi, uploadResponse: apiUploadResponse, refusal: API_REFUSAL }
} as const

/** Handlers of stream orders by path. Each returns a result code. */
const ORDER_HANDLERS: Readonly<Record<string, (services: DeviceServices, body: Record<string, unknown>) => number>> = {
  '/link/push'(services, body) {
    const order = parsePushOrder(body)
    if (order) services.startPush(order)
    return order ? SUCCESS : INVALID_ARG
  },
  '/link/push-stop'(services) {
    services.stopPush()
    return SUCCESS
  },
  '/link/play'(services, body) {
    if ((services.appliance.entry.model.dir & DIR_OUTPUT) === 0) return UNSUPPORTED
    const order = parsePlayOrder(body)
    if (order) services.startPlayback(order)
    return order ? SUCCESS : INVALID_ARG
  },
  '/link/play-stop'(services) {
    services.stopPlayback()
    return SUCCESS
  }
}

/** Handles the requests on a session until it ends. */
export function serveLink(session: ServerHttp2Session, services: DeviceServices): void {
  const server = new LinkServer(services)
  session.on('stream', (stream, headers) => server.handleStream(stream, headers))
}

class LinkServer {
  readonly #services: DeviceServices
  readonly #handleConnect: ReturnType<typeof createConnectHandler>
  /** Number of API responses so far. */
  #responseCount = 0

  constructor(services: DeviceServices) {
    this.#services = services
    this.#handleConnect = createConnectHandler(services)
  }

  handleStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => {})
    if (headers[':method'] === 'CONNECT') this.#handleConnect(stream, headers[':authority'] ?? '')
    else this.#handleRequest(stream, headers).catch(() => stream.close())
  }

  async #handleRequest(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { ':method': method = 'GET', ':path': target = '/' } = headers
    const url = URL.canParse(target, 'http://device') ? new URL(target, 'http://device') : undefined
    if (!url) return respond(stream, jsonResponse({ result: INVALID_ARG }, 400))
    if (url.pathname === '/link/preview' && method === 'GET') return this.#sendPreviews(stream, url.searchParams)
    const { api } = this.#services.appliance.entry.model
    if (method === 'POST' && isUpload(api, url)) return this.#handleUpload(stream, headers)
    const text = await readBody(stream)
    if (text === undefined) return respond(stream, jsonResponse({ result: INVALID_ARG }, 413))
    const request = { method, path: url.pathname, query: url.searchParams, body: parseObject(text) }
    const response = this.#createResponse(request)
    if (response) respond(stream, response)
  }

  /** @returns undefined if the device does not respond */
  #createResponse(request: ApiRequest): DeviceResponse | undefined {
    const { appliance } = this.#services
    const behaviour = this.#services.behaviour()
    const linkResponse = this.#createLinkResponse(request, behaviour)
    if (linkResponse) return linkResponse === 'silence' ? undefined : linkResponse
    const { api: name } = appliance.entry.model
    const api = name === 'none' ? undefined : APIS[name]
    if (!api?.path.test(request.path)) return jsonResponse({ status: UNSUPPORTED, result: UNSUPPORTED }, 404)
    return misbehave(
      behaviour,
      this.#responseCount++,
      () => jsonResponse(api.handle(appliance, request)),
      () => jsonResponse(api.refusal)
    )
  }

  /** @returns undefined for a path that is not one of the link */
  #createLinkResponse(
    { method, path, body }: ApiRequest,
    behaviour: Behaviour
  ): DeviceResponse | 'silence' | undefined {
    if (method !== 'POST' || !path.startsWith('/link/')) return undefined
    if (path === LINK_STATE_PATH) {
      if (typeof body.state === 'number') this.#services.setRegistration(body.state)
      return { status: 204, type: 'application/json', body: '' }
    }
    const handleOrder = ORDER_HANDLERS[path]
    if (!handleOrder) return undefined
    if (behaviour === 'stall') return 'silence'
    if (behaviour === 'refuse' && !path.endsWith('-stop')) return jsonResponse({ result: DEVICE_BUSY })
    return jsonResponse({ result: handleOrder(this.#services, body) })
  }

  #sendPreviews(stream: ServerHttp2Stream, query: URLSearchParams): void {
    const { entry, machine, name } = this.#services.appliance
    const { sn, model } = entry
    if (!model.preview) {
      respond(stream, jsonResponse({ result: UNSUPPORTED }, 404))
      return
    }
    stream.respond({ ':status': 200, 'content-type': 'application/octet-stream' })
    sendPreviews(stream, {
      sn,
      width: Number(query.get('width')),
      fps: Number(query.get('fps')),
      scene: () =>
        this.#services.behaviour() === 'stall'
          ? undefined
          : { name: name(), signal: machine.read().signal !== undefined, time: Date.now() }
    })
  }

  /** Receives a firmware file as a stream, because it is too large to be read into memory. */
  async #handleUpload(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { appliance } = this.#services
    const { api } = appliance.entry.model
    const behaviour = this.#services.behaviour()
    if (api === 'none' || behaviour === 'stall') return
    const { uploadResponse, refusal } = APIS[api]
    const size = Number(headers['content-length'] ?? 0)
    // The stream has to stay open for the response if the file is refused before its end.
    const body = stream.iterator({ destroyOnReturn: false })
    const result = await appliance.upgrader.receive(body, headers['content-type'], size)
    const response = misbehave(
      behaviour,
      this.#responseCount++,
      () => jsonResponse(uploadResponse(appliance, result)),
      () => jsonResponse(refusal)
    )
    if (response) respond(stream, response)
    stream.resume()
  }
}

/**
 * The body as text; undefined if it is too large. It is then still read to its end, because leaving would abort the
 * response.
 */
async function readBody(stream: ServerHttp2Stream): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size <= BODY_MAX) chunks.push(chunk)
  }
  return size > BODY_MAX ? undefined : Buffer.concat(chunks).toString()
}

/** Parses a JSON object; an empty object for anything else. */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Whether a request uploads a firmware file. */
function isUpload(api: Model['api'], { pathname, searchParams }: URL): boolean {
  if (api === 'api') return pathname === '/api/system/upload-fw'
  const method = searchParams.get('method') ?? pathname.split('/')[2]
  return pathname.split('/')[1] === api && method === 'upload-update-file'
}

function respond(stream: ServerHttp2Stream, { status, type, body }: DeviceResponse): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': status, 'content-type': type })
  pipeline(Readable.from(chunks(Buffer.from(body))), stream, () => {})
}

/**
 * Splits a response body. Node counts unsent data of an aborted stream towards the memory limit of the session, which
 * refuses new streams beyond 10 MB.
 */
function* chunks(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += CHUNK) yield body.subarray(start, start + CHUNK)
}
