// Names who sees an object, from its masks, and where the masks come from.
import { GROUP_ADMIN, hasAnyBit } from '../../../contract/access/permissions.ts'
import type { User, UserGroup } from '../../../contract/access/user.ts'
import {
  ALL_GROUPS,
  type EffectiveVisibility,
  type ObjectSecurity,
  type Visibility
} from '../../../contract/access/visibility.ts'
import { getGlobalDevice } from '../../../contract/device/device.ts'
import { getGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type Translation, t } from '../../text/language.ts'

/** Who sees the devices and the channels that have no access setting of their own. */
const source = { pace: 'slowest', topic: 'user' } as const

export const $deviceDefault = createLiveValue({ ...source, call: getGlobalDevice })
export const $channelDefault = createLiveValue({ ...source, call: getGlobalChannel })

export const EVERYONE: Translation = ['Everyone', '所有人']
const NOBODY: Translation = ['Administrators only', '仅管理员']
const SEPARATOR: Translation = [', ', '、']

const SOURCES: Readonly<Record<EffectiveVisibility['from'], Translation>> = {
  own: ['Set here', '单独设置'],
  catalog: ['Inherited from group {0}', '继承自分组 {0}'],
  default: ['Inherited from the default', '继承默认设置']
}

/** Such as 'Inherited from group Studio'. */
export const sourceText = (from: EffectiveVisibility['from'], group = ''): string => t(SOURCES[from], group)

/** The user groups and users that a mask can name. */
export interface Audiences {
  groups: readonly UserGroup[]
  users: readonly User[]
}

/** Administrators see every object, so they are not listed. */
export const listedAudiences = ({ groups = [], users = [] }: Partial<Audiences> = {}): Audiences => ({
  groups: groups.filter(({ type }) => type !== GROUP_ADMIN),
  users: users.filter((user) => user['group-id'] !== GROUP_ADMIN)
})

/** The bits of guests. */
export const guestMask = ({ users = [] }: Partial<Audiences>): number =>
  users.reduce((mask, { id, guest }) => (guest ? mask | id : mask) >>> 0, 0)

/** Such as 'Everyone', or names of user groups and users. */
export function audienceText(masks: Visibility, { groups, users }: Audiences): string {
  if (masks['group-mask'] === ALL_GROUPS) return t(EVERYONE)
  const names = [
    ...groups.filter(({ id }) => hasAnyBit(masks['group-mask'], id)),
    ...users.filter(({ id }) => hasAnyBit(masks['usr-mask'], id))
  ].map(({ name }) => name)
  return names.join(t(SEPARATOR)) || t(NOBODY)
}

/** A device, device group or channel with its own setting, or a tag with that of the objects that have it. */
interface AccessObject extends Partial<Visibility> {
  'is-inherit'?: number | boolean
  /** Absent for a device, which has a serial number. */
  id?: number
  sn?: string
  name: string
  /** Id of the device group from which a device, or a device group, inherits; 0 or absent = none. */
  'catalog-id'?: number
  'parent-id'?: number
  tags?: readonly number[]
}

export interface AccessSubject {
  of: 'device' | 'catalog' | 'channel' | 'tag'
  /** One device group or tag, or any devices or channels. Without them: the default of devices or channels. */
  objects?: readonly AccessObject[]
  /** Takes what the user has selected, instead of saving it. */
  onSelect?: (security: ObjectSecurity) => void
}
