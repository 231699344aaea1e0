// Undo of changes that take nothing off air. test/src/screens/trash has that of deletions.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, listCatalogs, setCatalog } from '../../contract/catalog.ts'
import { acceptDevices, queryDevice } from '../../contract/device/device.ts'
import { listProblems } from '../../contract/problem.ts'
import { addChannel, queryChannel, setChannel } from '../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { openConsole } from '../kit/console/console.ts'
import { hub, hubForEach, other } from '../kit/console/hub-for-each.ts'
import { click, fill, findByRole, selectOption, waitForText } from '../kit/console/page.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('undo')

hubForEach(test)

/** Undoes the last action with the button of its message. */
const undo = async () => click(await findByRole('button', 'Undo', await findByRole('region', 'Notices')))

const addGroup = async (name: string) => (await other.send(addCatalog, { 'parent-id': 0, name })).id

test('a renamed group has its name again', async () => {
  await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('button', 'Actions: Hall'))
  await click(await findByRole('menuitem', 'Rename'))
  const dialog = await findByRole('dialog', 'Rename Hall')
  await fill(await findByRole('textbox', 'Name', dialog), 'Great Hall')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Great Hall saved')
  await undo()
  await until(async () => (await other.send(listCatalogs, {})).list[0]?.name === 'Hall', 'the name is back')
})

test('moved devices are in their groups again, each in its own', async () => {
  const sn = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn })
  const [from, to] = [await addGroup('Hall'), await addGroup('Studio')]
  await other.send(setCatalog, { id: from, devices: sn.slice(0, 1) })
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Move to group', await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', 'Move to group')
  await selectOption(await findByRole('combobox', 'Group', dialog), 'Studio')
  await click(await findByRole('button', 'Move to group', dialog))
  const groupOf = async (serial = '') => (await other.send(queryDevice, { sn: serial })).dev['catalog-id']
  await until(async () => (await groupOf(sn[1])) === to, 'the devices are moved')
  await undo()
  await until(async () => (await groupOf(sn[1])) === 0, 'the devices are back')
  assert.equal(await groupOf(sn[0]), from)
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
  await waitForText(/changed by another/)
})

test.run()
