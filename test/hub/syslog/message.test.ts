import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { formatMessage, MESSAGE_MAX } from '../../../hub/syslog/message.ts'

const test = suite('syslog message')

/** The grammar of RFC 5424, section 6, for messages without structured data. */
const MESSAGE =
  /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) - ([ -~]+)$/

const line = { id: 7, time: Date.UTC(2026, 0, 2, 3, 4, 5, 6), level: 1, event: 'user/add', detail: 'Vera' }

test('an action of a user is a message of the audit facility with its fields as JSON', () => {
  const text = formatMessage('operation', { ...line, user: 'Admin', ip: '192.0.2.1', code: 0 }, 'hub 1.example\n')
  const [, priority, time, host, app, process_, id, json = ''] = MESSAGE.exec(text) ?? []
  assert.deepEqual(
    [priority, time, host, app, process_, id],
    ['110', '2026-01-02T03:04:05.006Z', 'hub1.example', 'headend', String(process.pid), 'user/add']
  )
  assert.deepEqual(JSON.parse(json), {
    log: 'operation',
    event: 'user/add',
    id: 7,
    user: 'Admin',
    ip: '192.0.2.1',
    code: 0,
    detail: 'Vera'
  })
})

test('an action of a program has the name of its access token', () => {
  const fieldsOf = (token: string | null) => {
    const text = formatMessage('operation', { ...line, user: 'Admin', token, ip: '192.0.2.1', code: 0 }, 'hub')
    return JSON.parse(MESSAGE.exec(text)?.[7] ?? '')
  }
  assert.equal(fieldsOf('Playout').token, 'Playout')
  assert.equal('token' in fieldsOf(null), false)
})

test('the severity follows the level', () => {
  const priorityOf = (level: number) => MESSAGE.exec(formatMessage('event', { ...line, level }, 'hub'))?.[1]
  assert.deepEqual([1, 2, 3].map(priorityOf), ['134', '132', '131'])
})

test('no text leaves the grammar: line breaks, other scripts and long texts', () => {
  const text = formatMessage(
    'event',
    { ...line, event: '演出 one/two'.repeat(20), detail: 'a\r\n<0>1 演\u2028\u0000' },
    ''
  )
  const [, , , host, , , id, json = ''] = MESSAGE.exec(text) ?? []
  assert.equal(host, '-')
  assert.equal(id?.length, 32)
  assert.equal(JSON.parse(json).detail, 'a\r\n<0>1 演\u2028\u0000')
  for (const detail of ['演'.repeat(5000), 'x'.repeat(5000)]) {
    const long = formatMessage('event', { ...line, detail }, 'hub')
    assert.ok(long.length <= MESSAGE_MAX, String(long.length))
    assert.ok(JSON.parse(MESSAGE.exec(long)?.[7] ?? '').detail.endsWith('…'))
  }
})

test.run()
