// The built console behind each packed web server, in a real browser: also where the server sets no headers and passes
// no calls on.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { suite } from 'uvu'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { writeFiles } from '../../firmware-pack/format/image.ts'
import { createPayload } from '../../firmware-pack/payload.ts'
import { FRONT_SERVERS, startFrontServer } from '../firmware-pack/front-server.ts'
import { openChromium } from '../kit/browser/browser.ts'

const test = suite('front servers')

const folder = mkdtempSync(join(tmpdir(), 'headend-front-'))
let browser: Browser

test.before(async () => {
  // Servers that are started as root read files as nobody.
  chmodSync(folder, 0o755)
  const bundle = readBundle(resolve(import.meta.dirname, '../../dist'))
  writeFiles(folder, createPayload(bundle, '1.2.3', { id: 'c'.repeat(40), time: 1_700_000_000, changed: false }).files)
  browser = await openChromium()
})
test.after(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

for (const name of FRONT_SERVERS)
  test(`${name}: the console starts in the language of the browser, and its policy refuses nothing of it`, async () => {
    const server = await startFrontServer(name, { folder, hubPort: 9 })
    try {
      for (const [locale, title] of [
        ['en-US', 'Sign in'],
        ['zh-CN', '登录']
      ] as const) {
        const context = await browser.newContext({ locale })
        const page = await context.newPage()
        const violations: string[] = []
        page.on('console', (message) => {
          if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text())
        })
        await page.goto(`http://127.0.0.1:${server.port}/`)
        await page.locator('#boot-name').waitFor({ state: 'detached' })
        await page.getByRole('heading', { name: title }).waitFor()
        assert.deepEqual(violations, [])
        await context.close()
      }
    } finally {
      await server.stop()
    }
  })

test.run()
