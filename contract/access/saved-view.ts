// Saved views: filters, order and view of a list under a name. Each belongs to one user, who alone sees and changes it
// (docs/wire.md, "Saved views").
import { declareCall } from '../call.ts'

export type { SavedView, ViewList } from './saved-view.schema.ts'

/** The lists that have saved views. */
export const VIEW_LISTS = ['channels', 'devices', 'device-warnings', 'device-favorites'] as const

/** Views of one user, and characters of a query, at most. */
export const SAVED_VIEWS_MAX = 20
export const VIEW_QUERY_MAX = 1000

export const listViews = declareCall('GET /usr/view/list', 'session')

export const addView = declareCall('POST /usr/view/add', 'session')

export const setView = declareCall('POST /usr/view/set', 'session')

export const deleteView = declareCall('POST /usr/view/del', 'session')
