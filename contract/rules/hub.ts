// Rules for the general settings of the hub.
import { deviceName, type Fault, required } from './rules.ts'

/** Name of the hub: that of a device, with a letter or a digit, so that a host name can be made of it. */
export function hubName(value: string): Fault | undefined {
  return deviceName(value) ?? (/[A-Za-z0-9]/.test(value) ? undefined : { name: 'invalid' })
}

/** Invitation code: 4 digits. */
export function invitationCode(value: string): Fault | undefined {
  return required(value) ?? (/^\d{4}$/.test(value) ? undefined : { name: 'invalid' })
}
