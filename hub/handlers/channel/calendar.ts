// The schedules of the channels in a range of time, and the sources and decoders that several use at the same time.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { CALENDAR_DAYS_MAX } from '../../../contract/limits.ts'
import { parseNdiUrl } from '../../../contract/ndi/url.ts'
import { type CalendarConflict, channelCalendar } from '../../../contract/stream/channel-calendar.ts'
import { DIR_OUTPUT, NDI } from '../../../contract/stream/protocols.ts'
import { type ChannelUse, findConflicts } from '../../../contract/stream/schedule-conflicts.ts'
import { cachedClock, DAY, schedulePeriods, type WallClock } from '../../../contract/stream/schedule-periods.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { readTimeZone } from '../../machine/time/time.ts'
import { type ChannelRow, channelSetting } from '../../store/channels.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { outputHost } from '../stream/same-host.ts'

/** A date has at most this time, and the calendar computes with a few days around its own. */
const TIME_MAX = 8.64e15 - 7 * DAY

interface CalendarParts {
  store: Store
  gate: Gate
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

const hasSchedule = (row: ChannelRow) => {
  const { rules, events = [] } = channelSetting(row, 'schedule')
  return rules.length + events.length > 0
}

export function channelCalendarHandlers(parts: CalendarParts): Handler[] {
  const { store, gate } = parts
  return [
    handle(channelCalendar, async (context, { from = Date.now(), to = from + 7 * DAY }) => {
      if (to <= from || to - from > CALENDAR_DAYS_MAX * DAY || to > TIME_MAX)
        throw new CallError(INVALID_ARG, { field: 'to' })
      const caller = requireCaller(context)
      const zone = await readTimeZone()
      const seesChannel = gate.channelsVisibleTo(caller)
      const seesSource = gate.sourcesVisibleTo(caller)
      const isVisible = ({ id }: Resource) => {
        const device = store.devices.byId(id)
        return device ? gate.canSeeDevice(caller, device) : seesSource(id)
      }
      const resources = new Map<string, Resource>()
      const clocks = new Map<string, WallClock>()
      const periodsOf = (row: ChannelRow) => {
        const schedule = channelSetting(row, 'schedule')
        const clock = clocks.get(schedule.zone) ?? cachedClock(schedule.zone)
        clocks.set(schedule.zone, clock)
        return schedulePeriods(schedule, from, to, clock)
      }
      const atHost = decodersByHost(parts)
      const uses = store.channels.all().map((row) => {
        const isScheduled = hasSchedule(row)
        const used = [
          ...store.channels.inputIds(row.id).flatMap((id) => sourceOf(parts, id) ?? []),
          ...decodersOf(parts, row.id, atHost)
        ]
        for (const resource of used)
          if (!resources.has(resource.key) || isVisible(resource)) resources.set(resource.key, resource)
        const allTime = row.enable === 1 ? [{ from, to }] : []
        return {
          channel: row.id,
          name: row.name,
          resources: used.map(({ key }) => key),
          periods: isScheduled ? periodsOf(row) : allTime,
          isScheduled
        }
      })
      return {
        zone,
        list: uses
          .filter(({ channel, isScheduled }) => isScheduled && seesChannel(channel))
          .flatMap(({ channel, name, periods }) => periods.map((period) => ({ channel, name, ...period })))
          .sort((a, b) => a.from - b.from || a.to - b.to),
        conflicts: conflictsFor(uses, seesChannel, (key) => {
          const resource = resources.get(key)
          return resource && { kind: resource.kind, ...(isVisible(resource) && { name: resource.name }) }
        })
      }
    })
  ]
}

/** The conflicts between schedules, or with one, that concern a channel that the caller may see. */
function conflictsFor(
  uses: readonly (ChannelUse & { name: string; isScheduled: boolean })[],
  seesChannel: (id: number) => boolean,
  describe: (key: string) => Pick<CalendarConflict, 'kind' | 'name'> | undefined
): CalendarConflict[] {
  const names = new Map(uses.map(({ channel, name }) => [channel, name]))
  const scheduled = new Set(uses.filter(({ isScheduled }) => isScheduled).map(({ channel }) => channel))
  return findConflicts(uses).flatMap(({ resource, from, to, channels }) => {
    const description = describe(resource)
    const visible = channels.filter(seesChannel).map((id) => ({ id, name: names.get(id) ?? '' }))
    const hidden = channels.length - visible.length
    if (!description || visible.length === 0 || !channels.some((id) => scheduled.has(id))) return []
    return { ...description, from, to, channels: visible, ...(hidden > 0 && { hidden }) }
  })
}
