// The palette in a real browser: keys, layout on small windows, accessibility.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addChannel } from '../../contract/stream/channel.ts'
import { ROUTES } from '../../src/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'

const test = suite('palette in a browser')

let environment: BrowserEnvironment
test.before(async () => {
  environment = await startEnvironment()
  await environment.hub.send(addChannel, { name: '教学楼直播' })
  // The longest name.
  await environment.hub.send(addChannel, { name: 'Lecture hall '.repeat(4).padEnd(63, 'x') })
})
test.after(() => environment?.close())

const field = (page: Page) => page.getByRole('combobox', { name: 'Go to, find, do' })

test('the keyboard alone opens it, chooses an option and returns to the page with the focus', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const add = page.getByRole('button', { name: 'Add channel' })
    await add.focus()
    await page.keyboard.press('/')
    await field(page).waitFor()
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'hidden' })
    assert.ok(await add.evaluate((element) => element === document.activeElement))
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
    await page.keyboard.type('jxl')
    await page.getByRole('option', { name: '教学楼直播', exact: true, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '教学楼直播' }).waitFor()
  }))

for (const width of [320, 1440])
  test(`at ${width} px it fits, long names too, and axe finds nothing`, () =>
    environment.visit({ at: ROUTES.channels, size: [width, 640] }, async (page) => {
      await page.getByRole('button', { name: 'Go to, find, do' }).click()
      await field(page).fill('lecture')
      await page.getByRole('option', { name: /^Lecture hall/ }).waitFor()
      const box = await page.getByRole('dialog').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width)
      for (const part of ['dialog', 'dialog [role=listbox]', 'html'])
        assert.ok(await page.locator(part).evaluate((element) => element.scrollWidth <= element.clientWidth), part)
      assert.deepEqual(await checkBothThemes(page, 'the palette'), [])
      await field(page).fill('')
      await page.getByRole('option', { name: 'Dashboard' }).waitFor()
      assert.deepEqual(await checkBothThemes(page, 'the palette without a text'), [])
    }))

test.run()
