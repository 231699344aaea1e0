// What a device answers over its link: the link's own paths and its documented API.
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { pipeline, Readable } from 'node:stream'
import { DEVICE_BUSY, INVALID_ARG, SUCCESS, UNSUPPORTED } from '../contract/codes.ts'
import type { PlayOrder, PushOrder } from '../contract/device/link.ts'
import { DIR_OUTPUT } from '../contract/stream/protocols.ts'
import type { Appliance, Asked } from './apis/appliance.ts'
import { json, misbehave, type Said } from './apis/misbehave.ts'
import { MWAPI_REFUSAL, mwapi, mwapiUploaded } from './apis/mwapi.ts'
import { NEWER_REFUSAL, newer, newerUploaded } from './apis/newer.ts'
import { USAPI_REFUSAL, usapi, usapiUploaded } from './apis/usapi.ts'
import type { Behaviour } from './behaviour.ts'
import type { Model } from './models.ts'
import { createPorts } from './ports.ts'
import { sendPictures } from './preview.ts'
import { readOrder, readPlayOrder } from './stream-orders.ts'

export interface Served {
  appliance: Appliance
  behaviour(): Behaviour
  push(order: PushOrder): void
  stopPush(): void
  play(order: PlayOrder): void
  stopPlay(): void
  /** The hub told its decision. */
  told(registration: number): void
}

/** Bytes of a body; the largest honest one is an order. */
const BODY_MAX = 64 << 10
/** Bytes of an answer that are written at a time. */
const PIECE = 64 << 10

const APIS = {
  usapi: { path: /^\/usapi$/, answer: usapi, uploaded: usapiUploaded, refusal: USAPI_REFUSAL },
  mwapi: { path: /^\/mwapi(\/.*)?$/, answer: mwapi, uploaded: mwapiUploaded, refusal: MWAPI_REFUSAL },
  api: { path: /^\/api\/.+$/, answer: newer, uploaded: newerUploaded, refusal: NEWER_REFUSAL }
} as const

/** Carries out an order. @returns the result */
const ORDERS: Readonly<Record<string, (served: Served, body: Record<string, unknown>) => number>> = {
  '/link/push'(served, body) {
    const order = readOrder(body)
    if (order) served.push(order)
    return order ? SUCCESS : INVALID_ARG
  },
  '/link/push-stop'(served) {
    served.stopPush()
    return SUCCESS
  },
  '/link/play'(served, body) {
    if ((served.appliance.entry.model.dir & DIR_OUTPUT) === 0) return UNSUPPORTED
    const order = readPlayOrder(body)
    if (order) served.play(order)
    return order ? SUCCESS : INVALID_ARG
  },
  '/link/play-stop'(served) {
    served.stopPlay()
    return SUCCESS
  }
}

/** The body's text; undefined when it is too large. Read to its end even then: leaving would cut off the answer. */
async function read(stream: ServerHttp2Stream): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size <= BODY_MAX) chunks.push(chunk)
  }
  return size > BODY_MAX ? undefined : Buffer.concat(chunks).toString()
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Whether a call is the one that brings a firmware file. */
function isUpload(api: Model['api'], { pathname, searchParams }: URL): boolean {
  if (api === 'api') return pathname === '/api/system/upload-fw'
  const method = searchParams.get('method') ?? pathname.split('/')[2]
  return pathname.split('/')[1] === api && method === 'upload-update-file'
}

/** Answers what comes on a session until it is over. */
export function serve(session: ServerHttp2Session, served: Served): void {
  const connect = createPorts(served)
  let turn = 0

  /** The answer to one request; undefined for none at all. */
  function answer(asked: Asked): Said | undefined {
    const { appliance } = served
    const behaviour = served.behaviour()
    const link = linkAnswer(asked, behaviour)
    if (link) return link === 'silence' ? undefined : link
    const { api } = appliance.entry.model
    const spoken = api === 'none' ? undefined : APIS[api]
    if (!spoken?.path.test(asked.path)) return json({ status: UNSUPPORTED, result: UNSUPPORTED }, 404)
    return misbehave(
      behaviour,
      turn++,
      () => json(spoken.answer(appliance, asked)),
      () => json(spoken.refusal)
    )
  }

  function linkAnswer({ method, path, body }: Asked, behaviour: Behaviour): Said | 'silence' | undefined {
    if (method !== 'POST' || !path.startsWith('/link/')) return undefined
    if (path === '/link/state') {
      if (typeof body.state === 'number') served.told(body.state)
      return { status: 204, type: 'application/json', body: '' }
    }
    const act = ORDERS[path]
    if (!act) return undefined
    if (behaviour === 'stall') return 'silence'
    if (behaviour === 'refuse' && !path.endsWith('-stop')) return json({ result: DEVICE_BUSY })
    return json({ result: act(served, body) })
  }

  function preview(stream: ServerHttp2Stream, query: URLSearchParams): void {
    const { entry, machine, name } = served.appliance
    const { sn, model } = entry
    if (!model.preview) {
      say(stream, json({ result: UNSUPPORTED }, 404))
      return
    }
    stream.respond({ ':status': 200, 'content-type': 'application/octet-stream' })
    sendPictures(stream, {
      sn,
      width: Number(query.get('width')),
      fps: Number(query.get('fps')),
      scene: () =>
        served.behaviour() === 'stall'
          ? undefined
          : { name: name(), signal: machine.read().signal !== undefined, time: Date.now() }
    })
  }

  /** Takes a firmware file, which is no body to be held. */
  async function upload(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { appliance } = served
    const { api } = appliance.entry.model
    const behaviour = served.behaviour()
    if (api === 'none' || behaviour === 'stall') return
    const { uploaded, refusal } = APIS[api]
    const size = Number(headers['content-length'] ?? 0)
    // A refusal in the middle must still find the stream open.
    const body = stream.iterator({ destroyOnReturn: false })
    const result = await appliance.upgrader.receive(body, headers['content-type'], size)
    const said = misbehave(
      behaviour,
      turn++,
      () => json(uploaded(appliance, result)),
      () => json(refusal)
    )
    if (said) say(stream, said)
    stream.resume()
  }

  async function handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { ':method': method = 'GET', ':path': target = '/' } = headers
    const url = URL.canParse(target, 'http://device') ? new URL(target, 'http://device') : undefined
    if (!url) return say(stream, json({ result: INVALID_ARG }, 400))
    if (url.pathname === '/link/preview' && method === 'GET') return preview(stream, url.searchParams)
    const { api } = served.appliance.entry.model
    if (method === 'POST' && isUpload(api, url)) return upload(stream, headers)
    const text = await read(stream)
    if (text === undefined) return say(stream, json({ result: INVALID_ARG }, 413))
    const said = answer({ method, path: url.pathname, query: url.searchParams, body: parsed(text) })
    if (said) say(stream, said)
  }

  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (headers[':method'] === 'CONNECT') connect(stream, headers[':authority'] ?? '')
    else handle(stream, headers).catch(() => stream.close())
  })
}

function say(stream: ServerHttp2Stream, { status, type, body }: Said): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': status, 'content-type': type })
  pipeline(Readable.from(pieces(Buffer.from(body))), stream, () => {})
}

/** Node counts what a stream that is cut off has not taken yet as its session's, which takes no more calls beyond 10 MB. */
function* pieces(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += PIECE) yield body.subarray(from, from + PIECE)
}
