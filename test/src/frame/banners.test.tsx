// The banner of a hub that cannot store changes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import type { StorageFault } from '../../../contract/system.ts'
import { ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'

const test = suite('storage banner')

hubForEach(test)

function setFault(storageFault: StorageFault | undefined): void {
  Object.defineProperty(hub.context.store.database, 'storageFault', { value: storageFault, configurable: true })
  hub.context.store.changes.markChanged('status')
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

test.run()
