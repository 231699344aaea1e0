// Device outputs: the player of the demo fleet connects to the port that the engine opens for its order.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { NOT_IMPLEMENTED } from '../../../contract/codes.ts'
import type { PlayOrder } from '../../../contract/device/link.ts'
import { CONNECTION_STATE, PROTOCOL_DEFAULT, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import { ALLOW_ALL } from '../../../engine/access/ip-allow-list.ts'
import type { EngineOptions } from '../../../engine/engine.ts'
import type { WantedChannel } from '../../../engine/interfaces/channel.ts'
import { createDeviceOutput, type DeviceOutputParts } from '../../../engine/outputs/device-output.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createPlayer } from '../../../fleet/streams/player.ts'
import { fixture, fixtureForEach, replaceFixture } from '../../kit/engine/engine-fixture.ts'
import { until } from '../../kit/until.ts'

const test = suite('device output')
/** All orders and cancellations (undefined) of each device, oldest first. */
let commands: { sn: string; order: PlayOrder | undefined }[]
let bytes: number
/** Devices that accept orders but do not connect. */
let silentDevices: Set<string>
let player: ReturnType<typeof createPlayer>

const OPTIONS: Partial<EngineOptions> = {
  async orderPlayback(sn, order) {
    commands.push({ sn, order })
    if (sn === 'OLD') throw new LinkError(NOT_IMPLEMENTED, 'unknown order')
    if (!silentDevices.has(sn)) player.start('127.0.0.1', order)
  },
  async cancelPlayback(sn) {
    commands.push({ sn, order: undefined })
    player.stop()
  }
}
fixtureForEach(test, OPTIONS)
test.before.each(() => {
  commands = []
  bytes = 0
  silentDevices = new Set()
  player = createPlayer({
    onPlaying() {},
    onReceived(size) {
      bytes += size
    }
  })
})
test.after.each(() => player.stop())

const channel = (sn: string, overrides: Partial<WantedChannel> = {}): WantedChannel => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
  outputs: [{ id: 30, name: 'Lobby', protocol: PROTOCOL_DEFAULT, config: { sn, latency: 60 } }],
  ...overrides
})
const output = () => fixture.engine.observe(1).outputs.get(30)
const orders = () => commands.flatMap(({ order }) => order ?? [])

async function waitForBytes(): Promise<void> {
  const before = bytes
  await until(() => bytes > before + 50_000, 'the device receives bytes')
}

test('a device gets an order, receives the stream, and its order is cancelled when the channel stops', async () => {
  fixture.engine.apply(channel('D1'))
  await fixture.waitForState(1, CONNECTION_STATE.connected, 30)
  await waitForBytes()
  const [order] = orders()
  assert.equal(orders().length, 1)
  assert.ok(order && order.latency === 60 && order.passphrase.length >= 24)
  assert.ok((output()?.kbps ?? 0) > 0)
  // The device is not listed as a client, and its passphrase appears neither in the observed state nor in the process
  // list.
  assert.deepEqual(fixture.engine.observe(1).clients, [])
  assert.equal(output()?.clientNum, undefined)
  assert.doesNotMatch(JSON.stringify([...fixture.engine.observe(1).outputs]), new RegExp(order.passphrase))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(order.passphrase), pid)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
  const up = fixture.events.find(({ kind }) => kind === 'output-up')
  assert.deepEqual([up?.name, up?.playerSn], ['Lobby', 'D1'])
  fixture.engine.apply(channel('D1', { enable: false }))
  await until(() => commands.at(-1)?.order === undefined, 'the order is cancelled')
})

test('an offline device has the state offline, and gets a new order with other secrets when it is online again', async () => {
  fixture.setOnline('D1', false)
  fixture.engine.apply(channel('D1'))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.deepEqual(
    [output()?.state, output()?.connState, output()?.reason],
    [SOURCE_STATE.offline, CONNECTION_STATE.disconnected, 'device-offline']
  )
  assert.deepEqual(commands, [])
  fixture.setOnline('D1', true)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 30)
  fixture.setOnline('D1', false)
  assert.equal(output()?.reason, 'device-offline')
  fixture.setOnline('D1', true)
  await until(() => orders().length === 2, 'there is a new order')
  const [first, second] = orders()
  assert.notEqual(first?.passphrase, second?.passphrase)
  assert.notEqual(first?.['stream-id'], second?.['stream-id'])
  await fixture.waitForState(1, CONNECTION_STATE.connected, 30)
  await waitForBytes()
})

test('a device that does not connect, or does not know the order, has a reason and gets the order again', async () => {
  silentDevices.add('D1')
  await replaceFixture({ ...OPTIONS, timeouts: { start: 3000 } })
  fixture.engine.apply(channel('D1'))
  await until(() => output()?.reason === 'device-not-calling', 'the device has not connected')
  await until(() => orders().length > 1, 'there is another order')
  assert.equal(output()?.reason, 'device-not-calling')
  silentDevices.clear()
  await fixture.waitForState(1, CONNECTION_STATE.connected, 30)
  assert.equal(output()?.reason, undefined)
  fixture.engine.apply(channel('OLD'))
  await until(() => output()?.state === SOURCE_STATE.firmwareTooOld, 'the firmware is too old')
  assert.equal(output()?.reason, 'firmware-too-old')
})

test('the order of a device that moves to another channel is cancelled before the new order', async () => {
  fixture.engine.apply(channel('D1'))
  await fixture.waitForState(1, CONNECTION_STATE.connected, 30)
  const { outputs, ...rest } = channel('D1')
  fixture.engine.apply({ ...rest, outputs: [] })
  fixture.engine.apply({ ...rest, id: 2, outputs })
  await fixture.waitForState(2, CONNECTION_STATE.connected, 30)
  assert.deepEqual(
    commands.map(({ order }) => order !== undefined),
    [true, false, true]
  )
  await waitForBytes()
})

test('a device gets no order from an output that is stopped while its port opens', async () => {
  const context: Partial<DeviceOutputParts> = {
    launcher: createLauncher(),
    outputHost: '127.0.0.1',
    srtProgram: () => undefined,
    timeouts: { start: 3000, stall: 3000 },
    isDeviceOnline: () => true,
    orderPlayback: async (sn, order) => void commands.push({ sn, order }),
    cancelPlayback: async () => {},
    now: () => performance.now()
  }
  const { device, open } = createDeviceOutput({ sn: 'D1', latency: 60 }, context as DeviceOutputParts)
  const ignore = () => {}
  const opening = open({
    ...{ onBytes: ignore, onFailure: ignore, onChange: ignore },
    inputKbps: () => 0,
    allowList: () => ALLOW_ALL
  })
  await device.cancel()
  const carrier = await opening
  assert.equal(carrier.problem?.(performance.now()), undefined)
  await carrier.close()
  assert.deepEqual(commands, [])
})

test.run()
