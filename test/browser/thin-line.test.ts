// The console on a thin line: what it takes of one while nobody does anything. `make bench ONLY=line` measures more of it, with 500 devices.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, listDevices } from '../../contract/device/device.ts'
import { systemStatus } from '../../contract/system.ts'
import { ROUTES } from '../../src/paths.ts'
import { until } from '../kit/link-hub.ts'
import { openStage, type Stage } from '../kit/stage.ts'
import { openThinLine, type ThinLine } from '../kit/thin-line.ts'
import { atRest, dashboardFilled, rateOf } from '../kit/thin-page.ts'

const test = suite('thin line')

const DEVICES = 6

let stage: Stage
/** As wide as can be at first: it counts. */
let line: ThinLine
const origin = () => `http://127.0.0.1:${line.port}`
test.before(async () => {
  stage = await openStage({ devices: DEVICES })
  const { send } = stage.hub
  await until(
    async () => {
      const { list } = await send(listDevices, { 'reg-state': 'waiting' })
      if (list.length > 0) await send(acceptDevices, { sn: list.map(({ sn }) => sn) })
      return (await send(systemStatus, {})).status.system.device['num-online'] === DEVICES
    },
    'all devices are accepted and online',
    30_000
  )
  line = await openThinLine(Number(new URL(stage.hub.url).port))
})
test.after(async () => {
  await line?.close()
  await stage?.close()
})

test('a dashboard that is left alone takes less than 6 KB a minute, and what changes is shown all the same', () =>
  stage.visit({ origin: origin(), at: ROUTES.dashboard }, async (page) => {
    await dashboardFilled(page)
    // The last of what the page asked for is here.
    await atRest(line)
    const chart = page.locator('main svg').last()
    const drawn = await chart.innerHTML()
    const took = await rateOf(line, 10_000)
    assert.ok(took > 0 && took < 6, `${took.toFixed(1)} KB/min`)
    assert.notEqual(await chart.innerHTML(), drawn)
  }))

test.run()
