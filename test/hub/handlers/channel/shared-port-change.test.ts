// A new number for a shared port: it disconnects clients, so it asks first, and moves back unless it is confirmed.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT } from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, OBJECT_BUSY, PORT_OCCUPIED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { SRT } from '../../../../contract/stream/protocols.ts'
import { cancelPort, confirmPort, listPorts, PORT_CONFIRM_TIME } from '../../../../contract/web/ports.ts'
import { cleanUpMedia, clipPath, sendClip } from '../../../kit/engine/media.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { freeTcpPort, freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('change of a shared port')

/** Milliseconds for which a new port waits, in the test that waits for the end. */
const CONFIRM_TIME = 4000

let hub: TestHub
let admin: Client
let former: number
test.before(() => {
  clipPath()
})
test.before.each(() => start())
test.after.each(() => hub.close())
test.after(cleanUpMedia)

async function start(confirmTime?: number): Promise<void> {
  hub = await startHub(confirmTime === undefined ? {} : { web: { confirmTime } })
  admin = hub.clientAs()
  former = await freeUdpPort()
  await hub.listen(0, 0, { srt: former, rtmp: await freeTcpPort() })
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' } })
  await admin.send(enableChannel, { id, enable: true })
  await until(() => openPort() === former, 'the port is open')
}

const openPort = () => hub.parts.engine.observePorts().srt.port
const setPort = (port: number, more: object = {}, client = admin) =>
  client.send(setSettings, { srt: { port, 'pb-key-len': 0 }, ...more })
const storedPort = async () => (await admin.send(getSettings, {})).settings.srt?.port

async function publish(port: number): Promise<void> {
  sendClip('mpegts', `srt://127.0.0.1:${port}?streamid=PUSH-1`)
  const hasClient = () =>
    hub.parts.store.channels.all().some(({ id }) => (hub.parts.engine.observe(id).clients ?? []).length > 0)
  await until(hasClient, 'the publisher is connected')
}

test('a port with a publisher asks with its channel, moves when the user agrees, and is stored when it is confirmed', async () => {
  await publish(former)
  const port = await freeUdpPort()
  const refused = await setPort(port)
  assert.deepEqual([refused.result, refused['owner-i']], [OBJECT_BUSY, ['Hall']])
  const blind = await setPort(port, {}, addSignedInUser(hub, 'edith', SYSTEM_CONFIG_EDIT))
  assert.deepEqual([blind.result, blind['owner-i'], blind['owner-hidden']], [OBJECT_BUSY, [], true])
  assert.equal(openPort(), former)

  const { result, trial } = await setPort(port, { force: true })
  assert.equal(result, SUCCESS)
  assert.deepEqual(trial, { port, 'confirm-within-s': PORT_CONFIRM_TIME })
  await until(() => openPort() === port, 'the port has moved')
  assert.notEqual(await storedPort(), port)
  assert.equal((await admin.send(listPorts, {})).trial?.name, 'srt')
  assert.equal((await admin.send(confirmPort, {})).result, SUCCESS)
  assert.equal(await storedPort(), port)
  assert.equal(openPort(), port)
  const { last, trial: none } = await admin.send(listPorts, {})
  assert.deepEqual([last?.name, last?.outcome, none], ['srt', 'confirmed', undefined])
})

test('players at the ports of outputs do not count: a port without clients moves without a question', async () => {
  const { channels } = hub.parts.store
  const id = channels.all()[0]?.id ?? 0
  const player = { id: 1, protocol: SRT, address: '192.0.2.40:4000', kbps: 900, livingTimeS: 5, isPublisher: false }
  setObservedChannel(hub, id, CARRYING_LEG)
  hub.parts.engine.observe(id).clients = [{ ...player, outputId: 1001 }]
  const port = await freeUdpPort()
  assert.equal((await setPort(port, { 'dry-run': true })).result, SUCCESS)
  hub.parts.engine.observe(id).clients = [player]
  assert.equal((await setPort(port, { 'dry-run': true })).result, OBJECT_BUSY)
})

test('a new port that is not confirmed is undone, which is logged', async () => {
  await hub.close()
  await start(CONFIRM_TIME)
  const port = await freeUdpPort()
  assert.equal((await setPort(port)).result, SUCCESS)
  await until(() => openPort() === port, 'the port has moved')
  assert.equal((await setPort(await freeUdpPort())).result, WRONG_STATE)
  await until(() => openPort() === former, 'the port has moved back')
  assert.notEqual(await storedPort(), port)
  assert.equal((await admin.send(listPorts, {})).last?.outcome, 'not-confirmed')
  const { list } = await admin.send(listLog, { type: 'system' })
  assert.ok(list.some(({ event }) => event === 'port-not-confirmed'))
})

test('a change is undone at once, and the length of the key changes without moving the port', async () => {
  const port = await freeUdpPort()
  await setPort(port)
  await until(() => openPort() === port, 'the port has moved')
  assert.equal((await admin.send(cancelPort, {})).result, SUCCESS)
  await until(() => openPort() === former, 'the port has moved back')
  assert.equal((await admin.send(cancelPort, {})).result, NOT_EXIST)
  const key = { srt: { port: former, 'pb-key-len': 16 as const, passphrase: 'a word of honour' } }
  assert.equal((await admin.send(setSettings, key)).trial, undefined)
  assert.equal(await storedPort(), former)
})

test('a port that another program has is refused with its name', async () => {
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address()
  const refused = await setPort(port)
  assert.deepEqual([refused.result, refused.field, refused.holder?.of], [PORT_OCCUPIED, 'srt.port', 'program'])
  assert.match(refused.message ?? '', new RegExp(`^Port ${port} occupied by the program `))
  other.close()
  assert.equal(openPort(), former)
  const viewer = addSignedInUser(hub, 'vera', CHANNEL_VIEW)
  assert.notEqual((await setPort(port, {}, viewer)).result, SUCCESS)
})

test.run()
