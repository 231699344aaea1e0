// Messages in a real browser: visible and reachable by keyboard while a dialog makes the page inert.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { LICENSE_LIMIT } from '../../contract/codes.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'

const test = suite('notices')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment({ devices: 0 })
})
test.after(() => environment?.close())

/** Adds a channel in the dialog, which the hub refuses with an error that concerns no field. */
async function refusedAdding(page: Page) {
  await page.route('**/api/channel/add', (route) => route.fulfill({ json: { result: LICENSE_LIMIT } }))
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByLabel('Name', { exact: true }).fill('News')
  await dialog.getByRole('button', { name: 'Wait for an encoder' }).click()
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  return dialog
}

test('an error in a dialog appears in it and can be dismissed while it is open', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const dialog = await refusedAdding(page)
    const alert = dialog.getByRole('alert')
    await alert.getByText('Limit exceeded').waitFor()
    await alert.getByText('The license limit is reached.').waitFor()
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await alert.waitFor({ state: 'detached' })
    assert.equal(await dialog.isVisible(), true)
  }))

test('Escape dismisses the focused message first and then closes the dialog', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const dialog = await refusedAdding(page)
    const dismiss = dialog.getByRole('alert').getByRole('button', { name: 'Dismiss' })
    await dismiss.waitFor()
    for (let tabs = 0; tabs < 40; tabs++) {
      if (await dismiss.evaluate((button) => button === document.activeElement)) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dismiss.waitFor({ state: 'detached' })
    assert.equal(await dialog.isVisible(), true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }))

test('an error message stays visible after its dialog is closed', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const dialog = await refusedAdding(page)
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    const alert = page.getByRole('alert').filter({ hasText: 'Limit exceeded' })
    await alert.waitFor()
    const box = await alert.boundingBox()
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await alert.waitFor({ state: 'detached' })
  }))

test.run()
