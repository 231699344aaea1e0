// Undo of changes that take nothing off air. test/src/screens/trash has that of deletions.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, listCatalogs, renameCatalog, setCatalog } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../contract/device/device.ts'
import { listProblems } from '../../contract/problem.ts'
import { addChannel, queryChannel, setChannel } from '../../contract/stream/channel.ts'
import { addPreset, listPresets, setPreset } from '../../contract/stream/preset.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { openConsole } from '../kit/console/console.ts'
import { hub, hubForEach, other } from '../kit/console/hub-for-each.ts'
import { click, fill, findByRole, selectOption, waitForText } from '../kit/console/page.ts'
import { openAddDialog, openSourceList } from '../kit/console/source-list.ts'
import { helloOf, registerDevices } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('undo')

hubForEach(test)

/** Undoes the last action with the button of its message. */
const undo = async () => click(await findByRole('button', 'Undo', await findByRole('region', 'Notices')))

const addGroup = async (name: string) => (await other.send(addCatalog, { 'parent-id': 0, name })).id

/** Writes a new name into the dialog of this title. */
async function saveName(title: string, name: string): Promise<void> {
  const dialog = await findByRole('dialog', title)
  await fill(await findByRole('textbox', 'Name', dialog), name)
  await click(await findByRole('button', 'Save', dialog))
  await waitForText(`${name} saved`)
}

/** The message of an undo that found another state than the action had left. */
const waitForChangedByAnother = () => waitForText(/changed by another/)

async function renameHall(): Promise<number> {
  const id = await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Actions: Hall'))
  await click(await findByRole('menuitem', 'Rename'))
  await saveName('Rename Hall', 'Great Hall')
  return id
}
const groupName = async () => (await other.send(listCatalogs, {})).list[0]?.name

test('a renamed group has its name again', async () => {
  await renameHall()
  await undo()
  await until(async () => (await groupName()) === 'Hall', 'the name is back')
})

test('a group that another user has renamed meanwhile keeps that name, and the user is told', async () => {
  const id = await renameHall()
  await other.send(renameCatalog, { id, name: 'Arena' })
  await undo()
  await waitForChangedByAnother()
  assert.equal(await groupName(), 'Arena')
})

async function renamePreset(): Promise<number> {
  const config = { url: 'rtmp://192.0.2.9/live' }
  const { id } = await other.send(addPreset, { name: 'Site', protocol: RTMP, config })
  await openSourceList(ROUTES.outputs)
  const { list } = await openAddDialog('Add output')
  await selectOption(await list('Destination'), 'Site')
  await click(await findByRole('button', 'Rename preset'))
  await saveName('Rename preset', 'Church')
  return id
}
const presets = async () => (await other.send(listPresets, {})).list.map(({ name, config }) => [name, config.url])

test('a renamed preset has its name again, and keeps what another user has changed besides', async () => {
  const id = await renamePreset()
  const url = 'rtmp://192.0.2.9/other'
  await other.send(setPreset, { id, name: 'Church', protocol: RTMP, config: { url } })
  await undo()
  await until(async () => (await presets())[0]?.[0] === 'Site', 'the name is back')
  assert.deepEqual(await presets(), [['Site', url]])
})

test('a preset that another user has renamed meanwhile keeps that name, and the user is told', async () => {
  const id = await renamePreset()
  const config = { url: 'rtmp://192.0.2.9/live' }
  await other.send(setPreset, { id, name: 'Chapel', protocol: RTMP, config })
  await undo()
  await waitForChangedByAnother()
  assert.deepEqual(await presets(), [['Chapel', config.url]])
})

/** Renames the device Hall 1. @returns the names that the device was sent */
async function renameDevice(): Promise<string[]> {
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  hub.parts.registry.setOnline(sn)
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  const names: string[] = []
  console.intercept = (path, body) => {
    if (!path.endsWith('/device/rename')) return undefined
    names.push(JSON.parse(body ?? '').name)
    return Response.json({ result: SUCCESS, details: [{ sn, result: SUCCESS }] })
  }
  await click(await findByRole('button', 'Actions: Hall 1'))
  await click(await findByRole('menuitem', 'Rename'))
  await saveName('Rename Hall 1', 'Stage')
  return names
}
const reportName = (name: string) => hub.parts.registry.register(helloOf(1, { name }), '192.0.2.10')

