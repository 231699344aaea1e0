// Programs of other makers that a hub is tested with: a MediaMTX, an SRS, and an OBS, as far as their documents say
// what they answer to the hub. They refuse every other request.
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocketServer } from 'ws'

export interface ThirdPartyServer {
  port: number
  /** Requests so far: method and path, and of OBS the type of each message. */
  requests: string[]
  /** Logins that were refused. */
  readonly refused: number
  close(): Promise<void>
}

interface Answers {
  /** By path without query. */
  [path: string]: object
}

/** @param address to listen at @param port 0 lets the system choose */
export async function startJsonServer(
  answers: Answers,
  { login, port = 0, address = '127.0.0.1' }: { login?: string; port?: number; address?: string } = {}
): Promise<ThirdPartyServer> {
  const requests: string[] = []
  let refused = 0
  const isAllowed = (header: string | undefined) =>
    login === undefined || header === `Basic ${Buffer.from(login).toString('base64')}`
  const listener: RequestListener = ({ method, url = '/', headers }, response) => {
    requests.push(`${method} ${url}`)
    const answer = answers[url.split('?')[0] ?? '']
    response.setHeader('content-type', 'application/json')
    if (!isAllowed(headers.authorization)) {
      if (headers.authorization !== undefined) refused++
      response.writeHead(401).end('{"error":"authentication error"}')
    } else response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { error: 'not found' }))
  }
  const server = createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get refused() {
      return refused
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

/** Answers of a MediaMTX with the paths `studio/a`, which has a publisher, and `idle`. */
export const MEDIAMTX: Answers = {
  '/v3/config/global/get': {
    api: true,
    rtsp: true,
    rtspAddress: ':8554',
    srt: true,
    srtAddress: ':8890',
    rtmp: true,
    rtmpAddress: ':1935'
  },
  '/v3/paths/list': {
    pageCount: 1,
    itemCount: 2,
    items: [
      {
        name: 'studio/a',
        confName: 'all_others',
        source: { type: 'srtConn', id: 'x' },
        ready: true,
        readyTime: '2026-01-01T00:00:00Z',
        tracks: ['H264', 'MPEG-4 Audio'],
        bytesReceived: 1000,
        bytesSent: 0,
        readers: []
      },
      { name: 'idle', confName: 'idle', source: null, ready: false, tracks: [], readers: [] }
    ]
  }
}

/** Answers of an SRS with the stream `live/match`. */
export const SRS: Answers = {
  '/api/v1/versions': {
    code: 0,
    server: 'vid-1',
    service: 's',
    pid: '1',
    data: { major: 6, minor: 0, revision: 184, version: '6.0.184' }
  },
  '/api/v1/streams/': {
    code: 0,
    server: 'vid-1',
    streams: [
      {
        id: 'vid-2',
        name: 'match',
        vhost: 'vid-3',
        app: 'live',
        publish: { active: true, cid: 'c' },
        video: { codec: 'H264', profile: 'High', level: '4', width: 1920, height: 1080 },
        audio: null
      }
    ]
  }
}

/** @param settings of the stream service, as `GetStreamServiceSettings` returns them */
export async function startObs(
  password: string,
  settings: object,
  { port = 0, address = '127.0.0.1' } = {}
): Promise<ThirdPartyServer> {
  const requests: string[] = []
  let refused = 0
  const [salt, challenge] = ['c2FsdA==', 'Y2hhbGxlbmdl']
  const hash = (text: string) => createHash('sha256').update(text).digest('base64')
  const answers: Readonly<Record<string, object>> = {
    GetVersion: { obsVersion: '31.0.0', obsWebSocketVersion: '5.5.4', rpcVersion: 1 },
    GetStreamServiceSettings: { streamServiceType: 'rtmp_custom', streamServiceSettings: settings },
    GetStreamStatus: { outputActive: true, outputReconnecting: false, outputBytes: 1000 },
    GetVideoSettings: { outputWidth: 1280, outputHeight: 720, baseWidth: 1920, baseHeight: 1080 }
  }
  const server = new WebSocketServer({ port, host: address })
  server.on('connection', (socket) => {
    const send = (op: number, d: object) => socket.send(JSON.stringify({ op, d }))
    send(0, { obsWebSocketVersion: '5.5.4', rpcVersion: 1, authentication: { challenge, salt } })
    socket.on('message', (data) => {
      const { op, d } = JSON.parse(String(data))
      requests.push(op === 6 ? d.requestType : `op ${op}`)
      if (op === 1 && d.authentication !== hash(hash(password + salt) + challenge)) {
        refused++
        return socket.close(4009, 'Authentication failed.')
      }
      if (op === 1) send(2, { negotiatedRpcVersion: 1 })
      if (op === 6)
        send(7, {
          requestType: d.requestType,
          requestId: d.requestId,
          requestStatus: { result: true, code: 100 },
          responseData: answers[d.requestType]
        })
    })
  })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get refused() {
      return refused
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate()
        server.close(() => resolve())
      })
  }
}
