// Devices added by address: the hub connects to the documented API of the device over HTTP or HTTPS, instead of the device opening a
// device link to the hub.

import { DEVICE_ADV_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

/** Address of a device. Its user name and password are write-only. */
export interface DeviceAddress {
  /** IPv4 address or domain. */
  address: string
  port: number
  https: boolean
  /**
   * SHA-256 of the certificate in hex. Devices have self-signed certificates, so the hub trusts the first one it sees and refuses any other
   * until it is reset (`forget-cert`).
   */
  'cert-sha256'?: string
  /**
   * Result code of the last connection attempt; absent if it succeeded. 36 login refused; 40 another certificate; 10006 another device at this
   * address; 44 connection refused; 47 no response, or unknown host; 49 invalid response.
   */
  trouble?: number
}

export interface AddDeviceRequest {
  address: string
  /** Default: 80, with HTTPS 443. */
  port?: number
  https?: boolean
  /** Plain text, because each API generation uses a different hash of the password. 1-64 characters. */
  user: string
  password: string
  /** Product family, if known: the hub tries the API generation of this family first. */
  module?: number
}

/**
 * Signs in to a device, identifies it, and adds it as accepted. 1003 if its serial number is already registered; 32 for an address that cannot
 * be a device (link-local, multicast, the hub itself); else the codes of `trouble`. A device that fails is not stored.
 */
export const addDevice = declareCall<AddDeviceRequest, { id: number; sn: string }>(
  'POST',
  '/device/add',
  DEVICE_ADV_CONTROL
)

export interface SetDeviceRequest extends Partial<Omit<AddDeviceRequest, 'module'>> {
  sn: string
  /** Resets the certificate: trusts the next one. */
  'forget-cert'?: boolean
}

/**
 * Changes the address or login of a device; absent fields are not changed. The hub tests the connection before it stores the change; errors as
 * with `addDevice`, and 10006 if another device is at this address. A new address requires the password, because the hub does not send the
 * stored one to another address. 9 for a device with a device link.
 */
export const setDeviceAddress = declareCall<SetDeviceRequest>('POST', '/device/set', DEVICE_ADV_CONTROL)
