// A demo device that pushes to the shared RTMP port of the hub, from its configuration to the picture.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, configureDevices, queryDevice } from '../../../../contract/device/device.ts'
import { addChannel, enableChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, RTMP } from '../../../../contract/stream/protocols.ts'
import { createRoster } from '../../../../fleet/roster.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../../../fleet/simulated-device.ts'
import { cleanUpMedia, clipPath } from '../../../kit/engine/media.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { commandLineOf, descendantsOf } from '../../../kit/system-processes.ts'
import { until } from '../../../kit/until.ts'

const test = suite('RTMP push of a demo device')
let folder: string
let device: SimulatedDevice

test.before(() => {
  clipPath()
})
test.after(cleanUpMedia)
test.after.each(() => {
  device.stop()
  rmSync(folder, { recursive: true, force: true })
})
hubForEach(test)

const [entry] = createRoster(1)
assert.ok(entry)
const { sn } = entry

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rtmp-device-'))
  mkdirSync(join(folder, 'media'))
  for (const index of [1, 2, 3, 4]) copyFileSync(clipPath(), join(folder, 'media', `clip-${index}.ts`))
  const { linkPort } = await hub.listen(0, 0)
  device = createSimulatedDevice({
    entry,
    folder,
    seed: 'seed',
    hub: { host: '127.0.0.1', port: linkPort },
    report: () => {}
  })
  device.start()
  await until(() => hub.parts.registry.isOnline(sn), 'the device is online')
  await admin.send(acceptDevices, { sn: [sn] })
})

test('the device sends its clip over RTMP as configured, changes to SRT while it runs, and stops with its channel', async () => {
  const config = (protocol: number) => ({ input: { protocol, 'stream-index': 0 } })
  assert.equal((await admin.send(configureDevices, { sn: [sn], config: config(RTMP) })).result, SUCCESS)
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: (await admin.send(queryDevice, { sn })).dev.id })
  await admin.send(enableChannel, { id, enable: true })
  const isLive = () => hub.parts.engine.observe(id).input.connState === CONNECTION_STATE.connected
  const senders = () =>
    descendantsOf(process.pid)
      .map(commandLineOf)
      .filter((line) => line.includes(folder))
  await until(isLive, 'the stream arrives')
  const [sender = ''] = senders()
  assert.match(sender, /\0rtmp:\/\/127\.0\.0\.1:\d+\/live\0/)
  assert.doesNotMatch(sender, /DEV-/)
  const kbps = async () => (await admin.send(queryChannel, { id })).channel.input?.kbps ?? 0
  await until(async () => (await kbps()) > 0, 'the bit rate')
  assert.equal((await admin.send(queryDevice, { sn })).dev.stream?.['conn-state'], CONNECTION_STATE.connected)
  await admin.send(configureDevices, { sn: [sn], config: config(2) })
  await until(() => senders().some((line) => line.includes('srt://')), 'the device sends over SRT')
  await until(isLive, 'the stream arrives again')
  await admin.send(enableChannel, { id, enable: false })
  await until(() => senders().length === 0, 'the device has stopped')
})

test.run()
