// The second factor in a real browser: set up in the profile, then asked for when signing in.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { appCode } from '../kit/hub/app-code.ts'

const test = suite('second factor')

/** Milliseconds of a time step. */
const STEP = 30_000

let environment: BrowserEnvironment
test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

test('it is set up in the profile; then an early Enter leads to the second step, also with a recovery code', async () => {
  let secret = ''
  let recoveryCode = ''
  let usedStep = 0
  await environment.visit({ at: ROUTES.profile }, async (page) => {
    await page.getByRole('button', { name: 'Enable' }).click()
    const dialog = page.getByRole('dialog', { name: 'Second factor' })
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    assert.match(secret, /^[A-Z2-7]{32}$/)
    usedStep = Math.floor(Date.now() / STEP)
    await dialog.getByRole('textbox').fill(appCode(secret, usedStep * STEP))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    recoveryCode = (await codes.locator('pre').textContent())?.split('\n')[0] ?? ''
    assert.match(recoveryCode, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    await page.keyboard.press('Escape')
    await page.getByText('Recovery codes left: 10').waitFor()
  })
  await environment.visit({ signedOut: true }, async (page) => {
    const script = /app-[\w-]+\.js/
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(script, async (route) => {
      await isReleased
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.locator('#boot-name').fill('Admin')
    await page.locator('#boot-password').fill('Admin')
    await page.locator('#boot-password').press('Enter')
    release()
    const code = page.getByLabel('Code', { exact: true })
    await code.and(page.locator(':focus')).waitFor()
    // The step after the used one is accepted, because clocks differ.
    await code.fill(appCode(secret, (usedStep + 1) * STEP))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
  await environment.visit({ signedOut: true }, async (page) => {
    await page.getByLabel('User name').fill('Admin')
    await page.getByLabel('Password', { exact: true }).fill('Admin')
    await page.keyboard.press('Enter')
    await page.getByLabel('Code', { exact: true }).fill(recoveryCode.toUpperCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

test.run()
