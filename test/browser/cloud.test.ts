// The pages of the cloud, with a real cloud and a real hub that registers.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation } from '../../cloud/auth/first-users.ts'
import { addCatalog, setCatalog } from '../../contract/catalog.ts'
import { acceptHubs, getInvitation, getSession } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN } from '../../contract/codes.ts'
import { LANGUAGE_COOKIE } from '../../contract/text/language.ts'
import { CLOUD_ROUTES } from '../../src/cloud/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { openChromium, signIn, waitForLogin } from '../kit/browser/browser.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'
import { type Journey, type PageVisit, visitPage } from '../kit/browser/visit.ts'
import { type CloudClient, startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { channelOf, type DigestHub, problemOf, startDigestHub, wholeDigest } from '../kit/cloud/digest-hub.ts'
import { type FakeHub, helloOf, startFakeHub } from '../kit/cloud/fake-hub.ts'
import { set } from '../kit/cloud/registered-hub.ts'
import { startHub, type TestHub } from '../kit/hub/hub.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('pages of the cloud')

/** All pages but the login page, those with parameters of an object that exists. */
const PAGES = Object.values(CLOUD_ROUTES)
  .filter((path) => path !== CLOUD_ROUTES.login)
  .map((path) => path.replace(/:\w+/, '1'))

let browser: Browser
let cloud: TestCloud
let admin: CloudClient
let origin: string
let linkPort: number
const hubs: { close(): unknown }[] = []

test.before(async () => {
  browser = await openChromium()
})
test.after(() => browser?.close())
test.before.each(async () => {
  cloud = await startCloud()
  const ports = await cloud.listen(0, 0)
  linkPort = ports.linkPort
  origin = `http://127.0.0.1:${ports.port}`
  admin = await cloud.clientAs()
})
test.after.each(async () => {
  for (const hub of hubs.splice(0)) await hub.close()
  await cloud.close()
})

/** By default the list of all hubs. */
const visit = (options: Omit<PageVisit, 'origin'>, journey: Journey) =>
  visitPage(browser, { origin, at: CLOUD_ROUTES.allHubs, ...options }, journey)

/** Registers clients that behave like hubs, and waits until they are online. */
async function register(...serials: string[]): Promise<FakeHub[]> {
  const { invitation } = await admin.send(getInvitation, {})
  const started = serials.map((sn) => startFakeHub(linkPort, () => helloOf(invitation, sn)))
  hubs.push(...started.map(({ stop }) => ({ close: stop })))
  await until(() => serials.every((sn) => cloud.links.isOnline('headend', sn)), 'the hubs are online')
  return started
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

test('a hub registers with the copied invitation, is accepted, goes offline and is deleted', () =>
  visit({}, async (page) => {
    await page.getByText('No hubs').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Invitation' }).click()
    const invitation = await page.getByText(/^headend:/).textContent()
    await page.getByText(`127.0.0.1:${linkPort}`).waitFor()
    const hub: TestHub = await startHub()
    hubs.push(hub)
    await set(hub.clientAs(), { port: linkPort, invitation: invitation ?? '' })
    await page.getByRole('link', { name: /^Pending approval 1/ }).click()
    await page
      .getByRole('table')
      .getByRole('button', { name: /^Accept/ })
      .click()
    await page.getByText('No hub waits for approval.').waitFor()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Accepted' }).click()
    await page.getByRole('cell', { name: 'Online' }).waitFor()
    await hub.close()
    hubs.splice(0)
    await page.getByRole('cell', { name: 'Offline' }).waitFor()
    await page
      .getByRole('table')
      .getByRole('button', { name: /^Actions: / })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('No hubs').waitFor()
  }))

test('several hubs are selected and accepted, and the address keeps search, filter and order', () =>
  visit({ at: '/hubs/pending' }, async (page) => {
    const [first] = await register('HUB1', 'HUB2', 'HUB3')
    await rowOf(page, 'Hub HUB3').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Accept 3 items' }).click()
    await page.getByText('No hub waits for approval.').waitFor()
    await openRoute(page, CLOUD_ROUTES.allHubs)
    await page.getByRole('cell', { name: 'Online' }).nth(2).waitFor()
    first?.stop()
    await page.getByRole('button', { name: /^Offline 1/ }).click()
    await rowOf(page, 'Hub HUB2').waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill('hub1')
    await page.getByRole('button', { name: 'Serial number' }).click()
    await page.waitForFunction(() => location.hash.includes('sort=sn') && location.hash.includes('key=hub1'))
    await page.reload()
    await rowOf(page, 'Hub HUB1').waitFor()
    assert.equal(await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).inputValue(), 'hub1')
    assert.equal(await page.getByRole('row').count(), 2)
  }))

test('an accepted hub is opened at an origin of its own, in another tab', async () => {
  await register('HUB1')
  await admin.send(acceptHubs, { sn: ['HUB1'] })
  await visit({}, async (page) => {
    const opened = page.context().waitForEvent('page')
    await rowOf(page, 'Hub HUB1').getByRole('button', { name: 'Open' }).click()
    const tab = await opened
    await tab.waitForURL(`http://hub1.localhost:${new URL(origin).port}/`)
    // The client is no hub of this release.
    await tab.getByText('update it first').waitFor()
    assert.equal(await tab.evaluate(() => window.opener), null)
  })
})

/** Registers and accepts a hub that sends digests. */
async function startReportingHub(sn: string): Promise<DigestHub> {
  const hub = await startDigestHub(admin, linkPort, sn)
  hubs.push({ close: hub.stop })
  return hub
}

test('the first page without accepted hubs calls nothing healthy, and leads to those that wait', async () => {
  await register('HUB1')
  await visit({ at: '' }, async (page) => {
    await page.getByRole('main').getByRole('link', { name: 'Pending approval' }).click()
    await page.getByRole('heading', { name: 'Pending approval' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await page.getByText('No hubs').waitFor()
    assert.equal(await page.getByText('No problems').count(), 0)
  })
})

test('the first page shows what fails on any hub within the time of a poll, and since when a hub is offline', async () => {
  const [north, south] = [await startReportingHub('HUB1'), await startReportingHub('HUB2')]
  north.send(wholeDigest([channelOf(1, 'Main camera'), channelOf(2, 'Goal')]))
  south.send(wholeDigest([channelOf(1, 'Foyer')]))
  await visit({ at: '' }, async (page) => {
    await page.getByRole('heading', { name: 'No problems' }).waitFor()
    await page.getByRole('button', { name: 'On air 3' }).waitFor()
    const counts = {
      channels: 2,
      verdicts: { down: 1, 'on-air': 1 },
      devices: 0,
      'devices-offline': 0,
      bad: 1,
      warn: 0
    }
    north.send({
      hub: { name: 'Hub', version: '1.0.0', health: { verdict: 'online' }, counts },
      channels: [channelOf(1, 'Main camera', 'down')],
      problems: [problemOf(1, 'Main camera')]
    })
    await page.getByRole('heading', { name: '1 problem' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Main camera' }).getByText('No data received').waitFor()
    south.stop()
    await rowOf(page, 'Hub HUB2').getByText(/ago$/).waitFor()
    await rowOf(page, 'Hub HUB2').getByText('Offline').waitFor()
    await page.getByRole('heading', { name: '2 problems' }).waitFor()
    // Nobody vouches for the channel of the other hub, so it is not counted as on air.
    await page.getByRole('button', { name: 'On air 1' }).waitFor()
    await page.getByRole('button', { name: 'Down 1' }).click()
    await rowOf(page, 'Main camera').waitFor()
    assert.equal(await rowOf(page, 'Foyer').count(), 0)
    await page.getByRole('button', { name: 'Last known state 1' }).click()
    await rowOf(page, 'Foyer').getByText('Last known state').waitFor()
    assert.equal(await rowOf(page, 'Goal').count(), 0)
  })
})

test('problems of all hubs are filtered by severity, group and text, and the console opens where one is mended', async () => {
  const north = await startReportingHub('HUB1')
  const south = await startReportingHub('HUB2')
  const { id } = await admin.send(addCatalog, { id: 0, name: 'North' })
  await admin.send(setCatalog, { id, devices: ['HUB1'] })
  const lossy = { ...problemOf(2, 'Goal'), severity: 'warn' as const, reason: 'packet-loss' as const }
  north.send(wholeDigest([channelOf(7, 'Main camera', 'down')], [problemOf(7, 'Main camera')]))
  south.send(wholeDigest([channelOf(2, 'Goal', 'degraded')], [lossy]))
  await visit({ at: CLOUD_ROUTES.problems }, async (page) => {
    await rowOf(page, 'Goal').waitFor()
    await page.getByRole('button', { name: 'Critical 1' }).click()
    await rowOf(page, 'Goal').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Critical 1' }).click()
    await page.getByRole('button', { name: 'North 1' }).click()
    await rowOf(page, 'Goal').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'North 1' }).click()
    await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill('hub2')
    await rowOf(page, 'Main camera').waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill('')
    const entered = page.context().waitForEvent('request', (request) => request.url().endsWith('/headend-enter'))
    await rowOf(page, 'Main camera').getByRole('button', { name: 'Open' }).click()
    assert.equal(new URLSearchParams((await entered).postData() ?? '').get('at'), '/stream/channel/detail/7')
  })
})

test('the search in the header finds hubs and channels, and says of which hubs the devices are missing', async () => {
  const [north] = [await startReportingHub('HUB1'), await startReportingHub('HUB2')]
  north?.send(wholeDigest([channelOf(1, 'Main camera')]))
  await visit({ at: '' }, async (page) => {
    await page.getByRole('button', { name: 'On air 1' }).waitFor()
    const box = page.getByRole('banner').getByRole('searchbox', { name: 'Search all hubs' })
    await box.fill('main')
    await box.press('Enter')
    await page.getByRole('main').getByText('Main camera').waitFor()
    await page.getByText('Devices of these hubs were not searched').getByText('Hub HUB1, Hub HUB2').waitFor()
    await box.fill('hub2')
    await box.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'Hub HUB2' }).getByText('Online').waitFor()
    await box.fill('nothing of this name')
    await box.press('Enter')
    await page.getByText('Nothing found').waitFor()
  })
})

test('hubs are renamed, moved to a new group, and kept as favorites', async () => {
  await register('HUB1', 'HUB2')
  await admin.send(acceptHubs, { sn: ['HUB1', 'HUB2'] })
  await visit({}, async (page) => {
    const choose = async (hub: string, item: string) => {
      await page.getByRole('button', { name: `Actions: ${hub}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Hub HUB1', 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('Studio North')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'Studio North').waitFor()
    await choose('Studio North', 'Add to favorites')
    await page.getByRole('button', { name: 'Favorites 1' }).click()
    await page.getByRole('heading', { name: 'Favorites' }).waitFor()
    await choose('Studio North', 'Move to group')
    await page.getByRole('dialog').getByLabel('Group').selectOption('New group')
    await page.getByRole('dialog').getByLabel('Name of the new group').fill('North')
    await page.getByRole('dialog').getByRole('button', { name: 'Move to group' }).click()
    await page.getByRole('treeitem', { name: /North/ }).click()
    await rowOf(page, 'Studio North').waitFor()
    assert.equal(await rowOf(page, 'Hub HUB2').count(), 0)
  })
})

test('the invitation is renewed after a confirmation', () =>
  visit({ at: CLOUD_ROUTES.invitation }, async (page) => {
    const code = page.getByText(/^headend:/)
    const before = await code.textContent()
    await page.getByRole('button', { name: 'Renew invitation' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Renew invitation' }).click()
    await page.getByText('Invitation renewed').waitFor()
    await until(async () => (await code.textContent()) !== before, 'the page shows the new invitation')
  }))

test('a user of another organization signs in with its name, which the browser keeps', async () => {
  await createOrganisation(cloud.store, 'acme', Date.now())
  await visit({ signedOut: true, at: CLOUD_ROUTES.invitation }, async (page) => {
    await waitForLogin(page)
    await page.getByRole('button', { name: 'Other organization' }).click()
    await page.getByRole('textbox', { name: 'Organization' }).fill('Acme')
    await signIn(page)
    await page.getByText(/^acme:/).waitFor()
    await page.getByRole('button', { name: 'Admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await waitForLogin(page)
    assert.equal(await page.getByRole('textbox', { name: 'Organization' }).inputValue(), 'Acme')
  })
})

test('a Viewer sees the hubs, gets no buttons to accept or reject them, and other pages say that the permission is missing', async () => {
  await register('HUB1')
  await admin.send(acceptHubs, { sn: ['HUB1'] })
  const viewer = await cloud.signInAs('Viewer')
  const { name } = (await viewer.send(getSession, {})).user
  await visit({ signedOut: true }, async (page) => {
    await signIn(page, name, 'Secret-1')
    await rowOf(page, 'Hub HUB1').waitFor()
    assert.equal(
      await page
        .getByRole('table')
        .getByRole('button', { name: /^(Accept|Reject|Delete)/ })
        .count(),
      0
    )
    assert.equal(await page.getByRole('checkbox').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Invitation' }).count(), 0)
    await openRoute(page, CLOUD_ROUTES.invitation)
    await page.getByText('You do not have access permission').waitFor()
  })
})

test('the own password is changed, and an unknown address says so', () =>
  visit({}, async (page) => {
    await openRoute(page, '/hubs/nowhere')
    await page.getByText("Sorry, the page doesn't exist.").waitFor()
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByLabel('Current password').fill('Admin')
    await page.getByLabel('New password', { exact: true }).fill('Secret-1')
    await page.getByLabel(/Repeat/).fill('Secret-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await cloud.signIn('Admin', 'Secret-1')
  }))

test('a user group with chosen permissions gets a user, who signs in and is in the log', () =>
  visit({ at: CLOUD_ROUTES.users }, async (page) => {
    await page.getByRole('link', { name: 'User groups' }).click()
    await page.getByRole('button', { name: 'Add user group' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Night shift')
    assert.equal(await page.getByRole('group', { name: 'Firmware' }).count(), 0)
    await page.getByRole('checkbox', { name: 'Device view' }).check()
    await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Night shift added').waitFor()
    // The page of the new group takes the place of the form.
    await page.waitForURL(/user-group\/\d+$/)
    await openRoute(page, CLOUD_ROUTES.users)
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User name').fill('kim')
    await dialog.getByLabel('User group').selectOption('Night shift')
    assert.equal(await dialog.getByText('Guest').count(), 0, 'a guest is a guest of channels')
    await dialog.getByLabel('Password', { exact: true }).fill('Secret-1')
    await dialog.getByLabel(/Repeat/).fill('Secret-1')
    await dialog.getByRole('button', { name: 'Add user' }).click()
    await page.getByRole('row', { name: 'kim' }).waitFor()
    await cloud.signIn('kim', 'Secret-1')
    await openRoute(page, CLOUD_ROUTES.logs)
    await page.getByRole('row', { name: /kim/ }).first().waitFor()
  }))

test('the profile shows the sessions of the user, and ends another one', () =>
  visit({ at: CLOUD_ROUTES.profile }, async (page) => {
    await page.getByText('Current session').waitFor()
    // The session of the client of this test.
    await page.getByRole('button', { name: /^End/ }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: /^End/ }).click()
    await until(async () => (await admin.send(getSession, {})).result === NOT_LOGGED_IN, 'the other session has ended')
  }))

test('the pages say since when the cloud does not respond, and go on when it does again', () =>
  visit({}, async (page, errors) => {
    await page.getByText('No hubs').waitFor()
    errors.expectOutage()
    await page.context().setOffline(true)
    await page
      .getByRole('banner')
      .getByText(/^No response for/)
      .waitFor()
    await page.context().setOffline(false)
    await page.getByRole('banner').getByText('Connected').waitFor()
    await register('HUB1')
    await rowOf(page, 'Hub HUB1').waitFor()
  }))

for (const language of ['en', 'zh'])
  test(`no page has a violation, and none is wider than a small screen, in ${language}`, async () => {
    await register('HUB1', 'HUB2')
    await admin.send(acceptHubs, { sn: ['HUB1'] })
    await visit({ size: [320, 700] }, async (page) => {
      await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: origin }])
      await page.reload()
      const faults: string[] = []
      for (const path of PAGES) {
        await openRoute(page, path)
        await waitForContent(page)
        faults.push(...(await checkBothThemes(page, path)))
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (width > 320) faults.push(`${path}: ${width} pixels wide`)
      }
      assert.deepEqual(faults, [])
    })
  })

test.run()
