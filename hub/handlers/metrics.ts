// Handles `GET /metrics`: checks whether the caller may read the metrics, and responds with them.

import type { HubRequest } from '../../web-server/request.ts'
import type { Caller } from '../auth/gate.ts'
import type { HubMetrics, MetricsParts } from './hub-metrics.ts'

const PATH = '/metrics'

/** Loads the metrics with their packages when they are first read: a tenth of what a hub would load at its start. */
async function makeMetrics(parts: MetricsParts): Promise<HubMetrics> {
  const { HubMetrics: Metrics } = await import('./hub-metrics.ts')
  return new Metrics(parts)
}

/**
 * Handles `/metrics`; returns undefined for other paths. Responds 401 without a caller, and 403 if the caller may not
 * read them.
 */
export function createMetricsHandler(parts: MetricsParts) {
  let metrics: Promise<HubMetrics> | undefined
  return async ({ method, path }: HubRequest, caller: () => Caller | undefined): Promise<Response | undefined> => {
    if (path !== PATH) return undefined
    const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' }
    if (method !== 'GET')
      return new Response('Method not allowed\n', { status: 405, headers: { ...headers, allow: 'GET' } })
    const reader = caller()
    if (!reader)
      return new Response('An access token is required\n', {
        status: 401,
        headers: { ...headers, 'www-authenticate': 'Bearer' }
      })
    if (!parts.gate.mayReadMetrics(reader)) return new Response('Not permitted\n', { status: 403, headers })
    metrics ??= makeMetrics(parts)
    const { registry } = await metrics
    return new Response(await registry.metrics(), { headers: { ...headers, 'content-type': registry.contentType } })
  }
}
