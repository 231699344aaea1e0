// The frame in a real browser: theme, focus, menus, footer.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { THEME_KEY } from '../../contract/limits.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { waitForLoadingPage } from '../kit/browser/loading-page.ts'

const test = suite('frame')

let environment: BrowserEnvironment
test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

const openUserMenu = (page: Page) => page.getByRole('button', { name: 'Admin', exact: true }).click()
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const LIGHT = 'rgb(243, 245, 247)'
const DARK = 'rgb(14, 19, 24)'

test('the theme follows the system until the user chooses one, which the browser keeps', () =>
  environment.visit({}, async (page) => {
    for (const [colorScheme, colour] of [
      ['light', LIGHT],
      ['dark', DARK]
    ] as const) {
      await page.emulateMedia({ colorScheme })
      assert.equal(await background(page), colour)
    }
    await openUserMenu(page)
    await page.getByRole('menuitemradio', { name: 'System theme', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'Light theme' }).click()
    assert.equal(await background(page), LIGHT)
    // The page has the theme before the script of the console has arrived.
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/app-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await waitForLoadingPage(page)
    assert.equal(await background(page), LIGHT)
    release()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await openUserMenu(page)
    await page.getByRole('menuitemradio', { name: 'Dark theme' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    assert.equal(await background(page), DARK)
    await openUserMenu(page)
    await page.getByRole('menuitemradio', { name: 'System theme' }).click()
    assert.equal(await background(page), LIGHT)
    assert.equal(await page.evaluate((key) => localStorage.getItem(key), THEME_KEY), null)
  }))

test('after signing in, the content has the focus', () =>
  environment.visit({}, async (page) => {
    await page.locator('#content:focus').waitFor()
  }))

test('a letter moves the focus to the next item of a menu that begins with it', () =>
  environment.visit({}, async (page) => {
    await openUserMenu(page)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Home')
    await page.keyboard.press('s')
    const first = await focused()
    assert.match(first ?? '', /^S/)
    await page.keyboard.press('S')
    const second = await focused()
    assert.match(second ?? '', /^S/)
    assert.notEqual(first, second)
    await page.keyboard.press('c')
    assert.equal(await focused(), 'Change password')
    // Nothing begins with this letter.
    await page.keyboard.press('x')
    assert.equal(await focused(), 'Change password')
  }))

test('the button of an open menu stands out from its surroundings', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const button = page.getByRole('button', { name: 'Columns' })
    const colour = () => button.evaluate((element) => getComputedStyle(element).backgroundColor)
    const closed = await colour()
    await button.click()
    await page.getByRole('menu').waitFor()
    await page.mouse.move(0, 0)
    assert.notEqual(await colour(), closed)
  }))

test('the footer takes less than 40 px from every page', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
    const taken = await page.evaluate(() => {
      const [content, footer] = ['main', 'main > footer'].map((selector) => document.querySelector(selector) as Element)
      const gap = Number.parseFloat(getComputedStyle(content as Element).rowGap)
      return content && footer && content.getBoundingClientRect().bottom - footer.getBoundingClientRect().top + gap
    })
    assert.ok(taken && taken < 40, `${taken} px`)
  }))

test.run()
