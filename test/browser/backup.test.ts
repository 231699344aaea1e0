// Backup and import in a real browser: a backup is restored through the differences, and each step is checked with
// axe-core.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { listBackups, runBackup, setBackups } from '../../contract/backup/backup.ts'
import { addChannel, channelDashboard } from '../../contract/stream/channel.ts'
import { addInput } from '../../contract/stream/source.ts'
import { ROUTES } from '../../src/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('backup')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment()
})
test.after(() => environment?.close())

/** Makes a backup whose upload fails. */
async function failUpload(): Promise<void> {
  const { hub } = environment
  const target = { kind: 'sftp' as const, host: '127.0.0.1', port: await freeTcpPort(), user: 'backup' }
  await hub.send(setBackups, { enable: true, time: '03:00', keep: 3, target, password: 'secret' })
  await hub.send(runBackup, {})
  await until(async () => (await hub.send(listBackups, {})).last?.fault === 'unreachable', 'the upload fails')
}

async function openIn(page: Page, language: 'en' | 'zh', path: string): Promise<void> {
  await page.context().addCookies([{ name: 'headend-lang', value: language, url: environment.hub.url }])
  await page.goto(`${environment.hub.url}/#${path}`)
  await page.reload()
}

test('a failed backup leads from the dashboard to its page, which restores it; no step has a violation', async () => {
  const { hub } = environment
  await hub.send(addChannel, { name: 'Kept' })
  await failUpload()
  await hub.send(addChannel, { name: 'Later' })
  await hub.send(addInput, { name: 'Later in', config: { type: 1, url: 'udp://239.9.9.9:5004' } })
  await environment.visit({ at: ROUTES.dashboard }, async (page, errors) => {
    const faults: string[] = []
    const check = async (what: string) => faults.push(...(await checkBothThemes(page, what)))
    await openIn(page, 'zh', ROUTES.backup)
    await page.getByText('服务器没有响应').first().waitFor()
    await check('backup, zh')
    await openIn(page, 'en', ROUTES.dashboard)
    await page.getByRole('main').getByRole('link', { name: 'Backup', exact: true }).click()
    await page.getByText('The server does not respond.').first().waitFor()
    await check('backup')
    await page.getByRole('button', { name: /^Restore: / }).click()
    await page.getByRole('button', { name: 'Show differences' }).waitFor()
    await check('file')
    await page.getByRole('button', { name: 'Show differences' }).click()
    await page.getByText('Removed 2').click()
    await page.getByText('Later in').waitFor()
    await check('differences')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await check('question')
    errors.expectOutage()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('The hub runs with the imported settings.').waitFor()
    await check('end')
    assert.deepEqual(faults, [])
  })
  await hub.signIn()
  const { list } = await hub.send(channelDashboard, {})
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Kept']
  )
})

test.run()
