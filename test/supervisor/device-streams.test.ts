// Devices that push to the hub and play from it: the hub dies, their links end, and their streams continue.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { acceptDevices, listDevices, queryDevice } from '../../contract/device/device.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { CONNECTION_STATE, UDP } from '../../contract/stream/protocols.ts'
import { addOutput } from '../../contract/stream/source.ts'
import { encodeArguments } from '../../fleet/streams/media.ts'
import { UdpRecorder } from '../kit/engine/frame-counter.ts'
import { startDevices } from '../kit/fleet/demo-device.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('streams of devices')

let data: string
let engine: EngineProcess
let hub: HubProcess

test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-devices-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data, { web: 0, link: await freeTcpPort() })
})
test.after.each(async () => {
  await hub.kill()
  await engine.kill()
  rmSync(data, { recursive: true, force: true })
})

/** Encodes a small clip for all devices of a folder. */
function provideClips(folder: string): void {
  const file = (number: number) => join(folder, 'media', `clip-${number}.ts`)
  mkdirSync(join(folder, 'media'), { recursive: true })
  const options = { picture: 'testsrc2=size=160x90:rate=25', tone: 440, length: 8 }
  assert.equal(spawnSync('ffmpeg', encodeArguments(options, file(1))).status, 0)
  for (const number of [2, 3, 4]) copyFileSync(file(1), file(number))
}

test('a device that pushes and one that plays continue without a gap when the hub dies and another one starts', async () => {
  const folder = join(data, 'fleet')
  provideClips(folder)
  const link = { folder, linkPort: hub.linkPort }
  const devices = [...startDevices(link, 'encodeAio', 1), ...startDevices(link, 'ndiToHdmi', 1)]
  const sns = devices.map(({ sn }) => sn)
  const recorder = await UdpRecorder.open(await freeUdpPort())
  try {
    await until(
      async () => (await hub.send(listDevices, { 'reg-state': 'waiting' })).total === 2,
      'both devices register'
    )
    await hub.send(acceptDevices, { sn: sns })
    const [encoder, decoder] = await Promise.all(sns.map(async (sn) => (await hub.send(queryDevice, { sn })).dev.id))
    const { id } = await hub.send(addChannel, { name: 'Hall' })
    await hub.send(setChannelInput, { id, input: encoder ?? 0 })
    const target = { 'dst-ip': '127.0.0.1', 'dst-port': recorder.port }
    const { id: output } = await hub.send(addOutput, { name: 'Out', protocol: UDP, config: target })
    await hub.send(addChannelOutputs, { id, outputs: [output, decoder ?? 0] })
    await hub.send(enableChannel, { id, enable: true })
    const isRunning = async () => {
      const { channel } = await hub.send(queryChannel, { id })
      const legs = [channel.input, ...channel.outputs.list]
      return legs.length === 3 && legs.every((leg) => leg?.['conn-state'] === CONNECTION_STATE.connected)
    }
    await until(isRunning, 'the device pushes and the other one plays')
    const { channel: before } = await hub.send(queryChannel, { id })
    await hub.kill()
    const killedAt = performance.now()
    // Longer than the devices need to check their streams.
    await until(() => performance.now() - killedAt > 7000, 'the stream continues')
    hub = await startHubProcess(data, { web: 0, link: hub.linkPort })
    await until(async () => {
      const { list } = await hub.send(listDevices, {})
      return list.length === 2 && list.every((device) => device['online-date'] > 0)
    }, 'both devices are online')
    await until(isRunning, 'both streams are observed')
    const { channel: after } = await hub.send(queryChannel, { id })
    const uptimes = [after.input, ...after.outputs.list].map((leg) => leg?.['living-time-s'] ?? 0)
    for (const seconds of uptimes) assert.ok(seconds >= 7, `the stream was interrupted ${seconds} s ago`)
    assert.equal(after.input?.report?.since, before.input?.report?.since)
    assert.equal((await recorder.finish()).continuityGaps, 0)
  } finally {
    for (const device of devices) device.stop()
    recorder.close()
  }
})

test.run()
