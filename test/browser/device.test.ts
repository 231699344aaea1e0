// Devices from registration: accepted, online, offline, online again.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addCatalog, setCatalog } from '../../contract/catalog.ts'
import { acceptDevices } from '../../contract/device/device.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { waitForChange } from '../kit/browser/image-pixels.ts'
import { forbidReload } from '../kit/browser/reload-check.ts'
import { within } from '../kit/within.ts'

const test = suite('device')

/** Milliseconds within which the list must show that a device is offline, and within which a preview changes. */
const NOTICED = 5000
const NEXT_PICTURE = 2000

let environment: BrowserEnvironment

test.before(async () => {
  // All are pending. The names come from the fleet's roster.
  environment = await startEnvironment({ devices: 7 })
})
test.after(() => environment?.close())

const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
const tile = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: name })
    .filter({ has: page.locator('footer') })

test('a double click accepts one device, not the next one, and the preview of the device moves', () =>
  environment.visit({ at: `${ROUTES.pendingDevices}?order=descending` }, async (page) => {
    let calls = 0
    page.on('request', (request) => {
      if (request.url().endsWith(acceptDevices.path)) calls++
    })
    const waiting = row(page, 'Main Hall PTZ')
    // It takes the place of the row above.
    const next = page.locator('[data-row]:has-text("Main Hall PTZ") + [data-row]:has-text("Lobby Screen")')
    await next.waitFor()
    const box = await waiting.getByRole('button', { name: 'Accept' }).boundingBox()
    assert.ok(box)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await waiting.waitFor({ state: 'detached' })
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await row(page, 'Lobby Screen').getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(calls, 1)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'All' }).click()
    await row(page, 'Main Hall PTZ').getByText('Online').waitFor()
    await page.getByRole('button', { name: 'Pictures' }).click()
    await page.waitForURL(/#\/devices\/all\?view=view$/)
    const preview = page.getByRole('img', { name: 'Live picture of Main Hall PTZ' })
    await within(NEXT_PICTURE, 'the picture changes', () => waitForChange(preview))
    await within(NEXT_PICTURE, 'the picture keeps changing', () => waitForChange(preview))
  }))

test('a device without power is offline within 5 s, its tile shows since when, and it reconnects by itself', async () => {
  const [device] = await environment.accept('Lecture 2.14')
  assert.ok(device)
  await environment.visit({ at: ROUTES.allDevices }, async (page) => {
    const unchanged = await forbidReload(page)
    const line = row(page, device.name)
    await line.getByText('Online').waitFor()
    process.kill(await environment.pidOf(device.sn), 'SIGKILL')
    await within(NOTICED, 'the device is offline', () => line.getByText(/Offline for \d/).waitFor())

    await page.getByRole('button', { name: 'Pictures' }).click()
    const card = tile(page, device.name)
    await card.getByText(/Offline for \d+ s/).waitFor()
    assert.equal(await card.getByRole('img', { name: 'Live picture' }).count(), 0)

    await environment.startDevice(device.sn)
    await card.getByText('Online').waitFor()
    await waitForChange(card.getByRole('img', { name: 'Live picture' }))
    await page.getByRole('button', { name: 'Pictures' }).click()
    await line.getByText('Online').waitFor()
    await unchanged()
  })
})

