// A channel that would receive from a host and send to it: the hub asks, wherever an input or an output changes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { OBJECT_BUSY, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../../contract/device/device.ts'
import { addChannel, addChannelOutputs, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { DIR_BOTH, RTMP, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, setInput, setOutput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { input, listener, rtmp } from '../stream/source-requests.ts'

const test = suite('same host')
hubForEach(test)

const HOST = 'live.example'
const OTHER = 'rtmp://other.example/in'
const FROM_HOST = `srt://${HOST}:9000`
const TO_HOST = { url: `rtmp://${HOST.toUpperCase()}/app`, key: 'a' }

const create = async (url: string, target: object) => {
  const { id: inputId } = await admin.send(addInput, input('In', url))
  const { id: outputId } = await admin.send(addOutput, rtmp('Out', target))
  const { id } = await admin.send(addChannel, { name: 'News' })
  return { id, inputId, outputId }
}

/** The fields of a refusal. */
const refusal = ({ result, field, message, 'same-host': host }: Awaited<ReturnType<typeof admin.send>>) => ({
  result,
  field,
  host,
  message
})
const refusedAt = (field: string, host = HOST) => ({
  result: OBJECT_BUSY,
  field,
  host,
  message: [
    'Input and output must not use the same domain',
    `The channel would receive from ${host} and send to it. Domain names must differ, unless that host only relays the stream.`
  ].join('\n')
})

test('an output that sends to the host of the input is added only by force', async () => {
  const { id, inputId, outputId } = await create(FROM_HOST, TO_HOST)
  await admin.send(setChannelInput, { id, input: inputId })
  const request = { id, outputs: [outputId] }
  assert.deepEqual(refusal(await admin.send(addChannelOutputs, request)), refusedAt('outputs'))
  assert.deepEqual(hub.parts.store.channels.outputIds(id), [])
  assert.equal((await admin.send(addChannelOutputs, { ...request, force: true })).result, SUCCESS)
  assert.deepEqual(hub.parts.store.channels.outputIds(id), [outputId])
})

test('a device is input and output of one channel only by force', async () => {
  const { sn } = helloOf(1)
  hub.parts.registry.register(helloOf(1, { dir: DIR_BOTH }), '192.0.2.10')
  await admin.send(acceptDevices, { sn: [sn] })
  const { dev } = await admin.send(queryDevice, { sn })
  const { id } = await admin.send(addChannel, { name: 'News' })
  await admin.send(setChannelInput, { id, input: dev.id })
  const request = { id, outputs: [dev.id] }
  assert.deepEqual(refusal(await admin.send(addChannelOutputs, request)), refusedAt('outputs', sn))
  assert.equal((await admin.send(addChannelOutputs, { ...request, force: true })).result, SUCCESS)
  await admin.send(setChannelInput, { id, input: 0 })
  assert.deepEqual(refusal(await admin.send(setChannelInput, { id, input: dev.id })), refusedAt('input', sn))
})

test('an input from the host of an output, and a backup, are set only by force', async () => {
  const { id, inputId, outputId } = await create(FROM_HOST, TO_HOST)
  await admin.send(addChannelOutputs, { id, outputs: [outputId] })
  assert.deepEqual(refusal(await admin.send(setChannelInput, { id, input: inputId })), refusedAt('input'))
  const backups = { id, name: 'News', config: { backups: [inputId] } }
  assert.deepEqual(refusal(await admin.send(setChannel, backups)), refusedAt('config.backups'))
  assert.deepEqual(hub.parts.store.channels.inputIds(id), [])
  assert.equal((await admin.send(setChannel, { ...backups, force: true })).result, SUCCESS)
  assert.equal((await admin.send(setChannel, { ...backups, name: 'News 2' })).result, SUCCESS, 'not asked again')
  assert.equal((await admin.send(setChannelInput, { id, input: inputId, force: true })).result, SUCCESS)
  assert.equal((await admin.send(setChannelInput, { id, input: inputId })).result, SUCCESS, 'not asked again')
})

test('a saved input or output of a channel gets the host of the other end only by force', async () => {
  const { id, inputId, outputId } = await create(OTHER, TO_HOST)
  await admin.send(setChannelInput, { id, input: inputId })
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [outputId] })).result, SUCCESS)
  const changedInput = { id: inputId, ...input('In 1', FROM_HOST) }
  assert.deepEqual(refusal(await admin.send(setInput, changedInput)), refusedAt('config.url'))
  assert.equal(hub.parts.store.sources.input(inputId)?.name, 'In')
  const changedOutput = { id: outputId, ...rtmp('Out', { ...TO_HOST, url: 'rtmp://other.example/app' }) }
  assert.deepEqual(refusal(await admin.send(setOutput, changedOutput)), refusedAt('config.url', 'other.example'))
  const udp = {
    id: outputId,
    name: 'Out',
    protocol: UDP,
    config: { 'dst-ip': 'other.example', 'dst-port': 5000 }
  } as const
  assert.deepEqual(refusal(await admin.send(setOutput, udp)), refusedAt('config.dst-ip', 'other.example'))
  assert.equal((await admin.send(setInput, { ...changedInput, force: true })).result, SUCCESS)
  assert.equal((await admin.send(setInput, { ...changedInput, name: 'In 2' })).result, SUCCESS, 'not asked again')
  const renamed = { id: outputId, ...rtmp('Out 2', TO_HOST) }
  assert.equal((await admin.send(setOutput, renamed)).result, SUCCESS, 'not asked again')
})

test('listeners, this machine and other hosts are not compared', async () => {
  const { id, inputId } = await create('rtmp://127.0.0.1/live/a', TO_HOST)
  await admin.send(setChannelInput, { id, input: inputId })
  const targets = [
    listener('Listener', 9001),
    { name: 'Local', protocol: RTMP, config: { url: 'rtmp://127.0.0.1/app', key: 'b' } },
    { name: 'Sub-domain', protocol: SRT, config: { mode: 'caller', 'dst-ip': `a.${HOST}`, 'dst-port': 9000 } }
  ] as const
  for (const target of targets) {
    const { id: output } = await admin.send(addOutput, target)
    assert.equal((await admin.send(addChannelOutputs, { id, outputs: [output] })).result, SUCCESS, target.name)
  }
})

test.run()
