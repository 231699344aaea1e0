// The console of a hub in the cloud, with a real cloud, a real hub and a browser.
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { deleteHubs } from '../../contract/cloud/calls.ts'
import { acceptDevices } from '../../contract/device/device.ts'
import { webPagePath } from '../../contract/device/web-page.ts'
import { createRoster } from '../../fleet/roster.ts'
import { createSimulatedDevice } from '../../fleet/simulated-device.ts'
import { ROUTES } from '../../src/paths.ts'
import { openChromium } from '../kit/browser/browser.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'
import { type Journey, visitPage } from '../kit/browser/visit.ts'
import { type OpenedHub, withOpenedHub } from '../kit/cloud/opened-hub.ts'
import { set, untilOnline, withFolder } from '../kit/cloud/registered-hub.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('console of a hub in the cloud')

let browser: Browser

test.before(async () => {
  browser = await openChromium()
})
test.after(() => browser?.close())

/** Screens of a hub without a device, channel or matrix of its own. */
const SCREENS = [
  ...[ROUTES.dashboard, ROUTES.channels, ROUTES.inputs, ROUTES.outputs, ROUTES.allDevices, ROUTES.problems],
  ...[ROUTES.general, ROUTES.network, ROUTES.firmware, ROUTES.license, ROUTES.users, ROUTES.logs, ROUTES.upgrade]
]

/** Opens the hub in a browser, and runs a journey in its console. */
const visit = (run: (fixture: OpenedHub, ...journey: Parameters<Journey>) => Promise<void>) =>
  withOpenedHub(async (fixture) => {
    const { host, cookie } = await fixture.open()
    const origin = `http://${host}`
    const [name = '', value = ''] = cookie.split(/=(.*)/)
    const cookies = [{ name, value, url: origin }]
    await visitPage(browser, { origin, cookies, signedOut: true }, async (page, errors) => {
      await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
      await run(fixture, page, errors)
    })
  }, 'dist')

test('Open in the list of the cloud opens the console of the hub in a new tab', () =>
  withOpenedHub(
    ({ webPort }) =>
      visitPage(browser, { origin: `http://127.0.0.1:${webPort}`, at: '/hubs/accepted' }, async (page) => {
        const opened = page.waitForEvent('popup')
        await page.getByRole('table').getByRole('button', { name: /^Open/ }).click()
        const console = await opened
        await console.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
        await console.getByRole('button', { name: 'Admin@headend' }).waitFor()
        assert.match(console.url(), /^http:\/\/hub-[0-9a-f]+\.localhost:\d+\/#\/dashboard$/)
      }),
    'dist'
  ))

test('every screen of a hub works in the cloud', () =>
  visit(async ({ sn }, page) => {
    const paths = new Set<string>()
    page.on('request', (request) => paths.add(new URL(request.url()).pathname))
    for (const path of SCREENS) {
      await openRoute(page, path)
      await waitForContent(page)
      assert.equal(await page.getByText("Sorry, the page doesn't exist.").count(), 0, path)
    }
    assert.ok(sn)
    assert.deepEqual(
      [...paths].filter((path) => path.startsWith('/api/')),
      []
    )
  }))

test('the web page of a device works at an origin of its own', () =>
  withFolder((folder) =>
    visit(async ({ hub, admin, sn }, page) => {
      const { linkPort } = await hub.listen(0, 0)
      const [entry] = createRoster(1)
      assert.ok(entry)
      const device = createSimulatedDevice({
        ...{ entry, folder, seed: 'seed', report: () => {} },
        hub: { host: '127.0.0.1', port: linkPort }
      })
      device.start()
      try {
        await until(() => hub.parts.links.isOnline(entry.sn), 'the device is online')
        await admin.send(acceptDevices, { sn: [entry.sn] })
        const opened = page.context().waitForEvent('page')
        await page.evaluate((path) => void open(path), webPagePath(entry.sn))
        const web = await opened
        await web.getByText(entry.sn).waitFor()
        assert.match(new URL(web.url()).hostname, new RegExp(`^${sn.toLowerCase()}---[0-9a-f]{16}[.]localhost$`))
        await web.getByLabel('Name').fill('In the cloud')
        await web.getByRole('button', { name: 'Save' }).click()
        await web.getByText('Saved.').waitFor()
        await web.getByRole('heading', { name: 'In the cloud' }).waitFor()
      } finally {
        device.stop()
      }
    })
  ))

test('the console says that its hub is offline, and goes on by itself when it is back', () =>
  visit(async ({ admin, hub }, page, errors) => {
    errors.expectOutage()
    const { host, port } = hub.parts.cloudLink.settings.stored
    await set(admin, { host, port, enable: false })
    await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor({ state: 'hidden' })
    await set(admin, { host, port })
    await untilOnline(admin)
    await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
  }))

test('a hub that is deleted in the cloud is left', () =>
  visit(async ({ user, sn }, page, errors) => {
    errors.expectOutage()
    await user.send(deleteHubs, { sn: [sn] })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }))

test.run()
