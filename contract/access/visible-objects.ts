// What a user or the members of a user group see (docs/wire.md, "Visibility").
import { declareCall, type ListResponse, type PageRequest } from '../call.ts'
import { USER_CONTROL } from './permissions.ts'
import type { EffectiveVisibility, SeenBecause, Visibility } from './visibility.ts'

/** Exactly one of `usr` and `group` is required. */
export interface VisibleObjectsRequest extends PageRequest {
  /** Id of a user. */
  usr?: number
  /** Id of a user group: what its members see unless an object names them themselves. */
  group?: number
  of: 'device' | 'channel'
  /** 1: lists the objects that are not visible instead. */
  hidden?: number
  /** Part of the name or serial number. */
  key?: string
}

/** A device or channel. Only accepted devices are listed. */
export interface VisibleObject extends Visibility {
  id: number
  name: string
  /** Serial number of a device. */
  sn?: string
  /** Id of the group of a device; 0 = none. */
  'catalog-id'?: number
  'is-inherit': number
  /** Absent for an object that is not visible. */
  because?: SeenBecause
  /** Where the masks that apply come from. */
  from: EffectiveVisibility['from']
  /** Name of the device group that they come from. */
  'from-name'?: string
}

export interface VisibleObjects extends ListResponse<VisibleObject> {
  /** Whether the group has the permission to view objects of this kind. Without it nothing is visible. */
  permitted: boolean
  /** Objects that are visible, and all that the caller sees; whatever `key` and `hidden` select. */
  'num-visible': number
  'num-all': number
}

/** Lists what a user or group sees, of the objects that the caller sees, too; sorted by name. 16 unknown user or group. */
export const listVisibleObjects = declareCall<VisibleObjectsRequest, VisibleObjects>(
  'GET',
  '/usr/visible',
  USER_CONTROL
)
