// Fixtures for tests of the channel list and its dialogs.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  channelDashboard,
  enableChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { ROUTES } from '../../../src/paths.ts'
import { registerDevices } from '../hub/register-devices.ts'
import { until } from '../until.ts'
import { openConsole } from './console.ts'
import { hub, other } from './hub-for-each.ts'
import { click, findByRole, queryAllByRole } from './page.ts'
import { buttonInRow } from './table-rows.ts'

/** The channels of the hub, sorted by name. */
export async function listedChannels(): Promise<Channel[]> {
  return (await other.send(channelDashboard, { sort: 'name', order: 'ascending' })).list
}
export const storedOutputs = () =>
  hub.parts.store.sources.outputs().map(({ name, protocol, config }) => ({ name, protocol, config }))

export async function addNamedChannel(name: string): Promise<number> {
  return (await other.send(addChannel, { name })).id
}
/** Adds an SRT listener to a channel. @returns the ID of the output */
export async function addSrtOutput(channel: number, name: string, port: number): Promise<number> {
  const config = { mode: 'listener', 'bind-port': port } as const
  const { id } = await other.send(addOutput, { name, protocol: SRT, config })
  assert.equal((await other.send(addChannelOutputs, { id: channel, outputs: [id] })).result, SUCCESS)
  return id
}
/** Registers and accepts devices. @returns their node IDs */
export async function addDevices(count: number): Promise<number[]> {
  await other.send(acceptDevices, { sn: registerDevices(hub, count) })
  const { list } = await other.send(listDevices, { sort: 'sn', order: 'ascending' })
  return list.map(({ id }) => id)
}
/** Adds a channel with a device as its input and one output, and starts it. */
export async function startLiveChannel(): Promise<{ id: number; output: number }> {
  const id = await addNamedChannel('News')
  const [device = 0] = await addDevices(1)
  await other.send(setChannelInput, { id, input: device })
  const output = await addSrtOutput(id, 'Hall screen', 9001)
  await other.send(enableChannel, { id, enable: true })
  return { id, output }
}

export const openChannelList = async () => {
  const console = await openConsole(hub, { at: ROUTES.channels })
  await until(() => queryAllByRole('button', 'Add channel').length > 0, 'the list')
  return console
}
export async function chooseFromMenu(name: string, item: string): Promise<void> {
  await click(await buttonInRow(name, `Actions: ${name}`))
  await click(await findByRole('menuitem', item))
}
/** Opens the dialog for a new channel, and waits until it proposes a free port. */
export async function openAddDialog() {
  await click(queryAllByRole('button', 'Add channel')[0] as HTMLElement)
  return findForm('Add channel', 'Add channel', 'SRT output port')
}
/** @param proposed the field whose value the hub proposes: waits for it */
export async function findForm(title: string, verb: string, proposed?: string) {
  const dialog = await findByRole('dialog', title)
  const field = (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog)
  if (proposed) {
    const free = await field(proposed)
    await until(() => free.value !== '', 'a free port')
  }
  return {
    dialog,
    field,
    list: (name: string) => findByRole<HTMLSelectElement>('combobox', name, dialog),
    send: async () => click(await findByRole('button', verb, dialog))
  }
}

/** Opens the dialog for a new input on top of the channel dialog. */
export async function openAddInput() {
  await click(await findByRole('button', 'Add input'))
  return findForm('Add input', 'Add input')
}
