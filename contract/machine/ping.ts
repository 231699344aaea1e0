// Whether the machine under the hub reaches a host (docs/wire.md, "Network of the machine").
import { SYSTEM_CONFIG_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { PingReply } from './ping.schema.ts'

export const pingHost = declareCall('POST /network/ping', SYSTEM_CONFIG_EDIT)
