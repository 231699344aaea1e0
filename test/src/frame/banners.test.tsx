// The banners of a hub that cannot store changes, that is restarted, and that is updated.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import { type StorageFault, SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

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

test('the default password can be put off for a day, and is announced again then', async () => {
  await openConsole(hub)
  await waitForText('The default password is still in use.')
  await click(await findByRole('button', 'Hide for a day'))
  await until(() => !visibleText().includes('The default password is still in use.'), 'the banner is gone')
  const [key = '', end = ''] = Object.entries(localStorage).find(([name]) => name.includes('later-')) ?? []
  const hours = (Number(end) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`)
  navigate(ROUTES.channels)
  await findByRole('heading', 'Channels')
  assert.ok(!visibleText().includes('The default password is still in use.'))
  localStorage.setItem(key, String(Date.now() - 1))
  await closeConsole()
  await openConsole(hub)
  await waitForText('The default password is still in use.')
})

test('warnings about faults of the hub cannot be put off, and all banners share one line', async () => {
  await openConsole(hub)
  setFault('full')
  const storage = await banner()
  assert.deepEqual(queryAllByRole('button', 'Hide for a day', storage), [])
  const line = storage.closest('.banners') as HTMLElement
  await waitForText(/Disk full.*The default password/, line)
  assert.equal(queryAllByRole('button', 'Hide for a day', line).length, 1)
})

test.run()
