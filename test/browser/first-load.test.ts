// The page before the console's script has arrived: its login form, its language pack, and what happens when one is
// late or missing.
import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { suite } from 'uvu'
import { LANGUAGE_COOKIE } from '../../contract/text/language.ts'
import { loginLink, ROUTES } from '../../src/paths.ts'
import { signIn } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { waitForLoadingPage } from '../kit/browser/loading-page.ts'

const test = suite('first load')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

const SCRIPT = '**/assets/app-*.js'

/** Holds back the responses for a pattern. @returns releases them */
async function holdBack(page: Page, pattern: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await released
    await route.continue()
  })
  return release
}

const name = (page: Page) => page.getByLabel('User name')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
/** The fields of the login form in the page. */
const earlyName = (page: Page) => page.locator('#boot-name')
const earlyPassword = (page: Page) => page.locator('#boot-password')
/**
 * Waits for the error message. It is in the page from the start, and hidden by the style sheet, so its text alone is no
 * sign.
 */
async function waitForError(page: Page): Promise<void> {
  await page.locator(':root[data-failed]').waitFor()
  await page.getByText('The console could not be loaded completely.').waitFor()
}
const packsOf = (requests: Request[]) =>
  requests.flatMap((request) => /assets\/(\w\w)-\w+\.txt/.exec(request.url())?.[1] ?? [])

test('the form takes input before the script arrives, keeps it with focus and selection, and continues with the script', () =>
  environment.visit({ signedOut: true, at: ROUTES.channels }, async (page) => {
    await name(page).waitFor()
    const release = await holdBack(page, SCRIPT)
    await page.reload({ waitUntil: 'commit' })
    // The browser sets the focus when it has the style sheet.
    await page.locator('#boot-name:focus').waitFor()
    await page.keyboard.type('Admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Admxx')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowLeft')
    release()
    await earlyName(page).waitFor({ state: 'detached' })
    assert.equal(await name(page).inputValue(), 'Admin')
    // Typing replaces the selection, so the field has kept it.
    await page.keyboard.type('in')
    assert.equal(await password(page).inputValue(), 'Admin')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
  }))

test('Enter before the script arrives signs in by itself afterwards, and the password reaches no URL', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    page.on('framenavigated', (frame) => urls.push(frame.url()))
    await name(page).waitFor()
    const release = await holdBack(page, SCRIPT)
    await page.reload({ waitUntil: 'commit' })
    await earlyName(page).fill('Admin')
    await earlyPassword(page).fill('Admin')
    const before = await page.evaluate(() => history.length)
    await earlyPassword(page).press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).click()
    assert.equal(await page.evaluate(() => history.length), before)
    assert.equal(await earlyPassword(page).inputValue(), 'Admin')
    release()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.ok(urls.length > 5)
    for (const url of urls) assert.doesNotMatch(url, /Admin/)
  }))

test('a form that was submitted empty shows its errors when the script arrives', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await name(page).waitFor()
    const release = await holdBack(page, SCRIPT)
    await page.reload({ waitUntil: 'commit' })
    await earlyName(page).press('Enter')
    release()
    await page.getByText('Required').first().waitFor()
    assert.ok((await page.evaluate(() => location.hash)).startsWith(`#${loginLink('/').slice(0, 6)}`))
  }))

test('a signed-in user sees the frame and no login form while the script loads', () =>
  environment.visit({}, async (page) => {
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const release = await holdBack(page, SCRIPT)
    await page.reload({ waitUntil: 'commit' })
    await waitForLoadingPage(page)
    assert.equal(await page.locator('.boot-login').isVisible(), false)
    release()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }))

test('one language pack is loaded, that of the cookie or of the browser, and it does not wait for the script', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await name(page).waitFor()
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    const release = await holdBack(page, '**/assets/app-*.js')
    await page.reload({ waitUntil: 'commit' })
    await page.waitForRequest(/assets\/en-\w+\.txt/)
    release()
    await earlyName(page).waitFor({ state: 'detached' })
    assert.deepEqual(packsOf(requests), ['en'])
    requests.length = 0
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'zh', url: page.url() }])
    await page.reload()
    await page.getByRole('button', { name: '登录' }).waitFor()
    await earlyName(page).waitFor({ state: 'detached' })
    assert.deepEqual(packsOf(requests), ['zh'])
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN')
  }))

test('changing the language loads the other pack and keeps the state of the screen', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    // That of the list, which is in the later script; the header has one, too.
    const search = page.getByRole('main').getByRole('searchbox')
    await search.fill('Hall')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText('中文').click()
    await page.getByRole('heading', { name: '频道' }).waitFor()
    assert.equal(await search.inputValue(), 'Hall')
    assert.deepEqual(packsOf(requests), ['zh'])
  }))

test('a language pack that cannot be loaded shows an error with Retry, and Retry loads it', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    await name(page).waitFor()
    errors.expectOutage()
    await page.route('**/assets/en-*.txt', (route) => route.abort('connectionreset'))
    await page.reload({ waitUntil: 'commit' })
    const error = page.getByRole('alert').filter({ hasText: 'The console could not be loaded completely.' })
    await waitForError(page)
    // The form stays usable while the script is loading.
    await earlyName(page).fill('Admin')
    await page.unroute('**/assets/en-*.txt')
    await page.getByRole('button', { name: 'Retry' }).click()
    await earlyName(page).waitFor({ state: 'detached' })
    assert.equal(await name(page).inputValue(), 'Admin')
    assert.equal(await error.isVisible(), false)
  }))

test('a script that cannot be loaded shows an error with Retry, and Retry loads the page again', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    await name(page).waitFor()
    errors.expectOutage()
    await page.route(SCRIPT, (route) => route.abort('connectionreset'))
    await page.reload({ waitUntil: 'commit' })
    await waitForError(page)
    await page.unroute(SCRIPT)
    await page.getByRole('button', { name: 'Retry' }).click()
    await earlyName(page).waitFor({ state: 'detached' })
    await signIn(page)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }))

test('half a password that is typed after an early Enter is not sent', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const logins: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/login')) logins.push(request.url())
    })
    await name(page).waitFor()
    const release = await holdBack(page, SCRIPT)
    await page.reload({ waitUntil: 'commit' })
    await earlyName(page).fill('Admin')
    await earlyName(page).press('Enter')
    await earlyPassword(page).fill('Adm')
    release()
    await earlyName(page).waitFor({ state: 'detached' })
    await password(page).fill('Admin')
    assert.deepEqual(logins, [])
    await password(page).press('Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }))

test('a pack that is cut off shows the error with Retry', () =>
  environment.visit({ signedOut: true }, async (page, errors) => {
    await name(page).waitFor()
    errors.expectOutage()
    await page.route('**/assets/en-*.txt', (route) => route.fulfill({ body: '\nSign in\n' }))
    await page.reload({ waitUntil: 'commit' })
    await waitForError(page)
    await page.unroute('**/assets/en-*.txt')
    await page.getByRole('button', { name: 'Retry' }).click()
    await earlyName(page).waitFor({ state: 'detached' })
  }))

test.run()
