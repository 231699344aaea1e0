// The pages with updates of hubs in waves, with a real cloud and hubs that update themselves when they are asked.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { listRollouts } from '../../contract/cloud/calls.ts'
import { CLOUD_ROUTES } from '../../src/cloud/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { openChromium } from '../kit/browser/browser.ts'
import { openRoute } from '../kit/browser/open-route.ts'
import { type Journey, type PageVisit, visitPage } from '../kit/browser/visit.ts'
import { type CloudClient, startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { type HubConduct, startUpgradingHubs, type UpgradingHub } from '../kit/cloud/upgrading-hubs.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('pages with updates of hubs')

const CONDUCTS: readonly HubConduct[] = [{}, { rollsBack: true }, {}, { role: 'view' }]

let browser: Browser
let cloud: TestCloud
let admin: CloudClient
let origin: string
let hubs: UpgradingHub[] = []

test.before(async () => {
  browser = await openChromium()
})
test.after(() => browser?.close())
test.before.each(async () => {
  cloud = await startCloud()
  const { port, linkPort } = await cloud.listen(0, 0)
  origin = `http://127.0.0.1:${port}`
  hubs = await startUpgradingHubs(cloud, linkPort, CONDUCTS.length, (index) => CONDUCTS[index] ?? {})
  admin = await cloud.clientAs()
})
test.after.each(async () => {
  for (const hub of hubs) hub.stop()
  await cloud.close()
})

const visit = (options: Omit<PageVisit, 'origin'>, journey: Journey) =>
  visitPage(browser, { origin, ...options }, journey)

const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

/** Gives the updates turns until the first one has a state. */
const turnsUntil = (wanted: string) =>
  until(async () => {
    await cloud.rollouts.run()
    return (await admin.send(listRollouts, {})).list[0]?.state === wanted
  }, `the update is ${wanted}`)

/** Selects all hubs, and starts an update without pauses in the dialog. */
async function start(page: Page): Promise<void> {
  await rowOf(page, 'Hub HUB-0003').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Update 4 items' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('3 of 4 hubs can be updated. The others are skipped:').waitFor()
  await dialog.getByText('Hub HUB-0003: The role of the cloud on this hub is not “Administer”').waitFor()
  assert.equal(await dialog.getByLabel('Release', { exact: true }).inputValue(), '2.0.0')
  await dialog.getByLabel('Growth: each further wave is N times as large').fill('1')
  await dialog.getByLabel('Minutes that a wave must work before the next one').fill('0')
  await dialog.getByRole('button', { name: 'Update hubs' }).click()
}

test('hubs are selected and updated in waves, a failure stops the update with its reason, and it is resumed', () =>
  visit({ at: CLOUD_ROUTES.acceptedHubs }, async (page) => {
    await start(page)
    await page.getByRole('heading', { name: 'Update to 2.0.0' }).waitFor()
    await turnsUntil('stopped')
    await page.getByText('Stopped after failures').waitFor()
    await rowOf(page, 'Hub HUB-0000').getByText('Updated').waitFor()
    await rowOf(page, 'Hub HUB-0000').getByText('1.0.0 → 2.0.0').waitFor()
    await rowOf(page, 'Hub HUB-0001').getByText('It went back to the version before: No stream, News').waitFor()
    await rowOf(page, 'Hub HUB-0002').getByText('Waiting').waitFor()
    assert.deepEqual(await checkBothThemes(page, 'an update'), [])
    await page.getByRole('button', { name: 'Resume' }).click()
    await turnsUntil('done')
    await rowOf(page, 'Hub HUB-0002').getByText('Updated').waitFor()
    await rowOf(page, 'Hub HUB-0003').getByText('Skipped').waitFor()
    await openRoute(page, CLOUD_ROUTES.updates)
    await page.getByText('2 of 4 updated, 1 failed, 1 skipped').waitFor()
    await page.getByRole('button', { name: 'Actions: 2.0.0' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No updates yet').waitFor()
  }))

test('an update is cancelled on a phone, without a sideways scroll bar', () => {
  for (const hub of hubs) hub.conduct.isSlow = true
  return visit({ at: CLOUD_ROUTES.acceptedHubs, size: [320, 640] }, async (page) => {
    await start(page)
    await until(async () => {
      await cloud.rollouts.run()
      return (await rowOf(page, 'Hub HUB-0000').getByText('Downloading').count()) > 0
    }, 'the page shows the download')
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await page.getByRole('button', { name: 'Cancel the rest' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the rest' }).click()
    for (const hub of hubs) hub.conduct.isSlow = false
    await turnsUntil('cancelled')
    await rowOf(page, 'Hub HUB-0002').getByText('Cancelled').waitFor()
  })
})

test('an update that does not exist says so', () =>
  visit({ at: CLOUD_ROUTES.update.replace(':id', '7') }, async (page) => {
    await page.getByText('There is no such update').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Updates' }).click()
    await page.getByText('No updates yet').waitFor()
  }))

test.run()
