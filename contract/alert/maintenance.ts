// Maintenance mode: until a given time the hub sends no notifications about a channel, a device, or all objects with a
// tag (docs/wire.md, "Notifications").
import { declareCall } from '../call.ts'

export type { Maintenance } from './maintenance.schema.ts'

/** Maximum numbers of objects in maintenance at a time, of characters of a note, and of hours. */
export const MAINTENANCE_MAX = 500
export const MAINTENANCE_NOTE_MAX = 200
export const MAINTENANCE_HOURS_MAX = 720

export const listMaintenance = declareCall('GET /alert/maintenance/list', 'admin')

export const startMaintenance = declareCall('POST /alert/maintenance/add', 'admin')

export const endMaintenance = declareCall('POST /alert/maintenance/del', 'admin')
