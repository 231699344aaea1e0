// The hub, its engine and the engine's relays die or hang. Each place of the console says so within 5 s, blames no
// source or target, and is right again by itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { waitUntilAllOnAir } from '../kit/fault/all-on-air.ts'
import { ConsoleLanguages, type ShownCause } from '../kit/fault/console-languages.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { commandLineOf, descendantsOf } from '../kit/system-processes.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('faults of the hub in the console')

/** Milliseconds within which each place says it, besides those for which programs wait for a processor. */
const REPORT_TIME = 5000
const ON_AIR: ShownCause = ['●', { en: /On air/, zh: /播出中/ }]
const ENGINE_AWAY: ShownCause = ['◆', { en: /stream engine of the hub is not responding/, zh: /中控的流引擎没有响应/ }]
const PROGRAM_STUCK: ShownCause = [
  '◆',
  { en: /stream program of the hub is not responding/, zh: /中控的流程序没有响应/ }
]
/** Command lines. */
const RELAY = /headend-relay\0/
const ENGINE = /^headend-engine\0*$/
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

/** Sends a signal to the processes whose command line matches. */
function signal(command: RegExp, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of descendantsOf(process.pid)) if (command.test(commandLineOf(pid))) process.kill(pid, name)
}

/** Waits until a page has its data from the hub again. @returns when, in milliseconds since the epoch */
async function waitUntilFresh(page: Page): Promise<number> {
  const time = await page.waitForFunction(
    () => !document.querySelector(':is(.shell, .wall)[data-stale], .wall-alarm') && Date.now()
  )
  return Number(await time.jsonValue())
}

test('a relay and an engine that hang, a hub and an engine that die are shown as the fault of the hub', () =>
  environment.visit({ at: linkTo('profile') }, async (visited, errors) => {
    const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
    const pages = await ConsoleLanguages.open(visited.context(), environment.hub.url, channels)
    for (const [program, cause] of [
      [RELAY, PROGRAM_STUCK],
      [ENGINE, ENGINE_AWAY]
    ] as const) {
      await assertShown(pages, cause, async () => signal(program, 'SIGSTOP'))
      // What the watchdog of an engine does (test/supervisor/); a relay is replaced.
      if (program === ENGINE) signal(program, 'SIGCONT')
      await waitUntilOnAir()
      // A page keeps what it shows while the hub does not run.
      await pages.forget()
      await pages.waitForAll(() => ON_AIR)
    }
    errors.expectOutage()
    await restartHub(pages)
    await environment.hub.signIn()
    await environment.restart('engine', () =>
      // It was killed a moment ago.
      assertShown(pages, ENGINE_AWAY, async () => {})
    )
    await waitUntilOnAir()
    await pages.waitForAll(() => ON_AIR)
    await pages.close()
  }))

/** Asserts that all places say a fault of the hub in time, and nothing else. */
function assertShown(pages: ConsoleLanguages, fault: ShownCause, cause: () => Promise<void>): Promise<void> {
  return pages.assertCauses(
    () => fault,
    async () => {
      const at = Date.now()
      await cause()
      return new Map(NAMES.map((name) => [name, at]))
    }
  )
}

async function restartHub(pages: ConsoleLanguages): Promise<void> {
  await environment.restart('hub', async () => {
    // Without a hub nothing looks healthy.
    for (const each of pages.all()) await each.locator('[data-stale]').first().waitFor()
    await pages.forget()
  })
  const startedAt = Date.now()
  let backAt = 0
  const wait = await waitDuring(async () => {
    backAt = Math.max(...(await Promise.all(pages.all().map(waitUntilFresh))))
  })
  assert.ok(backAt - startedAt < REPORT_TIME + wait, `the verdicts were back after ${backAt - startedAt} ms`)
  await pages.waitForAll(() => ON_AIR)
  await pages.assertNoOther(() => ['●'])
}

test.run()
