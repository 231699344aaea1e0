// Devices: reference 3.2, 3.14, 4.5, 5.3.
import { call, type ListReply, type Page, type Since } from './call.ts'
import { CHANNEL_VIEW, DEVICE_ADV_CONTROL, DEVICE_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from './permissions.ts'

/** Registration states. */
export const REGISTRATION = { registering: 29, accepted: 101, rejected: 102, pending: 103, deleted: 104 } as const

/** The query word of a registration state. */
export type RegistrationWord = 'accepted' | 'rejected' | 'waiting'

/** Bits of `dev-warns`. The first is public, the others are ours, in the specification's order. */
export const WARNING = {
  noSignal: 0x1,
  usbInvalid: 0x2,
  usbFull: 0x4,
  storageFull: 0x8,
  firmwareUnsupported: 0x10,
  firmwareOld: 0x20
} as const

/** Bits of `status.cur-status` that the console reads (reference 3.15). */
export const RUNNING = { recording: 0x2, streaming: 0x4, updating: 0x4000, rebooting: 0x20000000 } as const

/** What a device last said of itself. Absent fields were not said. */
export interface DeviceStatus {
  'cur-status'?: number
  /** Percent, oldest first, at most 24 samples. */
  cpu?: number[]
  /** Bits per second, oldest first, at most 24 samples. */
  'eth-rx'?: number[]
  'eth-tx'?: number[]
  /** Addresses. */
  eth?: string
  wifi?: string
  /** Seconds. */
  'up-time'?: number
  /** Degrees Celsius. */
  temperature?: number
}

export interface Device {
  id: number
  sn: string
  name: string
  /** Family. */
  module: number
  'module-name': string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
  'reg-state': number
  /** Milliseconds since the epoch. */
  'apply-date': number
  /** Milliseconds since the epoch since when it is online; 0 = offline. */
  'online-date': number
  /** Ours: milliseconds since the epoch since when it is offline; 0 = online, or never seen since the hub knows it. */
  'offline-date'?: number
  'catalog-id': number
  /** Direction (reference 3.4). */
  dir: number
  'dev-warns': number
  /** The caller's own id where the caller marked it, else 0: whom else it pleases is nobody's business. */
  'is-favorite': number
  /** Who may see it; answered only to who may set it. */
  'is-inherit'?: number
  'group-mask'?: number
  'usr-mask'?: number
  /** `DEV-<sn>` when it can show a picture. */
  'preview-id'?: string
  /** Ours: the address its link comes from. */
  'connect-ip'?: string
  /** Names and ids of the channels that use it as input; answered only to who may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  'pro-feature'?: { input?: string }
  status?: DeviceStatus
}

export interface DeviceListRequest extends Page, Since {
  'reg-state'?: RegistrationWord
  catalog?: number
  module?: number
  dir?: 'none' | 'input' | 'output'
  /** Comma list of dev-warns, offline, warns; ours besides: online. */
  status?: string
  'is-favorite'?: number
  /** Part of serial number or name. */
  key?: string
  sort?: 'online-state' | 'sn' | 'name' | 'time' | 'module' | 'connect-ip' | 'firmware-ver'
  order?: 'ascending' | 'descending'
}

export const listDevices = call<DeviceListRequest, ListReply<Device>>('GET', '/device/list', DEVICE_VIEW)
/** Documented as channel viewing; reference 8 takes either right. */
export const listDevicesBySerial = call<{ sn: string[] }, { list: Device[] }>(
  'POST',
  '/device/list',
  DEVICE_VIEW | CHANNEL_VIEW
)
export const queryDevice = call<{ sn: string }, { dev: Device }>('GET', '/device/query', DEVICE_VIEW)

export interface Serials {
  sn: string[]
}

/** Result per device, for calls on several: reference 5.3, `upgrade`. */
export interface SerialResults {
  details: { sn: string; result: number }[]
}

/** 1004 for a device that was already decided on by somebody else; 16 for an unknown one. Ours besides: `details`. */
export const acceptDevices = call<Serials, SerialResults>('POST', '/device/accept', DEVICE_ADV_CONTROL)
export const rejectDevices = call<Serials, SerialResults>('POST', '/device/reject', DEVICE_ADV_CONTROL)
export const deleteDevices = call<Serials, SerialResults>('POST', '/device/del', DEVICE_ADV_CONTROL)

/** A `group-mask` that shows an object to all groups, also to those to come. */
export const ALL_GROUPS = 4294967295

/** Who may see an object (reference 3.12): users and user groups by the bits of their ids. Admins see everything. */
export interface Visibility {
  /** `ALL_GROUPS`, or ids of groups that exist. */
  'group-mask': number
  /** Ids of users that exist. */
  'usr-mask': number
}

export interface DeviceSecurity extends Partial<Visibility> {
  /** Non-zero: as its group says, else the global default; the masks are then not needed. */
  'is-inherit': number | boolean
}

/**
 * The reference names a serial and shows several: both are taken. 7 for a mask with bits that nobody has: whoever is given such an id
 * later would see what was never shown to him. A device that is not accepted keeps the masks for when it is.
 */
export const setDeviceSecurity = call<{ sn: string | string[]; security: DeviceSecurity }, SerialResults>(
  'POST',
  '/device/security/set',
  'admin'
)

/** The global default of visibility: for what inherits, and for devices that are not accepted. */
export const getGlobalDevice = call<Record<never, never>, { security: Visibility }>(
  'GET',
  '/device/global/get',
  SYSTEM_CONFIG_VIEW
)
export const setGlobalDevice = call<{ security: Visibility }>('POST', '/device/global/set', SYSTEM_CONFIG_EDIT)

/** Marks devices for the caller alone, or takes the mark away. */
export const setFavorite = call<Serials & { favorite: boolean }, SerialResults>(
  'POST',
  '/device/favorite/set',
  DEVICE_VIEW
)
