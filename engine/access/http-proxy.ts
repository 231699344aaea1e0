// What an HTTP source goes through on its way out: on the loopback, for one input. ffmpeg follows redirects and the entries of playlists by
// itself; here each address is looked up and judged before anything goes there, and that very address is connected to.
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Failure } from '../process/failure.ts'
import { systemFailure } from '../process/system-failure.ts'
import { Forbidden } from './address-policy.ts'

/** Milliseconds for which the other end may be silent. */
const SILENCE = 10_000
const PORTS = { 'http:': 80, 'https:': 443 } as const
/** Headers between us and ffmpeg, none of the other end's. */
const OURS = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'upgrade'])

export interface HttpProxy {
  /** Its URL. */
  url(): Promise<string>
  /** Why the last way could not be gone; forgotten when it is asked for. */
  failure(): Failure | undefined
  close(): void
}

/** @param place looks a host up, and judges it */
export function createHttpProxy(place: (host: string) => Promise<string>): HttpProxy {
  let server: Server | undefined
  let opened: Promise<string> | undefined
  let last: Failure | undefined
  const sockets = new Set<Duplex>()

  /** Whatever is answered, ffmpeg takes it for the other end's word: ours is told by `failure`. */
  const statusOf = (error: Error): number => {
    last = systemFailure(error)
    return error instanceof Forbidden ? 410 : 502
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:' || (request.method !== 'GET' && request.method !== 'HEAD'))
      return void response.writeHead(400).end()
    const host = await place(url.hostname)
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OURS.has(name)))
    const { port, pathname, search } = url
    const onward = ask({
      ...{ host, port: port || PORTS['http:'], path: pathname + search, method: request.method },
      ...{ headers: { ...headers, host: url.host, connection: 'close' }, agent: false, timeout: SILENCE }
    })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' })
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    onward.on('timeout', () => onward.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })))
    onward.on('error', (error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error)).end()
    })
    response.on('close', () => onward.destroy())
    onward.end()
  }

  async function tunnel(request: IncomingMessage, client: Duplex): Promise<void> {
    const [, name = '', port = ''] = /^([a-z0-9.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(request.url ?? '') ?? []
    if (!name) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const host = await place(name)
    const onward = connect({ host, port: Number(port) })
    sockets.add(onward)
    onward.on('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', (error) => {
      if (onward.pending) client.end(`HTTP/1.1 ${statusOf(error)} Failed\r\n\r\n`)
      else client.destroy()
    })
    onward.on('close', () => {
      sockets.delete(onward)
      client.destroy()
    })
    client.on('close', () => onward.destroy())
  }

  function open(): Promise<string> {
    const made = createServer((request, response) => {
      pass(request, response).catch((error) => response.writeHead(statusOf(error)).end())
    })
    server = made
    made.on('connect', (request, client) => {
      sockets.add(client)
      client.on('error', () => client.destroy()).on('close', () => sockets.delete(client))
      tunnel(request, client).catch((error) => client.end(`HTTP/1.1 ${statusOf(error)} Failed\r\n\r\n`))
    })
    return new Promise((resolve, reject) => {
      made.once('error', reject)
      made.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(made.address() as { port: number }).port}`))
    })
  }

  return {
    url() {
      opened ??= open()
      return opened
    },
    failure() {
      const why = last
      last = undefined
      return why
    },
    close() {
      server?.close()
      server?.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      server = undefined
      opened = undefined
    }
  }
}
