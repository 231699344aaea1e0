import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import {
  DEVICE_VIEW,
  GROUP_USER,
  SYSTEM_CONFIG_VIEW,
  USER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { SUCCESS, UNKNOWN_ERROR } from '../../../../contract/codes.ts'
import { updateStatus } from '../../../../contract/update.ts'
import { DEVELOPMENT_KEY, fingerprint } from '../../../../pack/keys.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import type { PageLoader } from '../../../../src/text/page-loader.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForEffects,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { selectFile } from '../../../kit/console/select-file.ts'
import { confirmDialog, countReloads, reloads } from '../../../kit/console/upgrade-page.ts'
import { createTestUpdate, generateSigningKey, writeConsole } from '../../../kit/hub/console-update.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('upgrade')

const folder = mkdtempSync(join(tmpdir(), 'headend-upgrade-screen-'))
const dist = join(folder, 'dist')
writeConsole('0', dist)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const UPDATE = createTestUpdate('1')
const OLDER_UPDATE = createTestUpdate('2', { version: '0.0.9' })

hubForEach(test, { dist, consoleUpdater: { trusted: [DEVELOPMENT_KEY] } })
countReloads(test)

const openUpgradeScreen = (user?: string) => openConsole(hub, { at: ROUTES.upgrade, user })
const uploadPack = (bytes: Uint8Array) => hub.parts.consoleUpdater.upload(bytes.length, async (put) => put(bytes))

/** Selects a file to upload. */
const upload = (bytes: Buffer) => selectFile(bytes, 'console.update', 'Upload update')

test('an update is uploaded, verified, installed after a confirmation, and then the page reloads', async () => {
  await openUpgradeScreen()
  assert.match(visibleText(await findByRole('row', /Built-in/)), /0\.1\.0 In use/)
  await upload(UPDATE)
  assert.equal(document.querySelector<HTMLInputElement>('input[type=file]')?.accept, '.update')
  const row = await findByRole('row', 'New')
  assert.match(visibleText(row), /1\.0\.0 Verified 111111111111 Development key/)
  await click(await findByRole('button', 'Install', row))
  assert.match(await confirmDialog('Install 1.0.0'), /Install 1\.0\.0\? .*If it does not load in this browser/)
  await until(() => reloads === 1, 'the first reload')
  const slot = await findByRole('row', 'Slot A')
  await waitForText(/On trial, \d+ s left/, slot)
  assert.equal((await hub.fetch(new Request('http://localhost/assets/app-11111111.js'))).status, 200)
  // No further upload can start before the update is installed or discarded.
  await waitForNone('button', /Roll back/)
  hub.parts.consoleUpdater.confirm('app-11111111.js')
  await waitForText(/In use/, slot)
  const before = await findByRole('row', 'Built-in')
  await click(await findByRole('button', /^Roll back/, before))
  await confirmDialog('Roll back to 0.1.0')
  await until(() => reloads === 2, 'the second reload')
  await waitForText(/On trial/, before)
})

test('an older version asks for confirmation, and an uploaded update can be discarded', async () => {
  await uploadPack(OLDER_UPDATE)
  await openUpgradeScreen()
  const row = await findByRole('row', 'New')
  await click(await findByRole('button', 'Install', row))
  const dialog = await findByRole('dialog')
  assert.match(visibleText(dialog), /This version is older than the current one\./)
  await click(await findByRole('button', 'Close', dialog))
  await click(await findByRole('button', /^Discard: /, row))
  await waitForNone('row', 'New')
  assert.equal(reloads, 0)
  assert.equal((await other.send(updateStatus, {})).consoles.length, 1)
})

test('an uploaded newer version has a badge in the menu until it is installed or discarded', async () => {
  await openUpgradeScreen()
  const menu = await findByRole('navigation', 'Main menu')
  await findByRole('link', 'Upgrade', menu)
  const { id } = await uploadPack(UPDATE)
  await findByRole('link', /^Upgrade ?1 Upgrade$/, menu)
  hub.parts.consoleUpdater.install(id, false)
  await findByRole('link', 'Upgrade', menu)
})

test('the phases of an upload of another user are shown, with a button that cancels it', async () => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const upload = hub.parts.consoleUpdater
    .upload(UPDATE.length, async (put) => {
      await put(UPDATE.subarray(0, 100))
      await waiting
    })
    .catch(({ code }) => code)
  await openUpgradeScreen()
  await waitForText('Upload update', (await findByRole('button', 'Cancel')).parentElement as HTMLElement)
  await click(await findByRole('button', 'Cancel'))
  assert.equal(await upload, 42)
  release()
  await findByRole('button', 'Upload update')
})

