// Maintenance mode: no notifications about a channel, a device, or everything with a tag, until a given time
// (docs/wire.md, "Notifications").
import { declareCall } from '../call.ts'

export type { Maintenance } from './maintenance.schema.ts'

/** Objects in maintenance at a time, characters of a note, and hours, at most. */
export const MAINTENANCE_MAX = 500
export const MAINTENANCE_NOTE_MAX = 200
export const MAINTENANCE_HOURS_MAX = 720

export const listMaintenance = declareCall('GET /alert/maintenance/list', 'admin')

export const startMaintenance = declareCall('POST /alert/maintenance/add', 'admin')

export const endMaintenance = declareCall('POST /alert/maintenance/del', 'admin')
