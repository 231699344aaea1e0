// The script of the rare screens and dialogs: when it is requested, and what happens when it is late, damaged or gone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { suite } from 'uvu'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { ROUTES } from '../../src/paths.ts'
import { signIn } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { waitForDashboard } from '../kit/browser/page-traffic.ts'
import { until } from '../kit/until.ts'

const test = suite('later script')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

const LATER = '**/assets/later-*.js'
const SENTENCES = '**/assets/*-later-*.txt'
const isLater = (request: Request) => /\/assets\/later-/.test(request.url())

/** Collects the requests of a page for the later script. */
function collectRequests(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => isLater(request) && requests.push(request))
  return requests
}

/** Signs in with the responses for a pattern held back. @returns releases them */
async function signInWithout(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  await signIn(page)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return resolve
}

/** Opens a screen without loading the page again. */
const openScreen = (page: Page, route: 'users' | 'network') =>
  page.evaluate((path) => {
    location.hash = path
  }, ROUTES[route])
const openUsers = (page: Page) => openScreen(page, 'users')
const usersTable = (page: Page) => page.getByRole('main').getByRole('table')
const retryButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Retry' })
/** On a busy machine a page may have no idle time at all, and counts as idle after this time. */
const IDLE_OPTIONS: IdleRequestOptions = { timeout: 1000 }
const waitForIdle = (page: Page) =>
  page.evaluate((options) => new Promise((resolve) => requestIdleCallback(resolve, options)), IDLE_OPTIONS)

/** Counts the times that a page was loaded from now on. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 }
  page.on('domcontentloaded', () => loads.count++)
  return loads
}

test('the first load is four requests; the later script is requested when the first screen has its data', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const requests = collectRequests(page)
    const release = await signInWithout(page, '**/api/system/status*')
    await waitForIdle(page)
    const files = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/assets/'))
        .map(({ name }) => name)
    )
    assert.equal(files.length, 3, files.join())
    assert.equal(requests.length, 0)
    const requested = page.waitForRequest(LATER)
    release()
    await requested
    await waitForDashboard(page)
    await openUsers(page)
    await usersTable(page).waitFor()
    assert.equal(requests.length, 1)
  }))

test('with the data saver it is requested when it is needed', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const requests = collectRequests(page)
    await page.evaluate((key) => localStorage.setItem(key, '1'), `${CACHE_PREFIX}saver`)
    await page.reload()
    await signIn(page)
    await waitForDashboard(page)
    await waitForIdle(page)
    assert.equal(requests.length, 0)
    await openUsers(page)
    await usersTable(page).waitFor()
    assert.equal(requests.length, 1)
  }))

test('until it has arrived, a screen is a skeleton and a dialog has one', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const release = await signInWithout(page, LATER)
    await openUsers(page)
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor()
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('dialog', { name: 'Loading' }).getByRole('status', { name: 'Loading' }).waitFor()
    release()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await openUsers(page)
    await usersTable(page).waitFor()
  }))

test('its sentences come with it in the current language, also when that changes before and after', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await page.route(SENTENCES, async (route) => {
      await waitForIdle(page)
      await route.continue()
    })
    await signIn(page)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await openScreen(page, 'network')
    await page.getByRole('heading', { name: 'Ports' }).waitFor()
    const change = async (from: string, to: string) => {
      await page.getByRole('button', { name: from }).click()
      await page.getByRole('menuitemradio', { name: to }).click()
    }
    await change('English', '中文')
    await page.getByRole('heading', { name: '端口' }).waitFor()
    await change('中文', 'English')
    await page.getByRole('heading', { name: 'Ports' }).waitFor()
  }))

test('when its sentences cannot be loaded, the screen shows an error with Retry, which loads them', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    errors.expectOutage()
    await page.route(SENTENCES, (route) => route.abort('connectionreset'))
    await signIn(page)
    await waitForDashboard(page)
    await openUsers(page)
    await retryButton(page).waitFor()
    await page.unroute(SENTENCES)
    await retryButton(page).click()
    await usersTable(page).waitFor()
  }))

test('when it cannot be loaded, the screen shows an error with Retry, and Retry loads it without a new page', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    errors.expectOutage()
    const loads = countLoads(page)
    await page.route(LATER, (route) => route.abort('connectionreset'))
    await signIn(page)
    await waitForDashboard(page)
    await openUsers(page)
    await retryButton(page).click()
    await retryButton(page).waitFor()
    await page.unroute(LATER)
    await retryButton(page).click()
    await usersTable(page).waitFor()
    assert.equal(loads.count, 0)
  }))

test('a truncated script shows the error, and Retry loads the page and the whole script', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    errors.expectOutage()
    const loads = countLoads(page)
    await page.route(LATER, async (route) => {
      const file = readFileSync(join(process.env.DIST ?? './dist', 'assets', basename(route.request().url())), 'utf8')
      await route.fulfill({ body: file.slice(0, file.length / 2), contentType: 'text/javascript' })
    })
    await signIn(page)
    await waitForDashboard(page)
    await openUsers(page)
    await retryButton(page).waitFor()
    await page.unroute(LATER)
    await retryButton(page).click()
    await usersTable(page).waitFor()
    assert.equal(loads.count, 1)
    assert.ok(page.url().endsWith(ROUTES.users))
  }))

test('no error is shown before the page is loaded again', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    errors.expectOutage()
    await page.evaluate((key) => localStorage.setItem(key, '1'), `${CACHE_PREFIX}saver`)
    await page.reload()
    await signIn(page)
    await waitForDashboard(page)
    await page.route(LATER, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    const loads = countLoads(page)
    await page.evaluate(() => {
      const noteError = () => {
        if (document.querySelector('main .note button')) sessionStorage.setItem('error', 'shown')
      }
      new MutationObserver(noteError).observe(document.body, { childList: true, subtree: true })
    })
    await openUsers(page)
    await until(async () => loads.count > 0, 'the page is loaded again')
    assert.equal(await page.evaluate(() => sessionStorage.getItem('error')), null)
    await retryButton(page).waitFor()
  }))

test('when the file is gone after an upgrade, the page is loaded again when a screen needs it, once', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    errors.expectOutage()
    const loads = countLoads(page)
    await page.route(LATER, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    const preload = page.waitForResponse(LATER)
    await signIn(page)
    await waitForDashboard(page)
    await preload
    // A slow page: what the user opens before it arrives must be open afterwards.
    const { promise: hasOpened, resolve: release } = Promise.withResolvers<void>()
    await page.route(`${environment.hub.url}/`, async (route) => {
      await hasOpened
      await route.continue()
    })
    await waitForIdle(page)
    await openUsers(page)
    release()
    await until(async () => loads.count > 0, 'the page is loaded again')
    // The second page finds no file either, and must not load itself for ever.
    await retryButton(page).waitFor()
    assert.ok(page.url().endsWith(ROUTES.users))
    assert.equal(loads.count, 1)
    await page.unroute(LATER)
    await retryButton(page).click()
    await usersTable(page).waitFor()
  }))

test.run()
