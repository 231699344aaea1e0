import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { addCatalog } from '../../../contract/catalog.ts'
import { acceptDevices } from '../../../contract/device/device.ts'
import { addChannel, enableChannel, queryChannel } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { addSignedInUser } from '../../kit/hub/hub.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('palette')

hubForEach(test)

const NAME = 'Go to, find, do'

async function openPalette(): Promise<HTMLInputElement> {
  await press(document.body, 'k', { ctrlKey: true })
  return findField()
}
const findField = async (name = NAME) => findByRole<HTMLInputElement>('textbox', name, await findByRole('dialog', name))

const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')]
const labels = () => options().map((option) => visibleText(option.querySelector('span') as Element))
const waitForOption = (label: string) => until(() => labels().includes(label), `there is the option ${label}`)
const waitForOptions = (expected: readonly string[]) =>
  until(() => labels().join() === expected.join(), `the options are ${expected}; there are ${labels()}`)
const active = (field: Element) => {
  const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  return option ? visibleText(option.querySelector('span') as Element) : undefined
}

/** Types a text and chooses the option with this label by keys. */
async function choose(text: string, label: string): Promise<void> {
  const field = await openPalette()
  await fill(field, text)
  await waitForOption(label)
  while (active(field) !== label) await press(field, 'ArrowDown')
  await press(field, 'Enter')
}

test('Ctrl-K, Cmd-K and "/" open it, except "/" in a field; Escape closes it', async () => {
  await openConsole(hub, { at: ROUTES.channels })
  await findByRole('button', NAME)
  for (const [key, modifiers] of [
    ['k', { ctrlKey: true }],
    ['K', { metaKey: true }],
    ['/', {}]
  ] as const) {
    await press(document.body, key, modifiers)
    const dialog = await findByRole('dialog', NAME)
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await waitForNone('dialog')
  }
  const search = await findByRole('textbox', 'Search everything')
  search.focus()
  await press(search, '/')
  assert.equal(queryAllByRole('dialog').length, 0)
  await click(await findByRole('button', NAME))
  await findField()
})

test('without a text it lists the pages that the user may open, and the actions', async () => {
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openConsole(hub, { user: 'looker', at: ROUTES.dashboard })
  await openPalette()
  await waitForOption('Sign out')
  const shown = labels()
  for (const expected of ['Dashboard', 'Problems', 'Favorites', 'Profile', 'Change password'])
    assert.ok(shown.includes(expected), expected)
  for (const hidden of ['Outputs', 'General', 'Logs', 'Add channel']) assert.ok(!shown.includes(hidden), hidden)
})

test('the arrow keys choose an option, Enter opens it, and it is among the recent ones next time', async () => {
  const console = await openConsole(hub, { at: ROUTES.dashboard })
  const field = await openPalette()
  await fill(field, 'output')
  await waitForOption('Outputs')
  assert.equal(active(field), 'Outputs')
  const [first, second] = labels()
  await press(field, 'ArrowDown')
  assert.equal(active(field), second)
  await press(field, 'ArrowUp')
  assert.equal(active(field), first)
  await press(field, 'Enter')
  await until(() => console.currentPath() === ROUTES.outputs, 'the page')
  await waitForNone('dialog')
  await choose('dash', 'Dashboard')
  await until(() => console.currentPath() === ROUTES.dashboard, 'the dashboard')
  await openPalette()
  await waitForText('Recent')
  // The current page is left out.
  assert.equal(labels()[0], 'Outputs')
})

test('it finds objects of all kinds, by a part of the name or the initials of a Chinese one', async () => {
  hub.parts.registry.register(helloOf(1, { name: 'Annex' }), '192.0.2.10')
  await other.send(acceptDevices, { sn: [helloOf(1).sn] })
  const { id } = await other.send(addChannel, { name: '教学楼直播' })
  await other.send(addInput, { name: '教学楼门口', config: { type: 1, url: 'rtsp://10.0.0.1/live' } })
  await other.send(addCatalog, { 'parent-id': 0, name: '教学楼' })
  const console = await openConsole(hub, { at: ROUTES.dashboard })
  const field = await openPalette()
  await fill(field, 'jxl')
  for (const name of ['教学楼直播', '教学楼门口', '教学楼', 'All results for “jxl”']) await waitForOption(name)
  const groups = [...document.querySelectorAll('dialog [role=group]')].map(nameOf)
  for (const title of ['Channels', 'Inputs', 'Device groups', 'Actions']) assert.ok(groups.includes(title), title)
  await fill(field, 'annex')
  await waitForOption('Annex')
  await fill(field, 'youtube')
  await waitForOption('YouTube')
  await fill(field, 'zb')
  await waitForOption('教学楼直播')
  await press(field, 'Enter')
  await until(() => console.currentPath() === linkTo('channelDetail', { channelId: String(id) }), 'the channel')
})

test('what the user may not see is not found, and the hub is not asked for it', async () => {
  await other.send(addChannel, { name: 'Annex live' })
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openConsole(hub, { user: 'looker', at: ROUTES.dashboard })
  await fill(await openPalette(), 'annex')
  await waitForOptions(['All results for “annex”'])
})

test('an action on a channel asks first, and what cannot be done now says why', async () => {
  const { id } = await other.send(addChannel, { name: 'Annex live' })
  await openConsole(hub, { at: ROUTES.dashboard })
  await choose('start annex', 'Start Annex live')
  await click(await findByRole('button', 'Start Annex live', await findByRole('dialog', 'Start Annex live?')))
  const isEnabled = async () => (await other.send(queryChannel, { id })).channel.config.enable
  await until(isEnabled, 'the channel is started')
  await other.send(enableChannel, { id, enable: false })
  await waitForNone('dialog')
  await choose('sign out', 'Sign out')
  await findByRole('dialog', 'Sign out?')
})

test('"Add channel" opens its dialog', async () => {
  await openConsole(hub, { at: ROUTES.dashboard })
  await choose('add ch', 'Add channel')
  await findByRole('textbox', 'Name', await findByRole('dialog', 'Add channel'))
})

test('pages and actions are found by their English words on the Chinese console', async () => {
  const console = await openConsole(hub, { at: ROUTES.dashboard })
  setLanguage('zh')
  await press(document.body, '/')
  const field = await findField('前往、查找、操作')
  await fill(field, 'sign out')
  await waitForOption('退出登录')
  await fill(field, 'firmware')
  await waitForOption('设备固件')
  await press(field, 'Enter')
  await until(() => console.currentPath() === ROUTES.firmware, 'the page')
})

test('recent pages are those of the user', async () => {
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openConsole(hub, { at: ROUTES.dashboard })
  await choose('user man', 'User management')
  await closeConsole()
  await openConsole(hub, { user: 'looker', at: ROUTES.dashboard })
  await openPalette()
  await waitForOption('Sign out')
  assert.ok(!visibleText().includes('Recent'))
})

test.run()
