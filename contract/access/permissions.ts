// Permission bits (docs/wire.md, "Permissions"). Masks are unsigned 32-bit numbers.
import { FEATURE_BITS } from './features.ts'

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

/** Mask of the Admin group: every permission, including future ones. */
export const ALL_PERMISSIONS = 4294967295

/** Group types. */
export const GROUP_ADMIN = 1
export const GROUP_USER = 2
export const GROUP_VIEWER = 4
export const GROUP_CUSTOM = 8

/** Mask of the User group: everything except `ADMIN_GRANTED_PERMISSIONS`. */
export const USER_PERMISSIONS = 57183

/**
 * Mask of the Viewer group of a hub without an NDI router: view devices, device groups, inputs and outputs, and
 * channels.
 */
export const VIEWER_PERMISSIONS = 1348

/**
 * Mask of the Viewer group: `VIEWER_PERMISSIONS`, and NDI_VIEW if the hub has an NDI router.
 * @param features the bits of `feature-support`
 */
export function viewerPermissions(features: number): number {
  return hasAnyBit(features, FEATURE_BITS.ndiRouter) ? VIEWER_PERMISSIONS | NDI_VIEW : VIEWER_PERMISSIONS
}

/**
 * The permissions that a guest can have: those about single channels, inputs, outputs and devices, which the hub limits
 * to what the guest sees. The group of the guest can have fewer of them.
 */
export const GUEST_PERMISSIONS =
  DEVICE_VIEW |
  DEVICE_CONTROL |
  DEVICE_GROUP_VIEW |
  INPUT_OUTPUT_VIEW |
  INPUT_OUTPUT_EDIT |
  CHANNEL_VIEW |
  CHANNEL_CONTROL |
  CHANNEL_EDIT

/** All permissions, in order of their bits. */
export const PERMISSION_BITS: readonly number[] = Array.from({ length: 18 }, (_, bit) => 2 ** bit)

/** Permissions that only members of the Admin group can grant. No default group besides Admin has them. */
export const ADMIN_GRANTED_PERMISSIONS = DEVICE_SECURITY | DEVICE_GROUP_CONTROL | USER_CONTROL

/** Permissions that the cloud variant does not have. */
export const FIRMWARE_PERMISSIONS = FIRMWARE_VIEW | FIRMWARE_MANAGER

/** Permissions that a permission requires. Granting it grants these too. */
const REQUIRED_PERMISSIONS: Readonly<Record<number, number>> = {
  [FIRMWARE_MANAGER]: FIRMWARE_VIEW,
  [DEVICE_CONTROL]: DEVICE_VIEW | FIRMWARE_VIEW,
  [DEVICE_ADV_CONTROL]: DEVICE_VIEW | DEVICE_CONTROL | FIRMWARE_VIEW,
  // Who sees a device depends on its group.
  [DEVICE_SECURITY]: DEVICE_VIEW | DEVICE_GROUP_VIEW,
  [DEVICE_GROUP_VIEW]: DEVICE_VIEW,
  [DEVICE_GROUP_CONTROL]: DEVICE_GROUP_VIEW,
  [INPUT_OUTPUT_EDIT]: INPUT_OUTPUT_VIEW,
  [CHANNEL_VIEW]: INPUT_OUTPUT_VIEW,
  [CHANNEL_CONTROL]: CHANNEL_VIEW | INPUT_OUTPUT_VIEW,
  [CHANNEL_EDIT]: CHANNEL_VIEW | CHANNEL_CONTROL | INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT,
  [SYSTEM_CONFIG_EDIT]: SYSTEM_CONFIG_VIEW,
  [NDI_EDIT]: NDI_VIEW
}

/** Adds the permissions that the permissions in `mask` require, transitively. */
export function addRequiredPermissions(mask: number): number {
  const wider = PERMISSION_BITS.reduce(
    (all, bit) => (hasAnyBit(mask, bit) ? (all | (REQUIRED_PERMISSIONS[bit] ?? 0)) >>> 0 : all),
    mask
  )
  return wider === mask ? mask : addRequiredPermissions(wider)
}

/** Removes the permissions whose required permissions are not in `mask`, transitively. */
export function removeDependentPermissions(mask: number): number {
  const narrower = PERMISSION_BITS.reduce((all, bit) => {
    const required = REQUIRED_PERMISSIONS[bit] ?? 0
    return (all & required) >>> 0 === required ? all : (all & ~bit) >>> 0
  }, mask)
  return narrower === mask ? mask : removeDependentPermissions(narrower)
}

/** Whether `mask` has at least one of `bits`. Handles bit 31 correctly (unsigned). */
export function hasAnyBit(mask: number, bits: number): boolean {
  return (mask & bits) >>> 0 !== 0
}

/** A user as seen by permission checks. */
export interface Principal {
  permission: number
  /** Group type. */
  type: number
}

/** Whether a signed-in user has the permission `access`. */
export function isPermitted(access: 'public' | 'session' | 'admin' | number, user: Principal): boolean {
  if (access === 'public' || access === 'session') return true
  return access === 'admin' ? user.type === GROUP_ADMIN : hasAnyBit(user.permission, access)
}
