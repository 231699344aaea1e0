// The state of the syslog server that gets a copy of every log line (docs/wire.md, "Logs"). It is set with the part
// `syslog` of the settings.
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { SyslogStatus } from './status.schema.ts'

/**
 * - `off`: no server is set
 * - `connecting`: the first attempt is not over
 * - `connected`: TCP, and the connection is open
 * - `sending`: UDP, which the server does not confirm
 * - `failing`: lines cannot be sent; the hub tries again
 */
export const SYSLOG_STATES = ['off', 'connecting', 'connected', 'sending', 'failing'] as const

export const getSyslogStatus = declareCall('GET /syslog/status', SYSTEM_CONFIG_VIEW)

export const testSyslog = declareCall('POST /syslog/test', 'admin')
