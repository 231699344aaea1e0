// A hub in development mode shows that on every page, also before anybody has signed in.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { LANGUAGE_COOKIE } from '../../contract/text/language.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'

const test = suite('development mode')

let environment: BrowserEnvironment
test.before(async () => {
  process.env.DEVELOPMENT = '1'
  environment = await startEnvironment()
})
test.after(async () => {
  delete process.env.DEVELOPMENT
  await environment?.close()
})

const ENGLISH = /trusts a signing key that everybody has/
const CHINESE = /公开的签名密钥/

async function expectBanner(page: Page): Promise<void> {
  await page.getByText(ENGLISH).waitFor()
  assert.equal(await page.getByText(CHINESE).isVisible(), false)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const box = await page.locator('.development').boundingBox()
  assert.ok(box && box.y + box.height <= height && box.x + box.width <= width, JSON.stringify(box))
}

test('the banner is on the login page and on the screens, in the language of the page', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await expectBanner(page)
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'zh', url: environment.hub.url }])
    await page.reload()
    await page.getByText(CHINESE).waitFor()
    assert.equal(await page.getByText(ENGLISH).isVisible(), false)
  }))

for (const at of [ROUTES.dashboard, ROUTES.channels, ROUTES.upgrade])
  test(`the banner is on ${at}, and nothing under it is covered`, () =>
    environment.visit({ at, size: [400, 700] }, async (page) => {
      await expectBanner(page)
      const gap = await page.evaluate(() => {
        const content = document.querySelector('.page') as HTMLElement
        content.scrollTop = content.scrollHeight
        const [foot, banner] = ['.foot', '.development'].map((selector) =>
          document.querySelector(selector)?.getBoundingClientRect()
        )
        return (banner?.top ?? 0) - (foot?.bottom ?? 0)
      })
      assert.ok(gap >= 0, `the footer is ${-gap} px below the edge of the banner`)
    }))

test.run()
