// Name of the hub, and the host name of its machine (docs/wire.md, "Name of the hub").
import { SYSTEM_CONFIG_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import { HOST_LABEL_MAX } from '../limits.ts'

export type { HubName } from './name.schema.ts'

/**
 * Host name for a name of the hub (RFC 1123, one label): letters in lower case, digits and hyphens; each run of other
 * characters becomes one hyphen, none at the ends; at most 63 characters.
 */
export function hostNameFor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, HOST_LABEL_MAX)
    .replace(/^-|-$/g, '')
}

export const setDeviceName = declareCall('POST /system/set-device-name', SYSTEM_CONFIG_EDIT)
