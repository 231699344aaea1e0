// The other way to a device: its documented API over plain HTTP, behind the login of its generation (device-api 3.1, 4.1, 5).
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { AUTH_FAILED, NOT_LOGGED_IN, SUCCESS } from '../contract/codes.ts'
import type { Appliance } from './apis/appliance.ts'
import { mwapi, mwapiUploaded } from './apis/mwapi.ts'
import { newer, newerUploaded } from './apis/newer.ts'
import { usapi, usapiUploaded } from './apis/usapi.ts'

export interface HttpDoor {
  readonly listener: RequestListener
  /** Forgets who is signed in. */
  signOut(): void
}

export interface HttpDoorOptions {
  appliance: Appliance
  /** Asked each time. */
  user(): string
  password(): string
}

const APIS = {
  usapi: { field: 'result', answer: usapi, uploaded: usapiUploaded, wrong: -1, signedOut: -17 },
  mwapi: { field: 'status', answer: mwapi, uploaded: mwapiUploaded, wrong: AUTH_FAILED, signedOut: NOT_LOGGED_IN },
  api: { field: 'status', answer: newer, uploaded: newerUploaded, wrong: AUTH_FAILED, signedOut: NOT_LOGGED_IN }
} as const

/** Bytes of a body that is no firmware. */
const BODY_MAX = 64 << 10

const hash = (algorithm: 'md5' | 'sha256', word: string) => createHash(algorithm).update(word).digest('hex')

async function fieldsOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) if (text.length < BODY_MAX) text += chunk
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function say(response: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json;charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** @throws for a model that answers no API */
export function createHttpDoor({ appliance, user, password }: HttpDoorOptions): HttpDoor {
  const { sn, model } = appliance.entry
  const { api } = model
  if (api === 'none') throw new Error(`${model.name} answers no API`)
  const { field, answer, uploaded, wrong, signedOut } = APIS[api]
  const sessions = new Set<string>()

  /** Whether a login is right; undefined for another call. */
  function login({ pathname, searchParams: query }: URL, body: Record<string, unknown>): boolean | undefined {
    if (api === 'api')
      return pathname === '/api/user/login'
        ? body.username === user() && body.password === hash('sha256', password())
        : undefined
    if (query.get('method') !== 'login') return undefined
    return query.get('id') === user() && query.get('pass') === hash('md5', password())
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/', headers } = request
    const url = new URL(target, 'http://device')
    const { pathname: path, searchParams: query } = url
    if (path.split('/')[1] !== api) return void response.writeHead(404).end('<html>Not found</html>')
    const isUpload = query.get('method') === 'upload-update-file' || path === '/api/system/upload-fw'
    const body = method === 'POST' && !isUpload ? await fieldsOf(request) : {}
    const right = login(url, body)
    if (right === false) return say(response, { [field]: wrong })
    if (right) {
      const session = `${api === 'api' ? `sid-${sn}` : 'sid'}=${randomBytes(16).toString('hex')}`
      sessions.add(session)
      return say(response, { [field]: SUCCESS }, { 'set-cookie': `${session}; Path=/; HttpOnly` })
    }
    if (query.get('method') !== 'ping' && !sessions.has(headers.cookie ?? ''))
      return say(response, { [field]: signedOut })
    if (!isUpload) return say(response, answer(appliance, { method, path, query, body }))
    const result = await appliance.upgrader.receive(request, headers['content-type'], Number(headers['content-length']))
    say(response, uploaded(appliance, result))
  }

  return {
    listener(request, response) {
      serve(request, response).catch(() => response.destroy())
    },
    signOut: () => sessions.clear()
  }
}
