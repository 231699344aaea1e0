// The connection between browser and hub is interrupted: the console shows it in time and recovers by itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { addChannel, setChannel } from '../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { pixelsOf, waitForChange } from '../kit/browser/image-pixels.ts'
import { forbidReload } from '../kit/browser/reload-check.ts'
import { type CuttableProxy, startCuttableProxy } from '../kit/net/cuttable-proxy.ts'
import { ownTime } from '../kit/own-time.ts'

const test = suite('broken line')

/** Milliseconds within which stale data must be marked. */
const MARKED = 3000

let environment: BrowserEnvironment
let line: CuttableProxy

test.before(async () => {
  environment = await startEnvironment({ devices: 1 })
  line = await startCuttableProxy(Number(new URL(environment.hub.url).port))
})
test.after(async () => {
  await line?.close()
  await environment?.close()
})

/** Waits until stale data is marked. */
const waitForMark = (page: Page) => page.getByRole('banner').getByText('No response for').waitFor()

function journey(title: string, name: string, breakIt: () => void): void {
  test(title, async () => {
    const { id, result } = await environment.hub.send(addChannel, { name: `${name} before` })
    assert.equal(result, SUCCESS)
    await environment.visit({ at: ROUTES.channels, origin: `http://127.0.0.1:${line.port}` }, async (page, errors) => {
      const header = page.getByRole('banner').getByRole('status')
      const unchanged = await forbidReload(page)
      await page.getByRole('rowheader', { name: `${name} before` }).waitFor()
      await header.getByText('Connected').waitFor()
      errors.expectOutage()
      try {
        breakIt()
        const after = await ownTime(() => waitForMark(page))
        assert.ok(after <= MARKED, `marked after ${after} ms`)
        // Known data stays visible.
        assert.ok(await page.getByRole('rowheader', { name: `${name} before` }).isVisible())
        await environment.hub.send(setChannel, { id, name: `${name} after` })
      } finally {
        line.thaw()
      }
      await header.getByText('Connected').waitFor()
      await page.getByRole('rowheader', { name: `${name} after` }).waitFor()
      await unchanged()
    })
  })
}

journey('a line on which nothing passes is marked within 3 s, and forgotten when it works', 'Frozen', () =>
  line.freeze()
)
journey('a line that is cut is marked within 3 s, and forgotten when it works', 'Cut', () => line.cut())

test('without the hub, a page that was not loaded says so, and actions that need the hub are disabled', async () => {
  const { result } = await environment.hub.send(addChannel, { name: 'Alone' })
  assert.equal(result, SUCCESS)
  for (const breakIt of [line.freeze, line.cut])
    await environment.visit({ at: ROUTES.channels, origin: `http://127.0.0.1:${line.port}` }, async (page, errors) => {
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Alone' }) })
      const start = row.getByRole('button', { name: 'Start' })
      await start.waitFor()
      assert.equal(await start.getAttribute('aria-disabled'), null)
      // The script of the device page must be there.
      await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /later-/.test(name)))
      errors.expectOutage()
      try {
        breakIt()
        await waitForMark(page)
        assert.equal(await start.getAttribute('aria-disabled'), 'true')
        assert.match((await start.getAttribute('data-tip')) ?? '', /The hub cannot be reached/)
        await page.evaluate((path) => {
          location.hash = `#${path}`
        }, ROUTES.allDevices)
        await page.getByRole('alert').getByText('The hub cannot be reached').waitFor()
        assert.equal(await page.getByRole('status', { name: 'Loading' }).count(), 0)
      } finally {
        line.thaw()
      }
      // The page loads by itself.
      await page.getByRole('alert').waitFor({ state: 'detached' })
    })
})

test('a preview continues by itself when the connection works again', async () => {
  const [device] = await environment.accept('Main Hall PTZ')
  const path = linkTo('allDevices', { view: 'view' })
  await environment.visit({ at: path, origin: `http://127.0.0.1:${line.port}` }, async (page, errors) => {
    const unchanged = await forbidReload(page)
    const preview = page.getByRole('img', { name: `Live picture of ${device?.name}` })
    errors.expectOutage()
    for (const breakIt of [line.freeze, line.cut]) {
      await waitForChange(preview)
      try {
        breakIt()
        // The last image stays visible and does not change while the page counts the seconds.
        await page.getByRole('banner').getByText('No response for').waitFor()
        const last = await pixelsOf(preview)
        await page
          .getByRole('banner')
          .getByText(/No response for ([5-9]|\d\d) s/)
          .waitFor()
        assert.equal(await pixelsOf(preview), last)
      } finally {
        line.thaw()
      }
    }
    await waitForChange(preview)
    await unchanged()
  })
})

test('a request to a hub that does not respond shows an error', () =>
  environment.visit({ at: ROUTES.channels, origin: `http://127.0.0.1:${line.port}` }, async (page, errors) => {
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add channel' })
    await dialog.getByLabel('Name').fill('Never')
    await dialog.getByRole('button', { name: 'Wait for an encoder' }).click()
    errors.expectOutage()
    line.cut()
    try {
      await dialog.getByRole('button', { name: 'Add channel' }).click()
      await page.getByRole('alert').getByText('Cannot connect to server').waitFor()
      // The entered text is kept.
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Never')
    } finally {
      line.thaw()
    }
    await dialog.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('heading', { name: 'Never', level: 1 }).waitFor()
  }))

test.run()
