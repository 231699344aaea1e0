// Calls for the licence of the hub (docs/wire.md, "Licence").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { CurrentLicense, LicenseRegistration } from './calls.schema.ts'

export const getLicense = declareCall('GET /license/get', SYSTEM_CONFIG_VIEW)

export const activateLicense = declareCall('POST /license/activate', SYSTEM_CONFIG_EDIT, { interrupts: true })

export const deactivateLicense = declareCall('POST /license/deactivate', SYSTEM_CONFIG_EDIT, {
  reauthenticate: true,
  interrupts: true
})

export const uploadLicense = declareCall('POST /license/upload', SYSTEM_CONFIG_EDIT, { body: 'form', interrupts: true })
