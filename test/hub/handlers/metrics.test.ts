import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { VIEWER_PERMISSIONS } from '../../../contract/access/permissions.ts'
import { addToken } from '../../../contract/access/token.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { TRANSPORT_ERRORS } from '../../../contract/stream/transport.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../kit/hub/observed-channel.ts'

const test = suite('metrics')

let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after.each(() => hub.close())

const read = async (client: Client) => {
  const response = await client.raw('GET', '/metrics')
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

test('an administrator and an access token read the metrics, nobody else', async () => {
  assert.equal((await read(hub.client())).status, 401)
  const { token, result } = await admin.send(addToken, { name: 'prometheus', 'expired-time': -1, scopes: ['metrics'] })
  assert.equal(result, SUCCESS)
  assert.equal((await read(admin)).status, 200)
  const reader = hub.client()
  reader.token = token
  assert.equal((await read(reader)).status, 200)
  reader.token = (await admin.send(addToken, { 'expired-time': -1 })).token
  assert.equal((await read(reader)).status, 403, 'a token without the scope')
  assert.equal((await read(addSignedInUser(hub, 'viewer', VIEWER_PERMISSIONS))).status, 403)
  assert.equal((await admin.raw('POST', '/metrics')).status, 405)
})

test('every line of the response is OpenMetrics text, and it ends with EOF', async () => {
  const { type, text } = await read(admin)
  assert.equal(type, 'application/openmetrics-text; version=1.0.0; charset=utf-8')
  assert.ok(text.endsWith('# EOF\n'))
  const sample = /^[a-z_:][a-z0-9_:]*(\{[a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*\})? \S+$/i
  for (const line of text.trimEnd().split('\n'))
    assert.match(line, line.startsWith('#') ? /^# (HELP|TYPE|UNIT|EOF)/ : sample)
  for (const name of [
    'headend_process_cpu_seconds',
    'headend_nodejs_eventloop_lag_seconds',
    'headend_engine_resident_memory_bytes',
    'headend_info'
  ])
    assert.ok(text.includes(name), name)
})

test('devices by state and each leg have measured values', async () => {
  const { id: channel } = await admin.send(addChannel, { name: 'Hall 1' })
  setObservedChannel(hub, channel, CARRYING_LEG, { 7: { ...CARRYING_LEG, kbps: 900 } })
  assert.equal((await admin.send(enableChannel, { id: channel, enable: true })).result, SUCCESS)
  const { text } = await read(admin)
  const line = (start: string) => text.split('\n').filter((each) => each.startsWith(start))
  assert.deepEqual(line('headend_devices{state="online"}'), ['headend_devices{state="online"} 0'])
  const labels = (leg: string, id: number) => `{channel="${channel}",name="Hall 1",leg="${leg}",id="${id}"}`
  assert.deepEqual(line('headend_leg_kbps'), [
    `headend_leg_kbps${labels('input', 0)} 4200`,
    `headend_leg_kbps${labels('output', 7)} 900`
  ])
  assert.equal(line('headend_leg_connected').length, 2)
})

test('errors of a transport stream have a value for each indicator, also those that have not occurred', async () => {
  const { id: channel } = await admin.send(addChannel, { name: 'Hall 1' })
  setObservedChannel(hub, channel, CARRYING_LEG)
  await admin.send(enableChannel, { id: channel, enable: true })
  const transport = { errors: { pat: { count: 3, at: 1 } }, 'pcr-jitter-ms': 4.5 }
  hub.parts.engine.legReport = () => ({ since: 0, kbps: 0, 'kbps-avg': 0, 'kbps-peak': 0, bytes: 0, transport })
  const { text } = await read(admin)
  const values = text.split('\n').filter((line) => line.startsWith('headend_leg_transport_errors'))
  assert.equal(values.length, TRANSPORT_ERRORS.length)
  const labels = `channel="${channel}",name="Hall 1",leg="input",id="0"`
  assert.ok(values.includes(`headend_leg_transport_errors{${labels},error="pat"} 3`), values.join('\n'))
  assert.ok(values.includes(`headend_leg_transport_errors{${labels},error="pts"} 0`))
  assert.ok(text.includes(`headend_leg_pcr_jitter_milliseconds{${labels}} 4.5`))
})

test.run()
