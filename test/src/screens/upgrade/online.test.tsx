// Releases of the hub on a web server, on the upgrade page.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { checkUpdate, setUpdate } from '../../../../contract/update.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { installation, publishRelease, releaseServerForEach, server } from '../../../kit/hub/release-server.ts'
import { until } from '../../../kit/until.ts'

const test = suite('releases of the hub online, on their page')
hubForEach(test)
releaseServerForEach(test)

test('an address is saved and asked at once; a release is downloaded and then waits for its installation', async () => {
  publishRelease()
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
  publishRelease({ expires: Date.now() - 1 })
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
  publishRelease()
  await other.send(setUpdate, { address: server.address })
  await other.send(checkUpdate, {})
  addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.upgrade, user: 'viewer' })
  assert.match(visibleText(await findByRole('row', '9.0.0')), /9\.0\.0/)
  for (const name of ['Download', 'Check now', 'Save']) assert.equal(queryAllByRole('button', name).length, 0)
})

test.run()
