// Undo of changes that take nothing off air. test/src/screens/trash has that of deletions.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_GROUPS } from '../../contract/access/visibility.ts'
import { addCatalog, listCatalogs, renameCatalog, setCatalog } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, queryDevice, setDeviceSecurity } from '../../contract/device/device.ts'
import { listProblems } from '../../contract/problem.ts'
import { addChannel, queryChannel, setChannel, setChannelInput } from '../../contract/stream/channel.ts'
import { addPreset, listPresets, setPreset } from '../../contract/stream/preset.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { addInput } from '../../contract/stream/source.ts'
import { addTag, assignTags } from '../../contract/tag.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { chooseFromMenu } from '../kit/console/channel-list.ts'
import { openConsole } from '../kit/console/console.ts'
import { hub, hubForEach, other } from '../kit/console/hub-for-each.ts'
import { click, fill, findByRole, findFormDialog, selectOption, waitForText } from '../kit/console/page.ts'
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

test('devices are no favorites again', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  await openConsole(hub, { at: ROUTES.allDevices })
  await chooseFromMenu('Hall 1', 'Add to favorites')
  await waitForText('Hall 1 saved')
  await undo()
  await click(await findByRole('button', 'Actions: Hall 1'))
  await findByRole('menuitem', 'Add to favorites')
})

const inputOf = async (id: number) => (await other.send(queryChannel, { id })).channel

/** Sets the input Spare as the main input of a channel, of which it is the second backup. */
async function setMainInput() {
  const { id } = await other.send(addChannel, { name: 'News' })
  const ids: number[] = []
  for (const name of ['Main', 'First', 'Spare']) {
    const config = { type: 1, url: `srt://192.0.2.${ids.length + 1}:9000` } as const
    ids.push((await other.send(addInput, { name, config })).id)
  }
  const [main = 0, first = 0, spare = 0] = ids
  await other.send(setChannelInput, { id, input: main })
  await other.send(setChannel, { id, name: 'News', config: { backups: [first, spare] } })
  await openConsole(hub, { at: ROUTES.channels })
  await chooseFromMenu('News', 'Change input')
  const dialog = await findByRole('dialog', 'Change input: News')
  await selectOption(await findByRole('combobox', 'Device or input', dialog), 'SRT · Spare')
  await click(await findByRole('button', 'Change input', dialog))
  await waitForText('News saved')
  return { id, main, first, spare }
}

test('a channel has its main input again, and the backup that took its place', async () => {
  const { id, main, first, spare } = await setMainInput()
  await undo()
  await until(async () => (await inputOf(id)).config.backups?.length === 2, 'the backups')
  const { input, config } = await inputOf(id)
  assert.deepEqual([input?.id, config.backups], [main, [first, spare]])
})

test('a main input that another user has set meanwhile stays, and the user is told', async () => {
  const { id, first } = await setMainInput()
  await other.send(setChannelInput, { id, input: first })
  await undo()
  await waitForChangedByAnother()
  assert.equal((await inputOf(id)).input?.id, first)
})

/** Accepts two devices. @returns their serial numbers */
async function acceptTwoDevices(): Promise<string[]> {
  const serials = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn: serials })
  return serials
}

/** Selects all devices of the list and opens a dialog about them. */
async function openForAll(action: string): Promise<void> {
  await openConsole(hub, { at: ROUTES.allDevices })
  await findByRole('row', /Hall 2/)
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'More', await findByRole('toolbar', 'Actions')))
  await click(await findByRole('menuitem', action))
}

test('devices have their tags again, each its own', async () => {
  const [first, second] = [
    (await other.send(addTag, { name: 'Client A', color: 'teal' })).id,
    (await other.send(addTag, { name: 'Client B', color: 'red' })).id
  ]
  const serials = await acceptTwoDevices()
  await other.send(assignTags, { sn: serials.slice(0, 1), add: [first] })
  await other.send(assignTags, { sn: serials, add: [second] })
  await openForAll('Edit tags')
  const dialog = await findByRole('dialog', 'Tags: 2 items')
  await click(await findByRole('checkbox', /^Client A/, dialog))
  await click(await findByRole('checkbox', 'Client B', dialog))
  await click(await findByRole('button', 'Save', dialog))
  const tags = async () =>
    Promise.all(serials.map(async (sn) => (await other.send(queryDevice, { sn })).dev.tags ?? []))
  await until(async () => JSON.stringify(await tags()) === JSON.stringify([[first], [first]]), 'the tags are changed')
  await undo()
  const isBack = async () => JSON.stringify(await tags()) === JSON.stringify([[first, second], [second]])
  await until(isBack, 'the tags are as before')
})

const security = async (serials: readonly string[]) =>
  Promise.all(
    serials.map(async (sn) => {
      const { dev } = await other.send(queryDevice, { sn })
      return dev['is-inherit'] || dev['group-mask']
    })
  )

/** Gives everyone access to two devices, one of which only one group sees. */
async function openToEveryone(): Promise<string[]> {
  const serials = await acceptTwoDevices()
  await other.send(setDeviceSecurity, {
    sn: serials.slice(0, 1),
    security: { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 }
  })
  await openForAll('Access')
  const dialog = await findFormDialog('Access to 2 devices')
  await click(await findByRole('checkbox', 'Everyone, including new groups', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await findByRole('button', 'Undo', await findByRole('region', 'Notices'))
  assert.deepEqual(await security(serials), [ALL_GROUPS, ALL_GROUPS])
  return serials
}

test('devices have their access again, each its own', async () => {
  const serials = await openToEveryone()
  await undo()
  await until(async () => (await security(serials)).join() === '2,1', 'the access is as before')
})

test('access that another user has set meanwhile stays, and the user is told', async () => {
  const serials = await openToEveryone()
  await other.send(setDeviceSecurity, {
    sn: serials.slice(1),
    security: { 'is-inherit': 0, 'group-mask': 4, 'usr-mask': 0 }
  })
  await undo()
  await waitForChangedByAnother()
  await until(async () => (await security(serials)).join() === '2,4', 'that of the other device is as before')
})

test('a channel has its tags again', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  const tag = await other.send(addTag, { name: 'Client A', color: 'teal' })
  await openConsole(hub, { at: ROUTES.channels })
  await chooseFromMenu('News', 'Edit tags')
  const dialog = await findByRole('dialog', 'Tags: News')
  await click(await findByRole('checkbox', 'Client A', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await until(async () => (await inputOf(id)).tags?.join() === String(tag.id), 'the tag is set')
  await undo()
  await until(async () => !(await inputOf(id)).tags?.length, 'the tag is gone')
})

test('a channel inherits its access again', async () => {
  const { id } = await other.send(addChannel, { name: 'News' })
  const inherits = async () => Boolean((await inputOf(id))['is-inherit'])
  await openConsole(hub, { at: linkTo('channelDetail', { channelId: String(id), tab: 'access' }) })
  await click(await findByRole('checkbox', 'Inherit'))
  await click(await findByRole('button', 'Save'))
  await until(async () => !(await inherits()), 'its own access')
  await undo()
  await until(inherits, 'the access is inherited again')
})

test.run()
