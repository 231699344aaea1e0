// The stores over a connection to a real hub that breaks and recovers: no reload must be necessary.
import assert from 'node:assert/strict'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import { WebSocket as Socket } from 'ws'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { STALE_AFTER } from '../../../contract/limits.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import { $freshness } from '../../../src/state/freshness.ts'
import { createLiveList } from '../../../src/state/live-list.ts'
import { $session, signIn, startSession } from '../../../src/state/session.ts'
import { $system } from '../../../src/state/system.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { type CuttableProxy, startCuttableProxy } from '../../kit/net/cuttable-proxy.ts'
import { ownTime } from '../../kit/own-time.ts'
import { openDocument } from '../../kit/runner/document.ts'
import { until } from '../../kit/until.ts'

const test = suite('broken connection')

test.after(openDocument())

let hub: TestHub
let line: CuttableProxy
let stops: (() => void)[]

const $pending = createLiveList({
  call: listDevices,
  request: atom({ 'reg-state': 'waiting' as const }),
  topic: 'device',
  pace: 'slower',
  keyOf: (device: Device) => device.sn
})

test.before.each(async () => {
  hub = await startHub()
  const { port } = await hub.listen(0, 0)
  line = await startCuttableProxy(port)
  let cookie = ''
  setTransport({
    base: `http://127.0.0.1:${line.port}`,
    async fetch(url, init = {}) {
      const response = await fetch(url, { ...init, headers: { ...init.headers, cookie } })
      const cookies = response.headers.getSetCookie().map((set) => set.split(';')[0])
      if (cookies.length > 0) cookie = cookies.join('; ')
      return response
    },
    socket(url) {
      const socket = new Socket(url, { headers: { cookie } }) as unknown as WebSocket
      socket.onerror = () => {}
      return socket
    }
  })
  stops = [startSession()]
  assert.equal((await signIn('Admin', 'Admin')).result, SUCCESS)
  stops.push(
    $freshness.listen(() => {}),
    $pending.listen(() => {}),
    $system.listen(() => {})
  )
  await until(() => $pending.get().phase === 'ready' && $system.get().phase === 'ready', 'the stores')
})

test.after.each(async () => {
  $session.set(null)
  for (const stop of stops) stop()
  await line.close()
  await hub.close()
})

for (const how of ['freeze', 'cut'] as const) {
  test(`${how}: the data is stale within 3 s, and recovers within 6 s`, async () => {
    registerDevices(hub, 1)
    await until(() => $pending.get().items.length === 1, 'a device that registers')
    assert.equal($freshness.get().stale, false)
    line[how]()
    const staleAfter = await ownTime(() => until(() => $freshness.get().stale, 'the data is stale'))
    assert.ok(staleAfter < 3000, `${staleAfter} ms`)
    assert.ok($freshness.get().since <= Date.now() - STALE_AFTER, 'with the time of the last message')
    assert.equal($pending.get().items.length, 1, 'the data stays')
    assert.equal($pending.get().phase, 'ready')
    registerDevices(hub, 3)
    line.thaw()
    const back = await ownTime(() =>
      until(() => !$freshness.get().stale && $pending.get().items.length === 3, 'the stores to recover')
    )
    assert.ok(back <= 6000, `${back} ms`)
    const { updatedAt: at } = $system.get()
    await until(() => $system.get().updatedAt > at && $system.get().code === 0, 'the next status')
  })
}

test.run()
