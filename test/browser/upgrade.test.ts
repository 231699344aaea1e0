// A signed console is uploaded from a real browser, replaces the current one, and stays if it starts in that browser.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { updateStatus } from '../../contract/update.ts'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { exportPublicKey } from '../../firmware-pack/keys.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { createTestUpdate, generateSigningKey } from '../kit/hub/console-update.ts'

const test = suite('upgrade')

const { signer, publicKey } = generateSigningKey()

let environment: BrowserEnvironment
let folder: string
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-upgrade-journey-'))
  process.env.TRUSTED_KEYS = join(folder, 'trusted.pem')
  writeFileSync(process.env.TRUSTED_KEYS, exportPublicKey(publicKey))
  environment = await startEnvironment()
})
test.after(async () => {
  if (folder) rmSync(folder, { recursive: true })
  await environment?.close()
})

/** Packs the built console as another version. @param script changes its first script */
function packVersion(mark: string, version: string, script: (source: string) => string): string {
  // Both scripts get another name, and refer to each other by it.
  const rename = (text: string) => text.replaceAll(/(app|later)-[0-9a-f]{8}\.js/g, `$1-${mark.repeat(8)}.js`)
  const files = Object.fromEntries(
    readBundle(process.env.DIST ?? './dist').map(({ path, bytes }) => {
      const text = rename(String(bytes))
      return [rename(path), /^assets\/app-.*\.js$/.test(path) ? script(text) : text]
    })
  )
  const file = join(folder, `${version}.update`)
  writeFileSync(file, createTestUpdate(mark, { version, files, signer }))
  return file
}

/** The console version of a page. */
const MARK = 'data-version'
const addVersionMark = (version: string) => (source: string) =>
  `${source}\ndocument.documentElement.setAttribute(${JSON.stringify(MARK)},${JSON.stringify(version)})\n`

const row = (page: Page, place: string) => page.getByRole('row').filter({ has: page.getByText(place, { exact: true }) })

async function upload(page: Page, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload update' }).click()
  await (await chooser).setFiles(file)
}

async function agree(page: Page, verb: RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: verb }).click()
}

test('a new console is installed, starts in this browser, stays, and can be reverted', () =>
  environment.visit({ at: ROUTES.upgrade }, async (page) => {
    await upload(page, packVersion('5', '9.0.0', addVersionMark('9.0.0')))
    await row(page, 'New').getByText('Verified').waitFor()
    await row(page, 'New').getByRole('button', { name: 'Install' }).click()
    await agree(page, /^Install/)
    await page.locator(`html[${MARK}="9.0.0"]`).waitFor()
    await row(page, 'Slot A').getByText('In use').waitFor()
    assert.equal((await environment.hub.send(updateStatus, {})).state, 0)

    await row(page, 'Built-in')
      .getByRole('button', { name: /^Roll back/ })
      .click()
    await agree(page, /^Roll back/)
    // The page of the other console may say that it is no longer in use, until it is reloaded.
    await page.locator(`html:not([${MARK}])`).waitFor()
    await row(page, 'Built-in').getByText('In use').waitFor()
    assert.equal(await page.locator(`html[${MARK}]`).count(), 0)
  }))

test('a console that was changed after signing is refused with the reason', () =>
  environment.visit({ at: ROUTES.upgrade }, async (page) => {
    const file = packVersion('6', '9.0.1', addVersionMark('9.0.1'))
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    writeFileSync(file, bytes)
    await upload(page, file)
    await page.getByRole('alert').getByText('The update was changed after it was signed').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    assert.equal(await row(page, 'New').count(), 0)
  }))

test('a console that does not start is replaced by the previous one after a power failure', () =>
  environment.visit({ at: ROUTES.upgrade }, async (page, errors) => {
    errors.expectOutage()
    await upload(
      page,
      packVersion('7', '9.0.2', () => '// Starts nothing.\n')
    )
    await row(page, 'New').getByRole('button', { name: 'Install' }).click()
    await agree(page, /^Install/)
    // Only the static part of the page is visible.
    await page.locator('.boot').waitFor()
    await environment.restartHub(async () => {})
    await page.reload()
    await page.getByRole('alert').getByText('The hub stopped before the new console was confirmed').waitFor()
    await row(page, 'Built-in').getByText('In use').waitFor()
    await row(page, 'Slot B').waitFor()
  }))

test.run()
