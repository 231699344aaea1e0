// All settings are reset in a browser, with the hub as a process: the page leads to the first sign-in.
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { ROUTES } from '../../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../../kit/browser/environment.ts'
import { channelNames } from '../../kit/hub/backup-folder.ts'

const test = suite('reset in a browser')

let environment: BrowserEnvironment
test.before(async () => {
  environment = await startEnvironment({ devices: 0 })
})
test.after(() => environment?.close())

// The page lists the deleted data, asks for name, password and consent, and leads to the first sign-in.
test('a reset is followed to its end', async () => {
  const { id } = await environment.hub.send(addChannel, { name: 'Chapel' })
  await environment.hub.send(enableChannel, { id, enable: true })
  await environment.visit({ at: ROUTES.general }, async (page, errors) => {
    await page.getByRole('link', { name: 'Reset all settings' }).click()
    await page.getByText('Users, groups and access tokens').waitFor()
    const submit = page.getByRole('button', { name: 'Reset all settings' })
    await page.getByRole('textbox', { name: 'Name of the hub' }).fill('another hub')
    await page.getByRole('textbox', { name: 'Your password' }).fill('guess')
    await submit.click()
    await page.getByText('This is not the name of the hub').waitFor()
    await page.getByRole('textbox', { name: 'Name of the hub' }).fill(hostname())
    await submit.click()
    await page.getByText('Incorrect account or password').waitFor()
    await page.getByRole('textbox', { name: 'Your password' }).fill('Admin')
    await submit.click()
    const dialog = page.getByRole('dialog', { name: 'Reset all settings?' })
    await dialog.getByText('These stop: Chapel.').waitFor()
    assert.deepEqual(await channelNames(environment.hub), ['Chapel'])
    errors.expectOutage()
    await dialog.getByRole('button', { name: 'Reset all settings' }).click()
    await page.getByRole('heading', { name: 'All settings are being reset' }).waitFor()
    await page.getByRole('heading', { name: 'All settings have been reset' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'User name' }).fill('Admin')
    await page.getByRole('textbox', { name: 'Password' }).fill('Admin')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The default password is still in use.').waitFor()
  })
  await environment.hub.signIn()
  assert.deepEqual(await channelNames(environment.hub), [])
})

test.run()