test('a hub that reports only its state and its version shows them, and no failure', async () => {
  const console = await openConsole(hub, { at: ROUTES.profile })
  const bare = { result: SUCCESS, state: 0, progress: 0, 'enable-update': true, version: '1.0.50' }
  console.intercept = (path) => (path.includes(updateStatus.path) ? Response.json(bare) : undefined)
  navigate(ROUTES.upgrade)
  await waitForText('1.0.50')
  await waitForText('No update in progress.')
  await waitForNone('alert')
})

test('a rejected update is shown in the current language until it is dismissed', async () => {
  await openUpgradeScreen()
  await upload(createTestUpdate('3', { signer: generateSigningKey().signer }))
  // Until the hub has rejected it, the alert of an update in progress may be shown.
  await waitForText(/signed with a key that this hub does not trust/)
  assert.match(visibleText(await findByRole('alert')), /signed with a key that this hub does not trust/)
  setLanguage('zh')
  await waitForText(/更新由本中控不信任的密钥签名/)
  setLanguage('en')
  await click(await findByRole('button', 'Dismiss', await findByRole('alert')))
  await waitForNone('alert')
  assert.equal((await other.send(updateStatus, {})).state, 0)
})

test('the progress of an upload is shown to all users, and any of them can cancel it', async () => {
  await openUpgradeScreen()
  const { promise: never } = Promise.withResolvers<void>()
  const ended = hub.parts.consoleUpdater
    .upload(1000, async (put) => {
      await put(new Uint8Array(400))
      await never
    })
    .catch((error) => error.code)
  await waitForText(/40\s%/)
  const bar = document.querySelector('progress')
  assert.equal(Number(bar?.getAttribute('value') ?? bar?.value), 0.4)
  await click(await findByRole('button', 'Cancel'))
  assert.equal(await ended, 42)
  await findByRole('button', 'Upload update')
  await waitForNone('alert')
})

test('a failed update is reported, with the version that is restored', async () => {
  await replaceHub({ dist, consoleUpdater: { trusted: [DEVELOPMENT_KEY], confirmTimeout: 300 } })
  await openUpgradeScreen()
  const { id } = await uploadPack(UPDATE)
  hub.parts.consoleUpdater.install(id, false)
  await findByRole('alert', /No browser confirmed in time/)
  await waitForNone('alert', 'The hub is being updated.')
  await waitForText(/In use/, await findByRole('row', 'Built-in'))
  await waitForText(/Standby/, await findByRole('row', 'Slot A'))
})

test('a user with permission only to view can change nothing, and a user without permission sees a notice', async () => {
  await uploadPack(UPDATE)
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await addUser(hub, 'nobody', DEVICE_VIEW)
  await openUpgradeScreen('looker')
  await findByRole('row', 'New')
  for (const name of ['Upload update', 'Install']) await waitForNone('button', name)
  await closeConsole()
  await openUpgradeScreen('nobody')
  await waitForText('You do not have access permission')
  assert.equal(queryAllByRole('row').length, 0)
})

test('the Admin group sees the keys whose updates are accepted, other users do not', async () => {
  const { publicKey } = generateSigningKey()
  await replaceHub({ dist, consoleUpdater: { trusted: [publicKey, DEVELOPMENT_KEY] } })
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await openUpgradeScreen()
  await waitForText(fingerprint(publicKey))
  await waitForText(`${fingerprint(DEVELOPMENT_KEY)} Development key`)
  // Names of environment variables stand in the documents.
  assert.doesNotMatch(visibleText(document.body), /[A-Z]+_[A-Z]+/)
  await closeConsole()
  await openUpgradeScreen('looker')
  await findByRole('row', /Built-in/)
  assert.ok(!visibleText(document.body).includes('Trusted keys'))
})

