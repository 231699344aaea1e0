// Sign-in and sign-out: redirects, errors, session, language.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { NOT_LOGGED_IN } from '../../contract/codes.ts'
import { CACHE_PREFIX, LANGUAGE_COOKIE_DAYS } from '../../contract/limits.ts'
import { loginLink, ROUTES } from '../../src/paths.ts'
import { signIn, waitForLogin } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'

const test = suite('sign-in')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

const hashOf = (page: Page) => page.evaluate(() => location.hash)
const atHash = (page: Page, hash: string) => page.waitForFunction((expected) => location.hash === expected, hash)

test('without a session every route opens the login page, which keeps the requested route', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await waitForLogin(page)
    for (const path of Object.values(ROUTES)) {
      // A wall display and a link with a ticket say what to do: nobody signs in there.
      if (path === ROUTES.login || path === ROUTES.wall || path === ROUTES.follow) continue
      await page.evaluate((to) => {
        location.hash = to
      }, path)
      await atHash(page, `#${loginLink(path)}`)
      await waitForLogin(page)
      assert.equal(await page.getByRole('navigation').count(), 0)
    }
  }))

test('signing in opens the requested route', () =>
  environment.visit({ signedOut: true, at: '/devices/all?view=view&key=Hall' }, async (page) => {
    await waitForLogin(page)
    await signIn(page)
    await page.getByRole('heading', { name: 'All' }).waitFor()
    assert.equal(await hashOf(page), '#/devices/all?view=view&key=Hall')
    assert.equal(await page.getByRole('searchbox', { name: 'Search name or serial' }).inputValue(), 'Hall')
    await page.getByRole('button', { name: 'Pictures', pressed: true }).waitFor()
  }))

test('a wrong password is refused with one sentence, and the input and the requested route are kept', () =>
  environment.visit({ signedOut: true, at: ROUTES.channels }, async (page) => {
    await waitForLogin(page)
    await signIn(page, 'Admin', 'wrong')
    await page.getByRole('alert').getByText('Incorrect account or password').waitFor()
    assert.equal(await page.getByLabel('User name').inputValue(), 'Admin')
    assert.equal(await hashOf(page), `#${loginLink(ROUTES.channels)}`)
    assert.deepEqual(
      (await page.context().cookies()).map(({ name }) => name),
      []
    )
    await signIn(page)
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
    assert.equal(await hashOf(page), `#${ROUTES.channels}`)
  }))

test('after five failures the page shows how long to wait', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const alert = page.getByRole('alert')
    for (let failure = 1; failure <= 5; failure++) {
      await Promise.all([page.waitForResponse(/\/api\/login/), signIn(page, 'Guesser', `guess ${failure}`)])
      await alert.getByText('Incorrect account or password').waitFor()
      if (failure < 5) assert.equal(await alert.getByText('Too many attempts').count(), 0)
    }
    await alert.getByText(/Too many attempts: try again in ([1-9]|10) s/).waitFor()
  }))

test('signing out ends the session in the browser and in the hub', () =>
  environment.visit({ at: ROUTES.dashboard }, async (page) => {
    await page.getByRole('button', { name: 'Admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await waitForLogin(page)
    const response = await page.request.get(`${environment.hub.url}/api/session`)
    assert.equal((await response.json()).result, NOT_LOGGED_IN)
    await page.goto(`${environment.hub.url}/#${ROUTES.channels}`)
    await page.reload()
    await waitForLogin(page)
    assert.equal(await hashOf(page), `#${loginLink(ROUTES.channels)}`)
  }))

test('a session survives a reload', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    await page.reload()
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
    assert.equal(await hashOf(page), `#${ROUTES.channels}`)
  }))

test('an unknown route shows an error and a link back', () =>
  environment.visit({ at: ROUTES.dashboard }, async (page) => {
    await page.evaluate(() => {
      location.hash = '/no/such/page'
    })
    await page.getByText("Sorry, the page doesn't exist.").waitFor()
    await page.getByRole('link', { name: 'Go to dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }))

test('a selected language applies at once and for 30 days', () =>
  environment.visit({ signedOut: true }, async (page) => {
    const marked = await page.evaluateHandle(() => document.body)
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('menuitemradio', { name: '中文' }).click()
    await page.getByRole('button', { name: '登录' }).waitFor()
    assert.ok(await marked.evaluate((body) => body === document.body), 'the page was not reloaded')
    const [cookie] = await page.context().cookies()
    assert.deepEqual([cookie?.name, cookie?.value], [`${CACHE_PREFIX}lang`, 'zh'])
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
    assert.ok(Math.abs(days - LANGUAGE_COOKIE_DAYS) < 0.01, `${days} days`)
    await page.reload()
    await page.getByRole('button', { name: '登录' }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN')
  }))

test('a redirect to another site is not followed', async () => {
  const evil = ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '/login']
  for (const wish of evil)
    await environment.visit({ at: `/login?return_url=${encodeURIComponent(wish)}` }, async (page) => {
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      assert.equal(page.url(), `${environment.hub.url}/#${ROUTES.dashboard}`)
    })
})

test('the login page takes three requests, and the next visit transfers no bodies', () =>
  environment.visit({ signedOut: true }, async (page) => {
    /** By request. Events of a request arrive in any order. */
    const loads = new Map<string, { url: string; type?: string; status?: number; header: number; all: number }>()
    const protocol = await page.context().newCDPSession(page)
    const note = (id: string, what: object) => {
      loads.set(id, { url: '', header: 0, all: 0, ...loads.get(id), ...what })
    }
    protocol.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => note(requestId, { url }))
    protocol.on('Network.responseReceived', ({ requestId, response }) => note(requestId, { type: response.mimeType }))
    // Only present for responses from the network.
    protocol.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headersText = '' }) =>
      note(requestId, { status: statusCode, header: headersText.length })
    )
    protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      note(requestId, { all: encodedDataLength })
    )
    await protocol.send('Network.enable')
    const load = async () => {
      loads.clear()
      await page.goto('about:blank')
      await page.goto(`${environment.hub.url}/`, { waitUntil: 'networkidle' })
      await page.getByLabel('User name').fill('Ad')
      return [...loads.values()].filter(({ url }) => url.startsWith('http'))
    }
    await protocol.send('Network.clearBrowserCache')
    const first = await load()
    const types = first.map(({ type }) => type).sort()
    assert.deepEqual(types, ['text/css', 'text/html', 'text/javascript', 'text/plain'])
    for (const { url, status, header, all } of first)
      assert.ok(
        status === 200 && header > 0 && all > header,
        `${url}: ${status}, ${all} bytes, ${header} of them header`
      )
    const second = await load()
    assert.equal(second.length, 4)
    for (const { url, status, header, all } of second) {
      assert.ok(status === 304 || status === undefined, `${url} returned ${status}`)
      assert.equal(all, header, `${url} has a body`)
    }
  }))

test.run()
