// Traffic of an idle console. `make bench ONLY=line` measures more, with 500 devices.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, listDevices } from '../../contract/device/device.ts'
import { systemStatus } from '../../contract/system.ts'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { measureTraffic, waitForDashboard, waitForIdle } from '../kit/browser/page-traffic.ts'
import { startThrottledProxy, type ThrottledProxy } from '../kit/net/throttled-proxy.ts'
import { until } from '../kit/until.ts'

const test = suite('thin line')

const DEVICES = 6

let environment: BrowserEnvironment
/** Without a rate limit: it only counts bytes. */
let line: ThrottledProxy
const origin = () => `http://127.0.0.1:${line.port}`
test.before(async () => {
  environment = await startEnvironment({ devices: DEVICES })
  const { send } = environment.hub
  await until(async () => {
    const { list } = await send(listDevices, { 'reg-state': 'waiting' })
    if (list.length > 0) await send(acceptDevices, { sn: list.map(({ sn }) => sn) })
    return (await send(systemStatus, {})).status.system.device['num-online'] === DEVICES
  }, 'all devices are accepted and online')
  line = await startThrottledProxy(Number(new URL(environment.hub.url).port))
})
test.after(async () => {
  await line?.close()
  await environment?.close()
})

test('an idle dashboard transfers less than 6 KB per minute and still shows changes', () =>
  environment.visit({ origin: origin(), at: linkTo('dashboard', { details: 'open' }) }, async (page) => {
    await waitForDashboard(page)
    // All requested data has arrived.
    await waitForIdle(line)
    const chart = page.locator('main svg').last()
    const initialChart = await chart.innerHTML()
    const took = await measureTraffic(line, 20_000)
    assert.ok(took > 0 && took < 6, `${took.toFixed(1)} KB/min`)
    await until(async () => (await chart.innerHTML()) !== initialChart, 'the chart changes')
  }))

test.run()
