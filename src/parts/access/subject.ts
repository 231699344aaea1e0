// The objects whose access a dialog edits.
import type { ObjectSecurity } from '../../../contract/access/visibility.ts'

/** A device, device group or channel with its own setting. */
export interface AccessObject extends Partial<ObjectSecurity> {
  /** Absent for a device, which has a serial number. */
  id?: number
  sn?: string
  name: string
  /** Id of the device group from which a device, or a device group, inherits; 0 or absent = none. */
  'catalog-id'?: number
  'parent-id'?: number
}

export interface AccessSubject {
  of: 'device' | 'catalog' | 'channel'
  /** One device group, or any number of devices or channels. Without them: the default of devices or channels. */
  objects?: readonly AccessObject[]
}
