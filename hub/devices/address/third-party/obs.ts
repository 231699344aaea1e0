// OBS Studio by obs-websocket 5 (https://github.com/obsproject/obs-websocket/blob/master/docs/generated/protocol.md),
// RPC version 1, at port 4455. Its stream is where OBS sends it: at a server, or at OBS itself as an SRT listener.
import { createHash } from 'node:crypto'
import { WebSocket } from 'ws'
import { AUTH_FAILED, INVALID_DATA, NO_RESPONSE } from '../../../../contract/codes.ts'
import { urlHost } from '../../../../contract/ipv6.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import { type Fields, fields, integer, NAME_MAX, text } from '../../adapters/fields.ts'
import { parseJson } from '../session.ts'
import type { ThirdPartyAdapter, ThirdPartyEndpoint, ThirdPartyStream } from './adapter.ts'
import { invalidResponse } from './http-json.ts'

const HELLO = 0
const IDENTIFY = 1
const IDENTIFIED = 2
const REQUEST = 6
const RESPONSE = 7
const RPC_VERSION = 1
/** Close code of a wrong password. */
const AUTHENTICATION_FAILED = 4009
/** Milliseconds for the whole exchange, and bytes of a message. */
const TIMEOUT = 5000
const MESSAGE_MAX = 256 << 10
const URL_MAX = 1000

const hash = (value: string) => createHash('sha256').update(value).digest('base64')

/** Answer to the challenge of `Hello`. */
export function obsAuthentication(password: string, salt: string, challenge: string): string {
  return hash(hash(password + salt) + challenge)
}

/**
 * Reads what OBS says first, and closes the connection if there is no password to answer with.
 * @param requests types of requests, which are sent once OBS has accepted the password
 * @returns the data of `Hello`, and of the responses in the order of the requests
 */
async function exchange(
  endpoint: ThirdPartyEndpoint,
  password: string | undefined,
  requests: readonly string[]
): Promise<Fields[]> {
  const connection = await endpoint.connect()
  const socket = new WebSocket(`ws://${urlHost(endpoint.host)}:${endpoint.port}`, 'obswebsocket.json', {
    createConnection: () => connection,
    maxPayload: MESSAGE_MAX,
    handshakeTimeout: TIMEOUT,
    perMessageDeflate: false
  })
  const answers: Fields[] = []
  const send = (op: number, d: object) => socket.send(JSON.stringify({ op, d }))
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error)
      socket.terminate()
    }
    const timer = setTimeout(() => fail(new LinkError(NO_RESPONSE, 'no response of OBS')), TIMEOUT)
    const finish = () => {
      resolve(answers)
      socket.close(1000)
    }
    const sendNext = () => {
      const requestType = requests[answers.length - 1]
      if (requestType === undefined) finish()
      else send(REQUEST, { requestType, requestId: requestType })
    }
    socket.on('error', () => reject(invalidResponse()))
    socket.on('close', (code) => {
      clearTimeout(timer)
      connection.destroy()
      reject(
        code === AUTHENTICATION_FAILED ? new LinkError(AUTH_FAILED, 'OBS refuses the password') : invalidResponse()
      )
    })
    socket.on('message', (data) => {
      const message = fields(parseJson(String(data)))
      const received = fields(message.d)
      if (message.op === HELLO && answers.length === 0) {
        if (!('obsWebSocketVersion' in received)) return fail(invalidResponse())
        answers.push(received)
        if (password === undefined) return finish()
        const { challenge, salt } = fields(received.authentication)
        const isChallenged = typeof challenge === 'string' && typeof salt === 'string'
        send(IDENTIFY, {
          rpcVersion: RPC_VERSION,
          eventSubscriptions: 0,
          ...(isChallenged && { authentication: obsAuthentication(password, salt, challenge) })
        })
      } else if (message.op === IDENTIFIED && answers.length === 1) sendNext()
      else if (message.op === RESPONSE && received.requestType === requests[answers.length - 1]) {
        answers.push(fields(received.responseData))
        sendNext()
      }
    })
  })
}

/** Where the stream can be played: where OBS sends it, or at OBS itself if it listens. */
function playAddress(settings: Fields, host: string): string | undefined {
  const server = text(settings.server, URL_MAX) ?? ''
  const key = text(settings.key, URL_MAX)
  if (/^rtmps?:\/\//.test(server)) return key === undefined ? server : `${server.replace(/\/$/, '')}/${key}`
  const isListener = server.startsWith('srt://') && /[?&]mode=listener\b/.test(server)
  const port = isListener ? /^srt:\/\/[^/?]*:(\d{1,5})/.exec(server)?.[1] : undefined
  const passphrase = /[?&]passphrase=([^&]*)/.exec(server)?.[1]
  return port && `srt://${urlHost(host)}:${port}${passphrase ? `?passphrase=${passphrase}` : ''}`
}

export const obs: ThirdPartyAdapter = {
  api: 'obs',
  product: 'OBS Studio',
  ports: [4455],
  needsLogin: false,
  // OBS writes a line to its log for each connection.
  checkInterval: 10_000,
  async recognizes(endpoint) {
    try {
      return (await exchange(endpoint, undefined, [])).length > 0
    } catch (error) {
      if (error instanceof LinkError && error.code !== INVALID_DATA) throw error
      return false
    }
  },
  async identify(endpoint, { password }) {
    const [, version = {}] = await exchange(endpoint, password, ['GetVersion'])
    return { serial: '', name: '', model: '', firmware: text(version.obsVersion, NAME_MAX) ?? '' }
  },
  async listStreams(endpoint, { password }) {
    const requests = ['GetStreamServiceSettings', 'GetStreamStatus', 'GetVideoSettings']
    const [, service = {}, status = {}, video = {}] = await exchange(endpoint, password, requests)
    const url = playAddress(fields(service.streamServiceSettings), endpoint.host)
    const [width, height] = [integer(video.outputWidth, 1, 1e5), integer(video.outputHeight, 1, 1e5)]
    const stream: ThirdPartyStream = {
      id: 'stream',
      name: 'Stream',
      live: status.outputActive === true,
      ...(url !== undefined && { url }),
      ...(width && height && { detail: `${width}×${height}` })
    }
    return [stream]
  }
}
