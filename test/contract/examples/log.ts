// Requests for logs, and for downloads of them.
import { addDownloadTicket, downloadFile } from '../../../contract/file/download.ts'
import * as log from '../../../contract/log.ts'
import { getSyslogStatus, testSyslog } from '../../../contract/syslog/status.ts'
import { examples } from './examples.ts'

const page = { start: 0, count: 10_000 }
const filter = {
  from: 1,
  to: 2e12,
  user: '演播室',
  level: 3,
  outcome: 'failed' as const,
  key: '50% [x]',
  sn: 'A406230419001',
  channel: 100001
}
examples(log.listLog, { type: 'operation' }, { ...page, ...filter, type: 'device', upto: 7, since: 0 })
examples(log.exportLog, { type: 'system', format: 'csv' }, { ...filter, type: 'device', format: 'json' })
examples(log.checkLog, {})
examples(log.clearLog, { type: 'operation' }, { type: 'device', sn: 'A406230419001' })
examples(
  addDownloadTicket,
  { kind: 'log', type: 'system', format: 'csv' },
  { kind: 'log', ...filter, type: 'device', format: 'json' },
  { kind: 'export' },
  { kind: 'backup', name: 'headend-hub-2026-11-23-03-00-00.tar' },
  { kind: 'export', passphrase: 'x'.repeat(256) }
)
examples(downloadFile, { ticket: 'q3J0dGVkLXdpdGgtMzItcmFuZG9tLWJ5dGVzLWhlcmU' })
examples(getSyslogStatus, {})
examples(testSyslog, {})
