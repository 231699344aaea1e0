import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { INVALID_ARG, NOT_EXIST, OBJECT_BUSY, SUCCESS, UNSUPPORTED, WRONG_STATE } from '../../../../contract/codes.ts'
import { addDevice } from '../../../../contract/device/address.ts'
import {
  acceptDevices,
  configureDevices,
  queryDevice,
  setDeviceSecurity,
  setFavorite
} from '../../../../contract/device/device.ts'
import { swapDevices } from '../../../../contract/device/swap.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, enableChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { DIR_INPUT, DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { addTag, assignTags } from '../../../../contract/tag.ts'
import { addressedHubForEach, createAddRequest, startDevice } from '../../../kit/fleet/addressed-devices.ts'
import { connectLinkDevice, type LinkDevice } from '../../../kit/fleet/link-device.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('swap of devices')
const connected: LinkDevice[] = []
test.after.each(async () => {
  for (const device of connected.splice(0)) await device.end()
})
addressedHubForEach(test)

const BROKEN = helloOf(1)
const SPARE = helloOf(2)
const swap = (sn: string, toSn: string, force?: boolean) => admin.send(swapDevices, { sn, 'to-sn': toSn, force })
const rowOf = (sn: string) => {
  const row = hub.parts.store.devices.bySerial(sn)
  assert.ok(row)
  return row
}
const deviceOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

async function register(...hellos: (typeof BROKEN)[]): Promise<void> {
  for (const hello of hellos) hub.parts.registry.register(hello, '192.0.2.10')
  await admin.send(acceptDevices, { sn: hellos.map(({ sn }) => sn) })
}

/** Connects devices that note the paths of their orders. */
async function connect(...hellos: (typeof BROKEN)[]): Promise<string[][]> {
  const { linkPort } = await hub.listen(0, 0)
  const paths = hellos.map((): string[] => [])
  for (const [index, hello] of hellos.entries())
    connected.push(
      await connectLinkDevice(linkPort, hello, ({ path }) => {
        paths[index]?.push(path)
        return { result: SUCCESS }
      })
    )
  await admin.send(acceptDevices, { sn: hellos.map(({ sn }) => sn) })
  for (const { sn } of hellos) await until(() => hub.parts.registry.isOnline(sn), 'it is online')
  return paths
}

test('a device gets the whole place of another one, and the same call the other way round undoes it', async () => {
  await register(BROKEN, SPARE)
  const [{ sn: a }, { sn: b }] = [BROKEN, SPARE]
  const { id: group } = await admin.send(addCatalog, { id: 0, name: 'Campus' })
  await admin.send(setCatalog, { id: group, devices: [a] })
  const config = { input: { protocol: 2, 'stream-index': 1, latency: 400 } }
  await admin.send(configureDevices, { sn: [a], config })
  await admin.send(setFavorite, { sn: [a], favorite: true })
  await admin.send(setDeviceSecurity, { sn: a, security: { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } })
  const { id: tag } = await admin.send(addTag, { name: 'Stage', color: 'red' })
  assert.equal((await admin.send(assignTags, { sn: [a], add: [tag] })).result, SUCCESS)
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel, input: rowOf(a).id })
  const before = [rowOf(a), rowOf(b)]
  const place = ({ name, config, tags, ...device }: Awaited<ReturnType<typeof deviceOf>>) => ({
    ...{ name, config, tags },
    ...{ id: device.id, group: device['catalog-id'], favorite: device['is-favorite'], masks: device['group-mask'] },
    channels: device['owner-i']
  })
  const [placeOfA, placeOfB] = [place(await deviceOf(a)), place(await deviceOf(b))]
  assert.deepEqual(
    [placeOfA.group, placeOfA.config, placeOfA.tags, placeOfA.channels],
    [group, config, [tag], ['Hall']]
  )

  assert.equal((await swap(a, b, true)).result, SUCCESS)
  assert.deepEqual([place(await deviceOf(b)), place(await deviceOf(a))], [placeOfA, placeOfB])
  assert.equal((await deviceOf(b))['connect-ip'], '192.0.2.10')
  const input = (await admin.send(queryChannel, { id: channel })).channel.input
  assert.deepEqual([input?.id, input?.sn], [placeOfA.id, b])
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.deepEqual([line?.event, line?.detail], ['/device/swap', `Hall 1: ${a} → ${b}`])

  assert.equal((await swap(b, a, true)).result, SUCCESS)
  assert.deepEqual([rowOf(a), rowOf(b)], before)
  assert.deepEqual([place(await deviceOf(a)), place(await deviceOf(b))], [placeOfA, placeOfB])
})

test('a running channel takes its stream from the new device, which also gets the name', async () => {
  const [old = [], fresh = []] = await connect(BROKEN, SPARE)
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: rowOf(BROKEN.sn).id })
  await admin.send(enableChannel, { id, enable: true })
  await until(() => old.includes('/link/push'), 'the first one is ordered to send')
  assert.equal((await swap(BROKEN.sn, SPARE.sn)).result, SUCCESS)
  await until(() => fresh.includes('/link/push'), 'the other one is ordered to send')
  await until(() => fresh.some((path) => path.includes('set-name&name=Hall%201')), 'it gets the name')
  await until(() => old.some((path) => path.includes('set-name&name=Hall%202')), 'the first one gets the other name')
})

