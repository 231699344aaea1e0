// Handlers for the timeline of a channel: a page of it, and the whole as a file.
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
function accessOf({ store, gate }: ChannelTimelineParts, context: Context): TimelineAccess {
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

export function channelTimelineHandlers(parts: ChannelTimelineParts): Handler[] {
  const { store } = parts
  const { timeline, changes } = store

  function findEntries(
    context: Context,
    { id, from, to, kinds }: { id: number; from?: number; to?: number; kinds?: string },
    start: number,
    count: number
  ): { total: number; list: TimelineEntry[] } {
    const access = accessOf(parts, context)
    const filter = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(kinds && { kinds: kinds.split(',') })
    }
    const { total, list } = timeline.page(id, filter, start, count)
    return { total, list: list.map((entry) => serializeTimelineEntry(context.language, entry, access)) }
  }

  return [
    handle(channelTimeline, (context, request) => {
      requireChannel(parts, context, request.id)
      const { rev } = changes
      const { start = 0, count = COUNT_DEFAULT, since } = request
      const delta = since === undefined ? undefined : changes.changesSince('timeline', since)
      const isUnchanged = delta !== undefined && !delta.changed.has(request.id) && !delta.changed.has(ALL_CHANNELS)
      const { total, list } = findEntries(context, request, start, isUnchanged ? 0 : count)
      const removedBefore = timeline.removedBefore(request.id)
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
      const { list } = findEntries(context, request, 0, FILE_MAX)
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
