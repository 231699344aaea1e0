import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { FirewallRequest, ServiceState } from '../../firewall/protocol.ts'
import { CONFIRM_TIME, FirewallService, TRACKING_TIME } from '../../firewall/service.ts'
import { portStore } from '../../firewall/store.ts'
import { MemoryTables } from '../kit/firewall/tables.ts'
import { until } from '../kit/until.ts'

const ID = '0123456789abcdef'
const OTHER_ID = 'fedcba9876543210'
/** Milliseconds for a confirmation, in the tests that wait longer. */
const CONFIRM = 1000

const test = suite('firewall service')

let folder: string
let tables: MemoryTables
let reports: string[]
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-firewall-'))
  tables = new MemoryTables()
  reports = []
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

const report = (message: string) => void reports.push(message)

async function start(confirmTime = 60_000): Promise<FirewallService> {
  const store = portStore(folder, report)
  const service = new FirewallService({ tables, store, report, confirmTime, trackingTime: 1 })
  await service.start()
  return service
}

async function send(service: FirewallService, request: FirewallRequest): Promise<ServiceState> {
  const response = await service.handle(request)
  assert.ok('state' in response, JSON.stringify(response))
  return response.state
}

const apply = (mode: -1 | 0 | 1, keep = false, id = ID) =>
  ({ op: 'apply', id, mode, ranges: [[8070, 8070, 0]], console: [80, 443], keep }) as const

const stored = () => JSON.parse(readFileSync(join(folder, 'ports.json'), 'utf8'))

test('a hub has 60 s for the confirmation, and SRT peers time to be tracked', () => {
  assert.equal(CONFIRM_TIME, 60_000)
  assert.ok(TRACKING_TIME > 1000)
})

test('before the first change all ports are open, and the kernel has no table', async () => {
  const state = await send(await start(), { op: 'state' })
  assert.deepEqual([state.confirmed.mode, state.isInEffect, tables.current], [1, true, ''])
})

test('a change without confirmation is undone by the service alone', async () => {
  const service = await start(CONFIRM)
  const { pending, isInEffect } = await send(service, apply(0))
  assert.deepEqual([pending?.id, isInEffect], [ID, true])
  assert.match(tables.current, /drop/)
  await until(() => tables.current === '', 'the change is undone')
  const state = await send(service, { op: 'state' })
  assert.deepEqual([state.pending, state.confirmed.mode], [undefined, 1])
})

test('a confirmed change is on disk, and the next service starts with it', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const service = await start(CONFIRM)
  await send(service, apply(-1))
  await send(service, { op: 'confirm', id: ID })
  assert.deepEqual(stored(), { id: ID, mode: -1, ranges: [[8070, 8070, 0]], console: [80, 443] })
  mock.timers.tick(CONFIRM)
  mock.timers.reset()
  assert.match(tables.current, /tcp dport 8070/)
  tables.current = ''
  const next = await send(await start(), { op: 'state' })
  assert.deepEqual([next.confirmed.id, next.isInEffect], [ID, true])
  assert.match(tables.current, /elements = { 80, 443 }/)
})

test('a service that ends before the confirmation restores the confirmed ports, also when it is killed', async () => {
  const stopped = await start()
  await send(stopped, apply(0))
  await stopped.stop()
  assert.equal(tables.current, '')
  const killed = await start()
  await send(killed, apply(0))
  assert.match(tables.current, /drop/)
  await start()
  assert.equal(tables.current, '')
})

test('a service that ends without a waiting change leaves its table', async () => {
  const service = await start()
  await send(service, apply(0, true))
  await service.stop()
  assert.match(tables.current, /drop/)
})

test('only the change that waits can be confirmed or cancelled, and no other can begin', async () => {
  const service = await start()
  assert.deepEqual(await service.handle({ op: 'confirm', id: ID }), { error: 'unknown' })
  await send(service, apply(0))
  assert.deepEqual(await service.handle({ op: 'confirm', id: OTHER_ID }), { error: 'unknown' })
  assert.deepEqual(await service.handle(apply(1, true, OTHER_ID)), { error: 'waiting' })
  await send(service, { op: 'cancel', id: ID })
  assert.equal(tables.current, '')
})

test('connections are tracked before the first port is blocked, and only then', async () => {
  const service = await start()
  await send(service, apply(0, true))
  const texts = tables.applied.slice(1)
  assert.equal(texts.length, 2)
  assert.match(texts[0] ?? '', /ct state established accept/)
  assert.doesNotMatch(texts[0] ?? '', /drop/)
  await send(service, apply(-1, true))
  assert.equal(tables.applied.length, 4)
})

