// URLs of calls. In the cloud variant, calls of the hub go through a relay (docs/wire.md, "Transport").
import { BACKGROUND_HEADER } from '../../contract/access/session.ts'
import { BACKGROUND_PARAM } from '../../contract/change-feed.ts'
import { HUB_ID_PARAM, RELAY_PREFIX, RELAYED_FEED_PATH } from '../../contract/relay.ts'
import { transport } from './fetch-json.ts'

export const JSON_HEADERS = { 'content-type': 'application/json;charset=utf-8' }

/** Headers of a request that the console makes by itself: it does not extend the session. */
export const BACKGROUND_HEADERS = { [BACKGROUND_HEADER]: '1' }

/** Appends a query of all values that are not undefined. */
export function withQuery(path: string, values: object): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return `${path}${present.length ? `?${new URLSearchParams(present)}` : ''}`
}

/** The URL of a call of the hub. @param path below `/api` */
export function apiUrl(path: string, query: object = {}): string {
  const { base, relayedHub } = transport
  return (
    base +
    (relayedHub
      ? withQuery(`${RELAY_PREFIX}/api${path}`, { ...query, [HUB_ID_PARAM]: relayedHub })
      : withQuery(`/api${path}`, query))
  )
}

/** The absolute URL of the change feed. */
export function feedUrl(): string {
  const { base, relayedHub } = transport
  const path = relayedHub
    ? base + withQuery(RELAYED_FEED_PATH, { [HUB_ID_PARAM]: relayedHub })
    : apiUrl('/socket', { [BACKGROUND_PARAM]: 1 })
  return new URL(path, location.href).href.replace(/^http/, 'ws')
}
