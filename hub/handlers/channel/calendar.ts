// The schedules of the channels in a range of time, and the sources and decoders that several use at the same time.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { CALENDAR_DAYS_MAX, CALENDAR_ENTRIES_MAX } from '../../../contract/limits.ts'
import { parseNdiUrl } from '../../../contract/ndi/url.ts'
import {
  type CalendarConflict,
  type CalendarEntry,
  channelCalendar
} from '../../../contract/stream/channel-calendar.ts'
import { DIR_OUTPUT, NDI } from '../../../contract/stream/protocols.ts'
import { type ChannelUse, findConflicts } from '../../../contract/stream/schedule-conflicts.ts'
import {
  cachedClock,
  DAY,
  mergePeriods,
  type Period,
  schedulePeriods,
  type WallClock
} from '../../../contract/stream/schedule-periods.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { readTimeZone } from '../../machine/time/time.ts'
import { type ChannelRow, channelSetting } from '../../store/channels.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { outputHost } from '../stream/same-host.ts'
import { requireChannel } from './changes.ts'

/** A date has at most this time, and the calendar computes with a few days around its own. */
const TIME_MAX = 8.64e15 - 7 * DAY
const MINUTE = 60_000

interface CalendarParts {
  store: Store
  gate: Gate
  scheduler: Pick<Scheduler, 'manualPeriod'>
}

/** What a channel can use: key, kind and name, and whether a caller may see it. */
interface Resource {
  key: string
  kind: CalendarConflict['kind']
  name: string
  /** Node of a device or an input. */
  id: number
}

/** A device, an input, or the NDI source of an input: several inputs can have the same one. */
function sourceOf({ store }: CalendarParts, id: number): Resource | undefined {
  const device = store.devices.byId(id)
  if (device) return { key: `device:${id}`, kind: 'device', name: device.name, id }
  const input = store.sources.input(id)
  if (!input) return undefined
  const ndi = input.protocol === NDI ? parseNdiUrl(input.url) : undefined
  if (ndi && !('fault' in ndi)) return { key: `ndi:${ndi.name}`, kind: 'ndi', name: ndi.name, id }
  return { key: `input:${id}`, kind: 'input', name: input.name, id }
}

/** Devices that can play streams, by their address. */
type DecodersByHost = ReadonlyMap<string, readonly DeviceRow[]>

const decodersByHost = ({ store }: CalendarParts): DecodersByHost =>
  Map.groupBy(
    store.devices.all().filter(({ dir }) => (dir & DIR_OUTPUT) !== 0),
    ({ connect_ip: ip }) => ip
  )

/**
 * The decoders that play a channel: its device outputs, and those to whose address an output sends. Several decoders
 * behind one address cannot be told apart, so they do not count.
 */
function decodersOf({ store }: CalendarParts, channel: number, atHost: DecodersByHost): Resource[] {
  const hosts = store.channels.outputIds(channel).flatMap((id) => {
    const output = store.sources.output(id)
    return (output?.enable && outputHost(output)) || []
  })
  const reached = [...new Set(hosts)].flatMap((host) => {
    const decoders = atHost.get(host) ?? []
    return decoders.length === 1 ? decoders : []
  })
  const played = store.channels
    .deviceOutputs(channel)
    .flatMap(({ id, enable }) => (enable && store.devices.byId(id)) || [])
  return [...played, ...reached].map(({ id, name }) => ({ key: `decoder:${id}`, kind: 'decoder', name, id }))
}

/** The sources of a channel, backups among them, and its decoders. */
const resourcesOf = (parts: CalendarParts, channel: number, atHost: DecodersByHost): Resource[] => [
  ...parts.store.channels.inputIds(channel).flatMap((id) => sourceOf(parts, id) ?? []),
  ...decodersOf(parts, channel, atHost)
]

const hasSchedule = (row: ChannelRow) => {
  const { rules, events = [] } = channelSetting(row, 'schedule')
  return rules.length + events.length > 0
}

/** A channel with what it uses and when, its occurrences in the calendar among it. */
interface CalendarChannel extends ChannelUse {
  name: string
  isScheduled: boolean
  list: CalendarEntry[]
}

const overlaps = (a: Period, b: Period) => a.from < b.to && a.to > b.from

/** Periods without the part that lies in another one. */
const withoutPart = (periods: readonly Period[], { from, to }: Period): Period[] =>
  periods.flatMap((period) =>
    [
      { from: period.from, to: Math.min(period.to, from) },
      { from: Math.max(period.from, to), to: period.to }
    ].filter((part) => part.to > part.from)
  )

/** Reads the occurrences of a schedule in a range, and when the channel uses its sources and decoders. */
function createPeriodReader({ scheduler }: CalendarParts, range: Period) {
  const clocks = new Map<string, WallClock>()
  return (row: ChannelRow): Pick<CalendarChannel, 'list' | 'periods' | 'isScheduled'> => {
    if (!hasSchedule(row)) return { list: [], periods: row.enable === 1 ? [range] : [], isScheduled: false }
    const { id: channel, name } = row
    const schedule = channelSetting(row, 'schedule')
    const clock = clocks.get(schedule.zone) ?? cachedClock(schedule.zone)
    clocks.set(schedule.zone, clock)
    const scheduled = schedulePeriods(schedule, range.from, range.to, clock)
    const list: CalendarEntry[] = scheduled.map((period) => ({ channel, name, ...period }))
    const by = scheduler.manualPeriod(row)
    // By the minute, so that the response does not change all the time.
    const manual = by && {
      from: Math.floor(by.from / MINUTE) * MINUTE,
      to: Number.isFinite(by.to) ? by.to : range.to
    }
    if (!by || !manual || !overlaps(manual, range)) return { list, periods: scheduled, isScheduled: true }
    if (by.manual === 'start') {
      const entry: CalendarEntry = { channel, name, ...manual, manual: 'start' }
      return { list: [...list, entry], periods: [...scheduled, manual], isScheduled: true }
    }
    return {
      list: list.map((entry) => (overlaps(entry, manual) ? { ...entry, manual: 'stop' } : entry)),
      periods: withoutPart(scheduled, manual),
      isScheduled: true
    }
  }
}

