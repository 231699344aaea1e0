// Streams of devices at addresses, which answer the documented requests alone, as slowly as real hardware: from an
// encoder over a channel to a decoder, with what they did before.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { addDevice } from '../../../../contract/device/address.ts'
import { queryDevice } from '../../../../contract/device/device.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, DIR_INPUT, DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { REAL_PACE } from '../../../../fleet/network/http-server.ts'
import { createSelfSignedCertificate } from '../../../../fleet/network/self-signed.ts'
import { cleanUpMedia, clipPath } from '../../../kit/engine/media.ts'
import { addressedHubForEach, createAddRequest, startDevice } from '../../../kit/fleet/addressed-devices.ts'
import type { HttpDevice } from '../../../kit/fleet/http-device.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { commandLineOf, descendantsOf } from '../../../kit/system-processes.ts'
import { until } from '../../../kit/until.ts'

const test = suite('streams of devices at addresses')
test.before(() => {
  clipPath()
})
test.after(cleanUpMedia)
addressedHubForEach(test)

const DECODER = 'Z410210600124'
const documented = { clipPath: () => clipPath() }

/** Starts a device with the manners of real hardware and adds it. */
async function addDocumented(...[model, options]: Parameters<typeof startDevice>) {
  const certificate = createSelfSignedCertificate()
  const device = await startDevice(model, { ...options, documented, certificate, pace: { ...REAL_PACE, delay: 100 } })
  const reply = await admin.send(addDevice, createAddRequest(device, { https: true, module: moduleOf(device) }))
  assert.equal(reply.result, SUCCESS)
  return { device, sn: reply.sn, id: reply.id }
}

const moduleOf = ({ appliance }: HttpDevice) => appliance.entry.model.family

const deviceOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

/** Asks a device itself. */
async function ask(sn: string, path: string): Promise<Record<string, unknown>> {
  const { body } = await hub.parts.links.request(sn, { method: 'GET', path }, 10_000)
  return JSON.parse(body.toString())
}

/** Checks that the hub has sent documented requests only, and one at a time. */
function assertUnharmed(...devices: HttpDevice[]): void {
  for (const device of devices) {
    assert.deepEqual(device.unknownRequests, [])
    assert.equal(device.concurrency, 1)
  }
}

test('an encoder sends to a channel and a decoder plays it, and both do afterwards what they did before', async () => {
  const encoder = await addDocumented('encodeAio')
  const decoder = await addDocumented('ndiToHdmi', { sn: DECODER })
  assert.deepEqual([(await deviceOf(encoder.sn)).dir, (await deviceOf(decoder.sn)).dir], [DIR_INPUT, DIR_OUTPUT])
  // A server of the user, which is enabled but not live.
  const server = 'type=0&name=Church&url=rtmp%3A%2F%2F192.0.2.1%2Flive&key=secret&is-use=1'
  await ask(encoder.sn, `/usapi?method=add-server&${server}`)
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  assert.equal((await admin.send(setChannelInput, { id, input: encoder.id })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [decoder.id] })).result, SUCCESS)
  await admin.send(enableChannel, { id, enable: true })
  const channel = async () => (await admin.send(queryChannel, { id })).channel
  const describe = () => JSON.stringify([encoder.device.requests, hub.parts.engine.observe(id).input])
  await until(
    () => hub.parts.engine.observe(id).input.connState === CONNECTION_STATE.connected,
    () => `the stream arrives ${describe()}`
  )
  await until(
    async () => (await channel()).outputs.list[0]?.['conn-state'] === CONNECTION_STATE.connected,
    () => `the output is connected ${decoder.device.requests}`
  )
  await until(async () => ((await channel()).outputs.list[0]?.kbps ?? 0) > 0, 'the bit rate of the output')
  // The secrets are neither in the arguments of a process nor among the live streams of the device.
  for (const line of descendantsOf(process.pid).map(commandLineOf)) assert.doesNotMatch(line, /passphrase=\w/)
  const servers = async () => (await ask(encoder.sn, '/usapi?method=get-settings'))['stream-server'] as Server[]
  assert.deepEqual(
    (await servers()).map(({ name, 'is-use': use }) => [name, use]),
    [
      ['Church', 0],
      ['Headend hub', 1]
    ]
  )
  await until(async () => (await deviceOf(encoder.sn)).status?.live?.on === false, 'its stream to the hub is not live')
  assert.deepEqual(await ask(decoder.sn, '/mwapi?method=get-channel'), {
    status: 0,
    'ndi-name': false,
    name: 'Headend hub'
  })
  await admin.send(deleteChannelOutputs, { id, outputs: [decoder.id] })
  await until(
    async () => (await ask(decoder.sn, '/mwapi?method=get-channel')).name === 'STUDIO (Program)',
    'the decoder has its source again'
  )
  await until(
    async () => ((await ask(decoder.sn, '/mwapi?method=list-channels')).channels as unknown[]).length === 0,
    'the source of the hub is gone'
  )
  await admin.send(enableChannel, { id, enable: false })
  await until(
    async () => JSON.stringify((await servers()).map((each) => each['is-use'])) === '[1,0]',
    'the server of the user is enabled again'
  )
  const status = await ask(encoder.sn, '/usapi?method=get-status')
  assert.equal(Number(status['cur-status']) & 4, 0)
  assertUnharmed(encoder.device, decoder.device)
})

interface Server {
  name: string
  'is-use': number
}

test.run()
