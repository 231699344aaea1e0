// Request schemas of the calls for the syslog server.
import { getSyslogStatus, testSyslog } from '../../syslog/status.ts'
import { defineSchema, emptyRequest } from '../schema.ts'

defineSchema(getSyslogStatus, emptyRequest)
defineSchema(testSyslog, emptyRequest)