const byStart = (a: Period, b: Period) => a.from - b.from || a.to - b.to

/** The first entries of a list under its name, and the number of the others. */
function bounded<Name extends string, Entry>(name: Name, more: string, entries: readonly Entry[]) {
  const further = entries.length - CALENDAR_ENTRIES_MAX
  const list = { [name]: entries.slice(0, CALENDAR_ENTRIES_MAX) } as Record<Name, Entry[]>
  return { ...list, ...(further > 0 && { [more]: further }) }
}

export function channelCalendarHandlers(parts: CalendarParts): Handler[] {
  const { store, gate } = parts
  return [
    handle(channelCalendar, async (context, { from = Date.now(), to = from + 7 * DAY, channel }) => {
      if (to <= from || to - from > CALENDAR_DAYS_MAX * DAY || to > TIME_MAX)
        throw new CallError(INVALID_ARG, { field: 'to' })
      const only = channel === undefined ? undefined : requireChannel(parts, context, channel).id
      const caller = requireCaller(context)
      const zone = await readTimeZone()
      const seesChannel = gate.channelsVisibleTo(caller)
      const seesSource = gate.sourcesVisibleTo(caller)
      const isVisible = ({ id }: Resource) => {
        const device = store.devices.byId(id)
        return device ? gate.canSeeDevice(caller, device) : seesSource(id)
      }
      const resources = new Map<string, Resource>()
      const atHost = decodersByHost(parts)
      const used = store.channels.all().map((row) => {
        const ofChannel = resourcesOf(parts, row.id, atHost)
        for (const resource of ofChannel)
          if (!resources.has(resource.key) || isVisible(resource)) resources.set(resource.key, resource)
        return { row, resources: ofChannel.map(({ key }) => key) }
      })
      const own = new Set(used.find(({ row }) => row.id === only)?.resources)
      const readPeriods = createPeriodReader(parts, { from, to })
      const channels = used
        .filter(({ row, resources: keys }) => only === undefined || row.id === only || keys.some((key) => own.has(key)))
        .map(({ row, resources: keys }): CalendarChannel => {
          return { channel: row.id, name: row.name, resources: keys, ...readPeriods(row) }
        })
      const describe = (key: string) => {
        const resource = resources.get(key)
        return resource && { kind: resource.kind, ...(isVisible(resource) && { name: resource.name }) }
      }
      const isListed = (id: number) => (only === undefined ? seesChannel(id) : id === only)
      const list = channels.filter((each) => isListed(each.channel)).flatMap((each) => each.list)
      return {
        zone,
        ...bounded('list', 'more', list.sort(byStart)),
        ...bounded('conflicts', 'more-conflicts', conflictsFor(channels, seesChannel, isListed, describe)),
        ...(only !== undefined &&
          bounded(
            'uses',
            'more-uses',
            usesOf(
              own,
              channels.filter((each) => each.channel !== only),
              seesChannel,
              describe
            )
          ))
      }
    })
  ]
}

type Description = Pick<CalendarConflict, 'kind' | 'name'> | undefined

/** The conflicts between schedules, or with one, that concern a listed channel. */
function conflictsFor(
  uses: readonly CalendarChannel[],
  seesChannel: (id: number) => boolean,
  isListed: (id: number) => boolean,
  describe: (key: string) => Description
): CalendarConflict[] {
  const names = new Map(uses.map(({ channel, name }) => [channel, name]))
  const scheduled = new Set(uses.filter(({ isScheduled }) => isScheduled).map(({ channel }) => channel))
  return findConflicts(uses).flatMap(({ resource, from, to, channels }) => {
    const description = describe(resource)
    if (!description || !channels.some(isListed) || !channels.some((id) => scheduled.has(id))) return []
    const visible = channels.filter(seesChannel).map((id) => ({ id, name: names.get(id) ?? '' }))
    const hidden = channels.length - visible.length
    return { ...description, from, to, channels: visible, ...(hidden > 0 && { hidden }) }
  })
}

/** When each of the other channels uses one of these resources. */
function usesOf(
  keys: ReadonlySet<string>,
  others: readonly CalendarChannel[],
  seesChannel: (id: number) => boolean,
  describe: (key: string) => Description
): CalendarConflict[] {
  return others
    .flatMap(({ channel: id, name, resources, periods }) =>
      [...new Set(resources)].flatMap((key) => {
        const description = keys.has(key) ? describe(key) : undefined
        if (!description) return []
        const channels = seesChannel(id) ? { channels: [{ id, name }] } : { channels: [], hidden: 1 }
        return mergePeriods(periods).map((period) => ({ ...description, ...period, ...channels }))
      })
    )
    .sort(byStart)
}
