// One that publishes or plays over RTMP and carries nothing, so that a thousand of them cost little: RTMP 1.0, AMF0.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** Bytes of each part of a handshake but its first one. */
const PART = 1536
/** Bytes of a message that come without another header. */
const CHUNK = 4096

type Value = string | number | null | Readonly<Record<string, string>>

function amf(value: Value): Buffer {
  if (value === null) return Buffer.from([5])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), sized(value)])
  const fields = Object.entries(value).flatMap(([name, text]) => [sized(name), amf(text)])
  return Buffer.concat([Buffer.from([3]), ...fields, Buffer.from([0, 0, 9])])
}
function sized(text: string): Buffer {
  const bytes = Buffer.from(text)
  const size = Buffer.alloc(2)
  size.writeUInt16BE(bytes.length)
  return Buffer.concat([size, bytes])
}

/** A message that fits into one chunk. */
function message(type: number, stream: number, body: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head[0] = 3
  head.writeUIntBE(body.length, 4, 3)
  head[7] = type
  head.writeUInt32LE(stream, 8)
  return Buffer.concat([head, body])
}
const command = (stream: number, ...values: Value[]) => message(20, stream, Buffer.concat(values.map(amf)))

export interface RtmpCaller {
  /** Whether it was let in; resolves when that is known. */
  taken: Promise<boolean>
  /** Leaves without a word. Resolves when it is gone. */
  leave(): Promise<void>
}

/** Calls at the loopback as a publisher or player of `live/<key>`. */
export function callRtmp(port: number, side: 'publish' | 'play', key: string): RtmpCaller {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(8), randomBytes(PART - 8)]))
  })
  let heard = Buffer.alloc(0)
  let step = 0
  const { promise: taken, resolve } = Promise.withResolvers<boolean>()
  const gone = new Promise<void>((done) => socket.on('close', () => done()))
  gone.then(() => resolve(false))
  const chunkSize = Buffer.alloc(4)
  chunkSize.writeUInt32BE(CHUNK)
  /** What is waited for, and what is said then. */
  const steps: readonly [awaited: () => boolean, reply: () => void][] = [
    [
      () => heard.length >= 1 + 2 * PART,
      () => {
        socket.write(heard.subarray(1, 1 + PART))
        const app = { app: 'live', tcUrl: `rtmp://127.0.0.1:${port}/live` }
        socket.write(Buffer.concat([message(1, 0, chunkSize), command(0, 'connect', 1, app)]))
      }
    ],
    [() => heard.includes('NetConnection.Connect.Success'), () => socket.write(command(0, 'createStream', 2, null))],
    [() => heard.includes('_result'), () => socket.write(command(1, side, 3, null, key, 'live'))],
    [() => /NetStream\.(Publish|Play)\.Start/.test(heard.toString('latin1')), () => resolve(true)]
  ]
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk])
    while (steps[step]?.[0]()) {
      steps[step++]?.[1]()
      heard = Buffer.alloc(0)
    }
    if (heard.includes('NetStream.Publish.BadName')) resolve(false)
  })
  return {
    taken,
    leave() {
      socket.destroy()
      return gone
    }
  }
}
