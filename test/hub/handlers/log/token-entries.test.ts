// Entries of changes that a program made with an access token: they name the token and its owner.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import { DEVICE_VIEW, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { addToken, NEVER_EXPIRES, type TokenScope } from '../../../../contract/access/token.ts'
import { NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, deleteDevices, rejectDevices } from '../../../../contract/device/device.ts'
import { checkLog, exportLog, type LogEntry, listLog } from '../../../../contract/log.ts'
import { addMatrix, listMatrices, takeRoutes } from '../../../../contract/ndi/router.ts'
import { addChannel, deleteChannels, queryChannel } from '../../../../contract/stream/channel.ts'
import { channelTimeline } from '../../../../contract/stream/channel-timeline.ts'
import { LANGUAGE_COOKIE } from '../../../../contract/text/language.ts'
import { addUser, bearerHeader, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('entries of access tokens')
hubForEach(test)

/** A client that authenticates with a new token of the administrator. */
async function program(name?: string, scopes: TokenScope[] = ['channels']): Promise<Client & { token: string }> {
  const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes, name })
  return Object.assign(hub.client(), { token })
}

const entries = async (filter: { user?: string; key?: string } = {}, client: Client = admin) =>
  (await client.send(listLog, { type: 'operation', ...filter })).list
    .filter(({ event }) => event === '/channel/add')
    .map(({ user, token, text }) => [user, token, text])

test('an entry has the token and its owner, and is found by both', async () => {
  await (await program('Playout')).send(addChannel, { name: 'Hall' })
  await (await program()).send(addChannel, { name: 'Lobby' })
  await admin.send(addChannel, { name: 'Studio' })
  const [studio, lobby, hall] = await entries({ user: 'Admin' })
  assert.deepEqual(
    [studio, hall],
    [
      ['Admin', undefined, 'Add channel: Studio'],
      ['Admin', 'Playout', 'Add channel: Hall']
    ]
  )
  // A token without a name has its first characters.
  assert.match(lobby?.[1] ?? '', /^\w{6}…$/)
  assert.deepEqual(await entries({ key: 'playout' }), [hall])
  assert.deepEqual(await entries({ user: 'Playout' }), [hall])
})

test('a take of the NDI router by a program has its token, also if it is refused', async () => {
  const sources = [{ name: 'HALL (Cam 1)' }]
  const { id } = await admin.send(addMatrix, { name: 'Studio', machine: 'Studio', sources, destinations: [{}] })
  const playout = await program('Playout')
  const take = (matrix: number) => playout.send(takeRoutes, { id: matrix, takes: [{ destination: 1, source: 1 }] })
  assert.equal((await take(id)).result, SUCCESS)
  assert.notEqual((await take(id + 1)).result, SUCCESS)
  const { list } = await admin.send(listLog, { type: 'operation' })
  const takes = list.filter(({ event }) => event === takeRoutes.path)
  assert.deepEqual(
    takes.map(({ user, token }) => [user, token]),
    [
      ['Admin', 'Playout'],
      ['Admin', 'Playout']
    ]
  )
})

test('the device log names the token that accepted, rejected or deleted a device, in both languages', async () => {
  const playout = await program('Play out 5%', ['devices'])
  const [one = '', two = ''] = registerDevices(hub, 2)
  assert.equal((await playout.send(acceptDevices, { sn: [one] })).result, SUCCESS)
  assert.equal((await playout.send(rejectDevices, { sn: [two] })).result, SUCCESS)
  assert.equal((await playout.send(deleteDevices, { sn: [two] })).result, SUCCESS)
  const texts = async (language: string) => {
    const headers = { cookie: `${admin.cookie}; ${LANGUAGE_COOKIE}=${language}` }
    const reply = await admin.raw('GET', `/api${listLog.path}?type=device`, { headers })
    const { list } = (await reply.json()) as { list: LogEntry[] }
    return list.slice(0, 3).map(({ text = '' }) => text.replace(/^.*?[:：] ?/, ''))
  }
  assert.deepEqual(
    await texts('en'),
    ['deleted', 'rejected', 'accepted'].map((what) => `token “Play out 5%” of Admin ${what}`)
  )
  assert.ok((await texts('zh')).every((text) => text.startsWith('Admin 的令牌“Play out 5%”')))
})

