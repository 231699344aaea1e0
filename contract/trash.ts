// The trash: objects that were deleted within the last 30 days and can be restored (docs/architecture/trash.md).
import { CHANNEL_EDIT, DEVICE_GROUP_CONTROL, INPUT_OUTPUT_EDIT } from './access/permissions.ts'
import { declareCall } from './call.ts'

export type { LeftOutPart, RestoredObject, TrashEntry, TrashKind } from './trash.schema.ts'

/** Kinds of objects that a deletion moves to the trash. An NDI preset is an input. */
export const TRASH_KINDS = ['channel', 'input', 'output', 'preset', 'catalog'] as const

/** Days after which the hub deletes an entry for good. */
export const TRASH_DAYS = 30
/** Entries of the trash, at most. Further ones replace the oldest. */
export const TRASH_MAX = 1000

/** Permission to delete objects of a kind, and to see deleted ones. */
export const TRASH_ACCESS = {
  channel: CHANNEL_EDIT,
  input: INPUT_OUTPUT_EDIT,
  output: INPUT_OUTPUT_EDIT,
  preset: INPUT_OUTPUT_EDIT,
  catalog: DEVICE_GROUP_CONTROL
} as const

/** Each of these may delete one kind of object; a caller sees the entries of the kinds that he may delete. */
const ACCESS = CHANNEL_EDIT | INPUT_OUTPUT_EDIT | DEVICE_GROUP_CONTROL

export const listTrash = declareCall('GET /trash/list', ACCESS)
export const restoreTrash = declareCall('POST /trash/restore', ACCESS)
export const deleteTrash = declareCall('POST /trash/del', ACCESS)
