// Follows the hub to its new address: a worker asks there until the hub answers, then the page opens it, signed in by a
// one-time ticket. If the hub never answers there, the page stays, and continues when the previous address is back.
import { atom } from 'nanostores'
import { urlHost, withoutBrackets } from '../../../contract/ipv6.ts'
import type { ChangeAccepted, NetworkChange } from '../../../contract/machine/network.ts'
import { isIpv4 } from '../../../contract/rules/rules.ts'
import { transport } from '../../link/fetch-json.ts'
import { linkTo } from '../../paths.ts'

/** A change that this page has requested. */
export interface FollowedChange {
  change: NetworkChange
  /** The console at the new address; undefined if its address is not known, or the page need not move. */
  url?: string
  /** When the hub goes back, in milliseconds since the epoch. */
  deadline: number
  /** Time of the outcome that the list had before the change, on the hub's clock. Another one is that of the change. */
  formerOutcome: number | undefined
}

export const $followed = atom<FollowedChange | undefined>()

/**
 * Milliseconds from the end of the countdown until the page asks at the previous address: the change began a second
 * after its response.
 */
const GRACE = 2500

/**
 * The console at a new address; undefined if this page was opened by a name, which leads to the new address by itself.
 */
function urlAt(address: string, ticket: string): string | undefined {
  const host = withoutBrackets(location.hostname)
  if (!(isIpv4(host) || host.includes(':')) || host === address || transport.relayedHub) return undefined
  const origin = `${location.protocol}//${urlHost(address)}${location.port && `:${location.port}`}`
  return `${origin}/#${linkTo('follow', { ticket, to: linkTo('network') })}`
}

/**
 * @param formerOutcome see `FollowedChange`
 * @param refresh asks for the list, once the hub has gone back: a request of before would wait long for its answer
 */
export function followChange(
  { change, ticket }: ChangeAccepted,
  formerOutcome: number | undefined,
  refresh: () => Promise<unknown>
): void {
  if (!change) return
  const url = ticket && change['over-iface'] && change.ipaddr ? urlAt(change.ipaddr, ticket) : undefined
  const left = change['seconds-left'] * 1000
  const followed = { change, deadline: Date.now() + left, formerOutcome, ...(url && { url }) }
  $followed.set(followed)
  const worker = url ? new Worker('/follow-probe.js') : undefined
  if (worker && url) worker.onmessage = () => location.replace(url)
  setTimeout(async () => {
    worker?.terminate()
    await refresh()
    // A later change may be followed by now.
    if ($followed.get() === followed) $followed.set(undefined)
  }, left + GRACE)
}
