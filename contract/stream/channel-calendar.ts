// The schedules of all channels in a range of time, with their conflicts (docs/wire.md, "Calendar").
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { CalendarConflict, CalendarEntry } from './channel-calendar.schema.ts'

export const channelCalendar = declareCall('GET /channel/calendar', CHANNEL_VIEW)
