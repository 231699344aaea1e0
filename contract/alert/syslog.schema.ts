// Configuration of a syslog server that gets messages of notifications.
import * as z from 'zod'
import { port } from '../fields.schema.ts'
import { serverHost } from './server-host.schema.ts'
import { SYSLOG_PROTOCOLS } from './syslog.ts'

export const SyslogConfig = z.object({
  host: serverHost.describe('Name or address of the syslog server'),
  port: port.optional().describe('Default: 514 over UDP, 601 over TCP'),
  protocol: z
    .enum(SYSLOG_PROTOCOLS)
    .optional()
    .describe('`tcp` (default), or `udp`: the hub does not notice lost messages')
})

export type SyslogConfig = z.infer<typeof SyslogConfig>
