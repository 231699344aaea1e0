import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { addChannel, enableChannel, queryChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('a schedule and what is started by hand')
let hub: TestHub
let admin: Client
let data = ''
let now = 0
test.before.each(async () => {
  data = mkdtempSync(resolve(tmpdir(), 'headend-events-'))
  await startAt('2026-11-23T08:00Z')
})
test.after.each(async () => {
  await hub.close()
  rmSync(data, { recursive: true })
})

async function startAt(time: string): Promise<void> {
  now = Date.parse(time)
  hub = await startHub({ data, clock: () => now })
  admin = hub.clientAs()
}

async function restartAt(time: string): Promise<void> {
  await hub.close()
  await startAt(time)
}

function advanceTo(time: string): void {
  now = Date.parse(time)
  hub.parts.scheduler.checkClock()
}

const EVENT = { start: '2026-11-29T09:30', stop: '2026-11-29T11:00' }
const schedule = { zone: 'UTC', rules: [], events: [EVENT] }
const queryById = async (id: number) => (await admin.send(queryChannel, { id })).channel
const isOn = async (id: number) => (await queryById(id)).config.enable

test('an event starts and stops the channel, is the next change before it, and is removed after it', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  const at = Date.parse('2026-11-29T09:30Z') / 1000
  assert.deepEqual((await queryById(id))['next-edge'], { at, enable: true })
  advanceTo('2026-11-29T09:30Z')
  assert.equal(await isOn(id), true)
  advanceTo('2026-11-29T11:00Z')
  const { config, 'next-edge': next } = await queryById(id)
  assert.deepEqual([config.enable, config.schedule, next], [false, { zone: 'UTC', rules: [] }, undefined])
})

test('a channel that runs by hand is not stopped by an event in the future', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(enableChannel, { id, enable: true })
  assert.equal((await admin.send(setChannel, { id, name: 'Hall', config: { schedule } })).result, SUCCESS)
  assert.equal(await isOn(id), true)
  await restartAt('2026-11-24T08:00Z')
  assert.equal(await isOn(id), true)
})

test('an event that ended while the hub was down stops the channel once', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  advanceTo('2026-11-29T09:30Z')
  await restartAt('2026-11-29T12:00Z')
  assert.equal(await isOn(id), false)
  await admin.send(enableChannel, { id, enable: true })
  await restartAt('2026-11-29T13:00Z')
  assert.equal(await isOn(id), true)
})

test('an event that begins while the hub is down starts the channel when the hub is back', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  await restartAt('2026-11-29T10:00Z')
  assert.equal(await isOn(id), true)
})

test('dates that do not exist, and events that end before they begin, are refused', async () => {
  const setEvents = (start: string, stop: string) =>
    admin.send(addChannel, { name: 'Hall', config: { schedule: { ...schedule, events: [{ start, stop }] } } })
  for (const date of ['2026-02-30T09:30', '2026-11-29T24:00', '2026-11-29 09:30', '29.11.2026'])
    assert.deepEqual(
      [(await setEvents(date, '2027-01-01T00:00')).result, (await setEvents(date, '2027-01-01T00:00')).fault],
      [INVALID_ARG, 'invalid'],
      date
    )
  assert.equal((await setEvents(EVENT.stop, EVENT.start)).fault, 'order')
})

/** Every Monday. The first day of the tests is one. */
const MONDAYS = { zone: 'UTC', rules: [{ days: 1, start: '09:00', stop: '11:00' }] }

test('a channel that was started by hand runs until the next scheduled stop, over restarts of the hub', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule: MONDAYS } })
  advanceTo('2026-11-23T11:00Z')
  await restartAt('2026-11-25T08:00Z')
  await admin.send(enableChannel, { id, enable: true })
  await restartAt('2026-11-26T08:00Z')
  assert.equal(await isOn(id), true)
  await restartAt('2026-11-30T09:30Z')
  assert.equal(await isOn(id), true)
  await restartAt('2026-11-30T11:30Z')
  assert.equal(await isOn(id), false)
})

test('a channel that was stopped by hand stays stopped until the next scheduled start, over restarts', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule: MONDAYS } })
  advanceTo('2026-11-23T09:00Z')
  await admin.send(enableChannel, { id, enable: false })
  await restartAt('2026-11-23T10:00Z')
  assert.equal(await isOn(id), false)
  await restartAt('2026-11-30T09:30Z')
  assert.equal(await isOn(id), true)
})

test('a new schedule does not stop what runs by hand, also after a restart; a shorter one stops what it started', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(enableChannel, { id, enable: true })
  advanceTo('2026-11-25T08:00Z')
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule: MONDAYS } })
  await restartAt('2026-11-25T08:30Z')
  assert.equal(await isOn(id), true)
  advanceTo('2026-11-30T11:00Z')
  assert.equal(await isOn(id), false)
  advanceTo('2026-12-07T10:00Z')
  assert.equal(await isOn(id), true)
  const shorter = { zone: 'UTC', rules: [{ days: 1, start: '09:00', stop: '09:30' }] }
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule: shorter } })
  assert.equal(await isOn(id), false)
})

test.run()