test('without a trusted key the page says how to install one, and offers no upload', async () => {
  await replaceHub({ dist, consoleUpdater: { trusted: [] } })
  await openUpgradeScreen()
  const card = (await findByRole('heading', 'Not set up')).closest('section') as HTMLElement
  await waitForText(
    /Upload update Trusted keys No signing key is trusted\. .* sudo install -m 644 trusted-keys\.pem \/\S+\/$/,
    card
  )
  await findByRole('button', 'Copy', card)
  await waitForNone('button', 'Upload update')
})

test('a member of the User group may install nothing', async () => {
  await uploadPack(UPDATE)
  await addUser(hub, 'uwe', USER_PERMISSIONS, GROUP_USER)
  await openUpgradeScreen('uwe')
  await findByRole('row', 'New')
  for (const name of ['Upload update', 'Install']) await waitForNone('button', name)
})

test('without a trusted key the screen says once that updates are not possible, and what to do', async () => {
  await replaceHub({ dist })
  await openUpgradeScreen()
  await waitForText(/no signing key is trusted.*Install the public key of the issuer, and restart the hub/i)
  assert.equal(visibleText(document.body).match(/no signing key is trusted/gi)?.length, 1)
})

test('while the hub is unreachable no data is shown, and the request can be retried', async () => {
  const page = await openConsole(hub)
  page.intercept = (path) => (path.includes('/update/status') ? Response.json({ result: UNKNOWN_ERROR }) : undefined)
  location.hash = ROUTES.upgrade
  await waitForText('Failed to load')
  page.intercept = () => undefined
  await click(await findByRole('button', 'Retry'))
  await findByRole('row', /Built-in/)
})

test('a console on trial reports that it has loaded, and no other console does', async () => {
  const question: unknown[] = []
  let script = 'app-deadbeef.js'
  hub.parts.consoleUpdater.trialScript = () => script
  const page = await openConsole(hub)
  page.intercept = (path, body) => {
    if (!path.includes('/update/confirm')) return undefined
    question.push(JSON.parse(body ?? ''))
    return Response.json({ result: SUCCESS })
  }
  hub.parts.store.changes.markChanged('status')
  await until(() => page.currentPath() === ROUTES.dashboard, 'it is there')
  await waitForEffects()
  assert.deepEqual(question, [])
  script = 'app-0123abcd.js'
  window.pageLoader = { script: `./assets/${script}` } as PageLoader
  hub.parts.store.changes.markChanged('status')
  await until(() => question.length > 0, 'the message')
  window.pageLoader = undefined
  assert.deepEqual(question[0], { script })
})

test('the consoles of a hub that sends no labels have them in both languages', async () => {
  await uploadPack(UPDATE)
  const labels = async () => queryAllByRole('row').map(visibleText).join('\n')
  await openConsole(hub, { at: ROUTES.upgrade, hasDocumentedCallsOnly: true })
  await waitForText('In use')
  assert.match(await labels(), /New .*Verified[\s\S]*Built-in .*In use/)
  setLanguage('zh')
  await waitForText('使用中')
  assert.match(await labels(), /新上传.*已校验[\s\S]*内置.*使用中/)
  assert.doesNotMatch(await labels(), /active|ready|built-in|uploaded/)
})

test('a hub without several consoles shows its version and what its update service does', async () => {
  const console = await openConsole(hub, { at: ROUTES.profile, hasDocumentedCallsOnly: true })
  const answerWith = (status: object) => {
    console.intercept = (path) =>
      path.startsWith(`/api${updateStatus.path}`)
        ? Response.json({ result: SUCCESS, version: '2.1.0', progress: 40, ...status })
        : undefined
  }
  answerWith({ state: 0, 'online-status': { 'is-newest': true, 'newest-version': '2.1.0' } })
  navigate(ROUTES.upgrade)
  await waitForText('The installed version is the newest.')
  await waitForText('No update in progress.')
  assert.equal(queryAllByRole('button', 'Upload update').length, 0)
  answerWith({ state: 4, 'online-status': { 'is-newest': false, 'newest-version': '2.2.0' } })
  navigate(ROUTES.profile)
  navigate(ROUTES.upgrade)
  await waitForText('Downloading an update. 40 %')
  await waitForText('2.2.0')
  answerWith({ state: 0x200, 'online-status': { 'update-result': 29 } })
  await waitForText(/Hub update failed\. \S/)
})

test.run()
