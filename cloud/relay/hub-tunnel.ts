// A connection through a hub, inside of its link: to its console, to the web page of a device, or to a forwarded port.
import { constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ASSERTION_HEADER, REFUSAL_HEADER } from '../../contract/cloud/relay.ts'
import { CLIENT_OFFLINE, NOT_PERMITTED, TARGET_TIMEOUT } from '../../contract/codes.ts'
import type { Link } from '../../device-link/link.ts'
import { LinkError } from '../../device-link/link-error.ts'
import { tunnelAsDuplex } from '../../device-link/tunnel-duplex.ts'
import { AssertionRefused } from './assertions.ts'

/** Milliseconds for the hub to connect. It waits 10 s for a device. */
const CONNECT_TIMEOUT = 15_000

/**
 * Connects.
 * @param target of `contract/cloud/relay.ts`
 * @throws LinkError 31: the user may not; 10004: the target cannot be reached; 10007: the link was lost.
 * AssertionRefused
 */
export function openHubTunnel(link: Link, target: string, assertion: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const stream = link.session.request({
      ':method': 'CONNECT',
      ':authority': target,
      [ASSERTION_HEADER]: assertion
    })
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const onClose = () =>
      fail(new LinkError(link.hasEnded ? CLIENT_OFFLINE : TARGET_TIMEOUT, 'the hub did not connect'))
    const timer = setTimeout(onClose, CONNECT_TIMEOUT)
    stream.on('error', () => {})
    stream.once('close', onClose)
    stream.once('response', ({ ':status': status, [REFUSAL_HEADER]: refusal }) => {
      if (refusal !== undefined) return fail(new AssertionRefused(String(refusal)))
      if (status === 403) return fail(new LinkError(NOT_PERMITTED, 'the user may not connect'))
      if (status !== 200) return onClose()
      clearTimeout(timer)
      stream.off('close', onClose)
      resolve(tunnelAsDuplex(stream))
    })
  })
}
