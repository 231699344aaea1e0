import * as assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { DEVICE_BUSY, INVALID_ARG, SUCCESS } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { BehaviourCommand } from '../../fleet/behaviour.ts'
import { createRoster } from '../../fleet/roster.ts'
import { createSimulatedDevice, type Report, type SimulatedDevice } from '../../fleet/simulated-device.ts'
import { type LinkHub, startLinkHub } from '../kit/fleet/link-hub.ts'
import { until } from '../kit/until.ts'

const test = suite('simulated device')
/** Milliseconds in which the response to a reboot request is sent. */
const REBOOT_DELAY = 200
/** Milliseconds that pass for a device between two looks at its link. */
const RETRY_STEP = 500
let hub: LinkHub
let folder: string
let devices: SimulatedDevice[]
let reports: Report[]

test.before.each(async () => {
  hub = await startLinkHub()
  folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  devices = []
  reports = []
})
test.after.each(async () => {
  mock.timers.reset()
  for (const device of devices) device.stop()
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Starts the device at an index of the roster, and waits for its link unless `online` is false. */
async function start(index: number, online = true): Promise<{ sn: string; device: SimulatedDevice }> {
  const entry = createRoster(24)[index]
  assert.ok(entry)
  const device = createSimulatedDevice({
    entry,
    folder,
    seed: 'seed',
    hub: { host: '127.0.0.1', port: hub.port },
    report: (report) => reports.push(report)
  })
  devices.push(device)
  device.start()
  if (online) await until(() => hub.online().includes(entry.sn), 'the link')
  return { sn: entry.sn, device }
}

/**
 * Lets time pass for the devices, and then waits for another one: a device that connects again has done so before it.
 */
async function pass(milliseconds: number, other: number): Promise<void> {
  mock.timers.tick(milliseconds)
  await start(other)
}

/**
 * Waits for the link of a device while the test moves the clock. An attempt fails when the machine stalls for longer
 * than it may take, and the device makes the next one after a delay, which has to pass on that clock.
 */
function untilReconnected(sn: string, what: string): Promise<void> {
  return until(() => {
    mock.timers.tick(RETRY_STEP)
    return hub.online().includes(sn)
  }, what)
}

/** How often a device has connected. */
const helloCount = (serial: string) => hub.hellos.filter(({ sn }) => sn === serial).length

const STATUS = '/usapi?method=get-status'

test('a device serves its own API over the link, and returns status 404 for other paths', async () => {
  const [{ sn: encoder }, { sn: director }, { sn: converter }, { sn: third }] = await Promise.all([
    start(0),
    start(2),
    start(3),
    start(16)
  ])
  assert.equal((await hub.call(encoder, 'GET', STATUS)).json?.result, 0)
  assert.equal((await hub.call(director, 'GET', '/api/system/basic-info')).json?.status, 0)
  assert.equal((await hub.call(director, 'POST', '/api/live/start-quick-stream', {})).json?.status, 0)
  assert.equal((await hub.call(converter, 'GET', '/mwapi?method=get-summary-info')).json?.status, 0)
  for (const [sn, path] of [
    [encoder, '/mwapi?method=ping'],
    [director, STATUS],
    [third, STATUS],
    [encoder, '/'],
    [encoder, '/link/nothing']
  ] as const)
    assert.equal((await hub.call(sn, 'GET', path)).status, 404, path)
})

test('previews are JPEG images and change every second', async () => {
  const { sn } = await start(0)
  const images = await hub.readPreviews(sn, 13, 'width=320&fps=10')
  for (const image of images) assert.equal(decode(image, { useTArray: true }).width, 320)
  assert.notDeepEqual(images[0], images[12])
})

test('a device without previews returns status 404', async () => {
  const { sn } = await start(6)
  assert.equal((await hub.call(sn, 'GET', '/link/preview?width=320&fps=2')).status, 404)
})

test('a new name survives a restart', async () => {
  const { sn, device } = await start(0)
  assert.equal((await hub.call(sn, 'GET', '/usapi?method=set-name&name=Foyer')).json?.result, 0)
  device.stop()
  await until(() => hub.online().length === 0, 'the end of the link')
  await start(0)
  assert.equal(hub.hellos.at(-1)?.name, 'Foyer')
  assert.equal(hub.hellos.at(-1)?.key, hub.hellos[0]?.key)
})

test('with the behaviour lie, no response is valid, and the link stays up', async () => {
  const { sn, device } = await start(0)
  device.applyCommand('lie')
  const responses = new Set<string>()
  for (let turn = 0; turn < 14; turn++) {
    const { text, json } = await hub.call(sn, 'GET', STATUS)
    responses.add(text)
    assert.notEqual(json?.result, 0)
  }
  assert.ok(responses.size > 4)
  device.applyCommand('normal')
  assert.equal((await hub.call(sn, 'GET', STATUS)).json?.result, 0)
})

test('with the behaviour refuse, every response is an error in the result field of the API', async () => {
  const all = await Promise.all([start(0), start(2), start(3)])
  for (const { device } of all) device.applyCommand('refuse')
  const [encoder, director, converter] = all.map(({ sn }) => sn) as [string, string, string]
  assert.equal((await hub.call(encoder, 'GET', STATUS)).json?.result, -9)
  assert.equal((await hub.call(director, 'GET', '/api/system/basic-info')).json?.status, DEVICE_BUSY)
  assert.equal((await hub.call(converter, 'GET', '/mwapi?method=reboot')).json?.status, DEVICE_BUSY)
  assert.equal((await hub.call(encoder, 'POST', '/link/push', order(9000))).json?.result, DEVICE_BUSY)
})

test('with the behaviour stall, the device sends no response, and the link stays up', async () => {
  const { sn, device } = await start(0)
  device.applyCommand('stall')
  let hasResponse = false
  const pending = hub.call(sn, 'GET', STATUS).then(
    () => {
      hasResponse = true
    },
    () => {}
  )
  const bytes: number[] = []
  hub.open(sn, '/link/preview?width=320&fps=15').on('data', (chunk) => bytes.push(chunk.length))
  for (let turn = 0; turn < 3; turn++) await hub.ping(sn)
  assert.ok(!hasResponse && bytes.length === 0)
  device.applyCommand('normal')
  assert.equal((await hub.call(sn, 'GET', STATUS)).json?.result, 0)
  await until(() => bytes.length > 0, 'previews')
  hub.drop(sn)
  await pending
})

test('the behaviour no-signal shows in the status, also after a restart', async () => {
  const { sn, device } = await start(0)
  device.applyCommand('no-signal')
  const signal = async () => {
    const { json } = await hub.call(sn, 'GET', STATUS)
    return (json as { 'input-signal': { status: number } })['input-signal'].status
  }
  assert.equal(await signal(), 0)
  device.stop()
  await until(() => hub.online().length === 0, 'the end of the link')
  await start(0)
  assert.equal(await signal(), 0)
})

test('a device reconnects when its link is lost', async () => {
  const { sn } = await start(0)
  hub.drop(sn)
  await until(() => hub.online().length === 0, 'the end of the link')
  await until(() => hub.online().includes(sn), 'the link again')
})

test('after the command drop, the device reconnects when it is started, or else after 10 s', async () => {
  const { sn, device } = await start(0)
  mock.timers.enable({ apis: ['setTimeout'] })
  device.applyCommand('drop')
  await until(() => hub.online().length === 0, 'the end of the link')
  device.start()
  await untilReconnected(sn, 'the link again')
  device.applyCommand('drop')
  await until(() => hub.online().length === 0, 'the end of the link')
  await pass(9999, 1)
  assert.equal(helloCount(sn), 2)
  mock.timers.tick(1)
  await untilReconnected(sn, 'the link after the time')
})

test('a reboot request gets its response before the link closes', async () => {
  const { sn } = await start(0)
  mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal((await hub.call(sn, 'GET', '/usapi?method=reboot')).json?.result, 0)
  assert.equal((await hub.call(sn, 'GET', '/usapi?method=reboot')).json?.result, 1)
  mock.timers.tick(REBOOT_DELAY)
  await until(() => hub.online().length === 0, 'the end of the link')
  await pass(4999, 1)
  assert.equal(helloCount(sn), 1)
  mock.timers.tick(1)
  await untilReconnected(sn, 'the link after the restart')
})

test('a device that is stopped before a reboot does not reconnect', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { sn, device } = await start(0)
  assert.equal((await hub.call(sn, 'GET', '/usapi?method=reboot')).json?.result, 0)
  device.stop()
  await until(() => hub.online().length === 0, 'the end of the link')
  await pass(60_000, 1)
  assert.equal(helloCount(sn), 1)
})

test('a rejected device retries after 30 s, a deleted one does not retry', async () => {
  const [rejected = '', deleted = ''] = createRoster(2).map(({ sn }) => sn)
  hub.decide = ({ sn }) => {
    if (sn === rejected) return { refuse: REGISTRATION_STATE.rejected }
    return sn === deleted ? { refuse: REGISTRATION_STATE.deleted } : { state: REGISTRATION_STATE.accepted }
  }
  mock.timers.enable({ apis: ['setTimeout'] })
  await Promise.all([start(0, false), start(1, false)])
  await until(
    () => reports.filter(({ link }) => link === 'refused' || link === 'away').length === 2,
    'both are refused'
  )
  await pass(29_999, 2)
  assert.deepEqual([helloCount(rejected), helloCount(deleted)], [1, 1])
  mock.timers.tick(1)
  await until(() => helloCount(rejected) === 2, 'the rejected device tries again')
  await pass(3_600_000, 3)
  assert.equal(helloCount(deleted), 1)
})

test('a device that is notified of its deletion does not reconnect', async () => {
  const { sn } = await start(0)
  const { status } = await hub.call(sn, 'POST', '/link/state', { state: REGISTRATION_STATE.deleted })
  assert.equal(status, 204)
  mock.timers.enable({ apis: ['setTimeout'] })
  hub.drop(sn)
  await until(() => reports.at(-1)?.link === 'away', 'the device stays away')
  await pass(3_600_000, 1)
  assert.equal(helloCount(sn), 1)
})

function order(port: unknown, overrides: object = {}): object {
  return { port, 'stream-id': '', passphrase: '', latency: 120, 'stream-index': 0, ...overrides }
}

test('an invalid order is refused; cancelling without an order succeeds', async () => {
  const { sn } = await start(0)
  const push = async (body: object) => (await hub.call(sn, 'POST', '/link/push', body)).json?.result
  for (const invalid of [
    {},
    order(0),
    order('9000'),
    order(9000, { passphrase: 'short' }),
    order(9000, { passphrase: 'two\nlines of it' }),
    order(9000, { 'stream-id': 'a b' }),
    order(9000, { latency: 1e9 }),
    order(9000, { 'stream-index': 2 })
  ])
    assert.equal(await push(invalid), INVALID_ARG, JSON.stringify(invalid))
  // Accepted although the clip is not encoded yet.
  assert.equal(await push(order(9000)), SUCCESS)
  assert.equal((await hub.call(sn, 'POST', '/link/push-stop', {})).json?.result, SUCCESS)
})

test('invalid requests get error responses, and the link stays up', async () => {
  const { sn } = await start(0)
  assert.equal((await hub.call(sn, 'POST', '/link/push', { padding: 'x'.repeat(200_000) })).status, 413)
  assert.equal((await hub.call(sn, 'POST', '/link/state', { state: 'x' })).status, 204)
  assert.equal((await hub.call(sn, 'GET', '/usapi?method=%ff%00')).json?.result, -10)
  assert.equal((await hub.call(sn, 'GET', '//[')).status, 400)
  assert.equal((await hub.call(sn, 'GET', STATUS)).json?.result, 0)
})

test('every behaviour can be set', async () => {
  const { device } = await start(0)
  for (const command of ['lie', 'stall', 'refuse', 'full', 'no-signal', 'normal'] satisfies BehaviourCommand[]) {
    device.applyCommand(command)
    assert.equal(reports.at(-1)?.behaviour, command)
  }
})

test.run()