test('a scheduled take of the NDI router has the token with which it was scheduled', async () => {
  const sources = [{ name: 'HALL (Cam 1)' }]
  const { id } = await admin.send(addMatrix, { name: 'Studio', machine: 'Studio', sources, destinations: [{}] })
  const takes = [{ destination: 1, source: 1 }]
  const at = Math.floor(Date.now() / 1000) + 3600
  const playout = await program('Playout')
  assert.equal((await playout.send(takeRoutes, { id, at, takes })).result, SUCCESS)
  await admin.send(takeRoutes, { id, at: at + 1, takes })
  const { list } = await admin.send(listMatrices, {})
  const [matrix] = list
  assert.deepEqual(
    matrix?.scheduled.map(({ by, token }) => [by, token]),
    [
      ['Admin', 'Playout'],
      ['Admin', undefined]
    ]
  )
})

test('the export has it in a column of its own', async () => {
  await (await program('Play, out')).send(addChannel, { name: 'Hall' })
  await admin.send(addChannel, { name: 'Studio' })
  const csv = await (await admin.raw('GET', `/api${exportLog.path}?type=operation&format=csv`)).text()
  const [head = '', studio = '', hall = ''] = csv.split('\r\n')
  assert.match(head, /,code,outcome,token$/)
  assert.match(studio, /Studio.*,$/)
  assert.match(hall, /Hall.*,"Play, out"$/)
  const json = await (await admin.raw('GET', `/api${exportLog.path}?type=operation&format=json`)).json()
  assert.deepEqual([json[0].token, json[1].token], [undefined, 'Play, out'])
})

test('users find their own entries and those of their tokens, and no entries of other users about hidden devices', async () => {
  const vera = await addUser(hub, 'vera', SYSTEM_CONFIG_VIEW | DEVICE_VIEW)
  const line = { time: Date.now(), ip: '192.0.2.7', event: '/device/set', code: 0, objects: ['device:B1', 'device:B2'] }
  const { logs } = hub.parts.store
  logs.addOperation({ ...line, user: 'vera', token: 'Script', detail: 'by program' })
  logs.addOperation({ ...line, user: 'Admin', token: 'vera', detail: 'by another' })
  const { list } = await vera.send(listLog, { type: 'operation', user: 'vera' })
  assert.deepEqual(
    list.filter(({ event }) => event === '/device/set').map(({ detail, token }) => [detail, token]),
    [['by program', 'Script']]
  )
})

test('the hash covers the token, and lines of older versions keep theirs', async () => {
  await (await program('Playout')).send(addChannel, { name: 'Hall' })
  const { database } = hub.parts.store
  const [line] = database.all<Record<string, string | number>>('SELECT * FROM operation_log WHERE token = ?', 'Playout')
  const check = async () => (await admin.send(checkLog, {})).intact
  assert.equal(await check(), true)
  database.run('UPDATE operation_log SET token = ? WHERE id = ?', 'Backup', line?.id ?? 0)
  assert.equal(await check(), false)
  database.run('UPDATE operation_log SET token = ? WHERE id = ?', 'Playout', line?.id ?? 0)
  assert.equal(await check(), true)
  await admin.send(addChannel, { name: 'Studio' })
  // As a hub computed it that knew no tokens.
  const own = database.get<Record<string, string | number>>('SELECT * FROM operation_log ORDER BY id DESC LIMIT 1')
  const fields = ['time', 'user', 'ip', 'event', 'detail', 'code', 'objects'].map((field) => own?.[field])
  const text = JSON.stringify([line?.hash, ...fields])
  assert.equal(own?.hash, createHash('sha256').update(text).digest('hex'))
})

test('the timeline of the channel names the token in both languages', async () => {
  const client = await program('Playout')
  const { id } = await client.send(addChannel, { name: 'Hall' })
  const texts = async (language: string) => {
    const headers = { 'accept-language': language, ...bearerHeader(client.token) }
    const response = await client.raw('GET', `/api${channelTimeline.path}?id=${id}`, { headers })
    return ((await response.json()) as { list: { text: string }[] }).list.map(({ text }) => text)
  }
  assert.deepEqual(await texts('en'), ['Channel added by token “Playout” of Admin.'])
  assert.deepEqual(await texts('zh'), ['Admin 的令牌“Playout”添加了频道。'])
})

test('the error about a change by another names the token with its owner', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await (await program('Playout')).send(deleteChannels, { id })
  const { result, by } = await admin.send(queryChannel, { id })
  assert.equal(result, NOT_EXIST)
  assert.deepEqual([by?.name, by?.token], ['Admin', 'Playout'])
  const { id: own } = await admin.send(addChannel, { name: 'Studio' })
  await admin.send(deleteChannels, { id: own })
  const second = (await admin.send(queryChannel, { id: own })).by
  assert.ok(second && !('token' in second))
})

test.run()
