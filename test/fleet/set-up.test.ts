import * as assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listCatalogs } from '../../contract/catalog.ts'
import { listDevices } from '../../contract/device/device.ts'
import { changePassword } from '../../contract/session.ts'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { listOutputs, type SrtOutput } from '../../contract/stream/source.ts'
import { helloOf } from '../../fleet/identity.ts'
import { roster } from '../../fleet/roster.ts'
import { type SetUpOptions, setUpOnce } from '../../fleet/set-up.ts'
import { md5, startHub, type TestHub } from '../kit/hub.ts'

const test = suite('set-up')
let folder: string
let hub: TestHub
let hubUrl: string
let told: string[]
let said: string[]

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  hub = await startHub()
  hubUrl = `http://127.0.0.1:${(await hub.listen(0, 0)).port}`
  told = []
  said = []
})
test.after.each(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Sets up a fleet of `count`, whose devices have registered with the hub before. */
async function setUp(count: number, more: Partial<SetUpOptions> = {}): Promise<void> {
  const entries = roster(count)
  for (const entry of entries) hub.hub.registry.hello(helloOf(entry, entry.name, 'seed'), '127.0.0.1')
  await setUpOnce({
    supervisor: {
      entries,
      stop: (sn) => told.push(`${sn} off`),
      tell: (sn, order) => told.push(`${sn} ${order}`)
    },
    folder,
    hubUrl,
    log: (text) => said.push(text),
    signal: new AbortController().signal,
    timeout: { hub: 3000, devices: 3000 },
    ...more
  })
}

const done = () => existsSync(join(folder, 'set-up.json'))

test('most devices are accepted, three wait, one is rejected, two are off, three have a warning', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const count = async (state: 'accepted' | 'waiting' | 'rejected') =>
    (await admin.send(listDevices, { 'reg-state': state })).total
  assert.deepEqual([await count('accepted'), await count('waiting'), await count('rejected')], [20, 3, 1])
  assert.deepEqual(told.map((text) => text.split(' ')[1]).sort(), ['full', 'no-signal', 'no-signal', 'off', 'off'])
  assert.ok(done())
})

test('three channels have a device and an SRT output on a port of their own, two of them run', async () => {
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

test('some devices are in groups, one of which is in another', async () => {
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

test('it is done once', async () => {
  await setUp(3)
  const admin = await hub.signIn()
  const total = async () => (await admin.send(channelDashboard, {})).total
  assert.equal(await total(), 3)
  await setUp(3)
  assert.equal(await total(), 3)
  assert.equal(said.length, 1)
})

test('a hub whose first password was changed is left alone, with one line and for ever', async () => {
  const admin = await hub.signIn()
  await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('other') })
  await setUp(3)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /left out: the first password is no longer valid/)
  assert.ok(done())
  assert.equal((await (await hub.signIn('Admin', 'other')).send(listDevices, { 'reg-state': 'waiting' })).total, 3)
})

test('a hub that does not answer is tried again at the next start', async () => {
  await setUp(1, { hubUrl: 'http://127.0.0.1:9', timeout: { hub: 400, devices: 400 } })
  assert.match(said[0] ?? '', /left out: no hub answers/)
  assert.ok(!done())
})

test('a hub that answers anything else is left alone', async () => {
  for (const body of ['<html>', '{"result":0}', '[]', '{"result":6}']) {
    rmSync(join(folder, 'set-up.json'), { force: true })
    const server: Server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    said = []
    await setUp(1, { hubUrl: url, timeout: { hub: 400, devices: 400 } })
    assert.equal(said.length, 1, body)
    assert.match(said[0] ?? '', /left out/)
    server.closeAllConnections()
    server.close()
  }
})

test('a fleet that ends meanwhile is not kept waiting', async () => {
  const ended = new AbortController()
  const under = setUp(1, { hubUrl: 'http://127.0.0.1:9', timeout: { hub: 60_000, devices: 1 }, signal: ended.signal })
  ended.abort()
  await under
  assert.deepEqual(said, [])
})

test.run()
