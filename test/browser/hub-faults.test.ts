// The hub, its engine and the engine's relays die or hang. Each place of the console says so within 5 s, blames no
// source or target, and is right again by itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { waitUntilAllOnAir } from '../kit/fault/all-on-air.ts'
import { ConsolePlaces } from '../kit/fault/console-places.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { commandLineOf, descendantsOf } from '../kit/system-processes.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('faults of the hub in the console')

/** Milliseconds within which each place says it, besides those for which programs wait for a processor. */
const REPORT_TIME = 5000
const ON_AIR = ['● On air', /On air/] as const
const ENGINE_AWAY = ['◆ Down', /stream engine of the hub is not responding/] as const
const PROGRAM_STUCK = ['◆ Down', /A (stream )?program of the hub is not responding/] as const
/** The channels, none of which is broken itself. */
const NAMES = ['input killed', 'output silent']

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

/** Waits until all places say a fault, and asserts that they do so in time, and say nothing else. */
async function assertShown(places: ConsolePlaces, fault: readonly [string, RegExp], cause: () => void): Promise<void> {
  const at = Date.now()
  let shown = new Map<string, number>()
  const wait = await waitDuring(async () => {
    cause()
    shown = await places.waitForAll(() => fault)
  })
  const took = Math.max(...shown.values()) - at
  assert.ok(took < REPORT_TIME + wait, `the last place showed it after ${took} ms`)
  await places.assertNoOther(() => ['● On air', fault[0]])
}

/** Waits until a page has its data from the hub again. @returns when, in milliseconds since the epoch */
async function waitUntilFresh(page: Page): Promise<number> {
  const time = await page.waitForFunction(
    () => !document.querySelector(':is(.shell, .wall)[data-stale], .wall-alarm') && Date.now()
  )
  return Number(await time.jsonValue())
}

test('a relay that hangs, a hub and an engine that die are shown as the fault of the hub', () =>
  environment.visit({ at: linkTo('profile') }, async (visited, errors) => {
    const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
    const places = await ConsolePlaces.open(visited.context(), environment.hub.url, channels)
    await places.waitForAll(() => ON_AIR)
    await places.forget()
    await assertShown(places, PROGRAM_STUCK, () => {
      for (const pid of descendantsOf(process.pid))
        if (/headend-relay\0/.test(commandLineOf(pid))) process.kill(pid, 'SIGSTOP')
    })
    await waitUntilOnAir()
    // A page keeps what it shows while the hub does not run.
    await places.forget()
    await places.waitForAll(() => ON_AIR)
    errors.expectOutage()
    await restartHub(places)
    await restartEngine(places)
  }))

async function restartHub(places: ConsolePlaces): Promise<void> {
  await environment.restart('hub', async () => {
    // Without a hub nothing looks healthy.
    for (const each of places.pages.values()) await each.locator('[data-stale]').first().waitFor()
    await places.forget()
  })
  const startedAt = Date.now()
  let backAt = 0
  const wait = await waitDuring(async () => {
    backAt = Math.max(...(await Promise.all([...places.pages.values()].map(waitUntilFresh))))
  })
  assert.ok(backAt - startedAt < REPORT_TIME + wait, `the verdicts were back after ${backAt - startedAt} ms`)
  await places.waitForAll(() => ON_AIR)
  await places.assertNoOther(() => ['● On air'])
}

async function restartEngine(places: ConsolePlaces): Promise<void> {
  await places.forget()
  await environment.hub.signIn()
  const killedAt = Date.now()
  await environment.restart('engine', async () => {
    let shownAt = 0
    const wait = await waitDuring(async () => {
      shownAt = Math.max(...(await places.waitForAll(() => ENGINE_AWAY)).values())
    })
    assert.ok(shownAt - killedAt < REPORT_TIME + wait, `the last place showed it after ${shownAt - killedAt} ms`)
    await places.assertNoOther(() => ['● On air', '◆ Down'])
    await places.forget()
  })
  await waitUntilOnAir()
  await places.waitForAll(() => ON_AIR)
}

test.run()
