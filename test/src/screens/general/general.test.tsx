import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { setDeviceName } from '../../../../contract/machine/name.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { $dataSaver, toggleDataSaver } from '../../../../src/state/previews.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { openFromMenu } from '../../../kit/console/menu.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('general settings page')

hubForEach(test)

const stored = async () => (await other.send(getSettings, {})).settings
const textbox = (name: string) => findByRole<HTMLInputElement>('textbox', name)

/** Saves a card, the only one with changes. */
async function save(card: string): Promise<void> {
  await waitForText(`Not saved: ${card}`)
  await clickWhenFree('Save')
}

test('the menu leads to the page; a name is shown on the dashboard; in view mode a card says why the host name stays', async () => {
  const console = await openConsole(hub)
  await openFromMenu('Settings', 'General')
  assert.equal(console.currentPath(), ROUTES.general)
  assert.equal((await textbox('Name of the hub')).value, hostname())
  const card = (await findByRole('heading', 'Not set up')).closest('section') as HTMLElement
  await waitForText('Host name', card)
  await waitForText('run on it:', card)
  await waitForText(/make -C \S+ run MACHINE=manage/, card)
  await findByRole('button', 'Copy', card)
  await fill(await textbox('Name of the hub'), 'Studio.1')
  await save('Name')
  await waitForText('characters that are not allowed')
  await fill(await textbox('Name of the hub'), 'Studio 1')
  await save('Name')
  await waitForText('Studio 1 saved')
  await openFromMenu('Live', 'Dashboard')
  await click(await findByRole('button', 'Machine, network, devices'))
  await waitForText('Studio 1', document.querySelector('main') as HTMLElement)
})

test('a name that another user sets appears in the form', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await textbox('Name of the hub')
  await other.send(setDeviceName, { name: 'Rack 4' })
  await until(async () => (await textbox('Name of the hub')).value === 'Rack 4', 'the new name')
})

test('the session expiry stands with the account rules, to which the page leads', async () => {
  const console = await openConsole(hub, { at: ROUTES.general })
  const link = await findByRole('link', 'Session expiry')
  assert.equal(queryAllByRole('textbox', 'Minutes without use').length, 0)
  await click(link)
  assert.equal(console.currentPath(), linkTo('users', { tab: 'rules', setting: 'session' }))
  await textbox('Minutes without use')
})

test('one bar names the forms with changes and saves them; leaving the page asks', async () => {
  const console = await openConsole(hub, { at: ROUTES.general })
  assert.equal(queryAllByRole('button', 'Save').length, 0)
  const name = await textbox('Name of the hub')
  await fill(name, 'Studio.1')
  await click(await findByRole('checkbox', 'Data saver on by default'))
  await waitForText('Not saved: Name, Previews')
  await openFromMenu('Settings', 'NDI')
  const question = await findByRole('dialog', 'Leave without saving?')
  await waitForText('Not saved: Name, Previews', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.equal(console.currentPath(), ROUTES.general)

  await clickWhenFree('Save')
  await waitForText('characters that are not allowed')
  assert.equal((await stored()).previews?.['data-saver'], false, 'what follows a wrong form is not saved')
  await fill(name, 'Studio 1')
  await clickWhenFree('Save')
  await until(async () => (await stored()).previews?.['data-saver'] === true, 'both are stored')
  assert.equal((await stored()).name?.['device-name'], 'Studio 1')
  await waitForNone('button', 'Save')
})

test('changes can be discarded, and the search of the settings keeps them', async () => {
  const console = await openConsole(hub, { at: ROUTES.general })
  await fill(await textbox('Name of the hub'), 'Studio 1')
  await fill(await textbox('Search settings'), 'theme')
  await findByRole('heading', 'Settings found')
  assert.equal(console.currentPath(), linkTo('general', { find: 'theme' }))
  assert.equal((await textbox('Name of the hub')).value, 'Studio 1')
  await click(await findByRole('button', 'Discard changes'))
  await waitForNone('button', 'Save')
  assert.equal((await textbox('Name of the hub')).value, hostname())
  await openFromMenu('Settings', 'NDI')
  assert.equal(console.currentPath(), ROUTES.ndiSettings)
})

test('an invitation code has four digits', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('Every device that knows the address of the hub')
  await click(await findByRole('checkbox', /invitation code/))
  await save('Device registration')
  await waitForText('Required')
  await fill(await textbox('Invitation code'), '12')
  await save('Device registration')
  await waitForText('Invalid entry')
  await fill(await textbox('Invitation code'), '0165')
  await save('Device registration')
  await until(async () => (await stored()).security?.['code-value'] === '0165', 'it is stored')
})

