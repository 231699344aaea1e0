import * as assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { changePassword } from '../../contract/access/session.ts'
import { listCatalogs } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { listDevices } from '../../contract/device/device.ts'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { listOutputs, type SrtOutput } from '../../contract/stream/source.ts'
import { createHello } from '../../fleet/identity.ts'
import { createRoster } from '../../fleet/roster.ts'
import { type SetUpOptions, setUpOnce } from '../../fleet/set-up.ts'
import { md5, startHub, type TestHub } from '../kit/hub/hub.ts'

const test = suite('set-up')
let folder: string
let hub: TestHub
let hubUrl: string
/** Commands that the fleet received. */
let commands: string[]
let logged: string[]

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  hub = await startHub()
  hubUrl = `http://127.0.0.1:${(await hub.listen(0, 0)).port}`
  commands = []
  logged = []
})
test.after.each(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Registers `count` devices with the hub, and runs the set-up. */
async function setUp(count: number, options: Partial<SetUpOptions> = {}): Promise<void> {
  const entries = createRoster(count)
  for (const entry of entries) hub.context.registry.register(createHello(entry, entry.name, 'seed'), '127.0.0.1')
  await setUpOnce({
    supervisor: {
      entries,
      stop: (sn) => commands.push(`${sn} off`),
      sendCommand: (sn, order) => commands.push(`${sn} ${order}`)
    },
    folder,
    hubUrl,
    log: (text) => logged.push(text),
    signal: new AbortController().signal,
    timeout: { hub: 3000, devices: 3000 },
    ...options
  })
}

const isDone = () => existsSync(join(folder, 'set-up.json'))

test('most devices are accepted, three are pending, one is rejected, two are off, three have a warning', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const count = async (state: 'accepted' | 'waiting' | 'rejected') =>
    (await admin.send(listDevices, { 'reg-state': state })).total
  assert.deepEqual([await count('accepted'), await count('waiting'), await count('rejected')], [20, 3, 1])
  assert.deepEqual(commands.map((text) => text.split(' ')[1]).sort(), ['full', 'no-signal', 'no-signal', 'off', 'off'])
  assert.ok(isDone())
})

test('three channels have a device and an SRT output on its own port, two of them are enabled', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const { list } = await admin.send(channelDashboard, { sort: 'name' })
  assert.deepEqual(
    list.map(({ name, config, input, outputs }) => [name, config.enable, input?.name, outputs.total]),
    [
      ['Campus news', false, 'Campus News Desk', 1],
      ['Lecture hall 2.14', true, 'Lecture 2.14', 1],
      ['Sunday service', true, 'Main Hall PTZ', 1]
    ]
  )
  const outputs = await admin.send(listOutputs, {})
  const ports = outputs.list.map(({ config }) => (config as SrtOutput)['bind-port'] ?? 0)
  assert.equal(new Set(ports).size, 3)
  assert.ok(ports.every((port) => port >= 9001))
})

test('some devices are in groups, one of which is a subgroup', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const { list } = await admin.send(listCatalogs, {})
  const campus = list.find(({ name }) => name === 'Campus')?.id
  assert.deepEqual(
    list.map((group) => [group.name, group['parent-id'], group['num-all']]),
    [
      ['Campus', 0, 4],
      ['Chapel', 0, 5],
      ['Lecture halls', campus, 3]
    ]
  )
})

test('the set-up runs once', async () => {
  await setUp(3)
  const admin = await hub.signIn()
  const total = async () => (await admin.send(channelDashboard, {})).total
  assert.equal(await total(), 3)
  await setUp(3)
  assert.equal(await total(), 3)
  assert.equal(logged.length, 1)
})

test('the set-up is skipped for good if the first password was changed, with one log line', async () => {
  const admin = await hub.signIn()
  const password = 'correct-horse'
  const request = { 'old-passwd': md5('Admin'), passwd: md5(password), password }
  assert.equal((await admin.send(changePassword, request)).result, SUCCESS)
  await setUp(3)
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /skipped: the first password is no longer valid/)
  assert.ok(isDone())
  assert.equal((await (await hub.signIn('Admin', password)).send(listDevices, { 'reg-state': 'waiting' })).total, 3)
})

test('if the hub does not respond, the set-up runs again at the next start', async () => {
  await setUp(1, { hubUrl: 'http://127.0.0.1:9', timeout: { hub: 400, devices: 400 } })
  assert.match(logged[0] ?? '', /skipped: no hub responds/)
  assert.ok(!isDone())
})

test('the set-up is skipped if the hub responds in an unexpected way', async () => {
  for (const body of ['<html>', '{"result":0}', '[]', '{"result":6}']) {
    rmSync(join(folder, 'set-up.json'), { force: true })
    const server: Server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    logged = []
    await setUp(1, { hubUrl: url, timeout: { hub: 400, devices: 400 } })
    assert.equal(logged.length, 1, body)
    assert.match(logged[0] ?? '', /skipped/)
    server.closeAllConnections()
    server.close()
  }
})

test('the set-up ends without a log line if the fleet is closed', async () => {
  const controller = new AbortController()
  const running = setUp(1, {
    hubUrl: 'http://127.0.0.1:9',
    timeout: { hub: 60_000, devices: 1 },
    signal: controller.signal
  })
  controller.abort()
  await running
  assert.deepEqual(logged, [])
})

test.run()
