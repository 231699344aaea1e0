import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { describeForms } from '../../../contract/form/form.ts'
import { allSettings, linkToSetting } from '../../../src/frame/settings-index.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import { findMenu, openFromMenu } from '../../kit/console/menu.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('settings frame')

hubForEach(test)

const content = () => document.getElementById('content') as HTMLElement
const headings = () => queryAllByRole('heading', undefined, content()).map(nameOf)
const searchBox = () => findByRole<HTMLInputElement>('textbox', 'Search settings')
const results = () =>
  queryAllByRole('link', undefined, document.querySelector('.find-setting') ?? content()).map(nameOf)

test('the place Settings opens an overview of four parts, and the menu has the same parts', async () => {
  const console = await openConsole(hub)
  await click(await findByRole('link', 'Settings', await findMenu()))
  assert.equal(console.currentPath(), ROUTES.settings)
  await findByRole('heading', 'Backup and upgrade')
  const parts = ['Hub', 'Network and security', 'People and tokens', 'Backup and upgrade']
  assert.deepEqual(headings(), ['Settings', ...parts])
  const inMenu = [...(await findMenu()).querySelectorAll('.part')].map((part) => part.textContent)
  assert.deepEqual(inMenu, parts)
  const card = (await findByRole('heading', 'Network and security')).closest('.card') as HTMLElement
  assert.deepEqual(queryAllByRole('link', undefined, card).map(nameOf), ['Network', 'Certificate'])
  await waitForText('Ports · Firewall', card)
  await click(await findByRole('link', 'Certificate', card))
  assert.equal(console.currentPath(), ROUTES.certificate)
})

test('a user sees only the parts and settings that the permissions allow', async () => {
  await addUser(hub, 'viewer', 0)
  await openConsole(hub, { user: 'viewer', at: ROUTES.settings })
  await findByRole('heading', 'People and tokens')
  assert.deepEqual(headings(), ['Settings', 'People and tokens'])
  await fill(await searchBox(), 'invitation')
  await waitForText('No setting is called “invitation”.')
  await fill(await searchBox(), 'theme')
  await until(() => results().includes('Theme'), 'the theme is found')
  await closeConsole()

  await addUser(hub, 'watcher', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { user: 'watcher', at: linkTo('settings', { find: 'session' }) })
  await findByRole('heading', 'Settings found')
  assert.ok(!results().includes('Session expiry'), 'it is on a page for user managers')
  await fill(await searchBox(), 'invitation')
  await until(() => results().includes('Invitation code'), 'the code is found')
})

test('Enter in the search opens the first setting, which gets the focus', async () => {
  const console = await openConsole(hub, { at: ROUTES.license })
  const box = await searchBox()
  await fill(box, 'data saver')
  await until(() => results().includes('Data saver on by default'), 'it is found')
  assert.equal(console.currentPath(), linkTo('license', { find: 'data saver' }))
  const form = box.closest('form') as HTMLFormElement
  form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await until(
    () => document.activeElement === document.querySelector('[name=isDataSaverOn]'),
    'the switch has the focus'
  )
  assert.equal(console.currentPath(), linkTo('general', { setting: 'previews/Data saver on by default' }))
  await waitForNone('heading', 'Settings found')
})

test('a setting that the page does not show now leads to its section', async () => {
  await openConsole(hub, { at: linkTo('general', { setting: 'registration/Invitation code' }) })
  const card = (await findByRole('heading', 'Device registration')).closest('.card')
  await until(() => document.activeElement === card, 'the section has the focus')
  assert.ok(card?.hasAttribute('data-found'))
})

test('a jump does not take the focus from a user who types meanwhile', async () => {
  await openConsole(hub, { at: linkTo('general', { setting: 'registration/Invitation code' }) })
  const field = await findByRole<HTMLInputElement>('textbox', 'Name of the hub')
  field.focus()
  await press(field, 'a')
  navigate(linkTo('general', { setting: 'previews/Data saver on by default' }))
  await until(() => document.activeElement !== field, 'another link jumps')
  assert.ok(!document.querySelector('.card[data-found]'))
})

test('the search finds settings in Chinese', async () => {
  await openConsole(hub, { at: ROUTES.settings })
  await setLanguage('zh')
  await fill(await findByRole<HTMLInputElement>('textbox', '搜索设置'), '邀请码')
  await until(() => results().includes('邀请码'), 'the code is found')
})

/** All settings, with those on cards that the hub describes. */
const settingsOfHub = async () => allSettings((await other.send(describeForms, {})).entries)

test('every section that the search finds is on its page', async () => {
  await openConsole(hub)
  // The logs are in the place of events, and this hub has no certificate.
  const sections = (await settingsOfHub()).filter(
    ({ section, route, name }) => !section && route !== 'logs' && name !== 'certificate'
  )
  assert.ok(sections.length >= 30)
  for (const setting of sections) {
    navigate(linkToSetting(setting))
    const found = () => document.querySelector('[data-found]')
    await until(() => found() !== null, linkToSetting(setting))
    ;(document.activeElement as HTMLElement | null)?.blur()
    found()?.removeAttribute('data-found')
  }
})

test('a link to a setting with its label in another language leads to its section', async () => {
  await openConsole(hub, { at: linkTo('general', { setting: 'previews/默认启用节省流量' }) })
  const card = (await findByRole('heading', 'Previews')).closest('.card')
  await until(() => card?.hasAttribute('data-found') === true, 'the section is marked')
})

test('names of sections are unique on their pages, and labels in their sections', async () => {
  const settings = await settingsOfHub()
  const links = settings.map(linkToSetting)
  assert.equal(new Set(links).size, links.length)
  const names = settings.filter(({ section }) => !section).map(({ route, name }) => `${route} ${name}`)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    []
  )
})

test('Logs and Device firmware are listed, and open their places', async () => {
  const console = await openConsole(hub, { at: ROUTES.settings })
  const card = (await findByRole('heading', 'Hub')).closest('.card') as HTMLElement
  await click(await findByRole('link', 'Logs', card))
  assert.equal(console.currentPath(), ROUTES.logs)
  await openFromMenu('Settings', 'Device firmware')
  assert.equal(console.currentPath(), ROUTES.firmware)
})

test.run()
