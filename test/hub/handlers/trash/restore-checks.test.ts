// Restoring checks what creating checks: loops, addresses, names, directions.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { BAD_ADDRESS, OBJECT_BUSY, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../../contract/device/device.ts'
import { setSettings } from '../../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannels,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { DIR_OUTPUT, NDI, RTMP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, deleteInputs, deleteOutputs, setInput } from '../../../../contract/stream/source.ts'
import { listTrash, restoreTrash } from '../../../../contract/trash.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('checks of restoring')

hubForEach(test)

const addNews = async () => (await admin.send(addChannel, { name: 'News' })).id
const addSource = async (name: string, url: string) =>
  (await admin.send(addInput, { name, config: { type: 1, url } })).id
const removeChannel = async (id: number) => (await admin.send(deleteChannels, { id })).trash[0] ?? 0
const names = async () => (await admin.send(listTrash, {})).list.map(({ name }) => name)
const channelOf = async (id: number) => (await admin.send(queryChannel, { id })).channel
/** Restores one entry. @returns what it could not be given back */
async function restore(id: number) {
  const { result, restored } = await admin.send(restoreTrash, { id })
  assert.equal(result, SUCCESS)
  return restored[0]?.['left-out'] ?? []
}

/** A channel that receives from a host, and an output that sends to it. */
async function addLoop() {
  const id = await addNews()
  const main = await addSource('Main', 'srt://live.example:9000')
  const config = { url: 'rtmp://live.example/app', key: 'abc' }
  const output = (await admin.send(addOutput, { name: 'YouTube', protocol: RTMP, config })).id
  return { id, main, output }
}

/** Restores entries, which the hub does only by force because of the host. */
async function restoreByForce(id: number | number[]): Promise<void> {
  const before = await names()
  const refused = await admin.send(restoreTrash, { id })
  assert.deepEqual([refused.result, refused['same-host']], [OBJECT_BUSY, 'live.example'])
  assert.deepEqual(await names(), before)
  assert.equal((await admin.send(restoreTrash, { id, force: true })).result, SUCCESS)
}

test('an input from the host of an output is restored to its channel only by force', async () => {
  const { id, main, output } = await addLoop()
  await admin.send(setChannelInput, { id, input: main })
  const { trash } = await admin.send(deleteInputs, { id: main, force: true })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await restoreByForce(trash)
  assert.equal((await channelOf(id)).input?.id, main)
})

test('a backup from the host of an output is restored to its channel only by force', async () => {
  const { id, main, output } = await addLoop()
  await admin.send(setChannel, { id, name: 'News', config: { backups: [main] } })
  const { trash } = await admin.send(deleteInputs, { id: main, force: true })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await restoreByForce(trash)
  assert.deepEqual((await channelOf(id)).config.backups, [main])
})

test('an output to the host of the input is restored to its channel only by force', async () => {
  const { id, main, output } = await addLoop()
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const { trash } = await admin.send(deleteOutputs, { id: output, force: true })
  await admin.send(setChannelInput, { id, input: main })
  await restoreByForce(trash)
  assert.deepEqual(
    (await channelOf(id)).outputs.list.map((leg) => leg.id),
    [output]
  )
})

test('a channel whose input was changed to the host of an output is restored only by force', async () => {
  const { id, output } = await addLoop()
  const other = await addSource('Other', 'srt://192.0.2.1:9000')
  await admin.send(setChannelInput, { id, input: other })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const entry = await removeChannel(id)
  await admin.send(setInput, { id: other, name: 'Other', config: { type: 1, url: 'srt://live.example:9001' } })
  await restoreByForce(entry)
})

test('an input and an output with an address that is forbidden now are refused, and stay in the trash', async () => {
  const input = await addSource('Camera', 'srt://192.168.7.1:9000')
  const config = { url: 'rtmp://192.168.7.2/app', key: 'abc' }
  const output = (await admin.send(addOutput, { name: 'Server', protocol: RTMP, config })).id
  const trash = [
    ...(await admin.send(deleteInputs, { id: input })).trash,
    ...(await admin.send(deleteOutputs, { id: output })).trash
  ]
  await admin.send(setSettings, { streams: { 'forbid-private': true } })
  for (const id of trash) {
    const { result, forbidden } = await admin.send(restoreTrash, { id })
    assert.deepEqual([result, forbidden], [BAD_ADDRESS, true])
  }
  assert.deepEqual(await names(), ['Server', 'Camera'])
})

test('an NDI output gets a shorter name if the machine has a longer one now', async () => {
  const name = 'a'.repeat(40)
  const { id } = await admin.send(addOutput, { name, protocol: NDI, config: {} })
  const { trash } = await admin.send(deleteOutputs, { id })
  const { settings } = hub.parts.store
  settings.set('ndi-discovery', { ...settings.get('ndi-discovery'), 'machine-name': 'm'.repeat(40) })
  const now = 'a'.repeat(63 - 40 - ' ()'.length)
  assert.deepEqual(await restore(trash[0] ?? 0), [{ of: 'name', was: name, now }])
})

test('a device that can no longer be an input is not restored to its channel', async () => {
  hub.parts.registry.register(helloOf(1), '192.0.2.10')
  await admin.send(acceptDevices, { sn: [helloOf(1).sn] })
  const { dev } = await admin.send(queryDevice, { sn: helloOf(1).sn })
  const id = await addNews()
  await admin.send(setChannelInput, { id, input: dev.id })
  const entry = await removeChannel(id)
  hub.parts.registry.register(helloOf(1, { dir: DIR_OUTPUT }), '192.0.2.10')
  assert.deepEqual(await restore(entry), [{ of: 'input', was: 'Hall 1' }])
})

test.run()
