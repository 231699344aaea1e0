import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession, login } from '../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { INVALID_ARG, NAME_EXISTS, SUCCESS, TRY_AGAIN, UNKNOWN_ERROR } from '../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel, channelDashboard, deleteChannels } from '../../../contract/stream/channel.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs } from '../../../contract/stream/source.ts'
import { createApi } from '../../../hub/http/api.ts'
import { CallError, handle, handlePreparedChange } from '../../../hub/http/handler.ts'
import { toResponse } from '../../../web-server/reply.ts'
import { FetchRequest } from '../../../web-server/request.ts'
import { type Client, md5, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'

const test = suite('api')
let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after.each(() => hub.close())

/** Runs `work` and counts the lines of the process log until `work` ends. */
async function countErrors(work: () => Promise<void>): Promise<number> {
  return (await recordProcessLog(work)).length
}

const operations = async () => {
  const { list } = await admin.send(listLog, { type: 'operation' })
  return list.map(({ event, detail, code }) => [event, detail, code])
}

test('a change is rolled back if its log entry cannot be written', async () => {
  const { store } = hub.parts
  const [sn = ''] = registerDevices(hub, 1)
  store.database.run('DELETE FROM operation_log')
  store.database.run(
    "CREATE TRIGGER full BEFORE INSERT ON operation_log BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
  )
  const changes: [string, () => Promise<{ result: number }>][] = [
    ['/channel/add', () => admin.send(addChannel, { name: 'Hall' })],
    ['/input/source/add', () => admin.send(addInput, { name: 'Cam', config: { type: 1, url: 'srt://10.0.0.1:9000' } })],
    ['/device/accept', () => admin.send(acceptDevices, { sn: [sn] })],
    ['/settings/set', () => admin.send(setSettings, { 'expired-time': 77 })],
    ['/login', () => hub.client().send(login, { id: 'Admin', pass: md5('Admin') })]
  ]
  for (const [path, make] of changes) {
    const errors = await countErrors(async () => {
      assert.equal((await make()).result, UNKNOWN_ERROR, path)
    })
    assert.equal(errors, 1, path)
  }
  store.database.run('DROP TRIGGER full')
  assert.equal((await admin.send(channelDashboard, {})).total, 0)
  assert.equal((await admin.send(listInputs, {})).total, 0)
  assert.equal(store.database.all('SELECT * FROM node').length, 1, 'only the device has a node id')
  assert.equal((await admin.send(listDevices, { 'reg-state': 'waiting' })).total, 1)
  assert.equal(store.settings.get('expired-time'), 30)
  assert.equal(store.database.all('SELECT * FROM session').length, 1)
  assert.deepEqual(await operations(), [])
  assert.equal((await admin.send(addChannel, { name: 'Hall' })).result, SUCCESS, 'the hub continues to work')
})

test('a refused change is logged with its code, and an invalid one with the name of the field', async () => {
  await admin.send(addChannel, { name: 'Hall' })
  await admin.send(addChannel, { name: 'hall' })
  await admin.send(addChannel, { name: '' })
  await admin.send(deleteChannels, { id: 77 })
  assert.deepEqual(await operations(), [
    ['/channel/del', '77', 16],
    ['/channel/add', '#field=name', INVALID_ARG],
    ['/channel/add', 'hall #field=name', NAME_EXISTS],
    ['/channel/add', 'Hall', SUCCESS],
    ['/login', 'Admin', SUCCESS]
  ])
})

test('a failing effect of a committed change does not affect the response or the other effects', async () => {
  const ids = [(await admin.send(addChannel, { name: 'A' })).id, (await admin.send(addChannel, { name: 'B' })).id]
  const applied: number[] = []
  hub.parts.applyChannel = (id) => {
    applied.push(id)
    throw new Error('oops')
  }
  const errors = await countErrors(async () => {
    assert.equal((await admin.send(deleteChannels, { id: ids })).result, SUCCESS)
  })
  assert.deepEqual([applied, errors], [ids, 2])
})

test('a refused field is named, with a fault for the form', async () => {
  for (const length of [65, 10_000]) {
    const name = await admin.send(addChannel, { name: 'x'.repeat(length) })
    assert.deepEqual(name, { result: INVALID_ARG, field: 'name', fault: 'length', min: 1, max: 64 })
  }
  const url = await admin.send(addInput, { name: 'x', config: { type: 1, url: 'file:///etc/passwd' } })
  assert.deepEqual(url, { result: INVALID_ARG, field: 'config.url', fault: 'scheme' })
  const output = { name: 'x', protocol: SRT, config: { mode: 'listener', 'bind-port': 0 } } as const
  const port = await admin.send(addOutput, output)
  assert.deepEqual(port, { result: INVALID_ARG, field: 'config.bind-port', fault: 'range', min: 1, max: 65535 })
  const token = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, token: 'x'.repeat(63) })
  assert.deepEqual(token, { result: INVALID_ARG, field: 'token', fault: 'length', min: 64, max: 64 })
  const missing = await admin.send(addChannel, {} as never)
  assert.deepEqual(missing, { result: INVALID_ARG, field: 'name', fault: 'required' })
  const kind = await admin.send(addChannel, { name: 7 } as never)
  assert.deepEqual(kind, { result: INVALID_ARG, field: 'name' })
})

