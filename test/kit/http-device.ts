// A demo device at an address: its documented API over plain HTTP or HTTPS, behind the login of its generation.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDeviceHttpServer } from '../../fleet/http-server.ts'
import { applianceOf, type TestAppliance } from './appliance.ts'

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
  const sockets = new Set<Socket>()
  let connections = 0
  const door = createDeviceHttpServer({ appliance, user: () => self.user, password: () => self.password })

  const listener: RequestListener = (request, response) => {
    const target = request.url ?? '/'
    self.asked.push(`${request.method} ${target}`)
    const instead = /login/.test(target) ? undefined : self.instead?.(target)
    if (!instead) return door.listener(request, response)
    if (instead !== 'silence') response.writeHead(instead.status ?? 200, instead.headers).end(instead.body)
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
    signOut: door.clearSessions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return self
}
