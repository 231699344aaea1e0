// Channels are broken in many ways. Within 5 s each place of the console that names them says the same right verdict
// and cause, and none says a false one.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { waitUntilAllOnAir } from '../kit/fault/all-on-air.ts'
import { ConsolePlaces, channelPage, type ShownVerdict } from '../kit/fault/console-places.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { readTab, readVerdicts } from '../kit/fault/page-watch.ts'
import { until } from '../kit/until.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('ten faults in the console')

/** Milliseconds within which each place says it. */
const REPORT_TIME = 5000

/** The faults, with the verdict and a part of the cause. The API tests have more variants of some. */
const FAULTS: Readonly<Record<string, ShownVerdict>> = {
  'input killed': ['◆ Down', /No data/],
  'source stopped': ['◆ Down', /No data/],
  garbage: ['◆ Down', /not MPEG-TS/],
  'another codec': ['▲ Degraded', /1 of 2 outputs failed.*does not support HEVC/s],
  'output refused': ['▲ Degraded', /1 of 2 outputs failed.*(closed|refused) the connection/s],
  'RTMP stalled': ['▲ Degraded', /1 of 2 outputs failed.*not accepting data/s],
  'main input lost': ['▲ Degraded', /Running on backup 1: main input lost/],
  'all outputs gone': ['◆ Down', /All outputs failed/]
}
const NAMES = Object.keys(FAULTS)
const DOWN = NAMES.filter((name) => FAULTS[name]?.[0] === '◆ Down').length

let environment: BrowserEnvironment
let faults: Fault[]

test.before(async () => {
  environment = await startEnvironment()
  await environment.hub.signIn()
  faults = await createFaults(environment.hub, NAMES)
  await waitUntilOnAir()
})
test.after(async () => {
  await environment?.close()
  await endPeers()
  await cleanUpMedia()
})

const waitUntilOnAir = () => waitUntilAllOnAir(environment.hub, NAMES.length)

const pageOf = (name: string) => channelPage(faults.find(({ title }) => title === name)?.channel ?? 0)

const ON_AIR = ['● On air', /On air/] as const

test('list, tiles, page, dashboard, wall, title and icon say each fault within 5 s, and nothing false', () =>
  environment.visit({ at: linkTo('profile') }, async (visited) => {
    const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
    const places = await ConsolePlaces.open(visited.context(), environment.hub.url, channels)
    const page = places.page('dashboard')
    await places.waitForAll(() => ON_AIR)
    await until(async () => (await readTab(page)).icon === 'none', 'no tab has a mark')
    await places.forget()
    const causedAt = new Map<string, number>()
    let shown: Map<string, number> | undefined
    const wait = await waitDuring(async () => {
      for (const fault of faults) {
        causedAt.set(fault.title, Date.now())
        await fault.cause()
      }
      shown = await places.waitForAll((name) => FAULTS[name] as ShownVerdict)
    })
    for (const [name, shownAt] of shown ?? []) {
      const delay = shownAt - (causedAt.get(name) ?? 0)
      assert.ok(delay < REPORT_TIME + wait, `${name}: the last place showed it after ${delay} ms`)
    }
    // Of two outputs one fails first.
    await places.assertNoOther((name) =>
      ['● On air', FAULTS[name]?.[0] ?? ''].concat(name === 'all outputs gone' ? '▲ Degraded' : [])
    )
    await until(async () => {
      const { title, icon } = await readTab(page)
      return icon === 'bad' && title.startsWith(`◆ ${DOWN} down · `)
    }, 'title and icon say it')
    await assertDetails(places)
    await assertProblems(page)
    await places.forget()
    for (const fault of faults) await fault.mend()
    await waitUntilOnAir()
    await places.waitForAll(() => ON_AIR)
    await until(async () => {
      const { title, icon } = await readTab(page)
      return icon === 'none' && /^[^◆▲]/.test(title)
    }, 'title and icon are as before')
  }))

/** An output tries again after some time, and a target that takes one connection refuses the next. */
const STALLED_LATER = /1 of 2 outputs failed.*(not accepting data|refused the connection)/s

/** The page of each channel says the verdict, and no other while it loads. */
async function assertDetails(places: ConsolePlaces): Promise<void> {
  const page = places.page('detail')
  for (const name of NAMES) {
    const [state, cause] = FAULTS[name] as ShownVerdict
    const causes = name === 'RTMP stalled' ? STALLED_LATER : cause
    await page.evaluate((link) => {
      location.hash = link
    }, pageOf(name))
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.locator('.verdict').getByText(causes).first().waitFor()
    const readFaults = async () => {
      const states = (await readVerdicts(page, name)).map((each) => each.state)
      return new Set(states.filter((each) => each !== '● On air'))
    }
    // The recorder looks at the page every 50 ms, which may be after the text was found.
    await until(async () => (await readFaults()).size > 0, `the recorder saw the page of ${name}`)
    assert.deepEqual(await readFaults(), new Set([state]), name)
  }
  await page.evaluate((link) => {
    location.hash = link
  }, pageOf('input killed'))
}

/** The card of problems has a line for each fault. */
async function assertProblems(page: Page): Promise<void> {
  const lines = page.locator('.problems .problem')
  for (const name of NAMES) await lines.filter({ hasText: name }).first().waitFor()
  await until(async () => (await lines.count()) === NAMES.length, 'one line for each fault')
}

test.run()
