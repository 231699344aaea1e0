// Forwards one HTTP/1.1 request or WebSocket of a browser to a device's web page, each through a separate tunnel.
// Whatever the device sends, the browser gets a response, and nothing stays behind in the hub.
import {
  type ClientRequest,
  type IncomingMessage,
  request as makeRequest,
  type ServerResponse,
  STATUS_CODES
} from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { refuseUpgrade } from '../refuse-upgrade.ts'
import type { CookieJar } from './cookie-jar.ts'
import {
  headersForBrowser,
  headersForDevice,
  MESSAGE_HEADERS,
  upgradeHeadersForDevice,
  upgradeLines
} from './headers.ts'

export interface Upstream {
  /** Connects to the device's web server. @throws when the device cannot be reached */
  connect(): Promise<Duplex>
  cookieJar: CookieJar
  /** Milliseconds until the head of the response must arrive. */
  timeout: number
}

/** In both languages, because the reader's language is not known here. */
const MESSAGES = {
  refused: 'Open this page from the console.\n请从控制台打开此页面。\n',
  unreachable: 'The device does not respond.\n设备没有响应。\n',
  'invalid-response': 'The response of the device cannot be read.\n设备的响应无法识别。\n',
  busy: 'Too many requests to the device at once.\n对设备的并发请求过多。\n'
} as const

export type PageMessage = keyof typeof MESSAGES

/** Responds with a message of the hub, or cuts the connection if a response has begun. */
export function sendMessage(response: ServerResponse, status: number, message: PageMessage): void {
  if (response.headersSent || response.destroyed) response.destroy()
  else response.writeHead(status, { ...MESSAGE_HEADERS, connection: 'close' }).end(MESSAGES[message])
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '/'
}

/**
 * Starts a request through a tunnel.
 * @param onTimeout called if the head of the response does not arrive in time
 * @throws when the path or a header cannot be sent
 */
function startRequest(
  { cookieJar, timeout }: Upstream,
  tunnel: Duplex,
  { method, url = '/', headers }: IncomingMessage,
  isUpgrade: boolean,
  onTimeout: () => void
): ClientRequest {
  const cookie = cookieJar.cookieHeader(pathOf(url))
  const request = makeRequest({
    createConnection: () => tunnel,
    method,
    path: url,
    headers: isUpgrade ? upgradeHeadersForDevice(headers, cookie) : headersForDevice(headers, cookie),
    setHost: false
  })
  const timer = setTimeout(onTimeout, timeout)
  for (const event of ['response', 'upgrade', 'close']) request.once(event, () => clearTimeout(timer))
  let isUpgraded = false
  request.once('upgrade', () => {
    isUpgraded = true
  })
  // The tunnel belongs to this request and ends with it. After an upgrade the caller closes it.
  request.once('close', () => isUpgraded || tunnel.destroy())
  return request
}

/**
 * Connects to the device and starts a request, which ends when the client closes.
 * @param client the response or the socket of the browser
 * @param refuse tells the browser why there is no answer of the device
 * @returns undefined if it was refused, or the browser has gone
 */
async function openRequest(
  upstream: Upstream,
  request: IncomingMessage,
  client: ServerResponse | Duplex,
  isUpgrade: boolean,
  refuse: (status: number, message: PageMessage) => void
): Promise<{ tunnel: Duplex; deviceRequest: ClientRequest } | undefined> {
  let tunnel: Duplex
  try {
    tunnel = await upstream.connect()
  } catch {
    return void refuse(502, 'unreachable')
  }
  if (client.destroyed) return void tunnel.destroy()
  let deviceRequest: ClientRequest
  try {
    deviceRequest = startRequest(upstream, tunnel, request, isUpgrade, () => {
      refuse(504, 'unreachable')
      deviceRequest.destroy()
    })
  } catch {
    tunnel.destroy()
    return void refuse(400, 'refused')
  }
  client.once('close', () => deviceRequest.destroy())
  deviceRequest.on('error', () => refuse(502, 'invalid-response'))
  return { tunnel, deviceRequest }
}

/** Forwards a request and its response with back-pressure. Ends when both are complete, or when either side closes. */
export async function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream
): Promise<void> {
  const opened = await openRequest(upstream, request, response, false, (...reason) => sendMessage(response, ...reason))
  if (!opened) return
  const { tunnel, deviceRequest } = opened
  // The request did not ask for an upgrade.
  deviceRequest.once('upgrade', () => {
    tunnel.destroy()
    sendMessage(response, 502, 'invalid-response')
  })
  deviceRequest.once('response', (deviceResponse) => {
    if (response.destroyed) return void deviceRequest.destroy()
    upstream.cookieJar.storeCookies(deviceResponse.headers['set-cookie'] ?? [], pathOf(request.url ?? '/'))
    if (!forwardResponse(deviceResponse, response)) deviceRequest.destroy()
  })
  sendBody(request, deviceRequest)
}

/** @returns false if the response is invalid */
function forwardResponse(deviceResponse: IncomingMessage, response: ServerResponse): boolean {
  const { statusCode = 0, headers } = deviceResponse
  try {
    if (statusCode < 200 || statusCode > 599) throw new Error(`status ${statusCode}`)
    response.writeHead(statusCode, headersForBrowser(headers))
  } catch {
    sendMessage(response, 502, 'invalid-response')
    return false
  }
  // An incomplete response of the device must be incomplete for the browser, too.
  pipeline(deviceResponse, response, (error) => error && response.destroy())
  return true
}

function sendBody(request: IncomingMessage, deviceRequest: ClientRequest): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) deviceRequest.end()
  // If the device responded before it read the body, the rest is not sent.
  else if (!deviceRequest.destroyed && !request.destroyed) request.pipe(deviceRequest)
}

/** Forwards a WebSocket. */
export async function proxyUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upstream: Upstream
): Promise<void> {
  const refuse = (status: number) => refuseUpgrade(socket, `${status} ${STATUS_CODES[status]}`)
  const opened = await openRequest(upstream, request, socket, true, refuse)
  if (!opened) return
  const { deviceRequest } = opened
  deviceRequest.once('response', ({ statusCode }) => {
    refuse(statusCode === 404 ? 404 : 502)
    deviceRequest.destroy()
  })
  deviceRequest.once('upgrade', ({ headers }, deviceSocket: Duplex, deviceHead: Buffer) => {
    if (socket.destroyed || deviceSocket.destroyed) {
      socket.destroy()
      return void deviceSocket.destroy()
    }
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write([...lines, ...upgradeLines(headers), '', ''].join('\r\n'))
    if (deviceHead.length > 0) socket.write(deviceHead)
    if (head.length > 0) deviceSocket.write(head)
    pipeline(socket, deviceSocket, socket, () => {
      deviceSocket.destroy()
      socket.destroy()
    })
  })
  deviceRequest.end()
}
