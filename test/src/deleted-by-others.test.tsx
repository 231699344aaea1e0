// Two administrators: one deletes an object that the other edits or views. The other sees a message about it, the
// dialog or page leads to the list, and nothing is created again.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDisplay, openDisplay } from '../../contract/access/display.ts'
import { DEVICE_VIEW } from '../../contract/access/permissions.ts'
import { addToken, deleteTokens, NEVER_EXPIRES } from '../../contract/access/token.ts'
import {
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  endSessions,
  listSessions,
  moveUsers
} from '../../contract/access/user.ts'
import { addCatalog, deleteCatalog } from '../../contract/catalog.ts'
import { GROUP_MISSING, MISMATCH, NOT_EXIST, SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, deleteDevices } from '../../contract/device/device.ts'
import { deleteRollout } from '../../contract/rollout.ts'
import { addChannel, deleteChannels } from '../../contract/stream/channel.ts'
import { addPreset, deletePreset, setPreset } from '../../contract/stream/preset.ts'
import { deleteInputs, deleteOutputs } from '../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { closeConsole, openConsole, type TestConsole } from '../kit/console/console.ts'
import { hub, hubForEach, other } from '../kit/console/hub-for-each.ts'
import { click, fill, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../kit/console/page.ts'
import { addNamedInput, addSrtOutput } from '../kit/console/source-list.ts'
import { buttonInRow, findRow } from '../kit/console/table-rows.ts'
import { newPassword } from '../kit/hub/hub.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('deleted by another user')

hubForEach(test)

const SENTENCE = /^This configuration has been deleted by another user\./

/** Everything that a user configures, as stored. */
function configuration(): string {
  const { database } = hub.parts.store
  const tables = ['channel', 'input', 'output', 'catalog', 'user', 'user_group', 'token', 'device']
  return JSON.stringify([
    tables.map((table) => database.all(`SELECT * FROM ${table}`)),
    hub.parts.store.settings.get('output-presets')
  ])
}

const channel = async (name: string) =>
  (await other.send(addChannel, { name, config: { 'play-key': 'play', 'push-key': 'push' } })).id
const catalog = async () => (await other.send(addCatalog, { id: 0, name: 'Hall' })).id
const user = async () => (await other.send(addUser, { name: 'vera', ...newPassword('a-password') })).id
const userGroup = async () => (await other.send(addGroup, { name: 'Crew', permissions: DEVICE_VIEW })).id

interface Case {
  create(): Promise<number>
  path: string | ((id: number) => string)
  /** Opens the form and changes something. */
  edit(): Promise<void>
  remove(id: number): Promise<{ result: number }>
  /** Button that saves. */
  save?: string
}

const renameTo = async (dialog: string, field: string) =>
  fill(await findByRole('textbox', field, await findByRole('dialog', dialog)), 'Other')

const EDITED: Readonly<Record<string, Case>> = {
  input: {
    create: () => addNamedInput('Studio'),
    path: ROUTES.inputs,
    async edit() {
      await click(await buttonInRow('Studio', /^Edit/))
      await renameTo('Edit Studio', 'Name')
    },
    remove: (id) => other.send(deleteInputs, { id })
  },
  output: {
    create: () => addSrtOutput('Tower', 9000),
    path: ROUTES.outputs,
    async edit() {
      await click(await buttonInRow('Tower', /^Edit/))
      await renameTo('Edit Tower', 'Name')
    },
    remove: (id) => other.send(deleteOutputs, { id })
  },
  'device group': {
    create: catalog,
    path: ROUTES.allDevices,
    async edit() {
      await click(await findByRole('button', 'Actions: Hall'))
      await click(await findByRole('menuitem', 'Rename'))
      await renameTo('Rename Hall', 'Name')
    },
    remove: (id) => other.send(deleteCatalog, { id })
  },
  'parent of a new device group': {
    create: catalog,
    path: ROUTES.allDevices,
    async edit() {
      await click(await findByRole('button', 'Actions: Hall'))
      await click(await findByRole('menuitem', 'Add group'))
      await renameTo('Add group in Hall', 'Name')
    },
    remove: (id) => other.send(deleteCatalog, { id })
  },
  user: {
    create: user,
    path: ROUTES.users,
    async edit() {
      await click(await buttonInRow('vera', 'Edit: vera'))
      await renameTo('Edit vera', 'User name')
    },
    remove: (id) => other.send(deleteUsers, { id })
  }
}

/** Waits until the console has a message with the sentence, and no dialog. */
async function waitForSentence(): Promise<void> {
  await findByRole('alert', SENTENCE)
  await waitForNone('dialog')
}

for (const [kind, { create, path, edit, remove, save = 'Save' }] of Object.entries(EDITED))
  test(`the ${kind} that is edited is deleted: the dialog says so and closes, and nothing is created again`, async () => {
    const id = await create()
    const console = await openConsole(hub, { at: typeof path === 'string' ? path : path(id) })
    await edit()
    console.muteFeed()
    assert.equal((await remove(id)).result, SUCCESS)
    const before = configuration()
    await click(await findByRole('button', save, await findByRole('dialog')))
    await waitForSentence()
    assert.equal(configuration(), before)
  })

test('the channel that is edited is deleted: the page says so, and leads to the list without a question', async () => {
  const id = await channel('News')
  await openConsole(hub, { at: linkTo('channelDetail', { channelId: String(id), tab: 'settings' }) })
  await fill(await findByRole('textbox', 'Name'), 'Other')
  await findByRole('button', 'Save')
  await other.send(deleteChannels, { id })
  await waitForText('This configuration has been deleted by another user.')
  await click(await findByRole('link', 'Back to the list'))
  await waitForText('No channels yet')
})

test('the user group that is edited is deleted: the page says so and leads to the groups', async () => {
  const id = await userGroup()
  const console = await openConsole(hub, { at: linkTo('userGroup', { groupId: String(id) }) })
  await fill(await findByRole('textbox', 'Name'), 'Other')
  console.muteFeed()
  await other.send(deleteGroup, { id })
  const before = configuration()
  await click(await findByRole('button', 'Save'))
  await waitForSentence()
  assert.equal(configuration(), before)
  await click(await findByRole('link', 'Back to the list'))
  await findRow('Viewer')
})

test('the user group into which a user moves is deleted: the hub says which is missing', async () => {
  const id = await user()
  const group = await userGroup()
  await other.send(deleteGroup, { id: group })
  const reply = await other.send(moveUsers, { id, 'group-id': group })
  assert.equal(reply.result, GROUP_MISSING)
})

/** Opens a list, lets the other delete the only row unnoticed, and runs an action of the row. */
async function actOnDeleted(
  path: string,
  row: string,
  remove: () => Promise<{ result: number }>,
  act: (console: TestConsole) => Promise<void>
): Promise<void> {
  const console = await openConsole(hub, { at: path })
  await findRow(row)
  console.muteFeed()
  assert.equal((await remove()).result, SUCCESS)
  const before = configuration()
  await act(console)
  await waitForSentence()
  assert.equal(configuration(), before)
  await waitForNone('row', row)
}

async function confirmDeletion(name: string): Promise<void> {
  await click(await findByRole('button', `Delete: ${name}`))
  await click(await findByRole('button', `Delete ${name}`, await findByRole('dialog')))
}

test('a token that another user has revoked is reported as deleted', async () => {
  const { id } = await other.send(addToken, { name: 'Script', 'expired-time': NEVER_EXPIRES })
  await actOnDeleted(
    ROUTES.accessTokens,
    'Script',
    () => other.send(deleteTokens, { id }),
    () => confirmDeletion('Script')
  )
})

test('a wall display that another user has ended is reported as deleted, and the wall shows that it ended', async () => {
  const { code } = await other.send(addDisplay, { name: 'Lobby' })
  const wall = hub.client('192.0.2.9')
  await wall.send(openDisplay, { code })
  const id = (await other.send(listSessions, {})).list.find(({ display }) => display)?.id ?? 0
  const path = linkTo('users', { tab: 'sessions' })
  const console = await openConsole(hub, { at: path })
  await until(() => visibleText(document.body).includes('Lobby'), 'the display')
  console.muteFeed()
  assert.equal((await other.send(endSessions, { id })).result, SUCCESS)
  await click(await findByRole('button', /^End: Lobby/))
  await click(await findByRole('button', /^End Lobby/, await findByRole('dialog')))
  await waitForSentence()
  assert.equal((await other.send(openDisplay, { code })).result, MISMATCH, 'the used link opens no other session')
})

test('a preset and a rollout that do not exist any more are refused, and not created again', async () => {
  const { id } = await other.send(addPreset, { name: 'Tube', protocol: 1, config: { url: 'rtmp://192.0.2.1/live' } })
  assert.equal((await other.send(deletePreset, { id })).result, SUCCESS)
  const before = configuration()
  const reply = await other.send(setPreset, {
    ...{ id, name: 'Tube', protocol: 1 },
    config: { url: 'rtmp://192.0.2.1/other' }
  })
  assert.deepEqual([reply.result, reply.by?.name], [NOT_EXIST, 'Admin'])
  assert.equal((await other.send(deleteRollout, { id: 1 })).result, NOT_EXIST)
  assert.equal(configuration(), before)
})

/** Opens a page, lets the other delete its object, and waits until the page says so. */
async function viewDeleted(at: string, heading: string, remove: () => Promise<unknown>): Promise<void> {
  await openConsole(hub, { at })
  await until(() => queryAllByRole('heading', heading).length > 0, 'the page')
  await remove()
  await waitForText('This configuration has been deleted by another user.')
  assert.equal(queryAllByRole('heading', heading).length, 0)
  await click(await findByRole('link', 'Back to the list'))
  await waitForNone('link', 'Back to the list')
}

test('a page whose object another user deletes says so, and leads to the list', async () => {
  const channelId = await channel('News')
  await viewDeleted(linkTo('channelDetail', { channelId: String(channelId) }), 'News', () =>
    other.send(deleteChannels, { id: channelId })
  )
  await closeConsole()
  const userId = await user()
  await viewDeleted(linkTo('user', { userId: String(userId) }), 'vera', () => other.send(deleteUsers, { id: userId }))
  await closeConsole()
  const groupId = await catalog()
  await viewDeleted(linkTo('groupDevices', { catalog: String(groupId) }), 'Hall', () =>
    other.send(deleteCatalog, { id: groupId })
  )
  await closeConsole()
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  await viewDeleted(linkTo('deviceDetail', { sn, catalog: '0' }), 'Hall 1', () =>
    other.send(deleteDevices, { sn: [sn] })
  )
})

test('a page of an object that was never there names no other user', async () => {
  await openConsole(hub, { at: linkTo('user', { userId: '1024' }) })
  await waitForText('Nothing found')
  assert.ok(!visibleText(document.body).includes('deleted by another user'))
})

test.run()
