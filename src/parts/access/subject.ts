// The objects whose access a dialog edits.
import type { ObjectSecurity } from '../../../contract/access/visibility.ts'
import type { Catalog } from '../../../contract/catalog.ts'
import type { Device } from '../../../contract/device/device.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import type { Translation } from '../../text/language.ts'

export const ACCESS_TEXT = {
  access: ['Access', '可见范围'],
  deviceDefault: ['Default access to devices', '设备默认可见范围']
} as const satisfies Record<string, Translation>

/** The objects whose access is edited. */
export type AccessSubject =
  | { kind: 'devices'; devices: readonly (Pick<Device, 'sn' | 'name' | 'catalog-id'> & Partial<ObjectSecurity>)[] }
  | { kind: 'channels'; channels: readonly (Pick<Channel, 'id' | 'name'> & Partial<ObjectSecurity>)[] }
  | { kind: 'catalog'; catalog: Catalog }
  /** The default of devices or channels. */
  | { kind: 'default'; of: 'device' | 'channel' }
