// The main functions in Firefox ESR: sign-in, history, live previews.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROUTES } from '../../src/paths.ts'
import { openFirefox, signIn } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { waitForChange } from '../kit/browser/image-pixels.ts'

const test = suite('firefox')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment({ devices: 1, open: openFirefox })
})
test.after(() => environment?.close())

test('signing in opens the requested page', () =>
  environment.visit({ signedOut: true, at: ROUTES.channels }, async (page) => {
    await signIn(page, 'Admin', 'wrong')
    await page.getByRole('alert').getByText('Incorrect account or password').waitFor()
    await signIn(page)
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
    await page.waitForURL(`${environment.hub.url}/#${ROUTES.channels}`)
  }))

test('the menu, the address bar and the back button show the same page', () =>
  environment.visit({ at: ROUTES.dashboard }, async (page) => {
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    const assertPage = async (place: keyof typeof ROUTES, title: string) => {
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await page.waitForURL(`${environment.hub.url}/#${ROUTES[place]}`)
      await page.waitForFunction((expected) => document.title === expected, `${title} · Headend`)
      assert.equal(await menu.locator('[aria-current=page]').count(), 1)
    }
    await assertPage('dashboard', 'Dashboard')
    await menu.getByRole('link', { name: 'Channels' }).click()
    await assertPage('channels', 'Channels')
    await menu.getByRole('link', { name: /^Devices/ }).click()
    await assertPage('allDevices', 'All')
    await menu.getByRole('link', { name: 'Pending approval' }).click()
    await assertPage('pendingDevices', 'Pending approval')
    await page.goBack()
    await assertPage('allDevices', 'All')
    await page.goBack()
    await assertPage('channels', 'Channels')
    await page.goBack()
    await assertPage('dashboard', 'Dashboard')
    await page.goForward()
    await assertPage('channels', 'Channels')
    await page.evaluate((to) => {
      location.hash = to
    }, ROUTES.allDevices)
    await assertPage('allDevices', 'All')
  }))

test('a device is accepted, and its preview moves', () =>
  environment.visit({ at: ROUTES.pendingDevices }, async (page) => {
    await page.getByRole('row', { name: 'Main Hall PTZ' }).getByRole('button', { name: 'Accept' }).click()
    await page.getByText('No devices').waitFor()
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('button', { name: 'Pictures' }).click()
    const preview = page.getByRole('img', { name: 'Live picture of Main Hall PTZ' })
    await waitForChange(preview)
    await waitForChange(preview)
  }))

test.run()
