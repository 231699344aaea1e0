// Messages of notifications to a syslog server.

export const SYSLOG_PROTOCOLS = ['udp', 'tcp'] as const

export type { SyslogConfig } from './syslog.schema.ts'
