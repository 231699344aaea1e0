// With what an open console finds out whether the hub can be reached at its new address, before it opens it: a page
// that cannot be loaded would leave the user without the console. The policy of the console forbids connections to
// other origins, and a worker has the policy of its own response, which allows the one address that the current change
// has.
import { urlHost } from '../../../contract/ipv6.ts'
import type { Reply } from '../../../web-server/reply.ts'
import { textReply } from '../../../web-server/reply.ts'
import type { HubRequest } from '../../../web-server/request.ts'
import type { Caller } from '../../auth/gate.ts'
import type { Machine } from '../../machine/machine.ts'

const PROBE_PATH = '/follow-probe.js'
const TARGET_PATH = '/reachable'

/** Script of the worker: posts a message as soon as the address answers. */
const script = (
  address: string
) => `const url = location.protocol + '//${urlHost(address)}' + (location.port && ':' + location.port) + '${TARGET_PATH}'
function probe() {
  fetch(url, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(3000) }).then(
    () => postMessage('reachable'),
    () => setTimeout(probe, 500)
  )
}
probe()
`

/** Handles the paths of the probe; returns undefined for others. */
export function createFollowProbe({ machine }: { machine: Machine }) {
  return ({ path }: HubRequest, caller: () => Caller | undefined): Reply | undefined => {
    // Empty, for everybody: at the new address the browser has no cookie of the hub.
    if (path === TARGET_PATH)
      return { status: 204, headers: { 'cross-origin-resource-policy': 'cross-origin' }, body: null }
    if (path !== PROBE_PATH) return undefined
    const address = caller() && machine.network.observeChange()?.ipaddr
    if (!address) return textReply('Not found\n', 404)
    // A policy cannot name an IPv6 address (Content Security Policy Level 3, host-source): the script asks at this one.
    const targets = address.includes(':') ? 'http: https:' : `http://${address}:* https://${address}:*`
    const policy = `default-src 'none'; connect-src ${targets}`
    return {
      status: 200,
      headers: {
        'content-type': 'text/javascript;charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy
      },
      body: script(address)
    }
  }
}
