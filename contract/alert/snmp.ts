// SNMP: messages that the hub sends as notifications to a network management system.
import { declareCall } from '../call.ts'

/** `trap` (default): the receiver does not confirm it; `inform`: the receiver confirms it. */
export const SNMP_NOTIFICATIONS = ['trap', 'inform'] as const
export const SNMP_VERSIONS = ['2c', '3'] as const
/** Algorithms of authentication (RFC 3414, RFC 7860). */
export const SNMP_AUTHENTICATIONS = ['sha', 'sha256', 'sha512'] as const
/** Default port of receivers (RFC 3417). */
export const SNMP_PORT = 162
/** Minimum number of characters of a password (RFC 3414, 11.2). */
export const SNMP_PASSWORD_MIN = 8

export type { SnmpConfig } from './snmp.schema.ts'

export const downloadMib = declareCall('GET /alert/snmp/mib', 'session')