test('a device that hangs is offline within 5 s, and online again when it continues', async () => {
  const [device] = await environment.accept('Campus News Desk')
  assert.ok(device)
  const pid = await environment.pidOf(device.sn)
  await environment.visit({ at: linkTo('allDevices', { view: 'view' }) }, async (page) => {
    const unchanged = await forbidReload(page)
    const card = tile(page, device.name)
    const preview = card.getByRole('img', { name: 'Live picture' })
    await waitForChange(preview)
    process.kill(pid, 'SIGSTOP')
    try {
      await within(NOTICED, 'the device is offline', () => card.getByText(/Offline for \d/).waitFor())
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await card.getByText('Online').waitFor()
    await waitForChange(preview)
    await unchanged()
  })
})

test('after a power failure of the hub the preview moves again without a reload', async () => {
  const [device] = await environment.accept('Main Hall PTZ')
  assert.ok(device)
  await environment.visit({ at: linkTo('allDevices', { view: 'view' }) }, async (page, errors) => {
    const unchanged = await forbidReload(page)
    const card = tile(page, device.name)
    const preview = card.getByRole('img', { name: 'Live picture' })
    await waitForChange(preview)
    errors.expectOutage()
    await environment.restartHub(() => page.getByRole('banner').getByText('No response for').waitFor())
    await page.getByRole('banner').getByText('Connected').waitFor()
    await card.getByText('Online').waitFor()
    await waitForChange(preview)
    await unchanged()
  })
})

test('a device is rejected after confirmation and can still be accepted', () =>
  environment.visit({ at: ROUTES.pendingDevices }, async (page) => {
    const name = 'Chapel Left'
    const reject = row(page, name).getByRole('button', { name: 'Reject' })
    await reject.click()
    const question = page.getByRole('dialog', { name: `Reject ${name}?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await row(page, name).count(), 1)
    await reject.click()
    await question.getByRole('button', { name: 'Reject' }).click()
    await row(page, name).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Rejected' }).click()
    await row(page, name).getByRole('button', { name: 'Accept' }).click()
    await row(page, name).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await row(page, name).waitFor()
  }))

test('several devices are selected and accepted at once, and deleted after confirmation', () =>
  environment.visit({ at: ROUTES.pendingDevices }, async (page) => {
    const names = ['Chapel Right', 'Foyer Camera']
    const choose = async () => {
      for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    }
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    for (const name of names) await environment.device(name)
    await choose()
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Accept 2 devices' }).click()
    for (const name of names) await row(page, name).waitFor({ state: 'detached' })
    await bar.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'All', exact: true }).click()
    await choose()
    await bar.getByRole('button', { name: 'Delete 2 devices' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 2 devices?' })
    await question.getByRole('button', { name: 'Delete 2 devices' }).click()
    for (const name of names) await row(page, name).waitFor({ state: 'detached' })
  }))

test('at 1440 px the columns fit, also with groups and an offline device, and an edge with more columns is marked', () =>
  environment.visit({ at: ROUTES.allDevices, size: [1440, 900] }, async (page) => {
    const devices = await environment.accept('Main Hall PTZ', 'Lecture 2.14', 'Chapel Left')
    const { id } = await environment.hub.send(addCatalog, { 'parent-id': 0, name: 'Lecture halls' })
    await environment.hub.send(setCatalog, { id, devices: devices.map(({ sn }) => sn) })
    process.kill(await environment.pidOf(devices[2]?.sn ?? ''), 'SIGKILL')
    await row(page, 'Chapel Left')
      .getByText(/Offline for \d/)
      .waitFor()
    const scroller = page.locator('.list .scroll')
    assert.ok(await scroller.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    assert.equal(await scroller.getAttribute('data-more'), null)
    await page.setViewportSize({ width: 1000, height: 900 })
    await page.locator('.list .scroll[data-more]').waitFor()
    await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await page.locator('.list .scroll:not([data-more])').waitFor()
  }))

test('the selected columns are kept after a reload', () =>
  environment.visit({ at: ROUTES.allDevices }, async (page) => {
    await environment.accept('Lobby Screen')
    const heading = (name: string) => page.getByRole('columnheader', { name })
    await heading('Firmware').waitFor()
    assert.equal(await heading('Hardware').count(), 0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Hardware', checked: false }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Firmware', exact: true, checked: true }).click()
    await page.reload()
    await heading('Hardware').waitFor()
    assert.equal(await heading('Firmware').count(), 0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Reset' }).click()
    await heading('Firmware').waitFor()
  }))

test('a search is part of the URL and is kept after a reload', async () => {
  await environment.accept('Lobby Screen')
  await environment.visit({ at: ROUTES.allDevices }, async (page) => {
    await row(page, 'Lobby Screen').waitFor()
    const box = page.getByRole('searchbox', { name: 'Search name or serial' })
    await box.fill('lobby')
    await page.waitForURL(/\?key=lobby$/)
    await page.reload()
    await row(page, 'Lobby Screen').waitFor()
    assert.equal(await box.inputValue(), 'lobby')
    assert.equal(await page.getByRole('rowheader').count(), 1)
    await box.fill('nothing of the kind')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await row(page, 'Lobby Screen').waitFor()
    assert.match(page.url(), /#\/devices\/all$/)
  })
})

test('selected devices can be dragged onto a group in the menu', async () => {
  await environment.accept('Main Hall PTZ', 'Lecture 2.14')
  await environment.hub.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await environment.visit({ at: ROUTES.allDevices }, async (page) => {
    for (const name of ['Main Hall PTZ', 'Lecture 2.14'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const group = page.getByRole('treeitem', { name: 'Campus' })
    await page.getByRole('rowheader', { name: 'Main Hall PTZ' }).dragTo(group)
    await group.click()
    await page.getByRole('heading', { name: 'Campus', level: 1 }).waitFor()
    for (const name of ['Main Hall PTZ', 'Lecture 2.14']) await row(page, name).waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 2)
  })
})

test.run()