test('new ports of the console are opened at once, and kept when a change is undone', async () => {
  const service = await start()
  await send(service, apply(0, true))
  await send(service, { op: 'console', console: [8088] })
  assert.equal(tables.applied.at(-1), 'flush set inet headend console\nadd element inet headend console { 8088 }\n')
  assert.deepEqual(stored().console, [8088])
  await send(service, { ...apply(-1), console: [8088, 9443] })
  await send(service, { op: 'cancel', id: ID })
  assert.match(tables.current, /elements = { 8088, 9443 }/)
})

test('a change that nftables refuses changes nothing', async () => {
  const service = await start()
  await send(service, apply(-1, true))
  tables.failures = 1
  assert.deepEqual(await service.handle(apply(0, true, OTHER_ID)), {
    error: 'failed',
    detail: 'Error: Operation not supported'
  })
  assert.match(tables.current, /tcp dport 8070/)
  assert.equal(stored().id, ID)
})

test('while the table cannot be read, requests fail and change nothing', async () => {
  const service = await start()
  await send(service, apply(-1, true))
  const count = tables.applied.length
  tables.isReadable = false
  await until(async () => 'error' in (await service.handle({ op: 'state' })), 'the table is read again')
  const failed = { error: 'failed', detail: 'Error: Resource temporarily unavailable' }
  for (const request of [{ op: 'state' }, apply(0), apply(0, true), { op: 'console', console: [8088] }] as const)
    assert.deepEqual(await service.handle(request), failed)
  assert.deepEqual([tables.applied.length, stored().id, stored().console], [count, ID, [80, 443]])
  assert.match(reports.join('\n'), /Request console failed: Error: Resource temporarily unavailable/)
  tables.isReadable = true
  await send(service, { op: 'console', console: [8088] })
  assert.match(tables.applied.at(-1) ?? '', /console { 8088 }/)
})

test('a change whose table cannot be read afterwards is undone', async () => {
  const service = await start()
  const applyText = tables.apply.bind(tables)
  tables.apply = async (text) => {
    await applyText(text)
    tables.isReadable = !text.includes('drop')
  }
  assert.deepEqual(await service.handle(apply(0)), {
    error: 'failed',
    detail: 'Error: Resource temporarily unavailable'
  })
  assert.match(tables.applied.join(), /drop/)
  assert.deepEqual([tables.current, (await send(service, { op: 'state' })).pending], ['', undefined])
})

test('while the stored ports cannot be read, the table stays and requests fail', async () => {
  await send(await start(), apply(-1, true))
  const text = readFileSync(join(folder, 'ports.json'))
  rmSync(join(folder, 'ports.json'))
  mkdirSync(join(folder, 'ports.json'))
  const service = await start()
  assert.match(tables.current, /tcp dport 8070/)
  assert.match(reports.join(), /confirmed ports could not be read; the table stays as it is: Error: EISDIR/)
  const response = await service.handle(apply(1, true))
  assert.equal('error' in response && response.error, 'failed')
  rmSync(join(folder, 'ports.json'), { recursive: true })
  writeFileSync(join(folder, 'ports.json'), text)
  const { confirmed, isInEffect } = await send(service, { op: 'state' })
  assert.deepEqual([confirmed.id, isInEffect], [ID, true])
})

test('undoing a change is retried until nftables accepts it', async () => {
  const service = await start()
  await send(service, apply(0))
  tables.failures = 1
  await send(service, { op: 'cancel', id: ID })
  assert.match(tables.current, /drop/)
  await until(() => tables.current === '', 'the ports are restored')
})

test('without nftables every request is refused, and a damaged file leaves all ports open', async () => {
  writeFileSync(join(folder, 'ports.json'), '{"id":"x"')
  tables.isPresent = false
  const service = await start()
  assert.deepEqual(await service.handle({ op: 'state' }), { error: 'no-nft' })
  assert.match(reports.join(), /ports\.json is damaged/)
  tables.isPresent = true
  assert.equal((await send(await start(), { op: 'state' })).confirmed.mode, 1)
})

test('the state has the counters of the kernel, and says when another program has removed the table', async () => {
  const service = await start()
  await send(service, apply(-1, true))
  tables.counts.set('0', [3, 180]).set('refused', [5, 300])
  const state = () => send(service, { op: 'state' })
  await until(async () => (await state()).refused?.[0] === 5, 'the counters are read again')
  const { counts, refused, since } = await state()
  assert.deepEqual([counts, refused], [[[3, 180]], [5, 300]])
  assert.ok(since && Math.abs(since - Date.now()) < 5000)
  tables.current = ''
  await until(async () => !(await state()).isInEffect, 'the table is read again')
  const gone = await state()
  assert.deepEqual([gone.isInEffect, gone.counts, gone.refused], [false, [], undefined])
})

test.run()
