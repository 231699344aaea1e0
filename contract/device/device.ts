// Devices: registration, lists, security and the connection configuration (docs/wire.md, "Devices").

import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_GROUP_CONTROL,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../access/permissions.ts'
import type { ObjectSecurity, Visibility } from '../access/visibility.ts'
import {
  type DeltaRequest,
  declareCall,
  type EmptyRequest,
  type Envelope,
  type ListResponse,
  type PageRequest
} from '../call.ts'
import type { DeviceVerdict, Health } from '../health.ts'
import type { DeviceAddress } from './address.ts'
import type { DeviceConfig, GlobalConfig } from './config.ts'
import type { DeviceStatus, DeviceUpdate, IngestStatus } from './status.ts'

/**
 * Registration states. `registering` is a state of the device link only: the device has sent its hello, and the hub has not decided
 * (`link.ts`).
 */
export const REGISTRATION_STATE = { registering: 29, accepted: 101, rejected: 102, pending: 103, deleted: 104 } as const

/** Value of the query parameter `reg-state`. */
export type RegistrationFilter = 'accepted' | 'rejected' | 'waiting'

export interface Device {
  id: number
  sn: string
  name: string
  /** Product family (`products.ts`). */
  module: number
  'module-name': string
  /** `VENDOR_API_CLASS` (products.ts) for the vendor's own devices; absent if the device did not report a class. */
  'api-class'?: string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
  /** `REGISTRATION_STATE`. */
  'reg-state': number
  /** Milliseconds since the epoch. */
  'apply-date': number
  /** When the device went online, in milliseconds since the epoch; 0 = offline. */
  'online-date': number
  /** When the device went offline, in milliseconds since the epoch; 0 = online, or never online since it registered. */
  'offline-date'?: number
  /**
   * Start time of the device in milliseconds since the epoch, computed from its uptime and the hub's clock. Unlike the uptime it changes only
   * when the device restarts, so a cached list stays correct.
   */
  'start-date'?: number
  'catalog-id': number
  /** Direction: a `DIR_` constant of `protocols.ts`. */
  dir: number
  /** Node type, as in a channel (`protocols.ts`); absent for a device that can be neither an input nor an output. */
  type?: number
  /** `DEVICE_WARNING_BITS` (status.ts). */
  'dev-warns': number
  health?: Health<DeviceVerdict>
  /** The caller's user id if the caller marked the device as a favorite, else 0. Favorites of other users are not included. */
  'is-favorite': number
  /** Visibility; included only for callers that may set it. */
  'is-inherit'?: number
  'group-mask'?: number
  'usr-mask'?: number
  /** `DEV-<sn>`, if the device has a preview. */
  'preview-id'?: string
  /** Remote address of the device link. */
  'connect-ip'?: string
  /** Whether the device link is over TLS. Absent while the device is offline, and for devices at an address. */
  'link-encrypted'?: boolean
  /** Names and ids of the channels that use the device as an input; included only for callers that may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  /** The channel that plays on the device; included like `owner-i`. */
  'owner-o'?: string
  'owner-o-d'?: number
  /** A channel that the caller may not see uses or plays the device. */
  'owner-hidden'?: true
  'pro-feature'?: { input?: string }
  /** Connection configuration of the device; absent: the global configuration applies. */
  config?: DeviceConfig
  /** Present while a running channel uses the device as an input. */
  stream?: IngestStatus
  /** For a device that was added by address; included only for callers that may add devices. */
  at?: DeviceAddress
  /** The last firmware update, while it waits or runs, and after it failed. */
  update?: DeviceUpdate
  /** 1 while the hub uploads a firmware file to the device, and the progress in percent. */
  'is-upload-file'?: number
  'upload-file-pos'?: number
  status?: DeviceStatus
}

/** Non-zero: the response includes the global configuration. */
export interface GlobalConfigRequest {
  'global-config'?: number
}

export interface GlobalConfigResponse {
  'global-config'?: GlobalConfig
}

