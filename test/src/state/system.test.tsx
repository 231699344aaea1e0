import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_STATUS_BITS } from '../../../contract/system.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import { $session, signIn, startSession } from '../../../src/state/session.ts'
import { $system, badgesOf } from '../../../src/state/system.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { openDocument } from '../../kit/runner/document.ts'
import { until } from '../../kit/until.ts'
import { openFakeFeed } from './fake-feed.ts'

const test = suite('system')

test.after(openDocument())

let hub: TestHub
/** Changes the hub's response to one that this machine cannot produce. */
let changeStatus = (_status: { system: { status: Record<string, unknown>; device: Record<string, unknown> } }) => {}
let stops: (() => void)[]

const badges = () => badgesOf($system.get().value)

test.before.each(async () => {
  hub = await startHub()
  changeStatus = () => {}
  const browser = hub.client()
  const voice = openFakeFeed()
  setTransport({
    base: '',
    socket: voice.socket.bind(voice),
    async fetch(url, init = {}) {
      const response = await browser.raw(init.method ?? 'GET', String(url), {
        body: init.body as string | undefined,
        headers: init.headers as Record<string, string>
      })
      const body = (await response.json()) as { status?: Parameters<typeof changeStatus>[0] }
      if (body.status) changeStatus(body.status)
      return Response.json(body)
    }
  })
  stops = [startSession()]
  await signIn('Admin', 'Admin')
})

test.after.each(async () => {
  $session.set(null)
  for (const stop of stops) stop()
  await hub.close()
})

test('the badges show the counts of the hub', async () => {
  registerDevices(hub, 3)
  stops.push($system.listen(() => {}))
  await until(() => badges().pending === 3, 'the pending devices')
  assert.deepEqual(badges(), { pending: 3, warnings: 0, channels: 0, upgrade: 0, problems: 0 })
})

test('a device that registers is counted with the next refresh', async () => {
  stops.push($system.listen(() => {}))
  await until(() => $system.get().phase === 'ready', 'the status')
  registerDevices(hub, 1)
  await $system.refresh()
  assert.equal(badges().pending, 1)
})

test('badges are capped, and flags count as one', async () => {
  changeStatus = ({ system }) => {
    Object.assign(system.device, { 'num-pending': 12_345, 'num-warn': 10_000 })
    system.status['status-code'] =
      SYSTEM_STATUS_BITS.srtFailed | SYSTEM_STATUS_BITS.newVersion | SYSTEM_STATUS_BITS.lowMemory
  }
  stops.push($system.listen(() => {}))
  await until(() => badges().pending > 9000, 'the badges')
  assert.deepEqual(badges(), { pending: 9999, warnings: 9999, channels: 1, upgrade: 1, problems: 0 })
})

test('the hub’s session expiry is stored with each status', async () => {
  localStorage.clear()
  stops.push($system.listen(() => {}))
  await until(() => localStorage.getItem('headend-expired-time') === '1800', 'the expiry')
})

test.run()
