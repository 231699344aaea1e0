// Events: what happened to channels and the entries of the logs, in one list (docs/wire.md, "Events"). The names of the
// log's own events are in `events.ts`.
import { CHANNEL_VIEW, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import { TIMELINE_KINDS } from './stream/channel-timeline.ts'

export type { EventEntry, EventKind } from './event.schema.ts'

/** Kinds of the timelines, and the operation, the system and the device log. */
export const EVENT_KINDS = [...TIMELINE_KINDS, 'operation', 'log', 'device'] as const

/** Entries of a response or file at most. */
export const EVENTS_MAX = 10_000

export const listEvents = declareCall('GET /event/list', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
export const exportEvents = declareCall('GET /event/file', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
