// Devices as outputs: the demo fleet's player calls the port that the engine opens for its order.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { NOT_IMPLEMENTED } from '../../../contract/codes.ts'
import type { PlayOrder } from '../../../contract/device/link.ts'
import { CONNECTION, PROTOCOL_DEFAULT, SOURCE } from '../../../contract/stream/protocols.ts'
import type { Wanted } from '../../../engine/engine.ts'
import { createPlayer } from '../../../fleet/play.ts'
import { LinkError } from '../../../hub/devices/link/link-error.ts'
import { bench, benchForEach } from '../bench.ts'
import { until } from '../media.ts'

const test = suite('devices as outputs')
/** What each device was told, oldest first: an order, or that it is to stop. */
let told: { sn: string; order: PlayOrder | undefined }[]
let bytes: number
/** Devices that take orders and do not call. */
let mute: Set<string>
let player: ReturnType<typeof createPlayer>

benchForEach(test, {
  patience: { start: 3000 },
  async play(sn, order) {
    told.push({ sn, order })
    if (sn === 'OLD') throw new LinkError(NOT_IMPLEMENTED, 'it does not know the order')
    if (!mute.has(sn)) player.start('127.0.0.1', order)
  },
  async endPlay(sn) {
    told.push({ sn, order: undefined })
    player.stop()
  }
})
test.before.each(() => {
  told = []
  bytes = 0
  mute = new Set()
  player = createPlayer({
    playing() {},
    received(size) {
      bytes += size
    }
  })
})
test.after.each(() => player.stop())

const channel = (sn: string, more: Partial<Wanted> = {}): Wanted => ({
  ...{ id: 1, name: 'Stage', enable: true },
  input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
  outputs: [{ id: 30, name: 'Lobby', protocol: PROTOCOL_DEFAULT, config: { sn, latency: 60 } }],
  ...more
})
const output = () => bench.engine.observe(1).outputs.get(30)
const orders = () => told.flatMap(({ order }) => order ?? [])

async function grows(): Promise<void> {
  const before = bytes
  await until('bytes arrive at the device', () => bytes > before + 50_000, 20_000)
}

test('a device is told where to call, what it counts grows, and it is told to stop', async () => {
  bench.engine.apply(channel('D1'))
  await bench.reaches(1, CONNECTION.connected, 30)
  await grows()
  const [order] = orders()
  assert.equal(orders().length, 1)
  assert.ok(order && order.latency === 60 && order.passphrase.length >= 24)
  assert.ok((output()?.kbps ?? 0) > 0)
  // Nobody is told where it is but those who may see it, and nobody reads the passphrase.
  assert.deepEqual(bench.engine.observe(1).clients, [])
  assert.equal(output()?.clientNum, undefined)
  assert.doesNotMatch(JSON.stringify([...bench.engine.observe(1).outputs]), new RegExp(order.passphrase))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(order.passphrase), pid)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
  const up = bench.events.find(({ kind }) => kind === 'output-up')
  assert.deepEqual([up?.name, up?.player], ['Lobby', 'D1'])
  bench.engine.apply(channel('D1', { enable: false }))
  await until('it is told to stop', () => told.at(-1)?.order === undefined)
})

test('away it is said to be offline, and when it is back it is told anew, with other secrets', async () => {
  bench.setOnline('D1', false)
  bench.engine.apply(channel('D1'))
  await bench.reaches(1, CONNECTION.connected)
  assert.deepEqual(
    [output()?.state, output()?.connState, output()?.reason],
    [SOURCE.offline, CONNECTION.disconnected, 'device-offline']
  )
  assert.deepEqual(told, [])
  bench.setOnline('D1', true)
  await bench.reaches(1, CONNECTION.connected, 30)
  bench.setOnline('D1', false)
  assert.equal(output()?.reason, 'device-offline')
  bench.setOnline('D1', true)
  await until('it is told anew', () => orders().length === 2)
  const [first, second] = orders()
  assert.notEqual(first?.passphrase, second?.passphrase)
  assert.notEqual(first?.['stream-id'], second?.['stream-id'])
  await bench.reaches(1, CONNECTION.connected, 30)
  await grows()
})

test('one that does not call, or knows no such order, says why, and is asked again', async () => {
  mute.add('D1')
  bench.engine.apply(channel('D1'))
  await until('it does not call', () => output()?.reason === 'device-not-calling')
  await until('it is asked again', () => orders().length > 1)
  assert.equal(output()?.reason, 'device-not-calling')
  mute.clear()
  await bench.reaches(1, CONNECTION.connected, 30)
  assert.equal(output()?.reason, undefined)
  bench.engine.apply(channel('OLD'))
  await until('it is too old', () => output()?.state === SOURCE.firmwareTooOld)
  assert.equal(output()?.reason, 'firmware-too-old')
})

test('a device that moves to another channel is told to stop before it is told to play there', async () => {
  bench.engine.apply(channel('D1'))
  await bench.reaches(1, CONNECTION.connected, 30)
  const { outputs, ...rest } = channel('D1')
  bench.engine.apply({ ...rest, outputs: [] })
  bench.engine.apply({ ...rest, id: 2, outputs })
  await bench.reaches(2, CONNECTION.connected, 30)
  assert.deepEqual(
    told.map(({ order }) => order !== undefined),
    [true, false, true]
  )
  await grows()
})

test.run()
