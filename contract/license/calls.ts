// Calls for the licence of the hub (docs/wire.md, "Licence").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import type { LicenseLimits, LicenseReason } from './license.ts'

/** The licence that was activated or uploaded last. The fields that come from it are absent if there is none. */
export interface LicenseRegistration {
  /** `LICENSE_STATE`. */
  status: number
  /** Why it is not in force, where `status` does not say it. */
  reason?: LicenseReason
  /** Title of the licence. */
  'user-name'?: string
  sn?: string
  /** Limits of the licence, whether or not it is in force; 0 = no limit. */
  license?: LicenseLimits
  /** `LICENSE_PERMISSION` bits. */
  permissions?: number
  /** Fingerprint of the machine that the licence is for. */
  machine?: string
  /** Milliseconds since the epoch. */
  issued?: number
  /** When the licence server answered last, in milliseconds since the epoch; absent for a licence from a file. */
  checked?: number
}

/** The limits in force, and their usage. */
export type CurrentLicense = LicenseLimits & {
  /** End of the licence in force and of its maintenance support, in milliseconds since the epoch. Absent if they have none. */
  'expired-time'?: number
  'support-end'?: number
  /**
   * Number of objects that count for each limit. All numbers with SYSTEM_CONFIG_VIEW; those of channels with CHANNEL_CONTROL or
   * CHANNEL_EDIT, that of devices with DEVICE_ADV_CONTROL.
   */
  used?: Partial<LicenseLimits>
}

export const getLicense = declareCall<
  EmptyRequest,
  {
    'license-reg': LicenseRegistration
    'cur-license': CurrentLicense
    /** Fingerprint of this machine, for the issuer of a licence file. */
    machine: string
    /** Whether a licence server is configured. */
    online: boolean
  }
>('GET', '/license/get', SYSTEM_CONFIG_VIEW)

/**
 * Activates a licence at the licence server. `user-name`: its title. A `LICENSE_STATE` as the result if it is not valid; 2 if the server
 * does not answer; 43 while another request to the server runs.
 */
export const activateLicense = declareCall<{ 'user-name': string; sn: string }>(
  'POST',
  '/license/activate',
  SYSTEM_CONFIG_EDIT
)

/**
 * Removes the licence, and gives it back to the licence server. `user-name`: its title; empty for a licence that cannot be read. -14 if the
 * title is another one; 2 if the licence is in force and its server does not answer.
 */
export const deactivateLicense = declareCall<{ 'user-name': string }>(
  'POST',
  '/license/deactivate',
  SYSTEM_CONFIG_EDIT,
  { reauthenticate: true }
)

/** Adds the licence of a file. A `LICENSE_STATE` as the result if it is not valid for this machine; the licence before stays. */
export const uploadLicense = declareCall<EmptyRequest>('POST', '/license/upload', SYSTEM_CONFIG_EDIT, { body: 'form' })
