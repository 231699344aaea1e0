// One request of a browser to a device's page, and one WebSocket: plain HTTP/1.1 through a tunnel, each its own. What the device says is
// anybody's; whatever it is, the browser gets an answer and the hub keeps nothing.
import { type ClientRequest, type IncomingMessage, request as makeRequest, type ServerResponse } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import type { Jar } from './cookie-jar.ts'
import { headersForBrowser, headersForDevice, OWN_HEADERS, upgradeForDevice, upgradeLines } from './headers.ts'

export interface Through {
  /** Connects to the device's web server. @throws when it cannot be reached */
  connect(): Promise<Duplex>
  jar: Jar
  /** Milliseconds until the head of the answer. */
  timeout: number
}

/** Why there is no page, in both languages: nobody knows here which one the reader speaks. */
const WORDS = {
  refused: 'Open this page from the console.\n请从控制台打开此页面。\n',
  silent: 'The device does not answer.\n设备没有应答。\n',
  garbage: 'The device gave an answer that cannot be read.\n设备的应答无法识别。\n',
  busy: 'Too many requests to the device at once.\n对设备的并发请求过多。\n'
} as const

export type Words = keyof typeof WORDS

/** Answers in the hub's own words. */
export function say(response: ServerResponse, status: number, words: Words): void {
  if (response.headersSent || response.destroyed) response.destroy()
  else response.writeHead(status, { ...OWN_HEADERS, connection: 'close' }).end(WORDS[words])
}

const refusal = (status: number) => `HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`

/** Asks over a tunnel. `late` is called once when no head of an answer came in time. */
function ask(
  { jar, timeout }: Through,
  tunnel: Duplex,
  { method, url = '/', headers }: IncomingMessage,
  upgrade: boolean,
  late: () => void
): ClientRequest {
  const cookie = jar.header(pathOf(url))
  const asked = makeRequest({
    createConnection: () => tunnel,
    method,
    path: url,
    headers: upgrade ? upgradeForDevice(headers, cookie) : headersForDevice(headers, cookie),
    setHost: false
  })
  const timer = setTimeout(late, timeout)
  for (const event of ['response', 'upgrade', 'close']) asked.once(event, () => clearTimeout(timer))
  let upgraded = false
  asked.once('upgrade', () => {
    upgraded = true
  })
  // It is the connection of this one request, and does not outlive it. An upgraded one is whoever asked for it's to close.
  asked.once('close', () => upgraded || tunnel.destroy())
  return asked
}

/** Passes a request on and its answer back, each as fast as its reader. Ends when both have, or when either side goes. */
export async function pass(request: IncomingMessage, response: ServerResponse, through: Through): Promise<void> {
  let tunnel: Duplex
  try {
    tunnel = await through.connect()
  } catch {
    return say(response, 502, 'silent')
  }
  if (response.destroyed) return void tunnel.destroy()
  let asked: ClientRequest
  try {
    asked = ask(through, tunnel, request, false, () => {
      say(response, 504, 'silent')
      asked.destroy()
    })
  } catch {
    // A path or a header that came in, but cannot go out.
    tunnel.destroy()
    return say(response, 400, 'refused')
  }
  response.once('close', () => asked.destroy())
  asked.on('error', () => say(response, 502, 'garbage'))
  // Nobody asked for another protocol.
  asked.once('upgrade', () => {
    tunnel.destroy()
    say(response, 502, 'garbage')
  })
  asked.once('response', (answer) => {
    if (response.destroyed) return void asked.destroy()
    const { statusCode = 0, headers } = answer
    through.jar.take(headers['set-cookie'] ?? [], pathOf(request.url ?? '/'))
    try {
      if (statusCode < 200 || statusCode > 599) throw new Error(`status ${statusCode}`)
      response.writeHead(statusCode, headersForBrowser(headers))
    } catch {
      say(response, 502, 'garbage')
      return void asked.destroy()
    }
    // An answer that is broken off is broken off for the browser, too.
    pipeline(answer, response, (error) => error && response.destroy())
  })
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) asked.end()
  // Answered before it was heard, a device needs the rest no more.
  else if (!asked.destroyed && !request.destroyed) request.pipe(asked)
}

/** The same for a WebSocket. @returns the end of the line at the device, once there is one */
export async function passUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  through: Through
): Promise<void> {
  const refuse = (status: number) => socket.end(refusal(status))
  let tunnel: Duplex
  try {
    tunnel = await through.connect()
  } catch {
    return void refuse(502)
  }
  if (socket.destroyed) return void tunnel.destroy()
  let asked: ClientRequest
  try {
    asked = ask(through, tunnel, request, true, () => {
      refuse(504)
      asked.destroy()
    })
  } catch {
    tunnel.destroy()
    return void refuse(400)
  }
  const giveUp = () => asked.destroy()
  socket.once('close', giveUp)
  asked.on('error', () => refuse(502))
  asked.once('response', (answer) => {
    refuse(answer.statusCode === 404 ? 404 : 502)
    asked.destroy()
  })
  asked.once('upgrade', (answer, line: Duplex, early: Buffer) => {
    if (socket.destroyed || line.destroyed) {
      socket.destroy()
      return void line.destroy()
    }
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write([...lines, ...upgradeLines(answer.headers), '', ''].join('\r\n'))
    if (early.length > 0) socket.write(early)
    if (head.length > 0) line.write(head)
    pipeline(socket, line, socket, () => {
      line.destroy()
      socket.destroy()
    })
  })
  asked.end()
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '/'
}