test('private addresses are refused only after a confirmation, because running streams end', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await click(await findByRole('checkbox', 'Streams may use private addresses'))
  await waitForText('also if a name resolves to one')
  await save('Stream addresses')
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Refuse private addresses?')))
  await waitForNone('dialog', /Refuse/)
  assert.equal((await stored()).streams?.['forbid-private'], false)
  await save('Stream addresses')
  await click(
    await findByRole('button', 'Refuse private addresses', await findByRole('dialog', 'Refuse private addresses?'))
  )
  await until(async () => (await stored()).streams?.['forbid-private'] === true, 'it is stored')
})

test('the data saver default counts for browsers without a choice of their own', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await click(await findByRole('checkbox', 'Data saver on by default'))
  await save('Previews')
  await until(async () => $dataSaver.get(), 'the default')
  toggleDataSaver()
  assert.equal((await other.send(systemStatus, {})).status.system.info['data-saver'], true)
  await other.send(setDeviceName, { name: 'Rack 5' })
  await until(async () => (await textbox('Name of the hub')).value === 'Rack 5', 'a later status')
  assert.equal($dataSaver.get(), false, 'the choice of the user stays')
})

test('the state of HTTPS leads to the page of the certificate', async () => {
  const console = await openConsole(hub, { at: ROUTES.general })
  await waitForText('State Disabled')
  await click(await findByRole('link', 'Certificate', document.querySelector('main') ?? document))
  assert.equal(console.currentPath(), ROUTES.certificate)
})

test('a user with view permission reads the settings, but not the invitation code', async () => {
  await other.send(setSettings, { security: { 'enable-code': true, 'code-value': '0165' } })
  await addUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.general, user: 'viewer' })
  await waitForText('ask an administrator')
  assert.equal(queryAllByRole('button', 'Save').length, 0)
  assert.ok((await findByRole('checkbox', /invitation code/)).closest('fieldset')?.disabled)
  assert.equal(queryAllByRole('textbox', 'Invitation code').length, 0)
})

test('a user with edit permission changes neither the invitation code nor the address policy', async () => {
  await addUser(hub, 'keeper', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  await openConsole(hub, { at: ROUTES.general, user: 'keeper' })
  for (const name of [/invitation code/, 'Streams may use private addresses']) {
    const card = (await findByRole('checkbox', name)).closest('.card') as HTMLElement
    assert.ok(card.querySelector('fieldset')?.disabled, String(name))
    assert.match(card.textContent, /To change them, ask an administrator/)
  }
  await click(await findByRole('checkbox', 'Data saver on by default'))
  await save('Previews')
  await until(async () => (await stored()).previews?.['data-saver'] === true, 'it is stored')
})

test('the password is asked for before the protection of the hub changes, with the reason', async () => {
  await openConsole(hub, { at: ROUTES.general })
  hub.parts.store.database.run('UPDATE session SET authenticated = 1')
  await click(await findByRole('checkbox', 'Streams may use private addresses'))
  await save('Stream addresses')
  await click(await findByRole('button', 'Refuse private addresses', await findByRole('dialog')))
  const question = await findByRole('dialog', 'Confirm your password')
  await waitForText('This affects the protection of the hub.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  await until(() => !document.querySelector('[aria-busy]'), 'the end of the attempt')
  assert.equal((await stored()).streams?.['forbid-private'], false)
  await save('Stream addresses')
  await click(await findByRole('button', 'Refuse private addresses', await findByRole('dialog')))
  await fill(await findByRole('textbox', 'Password'), 'Admin')
  await click(await findByRole('button', 'Continue'))
  await until(async () => (await stored()).streams?.['forbid-private'] === true, 'it is stored')
})

test('without the permission the page says so', async () => {
  await addUser(hub, 'guest', 0)
  await openConsole(hub, { at: ROUTES.general, user: 'guest' })
  await waitForText('Ask an administrator for it.')
})

test.run()
