// The web page of a device in a real browser: it works through the hub, and a malicious one is isolated.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { acceptDevices } from '../../contract/device/device.ts'
import { webPagePath } from '../../contract/device/web-page.ts'
import { createRoster } from '../../fleet/roster.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../fleet/simulated-device.ts'
import { SESSION_COOKIE } from '../../web-server/credentials.ts'
import { openChromium, signIn } from '../kit/browser/browser.ts'
import { startHub, type TestHub } from '../kit/hub/hub.ts'
import { LIMIT, until } from '../kit/until.ts'

const test = suite('device page')

/** Browsers treat localhost as secure. The other name behaves like a hub on a network without TLS. */
const HOSTS = ['127.0.0.1', 'hub.test'] as const
const entry = createRoster(1)[0]
const sn = entry?.sn ?? ''

let folder: string
let hub: TestHub
let device: SimulatedDevice
let browser: Browser
let port: number

test.before(async () => {
  const dist = process.env.DIST ?? './dist'
  assert.ok(entry && existsSync(join(dist, 'index.html')), `There is no console in ${dist}: run \`make build\` first.`)
  folder = mkdtempSync(join(tmpdir(), 'headend-page-'))
  hub = await startHub({ dist, hosts: [HOSTS[1]] })
  // Under a name other than a loopback name the default password must have been changed.
  hub.parts.store.database.run('UPDATE user SET is_default_password = 0')
  const ports = await hub.listen(0, 0)
  port = ports.port
  const address = { host: '127.0.0.1', port: ports.linkPort }
  device = createSimulatedDevice({ entry, folder, seed: 'seed', hub: address, report: () => {} })
  device.start()
  await until(() => hub.parts.links.isOnline(sn), 'the link')
  await hub.clientAs().send(acceptDevices, { sn: [sn] })
  browser = await openChromium([`--host-resolver-rules=MAP ${HOSTS[1]} 127.0.0.1`])
})
test.after(async () => {
  await browser?.close()
  device?.stop()
  await hub?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Signs in and opens the device page in a new window with an opener, which is the least safe way. */
async function visit(host: string, journey: (page: Page, console: Page, context: BrowserContext) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-US' })
  context.setDefaultTimeout(LIMIT)
  try {
    const console = await context.newPage()
    await console.goto(`http://${host}:${port}/`)
    await signIn(console)
    await console.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
    const opened = context.waitForEvent('page')
    // The fragment contains the port of the console for the malicious page. Redirects keep it.
    await console.evaluate((path) => void open(path), `${webPagePath(sn)}#${port}`)
    await journey(await opened, console, context)
  } finally {
    await context.close()
  }
}

/**
 * Navigates to an address of the console from the page of the device. That page's own navigations destroy its context
 * at any time.
 */
async function navigateFromDevice(page: Page, target: string): Promise<void> {
  const assign = (url: string) => {
    if (location.origin !== new URL(url).origin) location.assign(url)
  }
  await until(
    () =>
      page.evaluate(assign, target).then(
        () => true,
        () => page.url() === target
      ),
    `the page navigates to ${target}`
  )
}

for (const host of HOSTS) {
  test(`the device page works, including WebSocket and form (${host})`, async () => {
    device.applyCommand('normal')
    await visit(host, async (page) => {
      await page.getByRole('heading', { name: /./ }).waitFor()
      assert.equal(new URL(page.url()).hostname, host)
      assert.notEqual(new URL(page.url()).port, String(port))
      await page.getByText(sn).waitFor()
      const field = page.getByLabel('Name')
      await field.fill('a\\b')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('This name is not valid').waitFor()
      await field.fill(`At ${host}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.getByRole('heading', { name: `At ${host}` }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: `At ${host}` }).waitFor()
    })
  })

  test(`a malicious device page cannot read or change the console or sign the user out (${host})`, async () => {
    device.applyCommand('hostile')
    await visit(host, async (page, console, context) => {
      await page.getByRole('heading', { name: 'Free firmware' }).waitFor()
      const before = await context.cookies(`http://${host}:${port}/`)
      // Locators would wait for a blocked navigation.
      let result = ''
      await until(async () => {
        // The page also tries to navigate, which destroys this context.
        result = await page.evaluate(() => document.getElementById('result')?.textContent ?? '').catch(() => '')
        return result !== ''
      }, 'the page has tried everything')
      const results = JSON.parse(result) as Record<string, string>
      const { form: _form, beacon: _beacon, window: _window, logoutByFrame: _frame, opener, ...rest } = results
      assert.deepEqual(rest, {
        read: 'refused',
        logout: 'refused',
        logoutByImage: 'refused',
        logoutByScript: 'refused',
        addChannel: 'refused',
        socket: 'refused',
        worker: 'refused',
        readCookie: 'none',
        setCookie: 'tried'
      })
      if (host === HOSTS[0]) assert.equal(opener, 'none')

      // A window can navigate anywhere and sends its cookies.
      for (const path of ['/api/logout', `/socket/usapi?method=set-name&name=Evil&sc-client-id=${sn}`]) {
        const navigation = page.waitForURL(`http://${host}:${port}${path}`)
        await navigateFromDevice(page, `http://${host}:${port}${path}`)
        await navigation
        assert.match((await page.locator('body').textContent()) ?? '', /"result":31/)
        await page.goBack({ waitUntil: 'commit' })
      }

      assert.equal(new URL(console.url()).origin, `http://${host}:${port}`, 'the opener is where it was')
      const session = await console.evaluate(async () => (await fetch('/api/session')).json())
      assert.equal(session.result, SUCCESS, 'still signed in')
      await console.reload()
      await console.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
      const secret = (cookies: typeof before) =>
        cookies.find(({ name, path }) => name === SESSION_COOKIE && path === '/')
      assert.equal(secret(await context.cookies(`http://${host}:${port}/`))?.value, secret(before)?.value)
      assert.deepEqual(hub.parts.store.channels.all(), [])
      assert.notEqual(hub.parts.store.devices.bySerial(sn)?.name, 'Evil')
    })
  })
}

test.run()
