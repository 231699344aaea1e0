// Channels are broken in many ways. Within 5 s each place of the console that names them says the same right verdict
// and cause, and none says a false one.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { type Channel, channelDashboard } from '../../contract/stream/channel.ts'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { forgetVerdicts, readTab, readVerdicts, watchPage } from '../kit/fault/page-watch.ts'
import { until } from '../kit/until.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('ten faults in the console')

/** Milliseconds within which each place says it. */
const REPORT_TIME = 5000
const SIZE = { width: 1440, height: 900 }

/** The faults, with the verdict and a part of the cause. The API tests have more variants of some. */
const FAULTS: Readonly<Record<string, readonly [state: string, cause: RegExp]>> = {
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

const listChannels = async (): Promise<Channel[]> => (await environment.hub.send(channelDashboard, {})).list

async function waitUntilOnAir(): Promise<void> {
  await until(async () => {
    const channels = await listChannels()
    const verdicts = channels.flatMap(({ health, outputs }) => [health, ...outputs.list.map((each) => each.health)])
    return channels.length === NAMES.length && verdicts.every((health) => health?.verdict === 'on-air')
  }, 'all channels and outputs are on air')
}

/** The pages, by the place. */
type Places = Map<string, Page>

const detailOf = (name: string) => {
  const { channel } = faults.find(({ title }) => title === name) as Fault
  return linkTo('channelDetail', { channelId: String(channel) })
}

async function openPlaces(page: Page): Promise<Places> {
  const { url } = environment.hub
  const open = async (link: string) => {
    const next = await page.context().newPage()
    await next.setViewportSize(SIZE)
    await next.goto(`${url}/#${link}`)
    return next
  }
  const channels = linkTo('channels')
  const places: Places = new Map([
    ['dashboard', page],
    ['wall', await open(linkTo('wall'))],
    ['list', await open(channels)],
    ['tiles', await open(`${channels}?view=view`)],
    ['detail', await open(detailOf('input killed'))]
  ])
  for (const [place, each] of places) await watchPage(each, SELECTORS[place] ?? '', NAMES)
  return places
}

const SELECTORS: Readonly<Record<string, string>> = {
  dashboard: '.health-tile',
  wall: '.health-tile',
  list: 'tbody tr',
  tiles: '.tile',
  detail: '.verdict'
}

/** The names that a place has. The page of a channel has one at a time. */
const namesAt = (place: string) => (place === 'detail' ? ['input killed'] : NAMES)

/**
 * Waits until all places say the states and causes of all channels.
 * @returns when the last place did, by the name of the channel, in milliseconds since the epoch
 */
async function waitForAll(
  places: Places,
  expected: (name: string) => readonly [string, RegExp]
): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  for (const [place, page] of places)
    for (const name of namesAt(place)) {
      const [state, cause] = expected(name)
      let seen = await readVerdicts(page, name)
      const find = () => seen.find((each) => each.state === state && cause.test(each.text))
      await until(async () => {
        seen = await readVerdicts(page, name)
        return find() !== undefined
      }, `${place}: ${name}`).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(seen)}`)
      })
      last.set(name, Math.max(last.get(name) ?? 0, find()?.at ?? 0))
    }
  return last
}

/** Asserts that no place has said another state than these. */
async function assertNoOther(places: Places, allowed: (name: string) => readonly string[]): Promise<void> {
  for (const [place, page] of places)
    for (const name of namesAt(place)) {
      const states = (await readVerdicts(page, name)).map(({ state }) => state)
      assert.deepEqual(
        states.filter((state) => !allowed(name).includes(state)),
        [],
        `${place}: ${name}`
      )
    }
}

const ON_AIR = ['● On air', /On air/] as const

async function forgetAll(places: Places): Promise<void> {
  for (const page of places.values()) await forgetVerdicts(page)
}

test('list, tiles, page, dashboard, wall, title and icon say each fault within 5 s, and nothing false', () =>
  environment.visit({ at: linkTo('dashboard'), size: [SIZE.width, SIZE.height] }, async (page, errors) => {
    const places = await openPlaces(page)
    await waitForAll(places, () => ON_AIR)
    await until(async () => (await readTab(page)).icon === 'none', 'no tab has a mark')
    await forgetAll(places)
    const causedAt = new Map<string, number>()
    let shown: Awaited<ReturnType<typeof waitForAll>> | undefined
    const wait = await waitDuring(async () => {
      for (const fault of faults) {
        causedAt.set(fault.title, Date.now())
        await fault.cause()
      }
      shown = await waitForAll(places, (name) => FAULTS[name] as [string, RegExp])
    })
    for (const [name, shownAt] of shown ?? []) {
      const delay = shownAt - (causedAt.get(name) ?? 0)
      assert.ok(delay < REPORT_TIME + wait, `${name}: the last place showed it after ${delay} ms`)
    }
    // Of two outputs one fails first.
    await assertNoOther(places, (name) =>
      ['● On air', FAULTS[name]?.[0] ?? ''].concat(name === 'all outputs gone' ? '▲ Degraded' : [])
    )
    await until(async () => {
      const { title, icon } = await readTab(page)
      return icon === 'bad' && title.startsWith(`◆ ${DOWN} down · `)
    }, 'title and icon say it')
    await assertDetails(places)
    await assertProblems(page)
    await forgetAll(places)
    for (const fault of faults) await fault.mend()
    await waitUntilOnAir()
    await waitForAll(places, () => ON_AIR)
    await until(async () => {
      const { title, icon } = await readTab(page)
      return icon === 'none' && /^[^◆▲]/.test(title)
    }, 'title and icon are as before')
    errors.expectOutage()
    await restartHub(places)
    await restartEngine(places)
  }))

/** An output tries again after some time, and a target that takes one connection refuses the next. */
const STALLED_LATER = /1 of 2 outputs failed.*(not accepting data|refused the connection)/s

/** The page of each channel says the verdict, and no other while it loads. */
async function assertDetails(places: Places): Promise<void> {
  const page = places.get('detail') as Page
  for (const name of NAMES) {
    const [state, cause] = FAULTS[name] as [string, RegExp]
    const causes = name === 'RTMP stalled' ? STALLED_LATER : cause
    await page.evaluate((link) => {
      location.hash = link
    }, detailOf(name))
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
  }, detailOf('input killed'))
}

/** The card of problems has a line for each fault. */
async function assertProblems(page: Page): Promise<void> {
  const lines = page.locator('.problems .problem')
  for (const name of NAMES) await lines.filter({ hasText: name }).first().waitFor()
  await until(async () => (await lines.count()) === NAMES.length, 'one line for each fault')
}

/** Waits until a page has its data from the hub again. @returns when, in milliseconds since the epoch */
async function waitUntilFresh(page: Page): Promise<number> {
  const time = await page.waitForFunction(
    () => !document.querySelector(':is(.shell, .wall)[data-stale], .wall-alarm') && Date.now()
  )
  return Number(await time.jsonValue())
}

async function restartHub(places: Places): Promise<void> {
  await environment.restart('hub', async () => {
    // Without a hub nothing looks healthy.
    for (const each of places.values()) await each.locator('[data-stale]').first().waitFor()
    await forgetAll(places)
  })
  const startedAt = Date.now()
  const backAt = Math.max(...(await Promise.all([...places.values()].map(waitUntilFresh))))
  assert.ok(backAt - startedAt < REPORT_TIME, `the verdicts were back after ${backAt - startedAt} ms`)
  await waitForAll(places, () => ON_AIR)
  await assertNoOther(places, () => ['● On air'])
}

async function restartEngine(places: Places): Promise<void> {
  await forgetAll(places)
  await environment.hub.signIn()
  const killedAt = Date.now()
  await environment.restart('engine', async () => {
    const shownAt = Math.max(
      ...(await waitForAll(places, () => ['◆ Down', /stream engine of the hub is not responding/])).values()
    )
    assert.ok(shownAt - killedAt < REPORT_TIME, `the last place showed it after ${shownAt - killedAt} ms`)
    await assertNoOther(places, () => ['● On air', '◆ Down'])
    await forgetAll(places)
  })
  await waitUntilOnAir()
  await waitForAll(places, () => ON_AIR)
}

test.run()
