// Releases of the whole hub on the upgrade page.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import type { StoredRelease } from '../../../../contract/update.ts'
import { TrialLink } from '../../../../hub/upgrade/trial/trial-link.ts'
import type { HubMessage } from '../../../../hub/upgrade/trial/trial-messages.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import type { PageLoader } from '../../../../src/text/page-loader.ts'
import { VERSION } from '../../../../web-server/version.ts'
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
import { createTestUpdate, writeConsole } from '../../../kit/hub/console-update.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { createReleaseUpdate, type ReleaseHub, startReleaseHub } from '../../../kit/hub/release-hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('upgrade of the whole hub, on its page')

const folder = mkdtempSync(join(tmpdir(), 'headend-release-page-'))
const dist = join(folder, 'dist')
writeConsole('0', dist)
writeFileSync(join(dist, 'version.json'), JSON.stringify({ commit: 'a'.repeat(40), time: '2026-01-02T03:04:05Z' }))

let installation: ReleaseHub

hubForEach(test, { dist })
countReloads(test)
test.before.each(async () => {
  installation = await startReleaseHub()
})
test.after.each(() => {
  window.pageLoader = undefined
  sessionStorage.clear()
  return installation.close()
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Opens the page of a hub that runs from a release. */
async function openReleasePage(trial?: TrialLink, at: string = ROUTES.upgrade): Promise<void> {
  await replaceHub({ dist, ...installation.options, ...(trial && { trial }) })
  await openConsole(hub, { at })
}

const releaseRow = (version: string) => findByRole('row', version)

test('a release is uploaded, verified and installed after a confirmation, without a reload before the hub has restarted', async () => {
  await openReleasePage()
  assert.match(visibleText(await releaseRow(VERSION)), /In use aaaaaaaaaaaa Jan 2, 2026/)
  await selectFile(createReleaseUpdate('9.0.0'), 'headend.update', 'Upload update')
  const row = await releaseRow('9.0.0')
  await waitForText(/Verified cccccccccccc Development key/, row)
  await click(await findByRole('button', 'Install', row))
  assert.match(await confirmDialog('Install 9.0.0'), /The hub restarts\. .*the current version is restored/)
  await until(() => installation.endings() === 1, 'the hub ends to begin the trial')
  assert.equal(installation.files.read('trial')?.version, '9.0.0')
  assert.equal(reloads, 0)
})

test('a lower version asks, and an uploaded release can be discarded', async () => {
  await openReleasePage()
  await selectFile(createReleaseUpdate('0.0.1'), 'headend.update', 'Upload update')
  const row = await releaseRow('0.0.1')
  await click(await findByRole('button', 'Install', row))
  const dialog = await findByRole('dialog')
  assert.match(visibleText(dialog), /This version is older than the current one\. The hub restarts/)
  await click(await findByRole('button', 'Close', dialog))
  await click(await findByRole('button', 'Discard: 0.0.1', row))
  await waitForNone('row', '0.0.1')
  assert.equal(installation.endings(), 0)
})

test('during the trial the page says that changes are refused, and an attempt shows the message of the hub', async () => {
  const trial = new TrialLink(() => {}, 90)
  installation.addFormer('0.0.9')
  await openReleasePage(trial)
  hub.parts.releases.engineVersion = () => '0.0.9'
  const row = await releaseRow(VERSION)
  await waitForText(/On trial, \d+ s left/, row)
  await waitForText('Changes are refused until the trial ends.')
  const upload = await findByRole('button', 'Upload update')
  assert.equal(upload.getAttribute('aria-disabled'), 'true')
  const revert = await findByRole('button', 'Roll back to: 0.0.9')
  assert.equal(revert.getAttribute('data-tip'), 'The hub is being updated.')
  assert.equal(queryAllByRole('button', 'Switch over').length, 0)
  navigate(ROUTES.backup)
  await click(await findByRole('button', 'Back up now'))
  await findByRole('alert', /This release of the hub is on trial/)
  navigate(ROUTES.upgrade)
  trial.receive({ kind: 'passed' })
  await waitForText(/In use/, await releaseRow(VERSION))
  assert.doesNotMatch(visibleText(document.body), /Changes are refused/)
  await findByRole('button', 'Switch over')
})

test('the console of the release confirms the trial', async () => {
  const messages: HubMessage['kind'][] = []
  window.pageLoader = { script: './assets/app-00000000.js' } as PageLoader
  await openReleasePage(new TrialLink(({ kind }) => messages.push(kind), 90))
  await until(() => messages.includes('confirmed'), 'the console confirms')
  assert.equal(reloads, 0)
})

test('another console than that of the release on trial reloads the page once, and only the upgrade page', async () => {
  const messages: HubMessage['kind'][] = []
  window.pageLoader = { script: './assets/app-ffffffff.js' } as PageLoader
  await openReleasePage(new TrialLink(({ kind }) => messages.push(kind), 90), ROUTES.channels)
  await findByRole('alert', 'The hub is being updated.')
  assert.equal(reloads, 0)
  navigate(ROUTES.upgrade)
  await until(() => reloads === 1, 'the reload')
  // As if a cache had delivered the same page again.
  await closeConsole()
  await openConsole(hub, { at: ROUTES.upgrade })
  await waitForText(/On trial/, await releaseRow(VERSION))
  await waitForEffects()
  assert.equal(reloads, 1)
  assert.deepEqual(messages, [])
})

test('the page reloads when another release runs, and again when the hub goes back', async () => {
  await openReleasePage()
  await releaseRow(VERSION)
  const running = hub.parts.releases.list()
  const setReleases = (releases: StoredRelease[]) => {
    hub.parts.releases.list = () => releases
    hub.parts.store.changes.markChanged('status')
  }
  setReleases([{ version: '9.0.0', use: 'trial', left: 80 }])
  await until(() => reloads === 1, 'the reload')
  setReleases(running)
  await until(() => reloads === 2, 'the second reload')
})

test('a release that was rolled back is shown with reason, channels and log until it is dismissed', async () => {
  const lines = ['starting', 'the disk controller is on fire']
  const failure = {
    version: '9.0.0',
    time: Date.now(),
    check: 'channels',
    channels: ['Hall', 'Chapel'],
    lines
  } as const
  installation.files.write('failure', { ...failure, channels: [...failure.channels], lines })
  await openReleasePage()
  const card = (await findByRole('heading', 'Version 9.0.0 was rolled back')).closest('section') as HTMLElement
  await waitForText(/did not carry a stream again/, await findByRole('alert', /carry a stream/))
  await waitForText('Channels: Hall, Chapel', card)
  await waitForText('starting the disk controller is on fire', await findByRole('region', 'Log', card))
  assert.equal(queryAllByRole('alert', /Hub update failed/).length, 0)
  setLanguage('zh')
  await waitForText(/原先播出的频道未恢复传输/)
  setLanguage('en')
  await click(await findByRole('button', 'Dismiss', card))
  await waitForNone('heading', /rolled back/)
  assert.equal(installation.files.read('failure'), undefined)
})

test('a roll back says what is lost, and begins the trial of the release before', async () => {
  installation.addFormer('0.0.9')
  await openReleasePage()
  await click(await findByRole('button', 'Roll back to: 0.0.9', await releaseRow('0.0.9')))
  assert.match(await confirmDialog('Roll back to 0.0.9'), /All later changes are lost\./)
  await until(() => installation.endings() === 1, 'the hub ends')
  assert.equal(installation.files.read('trial')?.revert, true)
})

test('streams that still run from another release are restarted after the question about the channels on air', async () => {
  await openReleasePage()
  let restarts = 0
  hub.parts.releases.engineVersion = () => (restarts > 0 ? undefined : '0.0.9')
  hub.parts.engine.restart = () => restarts++
  const { id } = await other.send(addChannel, { name: 'Hall' })
  const url = 'rtmp://192.0.2.20/live/hall'
  const { id: input } = await other.send(addInput, { name: 'Hall in', config: { type: 1, url } })
  await other.send(setChannelInput, { id, input })
  await other.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG)
  await waitForText(/Streams still run with version 0\.0\.9\./)
  await click(await findByRole('button', 'Switch over'))
  assert.match(await confirmDialog('Proceed anyway'), /Hall is interrupted, and continues\./)
  await until(() => restarts === 1, 'the restart')
  await waitForNone('button', 'Switch over')
})

test('a switch-over that fails is told on the page and in the event log until the next one begins', async () => {
  await openReleasePage()
  hub.parts.releases.engineVersion = () => '0.0.9'
  hub.parts.engine.canSwitchOver = () => true
  hub.parts.engine.switchOver = () => Promise.reject(new Error('The next engine has ended'))
  await waitForText(/Streams still run with version 0\.0\.9\./)
  await click(await findByRole('button', 'Switch over'))
  await findByRole('alert', /^Switch-over of the streams not completed/)
  const { list } = await other.send(listLog, { type: 'system' })
  assert.equal(list.filter(({ event }) => event === 'switch-over-failed').length, 1)
  setLanguage('zh')
  await waitForText(/流切换未完成/)
  setLanguage('en')
  hub.parts.engine.switchOver = () => new Promise(() => {})
  await click(await findByRole('button', 'Switch over'))
  await waitForNone('alert', /^Switch-over/)
})

test('consoles alone are behind the releases, and in view while one waits for its installation', async () => {
  await openReleasePage()
  await waitForText('Console only')
  const details = document.querySelector('details') as HTMLDetailsElement
  assert.equal(details.open, false)
  await selectFile(createTestUpdate('1'), 'console.update', 'Upload update')
  await until(() => details.open, 'the consoles')
  assert.match(visibleText(await findByRole('row', 'New', details)), /1\.0\.0 Verified/)
})

test('a hub that runs from no release lists its consoles, and says why it refuses a release', async () => {
  await replaceHub({ dist, consoleUpdater: installation.options.consoleUpdater as object })
  await openConsole(hub, { at: ROUTES.upgrade })
  await findByRole('row', /Built-in/)
  assert.equal(document.querySelector('details'), null)
  await selectFile(createReleaseUpdate('9.0.0'), 'headend.update', 'Upload update')
  await findByRole('alert', /only its console can be updated here/)
})

test.run()
