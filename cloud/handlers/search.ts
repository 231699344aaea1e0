// Search over all hubs that a caller may see. Hubs and channels are found in the digests, devices by asking the hubs.
import * as z from 'zod'
import { CHANNEL_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import { SEARCH_MAX } from '../../contract/cloud/all-hubs.schema.ts'
import { type CloudDevice, searchHubs } from '../../contract/cloud/calls.ts'
import { listDevices } from '../../contract/device/device.ts'
import { type Context, type Handler, handlePrepared, requireCaller } from '../http/handler.ts'
import { type HubCaller, type HubCalls, hubCallerOf } from '../rollouts/hub-calls.ts'
import type { Store } from '../store/store.ts'
import { createMatcher, listChannels, selectHubs } from './hub-lists.ts'
import type { ObservedHub, SummaryParts } from './hub-summary.ts'

/** Milliseconds for the answers of all hubs, and hubs that are asked at a time. */
export const SEARCH_TIMEOUT = 3000
const ASKED_AT_A_TIME = 32

export interface SearchParts extends SummaryParts {
  store: Store
  calls: Pick<HubCalls, 'send'>
}

/** A hub is a stranger: of its answer only this is read. */
const DevicesShape = z.object({
  list: z
    .array(z.object({ sn: z.string().max(64), name: z.string().max(256), 'online-date': z.number() }))
    .max(SEARCH_MAX)
})

/** The devices of a hub; undefined if it does not answer. */
async function findDevices(
  { calls }: SearchParts,
  { organisation }: Context,
  caller: HubCaller,
  { row: { sn }, name }: ObservedHub,
  key: string
): Promise<CloudDevice[] | undefined> {
  const request = { key, count: SEARCH_MAX }
  const answer = await calls.send({ organisation, sn }, caller, listDevices, request).catch(() => undefined)
  const { data } = DevicesShape.safeParse(answer)
  return data?.list.map((device) => ({
    ...{ sn: device.sn, name: device.name, online: device['online-date'] > 0, hub: sn, 'hub-name': name }
  }))
}

/** Asks the connected hubs, until the time is over. */
async function askHubs(
  hubs: readonly ObservedHub[],
  find: (hub: ObservedHub) => Promise<CloudDevice[] | undefined>
): Promise<ReadonlyMap<string, CloudDevice[]>> {
  const found = new Map<string, CloudDevice[]>()
  const waiting = hubs.filter(({ isOnline }) => isOnline)
  let isOver = false
  const work = async () => {
    for (let hub = waiting.shift(); hub && !isOver; hub = waiting.shift()) {
      const devices = await find(hub)
      if (devices && !isOver) found.set(hub.row.sn, devices)
    }
  }
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, SEARCH_TIMEOUT)
  })
  await Promise.race([Promise.all(Array.from({ length: ASKED_AT_A_TIME }, work)), timeout])
  isOver = true
  clearTimeout(timer)
  return found
}

export const searchHandler = (parts: SearchParts): Handler =>
  handlePrepared(
    searchHubs,
    async (context, { key }) => {
      const caller = requireCaller(context)
      const hubs = await parts.store.within(context.organisation, (scope) => selectHubs(parts, context, scope, {}))
      const hubCaller = hubCallerOf(caller, context.address, parts.now())
      // A program with an access token has no session that a hub would know.
      const found = caller.scopes
        ? new Map<string, CloudDevice[]>()
        : await askHubs(hubs, (hub) => findDevices(parts, context, hubCaller, hub, key))
      return { hubs, found }
    },
    async (context, _scope, { key }, { hubs, found }) => {
      const matches = createMatcher(key)
      const { user } = requireCaller(context)
      return {
        hubs: hubs
          .filter(({ row, name }) => matches(name, row.sn))
          .slice(0, SEARCH_MAX)
          .map(({ row: { sn }, name, isOnline }) => ({ sn, name, online: isOnline })),
        channels: (isPermitted(CHANNEL_VIEW, user) ? listChannels(hubs) : [])
          .filter(({ name }) => matches(name))
          .slice(0, SEARCH_MAX),
        devices: [...found.values()].flat().slice(0, SEARCH_MAX),
        unanswered: hubs
          .filter(({ row }) => !found.has(row.sn))
          .map(({ row, name }) => ({ hub: row.sn, 'hub-name': name }))
      }
    }
  )
