// The banners of a hub that cannot store changes, that is restarted, and that is updated.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import { type StorageFault, SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'

const test = suite('banners')

hubForEach(test)

function setFault(storageFault: StorageFault | undefined): void {
  Object.defineProperty(hub.parts.store.database, 'storageFault', { value: storageFault, configurable: true })
  hub.parts.store.changes.markChanged('status')
}

const banner = () => findByRole('alert', /changes are not saved/)

test('a full disk is announced on every page, with links to what can be deleted, until there is space', async () => {
  await openConsole(hub)
  setFault('full')
  for (const path of [ROUTES.dashboard, ROUTES.channels, ROUTES.users, '/nowhere']) {
    navigate(path)
    assert.match(visibleText(await banner()), /Disk full: changes are not saved/, path)
  }
  const links = queryAllByRole('link', undefined, await banner()).map((link) => link.getAttribute('href'))
  assert.deepEqual(links, [`#${ROUTES.firmware}`, `#${ROUTES.logs}`])
  setFault(undefined)
  await waitForNone('alert', /changes are not saved/)
})

test('other faults have sentences of their own, without links', async () => {
  await openConsole(hub)
  setFault('read-only')
  await waitForText('Disk read-only: changes are not saved. Check the disk of the hub.')
  setFault('failed')
  await waitForText('Disk error: changes are not saved. Check the disk of the hub.')
  assert.deepEqual(queryAllByRole('link', undefined, await banner()), [])
})

test('users get no links to pages on which they may not delete anything', async () => {
  await addUser(hub, 'one', CHANNEL_VIEW)
  await openConsole(hub, { user: 'one' })
  setFault('full')
  assert.deepEqual(queryAllByRole('link', undefined, await banner()), [])
})

/** Replaces the status code of the hub's status. */
async function openWithStatus(statusCode: () => number) {
  const console = await openConsole(hub)
  console.intercept = async (path) => {
    if (!path.includes('/system/status')) return undefined
    const response = await (await console.browser.raw('GET', path)).json()
    response.status.system.status['status-code'] = statusCode()
    return Response.json(response)
  }
  return console
}

test('a hub that is restarted says so on every page, also while it is away, until it is back', async () => {
  let code: number = SYSTEM_STATUS_BITS.rebooting
  const console = await openWithStatus(() => code)
  hub.parts.store.changes.markChanged('status')
  for (const path of [ROUTES.channels, ROUTES.dashboard]) {
    navigate(path)
    await findByRole('alert', 'The hub is restarting.')
    assert.equal(queryAllByRole('alert', 'The hub is restarting.').length, 1, path)
  }
  console.disconnect()
  await waitForText(/No response for/)
  await findByRole('alert', 'The hub is restarting.')
  code = 0
  console.reconnect()
  await waitForNone('alert', 'The hub is restarting.')
})

test('resetting, importing and updating have their sentences on every page', async () => {
  let code = 0
  await openWithStatus(() => code)
  navigate(ROUTES.channels)
  for (const [bit, text] of [
    [SYSTEM_STATUS_BITS.resetting, 'All settings are being reset.'],
    [SYSTEM_STATUS_BITS.importing, 'Settings are being imported.'],
    [SYSTEM_STATUS_BITS.updating | UPDATE_STATUS_BITS.uploading, 'The hub is being updated.']
  ] as const) {
    code = bit
    hub.parts.store.changes.markChanged('status')
    await findByRole('alert', text)
  }
  navigate(ROUTES.dashboard)
  await findByRole('alert', 'An update is being uploaded.')
})

test('a hub without keys for updates has no warning on the dashboard, because it works as it should', async () => {
  await openConsole(hub)
  assert.equal(hub.parts.consoleUpdater.statusBits(), UPDATE_STATUS_BITS.unavailable)
  await findByRole('heading', 'Dashboard')
  assert.deepEqual(
    queryAllByRole('alert').filter((alert) => visibleText(alert).includes('update')),
    []
  )
})

test.run()
