// What a user or the members of a user group see (docs/wire.md, "Visibility").

import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'
import { USER_CONTROL } from './permissions.ts'

export type { VisibleObject, VisibleObjects } from './visible-objects.schema.ts'

export type VisibleObjectsRequest = RequestTo<'GET /usr/visible'>

export const listVisibleObjects = declareCall('GET /usr/visible', USER_CONTROL)
