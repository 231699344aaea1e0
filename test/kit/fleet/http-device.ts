// A demo device at an IP address: its documented API over HTTP or HTTPS, with the login of its generation.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createDocumentedApi } from '../../../fleet/documented/documented-api.ts'
import { createDeviceHttpServer, type DevicePace } from '../../../fleet/network/http-server.ts'
import type { Certificate } from '../../../fleet/network/self-signed.ts'
import { createTestAppliance, type TestAppliance } from './appliance.ts'

export interface HttpDevice {
  port: number
  appliance: TestAppliance
  /** Received requests, oldest first: method and path. */
  requests: string[]
  /** Number of connections opened so far. */
  readonly connections: number
  /** Requests that the device refused because they are not documented. */
  readonly unknownRequests: readonly string[]
  /** Most requests that the device received at the same time. */
  readonly concurrency: number
  user: string
  password: string
  /** When set, handles all requests except the login. It returns undefined to pass a request to the device. */
  override?:
    | ((
        path: string
      ) => { status?: number; headers?: Record<string, string>; body: string | Buffer } | 'silence' | undefined)
    | undefined
  /** Ends all sessions of the device. */
  signOut(): void
  close(): Promise<void>
}

/** Starts a device of a model. @param port 0 lets the system choose */
export async function startHttpDevice(
  model: Parameters<typeof createTestAppliance>[0],
  {
    address = '127.0.0.1',
    port = 0,
    certificate,
    sn = 'B313210600123',
    pace,
    documented
  }: {
    address?: string
    port?: number
    certificate?: Certificate | undefined
    sn?: string
    pace?: DevicePace
    /** Only the documented requests. `clipPath`: the clip that the device sends. */
    documented?: { clipPath?: () => string | undefined }
  } = {}
): Promise<HttpDevice> {
  const appliance = createTestAppliance(model)
  appliance.entry = { ...appliance.entry, sn }
  const sockets = new Set<Socket>()
  let connections = 0
  const api = documented && createDocumentedApi({ appliance, clipPath: documented.clipPath ?? (() => undefined) })
  const deviceServer = createDeviceHttpServer({
    appliance,
    pace,
    documented: api,
    user: () => self.user,
    password: () => self.password
  })

  const listener: RequestListener = (request, response) => {
    const target = request.url ?? '/'
    self.requests.push(`${request.method} ${target}`)
    const override = /login/.test(target) ? undefined : self.override?.(target)
    if (!override) return deviceServer.listener(request, response)
    if (override !== 'silence') response.writeHead(override.status ?? 200, override.headers).end(override.body)
  }

  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const self: HttpDevice = {
    port: (server.address() as AddressInfo).port,
    appliance,
    requests: [],
    get connections() {
      return connections
    },
    unknownRequests: deviceServer.unknownRequests,
    get concurrency() {
      return deviceServer.concurrency
    },
    user: 'Admin',
    password: 'S3cret-of-box',
    signOut: deviceServer.clearSessions,
    close: () =>
      new Promise((resolve) => {
        api?.stop()
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return self
}
