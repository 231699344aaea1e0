// Handlers for the timelines of channels: a page of one, or of all, and the whole of one as a file.
import { isPermitted, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import {
  channelTimeline,
  exportChannelTimeline,
  TIMELINE_MAX,
  type TimelineEntry
} from '../../../contract/stream/channel-timeline.ts'
import type { Gate } from '../../auth/gate.ts'
import { type Context, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { serializeTimelineEntry, type TimelineAccess } from '../../messages/timeline.ts'
import type { Store } from '../../store/store.ts'
import { ALL_CHANNELS } from '../../store/timeline.ts'
import { requireChannel } from './changes.ts'
import { timelineFileResponse } from './timeline-file.ts'

interface ChannelTimelineParts {
  store: Store
  gate: Gate
}

/** Entries in a response when the request has no `count`. */
const COUNT_DEFAULT = 100
/** Entries of a file: all that a channel and the hub can have. */
const FILE_MAX = 2 * TIMELINE_MAX.channel

/** Users see names of users as in the operation log: all who may read it, and everybody their own name. */
export function timelineAccess({ store, gate }: ChannelTimelineParts, context: Context): TimelineAccess {
  const caller = requireCaller(context)
  const seesAllUsers = isPermitted(SYSTEM_CONFIG_VIEW, caller.user)
  return {
    seesUser: (name) => seesAllUsers || name === caller.user.name,
    seesDevices: (serials) =>
      serials.every((sn) => {
        const device = store.devices.bySerial(sn)
        return device ? gate.canSeeDevice(caller, device) : gate.isAdmin(caller)
      })
  }
}

/** The channel of an entry, in a list of several. */
export function channelFields({ channels }: Store, channel: number): Pick<TimelineEntry, 'channel' | 'channel-name'> {
  const name = channels.byId(channel)?.name
  return name === undefined ? {} : { channel, 'channel-name': name }
}

export function channelTimelineHandlers(parts: ChannelTimelineParts): Handler[] {
  const { store } = parts
  const { timeline, changes } = store

  /** IDs of the channels whose timelines a request asks for: one, or all that the caller may see. */
  function channelsOf(context: Context, id: number | undefined): number[] {
    if (id !== undefined) return [requireChannel(parts, context, id).id]
    const isVisible = parts.gate.channelsVisibleTo(requireCaller(context))
    return store.channels.all().flatMap((channel) => (isVisible(channel.id) ? [channel.id] : []))
  }

  function findEntries(
    context: Context,
    { id, from, to, kinds }: { id?: number; from?: number; to?: number; kinds?: string },
    channels: readonly number[],
    start: number,
    count: number
  ): { total: number; list: TimelineEntry[] } {
    const access = timelineAccess(parts, context)
    const filter = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(kinds && { kinds: kinds.split(',') })
    }
    // A user who sees no channel does not see when the hub was restarted either.
    const { total, list } = channels.length > 0 ? timeline.page(channels, filter, start, count) : { total: 0, list: [] }
    const serialized = list.map((entry) => ({
      ...serializeTimelineEntry(context.language, entry, access),
      ...(id === undefined && channelFields(store, entry.channel))
    }))
    return { total, list: serialized }
  }

  return [
    handle(channelTimeline, (context, request) => {
      const channels = channelsOf(context, request.id)
      const { rev } = changes
      const { start = 0, count = COUNT_DEFAULT, since } = request
      const delta = since === undefined ? undefined : changes.changesSince('timeline', since)
      // A deleted channel is not among `channels` any more.
      const isSameList =
        request.id !== undefined || (since !== undefined && changes.changesSince('channel', since)?.removed.size === 0)
      const isUnchanged =
        isSameList && delta !== undefined && ![...channels, ALL_CHANNELS].some((id) => delta.changed.has(id))
      const { total, list } = findEntries(context, request, channels, start, isUnchanged ? 0 : count)
      const removedBefore = timeline.removedBefore(...channels)
      return {
        start,
        total,
        list,
        rev,
        ...(isUnchanged && { partial: true }),
        ...(removedBefore !== undefined && { 'removed-before': removedBefore })
      }
    }),
    handle(exportChannelTimeline, (context, request) => {
      const { name } = requireChannel(parts, context, request.id)
      const { list } = findEntries(context, request, [request.id], 0, FILE_MAX)
      const removedBefore = timeline.removedBefore(request.id)
      return timelineFileResponse(list.reverse(), {
        ...request,
        name,
        language: context.language,
        ...(removedBefore !== undefined && { removedBefore })
      })
    })
  ]
}