test('a renamed device is sent its name again', async () => {
  const names = await renameDevice()
  reportName('Stage')
  await undo()
  await until(() => names.join() === 'Stage,Hall 1', 'the name before')
})

test('a device that another user has renamed meanwhile keeps that name, and the user is told', async () => {
  const names = await renameDevice()
  reportName('Pulpit')
  await undo()
  await waitForChangedByAnother()
  assert.deepEqual(names, ['Stage'])
})

const groupOf = async (sn = '') => (await other.send(queryDevice, { sn })).dev['catalog-id']

/** Moves all devices to the group Studio. @returns its id */
async function moveAllToStudio(sn: readonly string[]): Promise<number> {
  const to = await addGroup('Studio')
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Move to group', await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', /^Move to group: Hall 1/)
  await selectOption(await findByRole('combobox', 'Group', dialog), 'Studio')
  await click(await findByRole('button', 'Move to group', dialog))
  await until(async () => (await groupOf(sn[1])) === to, 'the devices are moved')
  return to
}

test('moved devices are in their groups again, each in its own', async () => {
  const sn = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn })
  const from = await addGroup('Hall')
  await other.send(setCatalog, { id: from, devices: sn.slice(0, 1) })
  await moveAllToStudio(sn)
  await undo()
  await until(async () => (await groupOf(sn[1])) === 0, 'the devices are back')
  assert.equal(await groupOf(sn[0]), from)
})

test('a device that another user has moved meanwhile stays there, and the user is told which', async () => {
  const sn = registerDevices(hub, 3)
  await other.send(acceptDevices, { sn })
  await moveAllToStudio(sn)
  const to = await addGroup('Lobby')
  await other.send(setCatalog, { id: to, devices: sn.slice(1, 2) })
  await undo()
  const dialog = await findByRole('dialog', 'Move to group')
  await waitForText(/Hall 2 .*changed by another/, dialog)
  await until(async () => (await groupOf(sn[2])) === 0, 'the others are back')
  assert.deepEqual([await groupOf(sn[0]), await groupOf(sn[1])], [0, to])
})

test('an acknowledgement is withdrawn', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  await openConsole(hub, { at: ROUTES.problems })
  await click(await findByRole('button', 'Acknowledge'))
  await click(await findByRole('button', 'Acknowledge', await findByRole('dialog')))
  const acknowledged = async () => (await other.send(listProblems, {})).list[0]?.ack !== undefined
  await until(acknowledged, 'the problem is acknowledged')
  await undo()
  await until(async () => !(await acknowledged()), 'the acknowledgement is withdrawn')
})

test('settings of a channel are as before, in the hub and in the form', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await openConsole(hub, { at: `${linkTo('channelDetail', { channelId: String(id) })}?tab=settings` })
  const name = await findByRole<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Sport')
  await click(await findByRole('button', 'Save'))
  const nameAtHub = async () => (await other.send(queryChannel, { id })).channel.name
  await until(async () => (await nameAtHub()) === 'Sport', 'the name is saved')
  await undo()
  await until(async () => (await nameAtHub()) === 'News', 'the name is back')
  await until(() => name.value === 'News', 'the form shows it')
})

test('a name that another user gave meanwhile stays', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await openConsole(hub, { at: `${linkTo('channelDetail', { channelId: String(id) })}?tab=settings` })
  await fill(await findByRole<HTMLInputElement>('textbox', 'Name'), 'Sport')
  await click(await findByRole('button', 'Save'))
  await waitForText('Sport saved')
  await other.send(setChannel, { id, name: 'Film' })
  await undo()
  await waitForText('Film saved')
  assert.equal((await other.send(queryChannel, { id })).channel.name, 'Film')
})

test('a setting that another user has changed meanwhile stays, and the user is told', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  await openConsole(hub, { at: `${linkTo('channelDetail', { channelId: String(id) })}?tab=settings` })
  const config = async () => (await other.send(queryChannel, { id })).channel.config
  await click(await findByRole('checkbox', /slate/))
  await fill(await findByRole('textbox', /packet loss/), '5')
  await click(await findByRole('button', 'Save'))
  await waitForText('News saved')
  const saved = await config()
  const health = { 'loss-percent': 7, discontinuities: 3 }
  await other.send(setChannel, { id, name: 'News', config: { health } })
  await undo()
  await until(async () => (await config()).slate !== saved.slate, 'the setting that nobody else has changed is back')
  assert.deepEqual((await config()).health, health)
  await waitForChangedByAnother()
})

test.run()
