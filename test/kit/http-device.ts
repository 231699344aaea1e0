// A demo device at an address: its documented API over plain HTTP or HTTPS, behind the login of its generation.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mwapi } from '../../fleet/apis/mwapi.ts'
import { newer, newerUploaded } from '../../fleet/apis/newer.ts'
import { usapi, usapiUploaded } from '../../fleet/apis/usapi.ts'
import { applianceOf, asked, type TestAppliance } from './appliance.ts'

export interface HttpDevice {
  port: number
  appliance: TestAppliance
  /** What was asked, oldest first: method and path. */
  asked: string[]
  /** Connections that were opened. */
  readonly connections: number
  user: string
  password: string
  /** Whatever is set here answers instead, but for the login; undefined: nothing does. */
  instead?:
    | ((
        path: string
      ) => { status?: number; headers?: Record<string, string>; body: string | Buffer } | 'silence' | undefined)
    | undefined
  /** It forgets who is signed in. */
  signOut(): void
  close(): Promise<void>
}

export interface Certificate {
  key: string
  cert: string
}

/** A certificate that nobody has signed, as such boxes have. */
export function selfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  try {
    const options = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=device'
    ]
    execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hex = (algorithm: string, word: string) => createHash(algorithm).update(word).digest('hex')

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : {}
}

/** @param port 0 lets the system choose */
export async function startHttpDevice(
  model: Parameters<typeof applianceOf>[0],
  {
    port = 0,
    certificate,
    sn = 'B313210600123'
  }: { port?: number; certificate?: Certificate | undefined; sn?: string } = {}
): Promise<HttpDevice> {
  const appliance = applianceOf(model)
  appliance.entry = { ...appliance.entry, sn }
  const { api } = appliance.entry.model
  const sessions = new Set<string>()
  const sockets = new Set<Socket>()
  let connections = 0

  /** The answer to a login; undefined for another call. */
  function login(url: URL, body: Record<string, unknown>): { right: boolean } | undefined {
    if (api === 'api')
      return url.pathname === '/api/user/login'
        ? { right: body.username === self.user && body.password === hex('sha256', self.password) }
        : undefined
    const { searchParams: query } = url
    if (query.get('method') !== 'login') return undefined
    return { right: query.get('id') === self.user && query.get('pass') === hex('md5', self.password) }
  }

  const listener: RequestListener = async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://device')
    self.asked.push(`${request.method} ${url.pathname}${url.search}`)
    const say = (body: object, headers = {}) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    const form = request.headers['content-type']
    const isUpload = /upload-update-file|upload-fw/.test(url.href)
    const body = request.method === 'POST' && !isUpload ? await bodyOf(request) : {}
    const field = api === 'usapi' ? 'result' : 'status'
    const prefix = url.pathname.split('/')[1]
    if (prefix !== api) return void response.writeHead(404).end('<html>Not found</html>')
    const tried = login(url, body)
    if (tried && !tried.right) return say({ [field]: api === 'usapi' ? -1 : 36 })
    const secret = randomBytes(8).toString('hex')
    const name = api === 'api' ? `sid-${sn}` : 'sid'
    if (tried) {
      sessions.add(`${name}=${secret}`)
      return say({ [field]: 0 }, { 'set-cookie': `${name}=${secret}; Path=/; HttpOnly` })
    }
    const instead = self.instead?.(`${url.pathname}${url.search}`)
    if (instead === 'silence') return
    if (instead) return void response.writeHead(instead.status ?? 200, instead.headers).end(instead.body)
    const call = asked(request.method ?? 'GET', request.url ?? '/', body)
    const open = url.searchParams.get('method') === 'ping' || sessions.has(request.headers.cookie ?? '')
    if (!open) return say({ [field]: api === 'usapi' ? -17 : 37 })
    if (isUpload) {
      const result = await appliance.upgrader.receive(request, form, Number(request.headers['content-length']))
      return say(api === 'usapi' ? usapiUploaded(appliance, result) : newerUploaded(appliance, result))
    }
    say(api === 'usapi' ? usapi(appliance, call) : api === 'mwapi' ? mwapi(appliance, call) : newer(appliance, call))
  }

  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const self: HttpDevice = {
    port: (server.address() as AddressInfo).port,
    appliance,
    asked: [],
    get connections() {
      return connections
    },
    user: 'Admin',
    password: 'S3cret-of-box',
    signOut: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return self
}
