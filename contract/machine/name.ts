// Name of the hub, and the host name of its machine (docs/wire.md, "Name of the hub").
import { SYSTEM_CONFIG_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import { HOST_LABEL_MAX } from '../limits.ts'
import type { MachineAccess } from './machine.ts'

export interface HubName {
  /** The host name of the machine, until a user gives the hub a name. */
  'device-name': string
  'host-name': string
  /** Whether the hub can set the host name. */
  access: MachineAccess
}

/**
 * Host name for a name of the hub (RFC 1123, one label): letters in lower case, digits and hyphens; each run of other characters becomes one
 * hyphen, none at the ends; at most 63 characters.
 */
export function hostNameFor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, HOST_LABEL_MAX)
    .replace(/^-|-$/g, '')
}

/**
 * Names the hub. In the mode `manage` the machine gets the host name that `hostNameFor` makes of it; 26 with `message` if the system refuses
 * that, and then nothing changes. `ext-need-reboot`: the machine has the host name after its next start. With the serial number of a device in
 * the query (`sc-client-id`) the call goes to that device, as over `/socket/`.
 */
export const setDeviceName = declareCall<{ name: string }, { 'ext-need-reboot': boolean }>(
  'POST',
  '/system/set-device-name',
  SYSTEM_CONFIG_EDIT
)
