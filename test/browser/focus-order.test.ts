// The order of focus on each place: Tab reaches everything in visual order, and nothing that has the focus is covered.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addChannel } from '../../contract/stream/channel.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { fillHub } from '../kit/browser/filled-hub.ts'
import { walkByTab } from '../kit/browser/focus.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'

const test = suite('order of focus')

let environment: BrowserEnvironment
let channel: string
let device: string

test.before(async () => {
  environment = await startEnvironment({ devices: 3 })
  ;({ channel, device } = await fillHub(environment))
  // More rows than fit.
  for (let number = 1; number <= 12; number++) await environment.hub.send(addChannel, { name: `Hall ${number}` })
})
test.after(() => environment?.close())

/** A desktop, the same at 200 %, and a phone. */
const SIZES: readonly [width: number, height: number][] = [
  [1280, 800],
  [640, 400],
  [360, 760]
]

const pages = () => [
  ROUTES.dashboard,
  ROUTES.channels,
  channel,
  ...['schedule', 'history', 'access', 'settings'].map((tab) => `${channel}?tab=${tab}`),
  ROUTES.allDevices,
  device,
  ROUTES.problems,
  ROUTES.logs,
  ROUTES.settings,
  ROUTES.network,
  ROUTES.users
]

/** Opens a page and waits for all that can have the focus: the inputs of a channel are loaded after the channel. */
async function openPage(page: Page, path: string): Promise<void> {
  await openRoute(page, path)
  await waitForContent(page)
  if (path === channel) await page.getByRole('button', { name: 'Edit: Gate' }).waitFor()
  await resetFocus(page)
}

/** Puts the focus before everything else, as after loading the page. */
const resetFocus = (page: Page) =>
  page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    scrollTo(0, 0)
  })

for (const size of SIZES)
  test(`Tab reaches everything in visual order, uncovered, at ${size[0]} px`, () =>
    environment.visit({ size }, async (page) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const faults: string[] = []
      for (const path of pages()) {
        await openPage(page, path)
        faults.push(...(await walkByTab(page)).map((fault) => `${path}: ${fault}`))
      }
      assert.deepEqual(faults, [])
    }))

test('going back, nothing is covered by the head of a table or the bar at the bottom', () =>
  environment.visit({ size: [640, 400] }, async (page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const faults: string[] = []
    for (const path of [ROUTES.channels, ROUTES.problems, channel]) {
      await openPage(page, path)
      faults.push(...(await walkByTab(page, 'body', true)).map((fault) => `${path}: ${fault}`))
    }
    assert.deepEqual(faults, [])
  }))

test('with reduced motion nothing moves', () =>
  environment.visit({}, async (page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of [ROUTES.dashboard, channel, ROUTES.allDevices]) {
      await openRoute(page, path)
      await waitForContent(page)
      const moving = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 80))
      )
      assert.deepEqual(moving, [], path)
    }
  }))

test.run()
