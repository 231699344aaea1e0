// A minimal RTMP client that publishes or plays without sending media, so that tests can run a thousand of them: RTMP
// 1.0, AMF0.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** Bytes of the handshake packets C1, C2, S1 and S2. */
export const HANDSHAKE_BYTES = 1536
const CHUNK_BYTES = 4096
/** RTMP message types. */
const SET_CHUNK_SIZE = 1
const AMF0_COMMAND = 20

type AmfValue = string | number | null | Readonly<Record<string, string>>

function encodeAmf(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([5])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), encodeString(value)])
  const fields = Object.entries(value).flatMap(([name, text]) => [encodeString(name), encodeAmf(text)])
  return Buffer.concat([Buffer.from([3]), ...fields, Buffer.from([0, 0, 9])])
}

/** Encodes a string with its length in 16 bits. */
function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text)
  const size = Buffer.alloc(2)
  size.writeUInt16BE(bytes.length)
  return Buffer.concat([size, bytes])
}

/** Encodes a message that fits into one chunk. */
function encodeMessage(type: number, stream: number, body: Buffer): Buffer {
  const header = Buffer.alloc(12)
  header[0] = 3
  header.writeUIntBE(body.length, 4, 3)
  header[7] = type
  header.writeUInt32LE(stream, 8)
  return Buffer.concat([header, body])
}
export const encodeCommand = (stream: number, ...values: AmfValue[]) =>
  encodeMessage(AMF0_COMMAND, stream, Buffer.concat(values.map(encodeAmf)))

export interface RtmpClient {
  /** Resolves when the server has accepted or refused the client. */
  accepted: Promise<boolean>
  /** Closes the TCP connection without an RTMP message. Resolves when it is closed. */
  disconnect(): Promise<void>
}

/** Connects to the loopback interface as a publisher or player of `live/<key>`. */
export function connectRtmp(port: number, mode: 'publish' | 'play', key: string): RtmpClient {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)]))
  })
  let received = Buffer.alloc(0)
  let step = 0
  const { promise: accepted, resolve } = Promise.withResolvers<boolean>()
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  closed.then(() => resolve(false))
  const chunkSize = Buffer.alloc(4)
  chunkSize.writeUInt32BE(CHUNK_BYTES)
  /** The expected responses of the server, each with the client's next request. */
  const steps: readonly [hasResponse: () => boolean, sendNext: () => void][] = [
    [
      () => received.length >= 1 + 2 * HANDSHAKE_BYTES,
      () => {
        socket.write(received.subarray(1, 1 + HANDSHAKE_BYTES))
        const app = { app: 'live', tcUrl: `rtmp://127.0.0.1:${port}/live` }
        socket.write(Buffer.concat([encodeMessage(SET_CHUNK_SIZE, 0, chunkSize), encodeCommand(0, 'connect', 1, app)]))
      }
    ],
    [
      () => received.includes('NetConnection.Connect.Success'),
      () => socket.write(encodeCommand(0, 'createStream', 2, null))
    ],
    [() => received.includes('_result'), () => socket.write(encodeCommand(1, mode, 3, null, key, 'live'))],
    [() => /NetStream\.(Publish|Play)\.Start/.test(received.toString('latin1')), () => resolve(true)]
  ]
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (steps[step]?.[0]()) {
      steps[step++]?.[1]()
      received = Buffer.alloc(0)
    }
    if (received.includes('NetStream.Publish.BadName')) resolve(false)
  })
  return {
    accepted,
    disconnect() {
      socket.destroy()
      return closed
    }
  }
}
