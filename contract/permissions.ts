// Permission bits: order from specification 6, checked against the masks of reference 3.11. Masks are unsigned 32-bit numbers.

export const FIRMWARE_VIEW = 0x1
export const FIRMWARE_MANAGER = 0x2
export const DEVICE_VIEW = 0x4
export const DEVICE_CONTROL = 0x8
export const DEVICE_ADV_CONTROL = 0x10
export const DEVICE_SECURITY = 0x20
export const DEVICE_GROUP_VIEW = 0x40
export const DEVICE_GROUP_CONTROL = 0x80
export const INPUT_OUTPUT_VIEW = 0x100
export const INPUT_OUTPUT_EDIT = 0x200
export const CHANNEL_VIEW = 0x400
export const CHANNEL_CONTROL = 0x800
export const CHANNEL_EDIT = 0x1000
export const USER_CONTROL = 0x2000
export const SYSTEM_CONFIG_VIEW = 0x4000
export const SYSTEM_CONFIG_EDIT = 0x8000
export const NDI_VIEW = 0x10000
export const NDI_EDIT = 0x20000

/** The mask of the Admin group: every right, those to come included. */
export const ALL_PERMISSIONS = 4294967295

/** Group types (reference 3.5). */
export const GROUP_ADMIN = 1
export const GROUP_USER = 2
export const GROUP_VIEWER = 4
export const GROUP_CUSTOM = 8

/** Everything but the three rights only the Admin group holds (reference 3.11, the example of the User group). */
export const USER_PERMISSIONS = 57183

/** The default viewer set: device, device group, input/output and channel view (reference 3.11). */
export const VIEWER_PERMISSIONS = 1348

/** Every right there is, in the order of the bits. */
export const PERMISSION_BITS: readonly number[] = Array.from({ length: 18 }, (_, bit) => 2 ** bit)

/** Rights of the Admin group alone (specification 6: only admin users can grant them; reference 3.11: administrative group only). */
export const ADMIN_ONLY = DEVICE_SECURITY | DEVICE_GROUP_CONTROL | USER_CONTROL

/** Rights that the cloud variant does not show. */
export const FIRMWARE_RIGHTS = FIRMWARE_VIEW | FIRMWARE_MANAGER

/**
 * What a right needs: granting it grants these (specification 6). Device security and device group control are not in the
 * specification's table; without seeing devices and groups they would be of no use.
 */
const NEEDS: Readonly<Record<number, number>> = {
  [FIRMWARE_MANAGER]: FIRMWARE_VIEW,
  [DEVICE_CONTROL]: DEVICE_VIEW | FIRMWARE_VIEW,
  [DEVICE_ADV_CONTROL]: DEVICE_VIEW | DEVICE_CONTROL | FIRMWARE_VIEW,
  [DEVICE_SECURITY]: DEVICE_VIEW,
  [DEVICE_GROUP_VIEW]: DEVICE_VIEW,
  [DEVICE_GROUP_CONTROL]: DEVICE_GROUP_VIEW,
  [INPUT_OUTPUT_EDIT]: INPUT_OUTPUT_VIEW,
  [CHANNEL_VIEW]: INPUT_OUTPUT_VIEW,
  [CHANNEL_CONTROL]: CHANNEL_VIEW | INPUT_OUTPUT_VIEW,
  [CHANNEL_EDIT]: CHANNEL_VIEW | CHANNEL_CONTROL | INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT,
  [SYSTEM_CONFIG_EDIT]: SYSTEM_CONFIG_VIEW,
  [NDI_EDIT]: NDI_VIEW
}

/** `mask` with all that its rights need, and what that needs in turn. */
export function withNeeded(mask: number): number {
  const wider = PERMISSION_BITS.reduce((all, bit) => (holds(mask, bit) ? (all | (NEEDS[bit] ?? 0)) >>> 0 : all), mask)
  return wider === mask ? mask : withNeeded(wider)
}

/** `mask` without those of its rights that need something it does not hold, and without what needs those in turn. */
export function withoutDependent(mask: number): number {
  const narrower = PERMISSION_BITS.reduce((all, bit) => {
    const needs = NEEDS[bit] ?? 0
    return (all & needs) >>> 0 === needs ? all : (all & ~bit) >>> 0
  }, mask)
  return narrower === mask ? mask : withoutDependent(narrower)
}

/** The default rights of the Viewer group; with NDI view where the hub routes NDI (specification 6). */
export function viewerPermissions(ndiRouter: boolean): number {
  return ndiRouter ? VIEWER_PERMISSIONS | NDI_VIEW : VIEWER_PERMISSIONS
}

/** Whether `mask` holds at least one of `bits`. Unsigned: bit 31 counts too. */
export function holds(mask: number, bits: number): boolean {
  return (mask & bits) >>> 0 !== 0
}

/** What a permission decision needs to know of a user. */
export interface Holder {
  permission: number
  /** Group type. */
  type: number
}

/** Whether a signed-in user may make a call declared for `who`. */
export function permits(who: 'public' | 'session' | 'admin' | number, user: Holder): boolean {
  if (who === 'public' || who === 'session') return true
  return who === 'admin' ? user.type === GROUP_ADMIN : holds(user.permission, who)
}
