// Problems and channels of all hubs that a caller may see, from their digests.
import { DEVICE_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import { ALL_HUBS_COUNT } from '../../contract/cloud/all-hubs.schema.ts'
import {
  type CloudChannel,
  type CloudProblem,
  listCloudChannels,
  listCloudProblems
} from '../../contract/cloud/calls.ts'
import { CHANNEL_ORDER } from '../../contract/cloud/digest.ts'
import { NOT_PERMITTED } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { PROBLEM_ACCESS } from '../../contract/problem.ts'
import { createNameMatcher } from '../../contract/text/name-match.ts'
import { CallError } from '../../web-server/call-error.ts'
import { paginate } from '../../web-server/pages.ts'
import { readVisibleHubs } from '../auth/hub-access.ts'
import type { Caller } from '../auth/sessions.ts'
import { compareProblems } from '../digests/known-digest.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'
import { type ObservedHub, observeHubs, type SummaryParts } from './hub-summary.ts'

interface Filter {
  key?: string | undefined
  sn?: string | undefined
  catalog?: number | undefined
  start?: number | undefined
  count?: number | undefined
}

/** The accepted hubs that the caller may see, and that a request selects. */
export async function selectHubs(parts: SummaryParts, context: Context, scope: Scope, { sn, catalog }: Filter) {
  const hubs = await readVisibleHubs(scope, requireCaller(context), sn === undefined ? undefined : [sn])
  const accepted = hubs.filter(
    ({ state, catalog_id }) =>
      state === REGISTRATION_STATE.accepted && (catalog === undefined || catalog === catalog_id)
  )
  return observeHubs(parts, scope, accepted)
}

/** A page of at most so many items as a response may have. */
const pageOf = <Item>(items: readonly Item[], { start, count = ALL_HUBS_COUNT.byDefault }: Filter) =>
  paginate(items, { ...(start !== undefined && { start }), count })

/** Whether one of the texts contains the key. */
export function createMatcher(key: string | undefined): (...texts: readonly (string | undefined)[]) => boolean {
  const matches = key ? createNameMatcher(key) : () => true
  return (...texts) => texts.some((text) => text !== undefined && matches(text))
}

const placeOf = ({ row, name, isOnline, isConfirmed }: ObservedHub) => ({
  hub: row.sn,
  online: isOnline,
  'hub-name': name,
  'catalog-id': row.catalog_id,
  confirmed: isConfirmed
})

/** The problem that a hub itself is, because it cannot be observed. */
function problemOfHub(hub: ObservedHub): CloudProblem[] {
  const { row, name, isOnline, isConfirmed, isConnecting, digest } = hub
  const own = { ...placeOf(hub), id: 'hub', kind: 'hub' as const, name, confirmed: true }
  if (!isOnline) return [{ ...own, severity: 'bad', reason: 'hub-offline', since: row.last_seen }]
  if (isConfirmed || isConnecting) return []
  return [{ ...own, severity: 'warn', reason: 'hub-silent', since: digest?.received ?? 0 }]
}

function problemsOf(hub: ObservedHub, { user }: Caller): CloudProblem[] {
  const place = placeOf(hub)
  const listed = hub.digest?.problems ?? []
  return [
    ...problemOfHub(hub),
    ...listed.filter(({ kind }) => isPermitted(PROBLEM_ACCESS[kind], user)).map((problem) => ({ ...problem, ...place }))
  ]
}

/** Worst first. What nobody vouches for comes after equally bad problems that are certain. */
const compare = (a: CloudProblem, b: CloudProblem) =>
  a.severity !== b.severity || a.confirmed === b.confirmed ? compareProblems(a, b) : a.confirmed ? -1 : 1

const sum = (hubs: readonly ObservedHub[], countOf: (hub: ObservedHub) => number) =>
  hubs.reduce((total, hub) => total + Math.max(0, countOf(hub)), 0)

/** The channels of hubs, the worst first. */
export function listChannels(hubs: readonly ObservedHub[]): CloudChannel[] {
  const channels = hubs.flatMap((hub) =>
    (hub.digest?.channels ?? []).map(({ id, name, verdict, since }) => ({
      ...{ id, name, ...placeOf(hub) },
      health: { verdict, ...(since !== undefined && { since }) }
    }))
  )
  return channels.sort((a, b) => CHANNEL_ORDER.indexOf(a.health.verdict) - CHANNEL_ORDER.indexOf(b.health.verdict))
}

export function hubListHandlers(parts: SummaryParts): Handler[] {
  return [
    handle(listCloudProblems, async (context, scope, request) => {
      const { severity } = request
      const matches = createMatcher(request.key)
      const hubs = await selectHubs(parts, context, scope, request)
      const problems = hubs
        .flatMap((hub) => problemsOf(hub, requireCaller(context)))
        .filter((problem) => severity === undefined || problem.severity === severity)
        .filter(({ hub, name, ...each }) => matches(name, each['channel-name'], each['hub-name'], hub))
        .sort(compare)
      const unlisted = sum(hubs, ({ digest }) =>
        digest ? digest.hub.counts.bad + digest.hub.counts.warn - digest.problems.length : 0
      )
      return { ...pageOf(problems, request), unlisted }
    }),
    handle(listCloudChannels, async (context, scope, request) => {
      const { verdict } = request
      const matches = createMatcher(request.key)
      if (!isPermitted(DEVICE_VIEW, requireCaller(context).user)) throw new CallError(NOT_PERMITTED)
      const hubs = await selectHubs(parts, context, scope, request)
      const channels = listChannels(hubs)
        .filter(({ health }) => verdict === undefined || health.verdict === verdict)
        .filter(({ hub, name, 'hub-name': hubName }) => matches(name, hubName, hub))
      const unlisted = sum(hubs, ({ digest }) => (digest ? digest.hub.counts.channels - digest.channels.length : 0))
      return { ...pageOf(channels, request), unlisted }
    })
  ]
}
