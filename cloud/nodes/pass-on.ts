// Passes the stream of another node on to a hub, over its link, with the flow control and the cancellation of HTTP/2.
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Link } from '../../device-link/link.ts'
import { LINK_ENDED, NO_LINK } from './remote-link.ts'

export function passOn(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { endStream }: { endStream: boolean },
  link: Link
): void {
  if (link.hasEnded || link.session.closed || link.session.destroyed) return void stream.close(NO_LINK)
  const onward = link.session.request(headers, { endStream })
  onward.on('error', () => {})
  onward.once('response', (received) => {
    if (stream.destroyed) return
    stream.respond(received)
    onward.pipe(stream)
  })
  if (!endStream) stream.pipe(onward)
  onward.once('close', () => {
    if (stream.closed || stream.destroyed) return
    const isReset = onward.rstCode !== constants.NGHTTP2_NO_ERROR || onward.aborted
    if (isReset || link.hasEnded) stream.close(link.hasEnded ? LINK_ENDED : onward.rstCode || constants.NGHTTP2_CANCEL)
    // A response without a body, or a hub that has sent none.
    else if (!stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  })
  stream.once('close', () => {
    if (!onward.closed) onward.close(stream.rstCode || constants.NGHTTP2_CANCEL)
  })
}
