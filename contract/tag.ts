// Tags: names with a colour, which users put on channels, inputs, outputs and devices (docs/wire.md, "Tags").
import {
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW
} from './access/permissions.ts'
import { declareCall } from './call.ts'

export type { Tag, TagColor } from './tag.schema.ts'

/** Colours of a tag. Each has a value for the light and for the dark theme. */
export const TAG_COLORS = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet'] as const

/** Tags of a hub, and of one object, at most. */
export const TAGS_MAX = 200
export const OBJECT_TAGS_MAX = 16

/** Permission to change the tags of each kind of object. */
export const TAG_EDIT = { channel: CHANNEL_EDIT, source: INPUT_OUTPUT_EDIT, device: DEVICE_CONTROL } as const

/** What a tag can be on; `source`: an input or output. */
export type TaggedKind = keyof typeof TAG_EDIT

const EDIT_ANY = TAG_EDIT.channel | TAG_EDIT.source | TAG_EDIT.device

export const listTags = declareCall('GET /tag/list', CHANNEL_VIEW | INPUT_OUTPUT_VIEW | DEVICE_VIEW)

export const addTag = declareCall('POST /tag/add', EDIT_ANY)

export const setTag = declareCall('POST /tag/set', EDIT_ANY)

export const deleteTag = declareCall('POST /tag/del', EDIT_ANY)

export const assignTags = declareCall('POST /tag/assign', EDIT_ANY)

/**
 * Sets which users and user groups see the objects with a tag. Only administrators may, because they may set the access
 * of every object.
 */
export const setTagSecurity = declareCall('POST /tag/security/set', 'admin')
