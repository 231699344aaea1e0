import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, OFF_AIR, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { setTime } from '../../../../contract/machine/time.ts'
import { setSettings } from '../../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, setOutput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('channels that a call takes off air')
hubForEach(test)

/** A schedule for a day that is not today. */
function otherDay() {
  const today = (new Date().getUTCDay() + 6) % 7
  return { zone: 'UTC', rules: [{ days: 1 << ((today + 3) % 7), start: '09:00', stop: '10:00' }] }
}

const ALL_DAY = { days: 127, start: '00:00', stop: '00:00' }

/** A channel that is on air with one SRT output and a player at the shared ports. */
async function addChannelOnAir(name = 'Hall'): Promise<{ id: number; input: number; output: number }> {
  const { id } = await admin.send(addChannel, { name })
  const url = `rtmp://192.0.2.20/live/${name}`
  const input = (await admin.send(addInput, { name: `${name} in`, config: { type: 1, url } })).id
  await admin.send(setChannelInput, { id, input })
  const config = { mode: 'caller', 'dst-ip': `${name.toLowerCase()}.example.com`, 'dst-port': 9000 } as const
  const output = await admin.send(addOutput, { name: `${name} CDN`, protocol: SRT, config })
  assert.equal(output.result, SUCCESS)
  await admin.send(addChannelOutputs, { id, outputs: [output.id] })
  await admin.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG, { [output.id]: CARRYING_LEG })
  const observed = hub.parts.engine.observe(id)
  const player = { address: '192.0.2.40:4000', kbps: 900, livingTimeS: 5, protocol: RTMP, isPublisher: false }
  observed.clients = [{ ...player, id: 1 }]
  return { id, input, output: output.id }
}

const isEnabled = async (id: number) => (await admin.send(queryChannel, { id })).channel.config.enable

test('a schedule that stops a channel on air names the channel and who receives it, and changes nothing', async () => {
  const { id } = await addChannelOnAir()
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule: { zone: 'UTC', rules: [ALL_DAY] } } })
  const request = { id, name: 'Hall', config: { schedule: otherDay() } }
  const logged = (await admin.send(listLog, { type: 'operation' })).total
  const dry = await admin.send(setChannel, { ...request, 'dry-run': true })
  const expected = [{ id, name: 'Hall', effect: 'stops', outputs: ['Hall CDN'], viewers: 1 }]
  assert.deepEqual([dry.result, dry['off-air']], [SUCCESS, expected])
  const asked = await admin.send(setChannel, { ...request, 'dry-run': 'if-off-air' })
  assert.deepEqual([asked.result, asked['off-air']], [OFF_AIR, expected])
  const { channel } = await admin.send(queryChannel, { id })
  assert.deepEqual([channel.config.enable, channel.config.schedule?.rules], [true, [ALL_DAY]])
  assert.equal((await admin.send(listLog, { type: 'operation' })).total, logged)
  assert.equal((await admin.send(setChannel, request)).result, SUCCESS)
  assert.equal(await isEnabled(id), false)
})

test('a channel that was started by hand stays on air when it gets a schedule for later', async () => {
  const { id } = await addChannelOnAir()
  const request = { id, name: 'Hall', config: { schedule: otherDay() }, 'dry-run': 'if-off-air' } as const
  assert.deepEqual((await admin.send(setChannel, { ...request, 'dry-run': true }))['off-air'], [])
  assert.equal((await admin.send(setChannel, request)).result, SUCCESS)
  assert.equal(await isEnabled(id), true)
})

test('setting the clock asks only if a scheduled stop passes', async () => {
  const { id } = await addChannelOnAir()
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule: otherDay() } })
  const stoppedAt = async (time: number) =>
    (await admin.send(setTime, { time, 'dry-run': true }))['off-air']?.map(({ name }) => name)
  // It was started by hand, outside its schedule.
  assert.deepEqual(await stoppedAt(Date.now() + 60_000), [])
  assert.deepEqual(await stoppedAt(Date.now() + 7 * 86_400_000), ['Hall'])
})

test('without a channel that goes off air the call is made at once', async () => {
  const { id } = await addChannelOnAir()
  const request = { id, name: 'Hall 2', config: { slate: true }, 'dry-run': 'if-off-air' } as const
  assert.deepEqual((await admin.send(setChannel, { ...request, 'dry-run': true }))['off-air'], [])
  const response = await admin.send(setChannel, request)
  assert.deepEqual([response.result, response['off-air']], [SUCCESS, undefined])
  assert.equal((await admin.send(queryChannel, { id })).channel.name, 'Hall 2')
})

test('a request to forbid private addresses names the channels on air that would lose an input or output', async () => {
  const { id, output } = await addChannelOnAir()
  const forbid = async () => {
    const { result, ...response } = await admin.send(setSettings, {
      streams: { 'forbid-private': true },
      'dry-run': true
    })
    assert.equal(result, SUCCESS)
    return response['off-air']?.map(({ name, effect, outputs }) => [name, effect, outputs])
  }
  const use = (url: string) => admin.send(setChannelInput, { id, input: inputs[url] as number })
  const inputs: Record<string, number> = {}
  for (const url of ['rtmp://198.51.100.7/live/a', 'rtmp://10.0.0.7/live/a', 'srt://localhost:9000'])
    inputs[url] = (await admin.send(addInput, { name: url.replace(/\W/g, ' '), config: { type: 1, url } })).id
  await use('rtmp://198.51.100.7/live/a')
  assert.deepEqual(await forbid(), [])
  const config = { mode: 'caller', 'dst-ip': '10.0.0.8', 'dst-port': 9000 } as const
  await admin.send(setOutput, { id: output, name: 'Hall CDN', protocol: SRT, config })
  assert.deepEqual(await forbid(), [['Hall', 'outputs', ['Hall CDN']]])
  for (const url of ['rtmp://10.0.0.7/live/a', 'srt://localhost:9000']) {
    await use(url)
    assert.deepEqual(await forbid(), [['Hall', 'stops', ['Hall CDN']]])
  }
  await admin.send(setChannel, {
    id,
    name: 'Hall',
    config: { backups: [inputs['rtmp://198.51.100.7/live/a'] as number] }
  })
  assert.deepEqual(await forbid(), [['Hall', 'restarts', ['Hall CDN']]])
})

test('a call that has no dry run refuses to be tried', async () => {
  const { result, field } = await admin.send(addChannel, { name: 'Hall', 'dry-run': true } as { name: string })
  assert.deepEqual([result, field], [INVALID_ARG, 'dry-run'])
})

test.run()
