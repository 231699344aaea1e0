// HTTP server of a device for access by address: its documented API behind the login of its generation (docs/wire.md,
// "Device generations").
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { AUTH_FAILED, NOT_LOGGED_IN, SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { apiUploadResponse, handleApi } from '../apis/api.ts'
import type { ApiRequest, Appliance } from '../apis/appliance.ts'
import { handleMwapi, mwapiUploadResponse } from '../apis/mwapi.ts'
import { handleUsapi, usapiUploadResponse } from '../apis/usapi.ts'
import type { DocumentedApi } from '../documented/documented-api.ts'

export interface DeviceHttpServer {
  readonly listener: RequestListener
  /** Most requests that were received at the same time. */
  readonly concurrency: number
  /** Requests that the device refused because they are not documented, oldest first. */
  readonly unknownRequests: readonly string[]
  /** Drops all sessions. */
  clearSessions(): void
}

/** How a device differs from a fast and patient one, as real devices do. */
export interface DevicePace {
  /** Milliseconds of each response. */
  delay: number
  /** Requests after which a session ends. */
  sessionRequests: number
}

/** That of the documented devices: slow, and with short sessions. */
export const REAL_PACE: DevicePace = { delay: 300, sessionRequests: 20 }

interface DeviceHttpServerOptions {
  appliance: Appliance
  /** A device with a pace handles one request at a time. */
  pace?: DevicePace | undefined
  /** The documented requests alone. Absent: all requests of the demo devices. */
  documented?: DocumentedApi | undefined
  /** Called for each login. */
  user(): string
  password(): string
}

const APIS = {
  usapi: {
    resultField: 'result',
    handle: handleUsapi,
    uploadResponse: usapiUploadResponse,
    loginRefused: -1,
    notLoggedIn: -17,
    unknownRequest: -10
  },
  mwapi: {
    resultField: 'status',
    handle: handleMwapi,
    uploadResponse: mwapiUploadResponse,
    loginRefused: AUTH_FAILED,
    notLoggedIn: NOT_LOGGED_IN,
    unknownRequest: UNSUPPORTED
  },
  api: {
    resultField: 'status',
    handle: handleApi,
    uploadResponse: apiUploadResponse,
    loginRefused: AUTH_FAILED,
    notLoggedIn: NOT_LOGGED_IN,
    unknownRequest: UNSUPPORTED
  }
} as const

/** Maximum number of characters read of a request body other than a firmware file. */
const BODY_MAX = 64 << 10

const hexHash = (algorithm: 'md5' | 'sha256', text: string) => createHash(algorithm).update(text).digest('hex')

/** Reads a JSON object; an empty object for anything else. */
async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) if (text.length < BODY_MAX) text += chunk
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function respond(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json;charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** @throws Error for a model without an API */
export function createDeviceHttpServer(options: DeviceHttpServerOptions): DeviceHttpServer {
  const { appliance, pace, documented, user, password } = options
  const { sn, model } = appliance.entry
  const { api } = model
  if (api === 'none') throw new Error(`${model.name} has no API`)
  const { resultField, handle, uploadResponse, loginRefused, notLoggedIn, unknownRequest } = APIS[api]
  const unknownRequests: string[] = []
  /** Number of requests in each session. */
  const sessions = new Map<string, number>()
  let handling = Promise.resolve()
  let open = 0
  let concurrency = 0

  /** Whether a login is correct; undefined for another request. */
  function checkLogin({ pathname, searchParams: query }: URL, body: Record<string, unknown>): boolean | undefined {
    if (api === 'api')
      return pathname === '/api/user/login'
        ? body.username === user() && body.password === hexHash('sha256', password())
        : undefined
    if (query.get('method') !== 'login') return undefined
    return query.get('id') === user() && query.get('pass') === hexHash('md5', password())
  }

  /** Whether a session exists. It ends with the last one of its requests. */
  function countRequest(session: string): boolean {
    const count = sessions.get(session)
    if (count === undefined) return false
    if (pace && count + 1 >= pace.sessionRequests) sessions.delete(session)
    else sessions.set(session, count + 1)
    return true
  }

  function answer(request: ApiRequest): object {
    if (!documented) return handle(appliance, request)
    const response = documented.handle(request)
    if (response) return response
    unknownRequests.push(`${request.method} ${request.path} ${request.query.get('method') ?? ''}`)
    return { [resultField]: unknownRequest }
  }

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/', headers } = request
    const url = new URL(target, 'http://device')
    const { pathname: path, searchParams: query } = url
    if (path.split('/')[1] !== api) {
      const picture = documented && countRequest(headers.cookie ?? '') ? documented.picture(path) : undefined
      if (picture) return void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
      return void response.writeHead(404).end('<html>Not found</html>')
    }
    const isUpload = query.get('method') === 'upload-update-file' || path === '/api/system/upload-fw'
    const body = method === 'POST' && !isUpload ? await readObject(request) : {}
    const isLoginCorrect = checkLogin(url, body)
    if (isLoginCorrect === false) return respond(response, { [resultField]: loginRefused })
    if (isLoginCorrect) {
      const session = `${api === 'api' ? `sid-${sn}` : 'sid'}=${randomBytes(16).toString('hex')}`
      sessions.set(session, 0)
      return respond(response, { [resultField]: SUCCESS }, { 'set-cookie': `${session}; Path=/; HttpOnly` })
    }
    if (query.get('method') !== 'ping' && !countRequest(headers.cookie ?? ''))
      return respond(response, { [resultField]: notLoggedIn })
    if (!isUpload) return respond(response, answer({ method, path, query, body }))
    const result = await appliance.upgrader.receive(request, headers['content-type'], Number(headers['content-length']))
    respond(response, uploadResponse(appliance, result))
  }

  return {
    listener(request, response) {
      concurrency = Math.max(concurrency, ++open)
      response.on('close', () => open--)
      const handle = () => handleRequest(request, response).catch(() => void response.destroy())
      if (!pace) return void handle()
      handling = handling.then(() => new Promise((resolve) => setTimeout(resolve, pace.delay))).then(handle)
    },
    get concurrency() {
      return concurrency
    },
    unknownRequests,
    clearSessions: () => sessions.clear()
  }
}