export interface DeviceListRequest extends PageRequest, DeltaRequest, GlobalConfigRequest {
  'reg-state'?: RegistrationFilter
  catalog?: number
  module?: number
  dir?: 'none' | 'input' | 'output'
  /** Comma-separated list of dev-warns, offline, warns, online. */
  status?: string
  'is-favorite'?: number
  /** Substring of the serial number or name. */
  key?: string
  /** Id of a firmware file: only devices that it is compatible with. */
  firmware?: number
  sort?: 'online-state' | 'sn' | 'name' | 'time' | 'module' | 'connect-ip' | 'firmware-ver'
  order?: 'ascending' | 'descending'
}

export const listDevices = declareCall<DeviceListRequest, ListResponse<Device> & GlobalConfigResponse>(
  'GET',
  '/device/list',
  DEVICE_VIEW
)

/** Requires either of two permissions. The response always includes the global configuration. */
export const listDevicesBySerial = declareCall<SerialsRequest, { list: Device[] } & GlobalConfigResponse>(
  'POST',
  '/device/list',
  DEVICE_VIEW | CHANNEL_VIEW
)

export const queryDevice = declareCall<{ sn: string } & GlobalConfigRequest, { dev: Device } & GlobalConfigResponse>(
  'GET',
  '/device/query',
  DEVICE_VIEW
)

export interface SerialsRequest {
  sn: string[]
}

/** Result per device of a call for several devices. */
/** `of`, `max` and `used` only with 1006. */
export type SerialResult = { sn: string } & Pick<Envelope, 'result' | 'of' | 'max' | 'used'>

export interface SerialResults {
  details: SerialResult[]
}

/**
 * Per device: 1004 if another user has already accepted or rejected it; 16 unknown device. When accepting also 1006: the licence allows no
 * more devices, and the device keeps waiting.
 */
export const acceptDevices = declareCall<SerialsRequest, SerialResults>('POST', '/device/accept', DEVICE_ADV_CONTROL)
export const rejectDevices = declareCall<SerialsRequest, SerialResults>('POST', '/device/reject', DEVICE_ADV_CONTROL)
export const deleteDevices = declareCall<SerialsRequest, SerialResults>('POST', '/device/del', DEVICE_ADV_CONTROL)

/**
 * Takes one serial number or several. 7 for a mask with a bit that no user or group has: ids are reused, so a later user would gain access.
 * A device that is not accepted keeps the masks until it is.
 */
export const setDeviceSecurity = declareCall<{ sn: string | string[]; security: ObjectSecurity }, SerialResults>(
  'POST',
  '/device/security/set',
  DEVICE_SECURITY
)

/** Defaults for all devices. `security` applies to devices that inherit and to devices that are not accepted. */
export interface GlobalDeviceSettings {
  security: Visibility
  config: DeviceConfig
}

/** Who sets the visibility of devices or device groups has to know the default that they inherit. */
export const getGlobalDevice = declareCall<EmptyRequest, GlobalDeviceSettings>(
  'GET',
  '/device/global/get',
  SYSTEM_CONFIG_VIEW | DEVICE_SECURITY | DEVICE_GROUP_CONTROL
)

/** An absent field is not changed. An absent half of `config` is cleared. */
export const setGlobalDevice = declareCall<Partial<GlobalDeviceSettings>>(
  'POST',
  '/device/global/set',
  SYSTEM_CONFIG_EDIT
)

/**
 * Sets both halves of the connection configuration; an absent half is cleared. 9 for a device without a connection configuration. A running
 * stream restarts: over SRT to a port opened for the device, over RTMP to the shared RTMP port. Of the output half, the hub applies latency and
 * buffer; streams to a device are always SRT.
 */
export const configureDevices = declareCall<SerialsRequest & { config: DeviceConfig }, SerialResults>(
  'POST',
  '/device/config',
  DEVICE_CONTROL
)

/** Adds devices to the caller's favorites, or removes them. */
export const setFavorite = declareCall<SerialsRequest & { favorite: boolean }, SerialResults>(
  'POST',
  '/device/favorite/set',
  DEVICE_VIEW
)
