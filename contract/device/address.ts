// Devices that do not dial in but are reached at an address, over plain HTTP or HTTPS, at their documented API (design 6). Ours.
import { call } from '../call.ts'
import { DEVICE_ADV_CONTROL } from '../permissions.ts'

/** Where a device is reached. What it is signed in to with never comes out again. */
export interface DeviceAddress {
  /** IPv4 address or domain. */
  address: string
  port: number
  https: boolean
  /**
   * SHA-256 of its certificate, as hex. Certificates of such boxes are made by themselves, so the one that was met first counts, and
   * another one is refused until it is set anew.
   */
  'cert-sha256'?: string
  /**
   * Why it was not reached when it was tried last; absent when it was. 36 refuses the login, 40 another certificate, 10006 another device
   * at this address, 44 refuses the connection, 47 does not answer or cannot be found, 49 what it answers is no answer.
   */
  trouble?: number
}

export interface AddDeviceRequest {
  address: string
  /** 80, with HTTPS 443. */
  port?: number
  https?: boolean
  /** In the clear: each generation wants another hash of it. 1-64 characters. */
  user: string
  password: string
  /** Family, where the user knows it: its generation's way is tried first. */
  module?: number
}

/**
 * Signs in, asks the device what it is, and keeps it as accepted. 1003 when its serial is known already; 32 for an address of no device
 * (link-local, multicast, this hub itself); else the codes of `trouble`. What failed is not kept.
 */
export const addDevice = call<AddDeviceRequest, { id: number; sn: string }>('POST', '/device/add', DEVICE_ADV_CONTROL)

export interface SetDeviceRequest extends Partial<Omit<AddDeviceRequest, 'module'>> {
  sn: string
  /** Trusts whatever certificate is met next. */
  'forget-cert'?: boolean
}

/**
 * Changes where or how a device is reached; what is left out stays. Tried before it is kept, as with `addDevice`; 10006 when another
 * device answers there. The stored password goes to no other address: with another one a password must come. 9 for a device that dials in.
 */
export const setDeviceAddress = call<SetDeviceRequest>('POST', '/device/set', DEVICE_ADV_CONTROL)