test('a broken device that comes back gets the name of its new place, and its own again if the swap was undone', async () => {
  await connect(SPARE)
  const device = await startDevice('encodeAio', { sn: 'B313210699999' })
  const { sn } = await admin.send(addDevice, createAddRequest(device))
  const name = rowOf(sn).name
  await device.close()
  await until(() => !hub.parts.registry.isOnline(sn), 'it is broken')
  assert.equal((await swap(sn, SPARE.sn, true)).result, SUCCESS)
  const back = await startDevice('encodeAio', { sn, port: device.port })
  assert.notEqual(back.appliance.name(), SPARE.name)
  await until(() => back.appliance.name() === SPARE.name, 'it gets the name of its new place')
  assert.equal(rowOf(sn).name, SPARE.name)
  await until(() => rowOf(sn).previous_name === '', 'that is done once')

  await back.close()
  await until(() => !hub.parts.registry.isOnline(sn), 'it is broken again')
  assert.equal((await swap(SPARE.sn, sn, true)).result, SUCCESS)
  assert.equal((await swap(sn, SPARE.sn, true)).result, SUCCESS)
  assert.equal((await swap(SPARE.sn, sn, true)).result, SUCCESS)
  const again = await startDevice('encodeAio', { sn, port: device.port })
  await until(() => again.appliance.name() === name && rowOf(sn).previous_name === '', 'it has its own name')
  assert.equal(rowOf(sn).name, name)
})

test('a broken device with a link does not show its old name when it comes back', async () => {
  await register(BROKEN, SPARE)
  assert.equal((await swap(BROKEN.sn, SPARE.sn, true)).result, SUCCESS)
  const [paths = []] = await connect(BROKEN)
  assert.equal(rowOf(BROKEN.sn).name, SPARE.name)
  await until(() => paths.some((path) => path.includes('set-name&name=Hall%202')), 'it gets the name')
})

test('the address of a device goes with it', async () => {
  const device = await startDevice('encodeAio', { sn: 'B313210699999' })
  const { sn } = await admin.send(addDevice, createAddRequest(device))
  await register({ ...BROKEN, dir: 0, preview: false })
  const places = [rowOf(BROKEN.sn).id, rowOf(sn).id]
  const { deviceStreams } = hub.parts.store
  // What it did before the hub used it is given back to it, and not to the other one.
  deviceStreams.setBefore(places[1] ?? 0, 'push', { live: true })
  assert.equal((await swap(BROKEN.sn, sn)).result, SUCCESS)
  assert.deepEqual([rowOf(sn).id, rowOf(BROKEN.sn).id], places)
  assert.deepEqual(hub.parts.store.deviceAddresses.ids(), [places[0]])
  assert.deepEqual(
    places.map((id) => deviceStreams.before(id, 'push')),
    [{ live: true }, undefined]
  )
  assert.equal((await deviceOf(sn)).at?.port, device.port)
  assert.equal((await deviceOf(BROKEN.sn)).at, undefined)
  assert.ok(hub.parts.registry.isOnline(sn))
  assert.equal(device.appliance.name(), 'Hall 1')
  assert.equal(hub.parts.store.deviceAddresses.get(places[0] ?? 0)?.password, device.password)
})

test('what the other device cannot take over is named before, and its direction is required', async () => {
  const decoder = helloOf(3, {
    ...{ module: 4, 'module-name': 'Pro Convert', 'product-id': 1040, api: 'mwapi' },
    ...{ dir: DIR_OUTPUT, preview: false, name: 'Lobby' }
  })
  await register({ ...BROKEN, name: "Hall (1) 'A'" }, decoder)
  await admin.send(configureDevices, { sn: [BROKEN.sn], config: { input: { protocol: 2, 'stream-index': 0 } } })
  const { result, losses, message } = await swap(BROKEN.sn, decoder.sn)
  assert.deepEqual([result, losses], [OBJECT_BUSY, ['recording', 'picture', 'name', 'offline']])
  assert.match(message ?? '', /cannot take over everything\nIt does not record/)
  assert.equal(rowOf(BROKEN.sn).name, "Hall (1) 'A'")

  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: rowOf(BROKEN.sn).id })
  for (const [sn, other] of [
    [BROKEN.sn, decoder.sn],
    [decoder.sn, BROKEN.sn]
  ] as const) {
    const refused = await swap(sn, other, true)
    assert.deepEqual([refused.result, refused.field, refused.losses], [UNSUPPORTED, 'to-sn', ['input']])
  }
  await admin.send(setChannelInput, { id, input: 0 })
  assert.equal((await swap(BROKEN.sn, decoder.sn, true)).result, SUCCESS)
  assert.equal(rowOf(decoder.sn).dir, DIR_OUTPUT)
})

test('devices that do not exist, wait for approval, are not visible or are the same are not swapped', async () => {
  await register(BROKEN, SPARE)
  hub.parts.registry.register(helloOf(3), '192.0.2.10')
  const refusal = async (sn: string, toSn: string, client = admin) => {
    const { result, field } = await client.send(swapDevices, { sn, 'to-sn': toSn, force: true })
    return [result, field]
  }
  assert.deepEqual(await refusal('nothing', SPARE.sn), [NOT_EXIST, 'sn'])
  assert.deepEqual(await refusal(BROKEN.sn, 'nothing'), [NOT_EXIST, 'to-sn'])
  assert.deepEqual(await refusal(BROKEN.sn, helloOf(3).sn), [WRONG_STATE, 'to-sn'])
  assert.deepEqual(await refusal(BROKEN.sn, BROKEN.sn), [INVALID_ARG, 'to-sn'])
  await admin.send(setDeviceSecurity, { sn: SPARE.sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  const other = addSignedInUser(hub, 'vera', ALL_PERMISSIONS)
  assert.deepEqual(await refusal(BROKEN.sn, SPARE.sn, other), [NOT_EXIST, 'to-sn'])
  assert.equal(rowOf(BROKEN.sn).dir, DIR_INPUT)
})

test.run()
