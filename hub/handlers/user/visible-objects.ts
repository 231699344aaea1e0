// Handler that lists what a user or a user group sees, and why.
import { CHANNEL_VIEW, DEVICE_VIEW, GROUP_ADMIN, hasAnyBit, isPermitted } from '../../../contract/access/permissions.ts'
import {
  ALL_GROUPS,
  type EffectiveVisibility,
  type InheritingGroup,
  inheritedVisibility,
  type SeenBecause,
  type Visibility
} from '../../../contract/access/visibility.ts'
import {
  listVisibleObjects,
  type VisibleObject,
  type VisibleObjectsRequest
} from '../../../contract/access/visible-objects.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { type Caller, type Gate, isGuest } from '../../auth/gate.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { givesAccess, masksOf } from '../../store/tags.ts'
import { compareText, paginate } from '../list.ts'

/** A user, or the members of a group without regard to masks that name one of them. */
interface Audience {
  /** A guest, who sees what names him, also what inherits. */
  namedOnly?: boolean
  userId: number
  groupId: number
  permission: number
  type: number
}

interface MaskRow {
  is_inherit: number
  group_mask: number
  usr_mask: number
}

/** @throws CallError 16 if there is no such user or group */
function requireAudience({ store: { users } }: { store: Store }, { usr, group }: VisibleObjectsRequest): Audience {
  const user = usr === undefined ? undefined : users.byId(usr)
  if (user)
    return {
      namedOnly: isGuest(user),
      userId: user.id,
      groupId: user.group_id,
      permission: user.permission,
      type: user.type
    }
  const row = group === undefined ? undefined : users.group(group)
  if (!row) throw new CallError(NOT_EXIST)
  return { userId: 0, groupId: row.id, permission: row.permission, type: row.type }
}

/** @returns undefined if the audience does not see an object with these masks */
function findReason({ namedOnly, userId, groupId, type }: Audience, masks: Visibility): SeenBecause | undefined {
  if (type === GROUP_ADMIN) return 'admin'
  if (!namedOnly && masks['group-mask'] === ALL_GROUPS) return 'everyone'
  if (!namedOnly && hasAnyBit(masks['group-mask'], groupId)) return 'group'
  return hasAnyBit(masks['usr-mask'], userId) ? 'user' : undefined
}

/** Adds visibility and reason to an object. @param tag name of a tag that gives the audience access */
function describeObject(
  audience: Audience,
  tag: string | undefined,
  object: Pick<VisibleObject, 'id' | 'name' | 'sn' | 'catalog-id'>,
  row: MaskRow,
  inherited: EffectiveVisibility,
  groupName?: string
): VisibleObject {
  const masks = masksOf(row)
  const effective = row.is_inherit === 0 ? ({ masks, from: 'own' } as const) : inherited
  const isNamed = audience.namedOnly && hasAnyBit(masks['usr-mask'], audience.userId)
  const because =
    findReason(audience, effective.masks) ?? (isNamed ? 'user' : undefined) ?? (tag === undefined ? undefined : 'tag')
  return {
    ...object,
    'is-inherit': row.is_inherit,
    ...masks,
    ...(because && { because }),
    ...(because === 'tag' && { tag }),
    from: effective.from,
    ...(effective.from === 'catalog' && groupName !== undefined && { 'from-name': groupName })
  }
}

/** A function that returns the name of a tag because of which the audience sees an object. */
function tagFinder(
  { tags }: Store,
  audience: Audience,
  kind: 'channel' | 'device'
): (id: number) => string | undefined {
  const giving = tags.all().filter((tag) => givesAccess(tag) && findReason(audience, masksOf(tag)) !== undefined)
  return (id) => {
    const ids = giving.length > 0 ? tags.idsOf(kind, id) : []
    return giving.find((tag) => ids.includes(tag.id))?.name
  }
}

/** The devices that the caller sees. */
function describeDevices(
  { store, gate }: { store: Store; gate: Gate },
  audience: Audience,
  caller: Caller
): VisibleObject[] {
  if (!isPermitted(DEVICE_VIEW, caller.user)) return []
  const isSeenByCaller = gate.devicesVisibleTo(caller)
  const byDefault = store.settings.get('device-security')
  const tagOf = tagFinder(store, audience, 'device')
  const catalogs = store.catalogs.all()
  const names = new Map(catalogs.map(({ id, name }) => [id, name]))
  const groups = new Map<number, InheritingGroup>(
    catalogs.map((row) => [row.id, { ...masksOf(row), 'parent-id': row.parent_id, 'is-inherit': row.is_inherit }])
  )
  return store.devices
    .all()
    .filter((device) => device.reg_state === REGISTRATION_STATE.accepted && isSeenByCaller(device))
    .map((device) => {
      const { id, name, sn, catalog_id: catalog } = device
      const inherited = inheritedVisibility(groups, catalog, byDefault)
      const object = { id, name, sn, 'catalog-id': catalog }
      return describeObject(audience, tagOf(id), object, device, inherited, names.get(inherited.catalog ?? 0))
    })
}

/** The channels that the caller sees. */
function describeChannels(
  { store, gate }: { store: Store; gate: Gate },
  audience: Audience,
  caller: Caller
): VisibleObject[] {
  if (!isPermitted(CHANNEL_VIEW, caller.user)) return []
  const isSeenByCaller = gate.channelsVisibleTo(caller)
  const inherited = inheritedVisibility(new Map(), 0, store.settings.get('channel-security'))
  const tagOf = tagFinder(store, audience, 'channel')
  return store.channels
    .all()
    .filter(({ id }) => isSeenByCaller(id))
    .map(({ id, name }) =>
      describeObject(audience, tagOf(id), { id, name }, store.channelVisibility.byId(id), inherited)
    )
}

export function visibleObjectsHandlers(parts: { store: Store; gate: Gate }): Handler[] {
  return [
    handle(listVisibleObjects, (context, request) => {
      const caller = requireCaller(context)
      const audience = requireAudience(parts, request)
      const isDevice = request.of === 'device'
      const permitted = isPermitted(isDevice ? DEVICE_VIEW : CHANNEL_VIEW, audience)
      const all = (isDevice ? describeDevices : describeChannels)(parts, audience, caller)
      const isVisible = ({ because }: VisibleObject) => permitted && because !== undefined
      const key = request.key?.toLowerCase() ?? ''
      const matching = all
        .filter((object) => isVisible(object) !== (request.hidden === 1))
        .filter(({ name, sn = '' }) => `${name}\n${sn}`.toLowerCase().includes(key))
        .sort((a, b) => compareText(a.name, b.name))
      return {
        ...paginate(matching, request),
        permitted,
        'num-visible': all.filter(isVisible).length,
        'num-all': all.length
      }
    })
  ]
}
