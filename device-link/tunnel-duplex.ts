// The byte stream of a tunnel over the device link, for both of its ends (contract/device/link.ts).
import { constants, type Http2Stream } from 'node:http2'
import { Duplex } from 'node:stream'

/**
 * Wraps a tunnel for Node's HTTP client or server, which writes headers as text and a body as bytes in one batch.
 * HTTP/2 streams corrupt such a batch (Node 24.21), so the wrapper writes one chunk of bytes at a time.
 */
export function tunnelAsDuplex(stream: Http2Stream): Duplex {
  const duplex = new Duplex({
    read: () => void stream.resume(),
    write: (chunk, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      if (!stream.closed) stream.destroy(error ?? new Error('the connection was reset'))
      done(error)
    }
  })
  duplex.on('error', () => {})
  stream.on('data', (chunk) => duplex.push(chunk) || stream.pause())
  stream.on('end', () => duplex.push(null))
  stream.on('close', () => {
    const isReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR
    duplex.destroy(isReset ? new Error('the connection was reset') : undefined)
  })
  return duplex
}