test('responses are JSON and must not be cached', async () => {
  for (const path of ['/api/session', '/api/nothing', '/api/login']) {
    const { headers } = await admin.raw('GET', path)
    assert.equal(headers.get('content-type'), 'application/json;charset=utf-8', path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
  }
})

test('a body needs the JSON content type, in any case and with any parameters', async () => {
  const set = async (type: string | undefined) =>
    (
      await admin.raw('POST', '/api/settings/set', {
        body: '{"expired-time":40}',
        headers: type === undefined ? {} : { 'content-type': type }
      })
    ).status
  for (const type of ['application/json', 'Application/JSON; charset=utf-8']) assert.equal(await set(type), 200, type)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    ''
  ])
    assert.equal(await set(type), 415, type)
  assert.equal(await set(undefined), 415)
})

test('a body split within a character is decoded correctly, and a truncated one is refused', async () => {
  const bytes = new TextEncoder().encode('{"name":"演播室"}')
  const send = async (pieces: Uint8Array[]) => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      }
    })
    const headers = { cookie: admin.cookie, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await hub.fetch(new Request('http://localhost/api/channel/add', init))
    return (await response.json()) as { result: number }
  }
  assert.equal((await send([bytes.slice(0, 10), bytes.slice(10, 14), bytes.slice(14)])).result, SUCCESS)
  assert.equal((await admin.send(channelDashboard, {})).list[0]?.name, '演播室')
  assert.equal((await send([bytes.slice(0, 11)])).result, INVALID_ARG)
})

test('pages of other origins are refused; the hub’s own pages and programs without a browser are not', async () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await admin.raw('GET', '/api/session', { headers })).status
  for (const origin of ['http://evil.example', 'http://localhost:8080', 'http://localhost.evil.example', 'null', ''])
    assert.equal(await statusWith({ origin }), 403, origin)
  for (const site of ['cross-site', 'same-site', 'nonsense'])
    assert.equal(await statusWith({ 'sec-fetch-site': site }), 403, site)
  for (const headers of [{}, { origin: 'http://localhost' }, { origin: 'https://localhost' }] as Record<
    string,
    string
  >[])
    assert.equal(await statusWith(headers), 200, JSON.stringify(headers))
  for (const site of ['same-origin', 'none']) assert.equal(await statusWith({ 'sec-fetch-site': site }), 200, site)
})

test('a change whose preparation began before the data of the hub is replaced is refused', async () => {
  const { store, gate } = hub.parts
  let isReplaced = false
  let isStored = false
  const handler = handlePreparedChange(
    login,
    async () => {
      isReplaced = true
    },
    () => {
      isStored = true
      return {} as never
    }
  )
  const api = createApi({
    store,
    gate,
    handlers: [handler],
    offAir: hub.parts.offAir,
    timeline: hub.parts.timeline,
    refuseChange: () => (isReplaced ? new CallError(TRY_AGAIN) : undefined)
  })
  const body = JSON.stringify({ id: 'Admin', pass: md5('Admin') })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const request = new FetchRequest(new Request('http://localhost/api/login', init))
  const reply = await api(request, { address: '127.0.0.1', secure: false }, undefined)
  const { result } = (await toResponse(reply).json()) as { result: number }
  assert.deepEqual([result, isStored], [TRY_AGAIN, false])
})

test('two handlers for one call are refused at start', () => {
  const duplicates = [handle(getSession, () => ({}) as never), handle({ ...getSession }, () => ({}) as never)]
  assert.throws(
    () => createApi({ ...hub.parts, handlers: duplicates }),
    /Two handlers are declared for GET \/api\/session/
  )
})

test.run()
