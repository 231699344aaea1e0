// Answers the requests of the cloud over a link: its own ones here, relayed ones by a handler.
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import * as z from 'zod'
import type { CloudUpdate } from '../../contract/cloud/link.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LINK_STATE_PATH, REFUSAL_STATE } from '../../contract/device/link.ts'
import { collectBody } from '../../device-link/read-body.ts'
import { successorKeys } from './verify-cloud.ts'

/** Maximum bytes of a registration state, and of an update. */
const STATE_MAX = 1024
const UPDATE_MAX = 65_536
/** Requests and connections that the cloud may have at a time. */
const REQUESTS_MAX = 256

/** Handles one stream of a link. @returns false if it is none of its own */
export type StreamHandler = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[]
) => boolean

interface RequestListeners {
  /** Answers other requests. */
  handleStream: StreamHandler | undefined
  onState(state: number): void
  onUpdate(update: CloudUpdate): void
}

const stateShape = z.object({ state: z.literal([...Object.values(REGISTRATION_STATE), REFUSAL_STATE.exists]) })

const updateShape: z.ZodType<CloudUpdate> = z.object({
  keys: successorKeys,
  nodes: z.array(z.object({ id: z.string().max(64), address: z.string().max(300) })).max(1000)
})

export function answerRequests(
  session: ServerHttp2Session,
  { handleStream, onState, onUpdate }: RequestListeners
): void {
  session.settings({ maxConcurrentStreams: REQUESTS_MAX })
  session.on('stream', (stream, headers, _flags, rawHeaders) => {
    const { ':method': method, ':path': path } = headers
    stream.on('error', () => {})
    if (method === 'POST' && path === LINK_STATE_PATH)
      readJson(stream, STATE_MAX, stateShape, ({ state }) => onState(state))
    else if (method === 'POST' && path === '/link/update') readJson(stream, UPDATE_MAX, updateShape, onUpdate)
    else if (!handleStream?.(stream, headers, rawHeaders)) endWith(stream.resume(), 404)
  })
}

function readJson<Value>(
  stream: ServerHttp2Stream,
  max: number,
  shape: z.ZodType<Value>,
  onValue: (value: Value) => void
): void {
  const body = collectBody(stream, max, () => endWith(stream, 413))
  stream.on('end', () => {
    if (stream.headersSent) return
    const value = parse(body(), shape)
    // Answered first: a new state may close the link.
    endWith(stream, value === undefined ? 400 : 204)
    if (value !== undefined) onValue(value)
  })
}

function endWith(stream: ServerHttp2Stream, status: number): void {
  if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': status }, { endStream: true })
}

function parse<Value>(body: Buffer, shape: z.ZodType<Value>): Value | undefined {
  try {
    return shape.safeParse(JSON.parse(body.toString())).data
  } catch {
    return undefined
  }
}
