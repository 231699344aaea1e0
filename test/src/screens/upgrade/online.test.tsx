// Releases of the hub on a web server, on the upgrade page.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { checkUpdate, setUpdate } from '../../../../contract/update.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { channelFiles, DAY, releaseOf } from '../../../kit/hub/channel-files.ts'
import { developmentSigner } from '../../../kit/hub/console-update.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { createReleaseUpdate, type ReleaseHub, startReleaseHub } from '../../../kit/hub/release-hub.ts'
import { type StaticServer, startStaticServer } from '../../../kit/net/static-server.ts'
import { until } from '../../../kit/until.ts'

const test = suite('releases of the hub online, on their page')
hubForEach(test)

const UPDATE = createReleaseUpdate('9.0.0')
let server: StaticServer
let installation: ReleaseHub

test.before.each(async () => {
  server = await startStaticServer()
  installation = await startReleaseHub()
  await replaceHub(installation.options)
  await until(() => hub.parts.releases.isPossible, 'the hub knows its release')
})
test.after.each(async () => {
  await server.close()
  await installation.close()
})

function publish(expires = Date.now() + DAY): void {
  server.files.set('/9.0.0.update', UPDATE)
  const release = releaseOf(UPDATE, { version: '9.0.0', architecture: process.arch, file: '9.0.0.update' })
  for (const [path, bytes] of channelFiles(developmentSigner(), [release], { expires })) server.files.set(path, bytes)
}

test('an address is saved and asked at once; a release is downloaded and then waits for its installation', async () => {
  publish()
  await openConsole(hub, { at: ROUTES.upgrade })
  await fill(await findByRole('textbox', 'Address'), server.address)
  await click(await findByRole('button', 'Save'))
  await until(() => hub.parts.onlineUpgrade.settings.address, 'the address is stored')
  assert.equal(hub.parts.onlineUpgrade.settings.enable, true)
  const row = await findByRole('row', '9.0.0')
  await click(await findByRole('button', /^Details/, row))
  await waitForText('Better.')
  await click(await findByRole('button', 'Download', row))
  await waitForText(/9\.0\.0 Verified/)
  assert.equal(installation.endings(), 0)
})

test('why a check failed stands above the form', async () => {
  publish(Date.now() - 1)
  await other.send(setUpdate, { address: server.address })
  await openConsole(hub, { at: ROUTES.upgrade })
  await click(await findByRole('button', 'Check now'))
  await waitForText('The list of releases has expired')
})

test('pre-releases need the consent to their risk', async () => {
  await openConsole(hub, { at: ROUTES.upgrade })
  const box = await findByRole('checkbox', 'Also offer pre-releases')
  await waitForText('I understand that they may be unstable')
  await click(box)
  await click(await findByRole('button', 'Save'))
  await until(() => hub.parts.onlineUpgrade.settings.preReleases, 'pre-releases are offered')
})

test('a user who may only look sees the releases, and cannot download them or change the server', async () => {
  publish()
  await other.send(setUpdate, { address: server.address })
  await other.send(checkUpdate, {})
  addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.upgrade, user: 'viewer' })
  assert.match(visibleText(await findByRole('row', '9.0.0')), /9\.0\.0/)
  for (const name of ['Download', 'Check now', 'Save']) assert.equal(queryAllByRole('button', name).length, 0)
})

test.run()
