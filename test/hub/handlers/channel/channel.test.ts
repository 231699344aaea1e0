import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  PLAY_KEY_EXISTS,
  PORT_OCCUPIED,
  PUSH_KEY_EXISTS,
  SUCCESS,
  TOO_MANY,
  WRONG_STATE
} from '../../../../contract/codes.ts'
import { acceptDevices, deleteDevices } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannelOutputs,
  deleteChannels,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('channel')
hubForEach(test)

const listener = (port: number) => ({ mode: 'listener' as const, 'bind-port': port })

test('a channel is added, gets an input and an output, is renamed and deleted', async () => {
  const { id } = await admin.send(addChannel, { name: 'Sunday service' })
  const { id: input } = await admin.send(addInput, { name: 'Pulpit', config: { type: 1, url: 'srt://10.0.0.1:9000' } })
  const { id: output } = await admin.send(addOutput, { name: 'Screen', protocol: SRT, config: listener(9101) })
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [output] })).result, SUCCESS)
  const { channel } = await admin.send(queryChannel, { id })
  assert.equal(channel.input?.name, 'Pulpit')
  assert.equal(channel.input?.addr, 'srt://10.0.0.1:9000?mode=caller&latency=120')
  assert.equal(channel.outputs.list[0]?.addr, 'srt://:9101')
  assert.match(channel.config['play-key'] ?? '', /^PULL-[0-9A-F-]{36}$/)
  assert.match(channel.config['push-key'] ?? '', /^PUSH-[0-9A-F-]{36}$/)
  assert.equal((await admin.send(setChannel, { id, name: 'Evening service' })).result, SUCCESS)
  assert.equal((await admin.send(channelDashboard, {})).list[0]?.name, 'Evening service')
  assert.equal((await admin.send(deleteChannels, { id: [id] })).result, SUCCESS)
  assert.equal((await admin.send(queryChannel, { id })).result, NOT_EXIST)
  assert.equal((await admin.send(listOutputs, {})).list[0]?.['owner-o'], undefined)
})

test('names and keys are unique', async () => {
  const keys = { 'play-key': 'one', 'push-key': 'two' }
  const { id } = await admin.send(addChannel, { name: 'A', config: keys })
  assert.equal((await admin.send(addChannel, { name: 'a' })).result, NAME_EXISTS)
  const play = await admin.send(addChannel, { name: 'B', config: { 'play-key': 'two' } })
  assert.equal(play.result, PLAY_KEY_EXISTS)
  const push = await admin.send(addChannel, { name: 'B', config: { 'push-key': 'one' } })
  assert.equal(push.result, PUSH_KEY_EXISTS)
  const equal = await admin.send(setChannel, { id, name: 'A', config: { 'play-key': 'x', 'push-key': 'x' } })
  assert.equal(equal.result, PUSH_KEY_EXISTS)
  const {
    enable,
    'play-key': newPlayKey,
    'push-key': newPushKey
  } = (await admin.send(queryChannel, { id })).channel.config
  assert.deepEqual({ enable, 'play-key': newPlayKey, 'push-key': newPushKey }, { enable: false, ...keys })
  // An empty key is replaced by a new one; the other key stays.
  assert.equal((await admin.send(setChannel, { id, name: 'A', config: { 'push-key': '' } })).result, SUCCESS)
  const renewed = (await admin.send(queryChannel, { id })).channel.config
  assert.match(renewed['push-key'] ?? '', /^PUSH-[0-9A-F-]{36}$/)
  assert.equal(renewed['play-key'], 'one')
  assert.equal((await admin.send(channelDashboard, {})).total, 1)
})

test('a new key has at most 63 units, and a longer one of an earlier version stays', async () => {
  const long = 'k'.repeat(64)
  for (const name of ['play-key', 'push-key'] as const) {
    const refused = await admin.send(addChannel, { name: 'A', config: { [name]: long } })
    assert.deepEqual([refused.result, refused.field], [INVALID_ARG, `config.${name}`])
  }
  const { id } = await admin.send(addChannel, { name: 'A', config: { 'play-key': 'k'.repeat(63) } })
  hub.parts.store.channels.setSettings(id, { 'push-key': long })
  assert.equal((await admin.send(setChannel, { id, name: 'B', config: { 'push-key': long } })).result, SUCCESS)
  assert.equal(
    (await admin.send(setChannel, { id, name: 'B', config: { 'push-key': `${long}k` } })).result,
    INVALID_ARG
  )
})

test('an SRT listener needs a port of its own', async () => {
  const { id } = await admin.send(addOutput, { name: 'A', protocol: SRT, config: listener(9102) })
  const second = await admin.send(addOutput, { name: 'B', protocol: SRT, config: listener(9102) })
  assert.equal(second.result, PORT_OCCUPIED)
  assert.equal((await admin.send(setOutput, { id, name: 'A', protocol: SRT, config: listener(9102) })).result, SUCCESS)
})

test('deleting a source that is in use needs force', async () => {
  const { id } = await admin.send(addChannel, { name: 'A' })
  const { id: input } = await admin.send(addInput, { name: 'I', config: { type: 1, url: 'udp://239.0.0.1:5000' } })
  const { id: output } = await admin.send(addOutput, { name: 'O', protocol: SRT, config: listener(9103) })
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  assert.equal((await admin.send(deleteInputs, { id: input })).result, OBJECT_BUSY)
  assert.equal((await admin.send(deleteOutputs, { id: output })).result, OBJECT_BUSY)
  assert.equal((await admin.send(deleteInputs, { id: input, force: true })).result, SUCCESS)
  assert.equal((await admin.send(deleteOutputs, { id: output, force: true })).result, SUCCESS)
  const { channel } = await admin.send(queryChannel, { id })
  assert.equal(channel.input, null)
  assert.equal(channel.outputs.total, 0)
})

test('an output belongs to one channel, and a channel has at most sixteen', async () => {
  const { id: a } = await admin.send(addChannel, { name: 'A' })
  const { id: b } = await admin.send(addChannel, { name: 'B' })
  const outputs: number[] = []
  for (let i = 0; i < 17; i++)
    outputs.push((await admin.send(addOutput, { name: `O${i}`, protocol: SRT, config: listener(9200 + i) })).id)
  assert.equal((await admin.send(addChannelOutputs, { id: a, outputs: outputs.slice(0, 16) })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id: a, outputs: outputs.slice(16) })).result, TOO_MANY)
  assert.equal((await admin.send(addChannelOutputs, { id: b, outputs: outputs.slice(15) })).result, WRONG_STATE)
  assert.equal(
    (await admin.send(queryChannel, { id: b })).channel.outputs.total,
    0,
    'no output is added if one is refused'
  )
  assert.equal((await admin.send(deleteChannelOutputs, { id: a, outputs: [outputs[15] ?? 0] })).result, SUCCESS)
  assert.equal((await admin.send(addChannelOutputs, { id: b, outputs: outputs.slice(15) })).result, SUCCESS)
})

test('one output is disabled and enabled, and every response has the new state', async () => {
  const { id } = await admin.send(addChannel, { name: 'A' })
  const { id: other } = await admin.send(addChannel, { name: 'B' })
  const outputs: number[] = []
  for (const port of [9104, 9105])
    outputs.push((await admin.send(addOutput, { name: `O${port}`, protocol: SRT, config: listener(port) })).id)
  await admin.send(addChannelOutputs, { id, outputs })
  const outputStates = async () =>
    (await admin.send(queryChannel, { id })).channel.outputs.list.map(({ enable }) => enable)
  assert.deepEqual(await outputStates(), [true, true])
  const { rev } = await admin.send(channelDashboard, {})
  assert.equal(
    (await admin.send(enableChannelOutputs, { id, outputs: outputs.slice(1), enable: false })).result,
    SUCCESS
  )
  assert.deepEqual(await outputStates(), [true, false])
  const { list } = await admin.send(channelDashboard, { since: rev })
  assert.deepEqual(
    list.map((channel) => [channel.id, channel.outputs.list[1]?.enable]),
    [[id, false]]
  )
  const otherChannel = await admin.send(enableChannelOutputs, { id: other, outputs, enable: true })
  assert.equal(otherChannel.result, NOT_EXIST, 'outputs of another channel')
  assert.deepEqual(await outputStates(), [true, false])
  assert.equal((await admin.send(enableChannelOutputs, { id, outputs, enable: true })).result, SUCCESS)
  assert.deepEqual(await outputStates(), [true, true])
  const { list: log } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    log.slice(0, 3).map((line) => line.text),
    [
      'Start outputs of channel: A: O9104, O9105',
      'Start outputs of channel: B: O9104, O9105 – field “outputs”',
      'Stop outputs of channel: A: O9105'
    ]
  )
})

test('switching outputs requires the permission to control channels', async () => {
  const { id } = await admin.send(addChannel, { name: 'A' })
  const { id: output } = await admin.send(addOutput, { name: 'O', protocol: SRT, config: listener(9106) })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const request = { id, outputs: [output], enable: false }
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  assert.equal((await viewer.send(enableChannelOutputs, request)).result, NOT_PERMITTED)
  const operator = await addUser(hub, 'operator', CHANNEL_VIEW | CHANNEL_CONTROL | INPUT_OUTPUT_VIEW)
  assert.equal((await operator.send(enableChannelOutputs, request)).result, SUCCESS)
  assert.equal((await viewer.send(queryChannel, { id })).channel.outputs.list[0]?.enable, false)
})

test('secrets are returned only to callers with permission to edit, and passphrases to no caller', async () => {
  const srt = { mode: 'caller' as const, 'dst-ip': '10.0.0.9', 'dst-port': 9000, enc: 'aes-256' as const }
  const { id } = await admin.send(addOutput, {
    name: 'S',
    protocol: SRT,
    config: { ...srt, passphrase: 'very secret 1' }
  })
  await admin.send(addOutput, {
    name: 'R',
    protocol: RTMP,
    config: { url: 'rtmp://a.example/live', key: 'stream-key' }
  })
  const url = 'srt://10.0.0.1:9000?passphrase=very%20secret%202'
  await admin.send(addInput, { name: 'I', config: { type: 1, url } })
  assert.ok(!JSON.stringify(await admin.send(listOutputs, {})).includes('very secret'))
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW | CHANNEL_VIEW)
  const visibleText = JSON.stringify([await viewer.send(listOutputs, {}), await viewer.send(listInputs, {})])
  assert.ok(!/secret|stream-key/.test(visibleText), visibleText)
  assert.ok(visibleText.includes('****'))
  const lines = JSON.stringify(await admin.send(listLog, { type: 'operation' }))
  assert.ok(!/secret|stream-key/.test(lines), lines)
  // An empty passphrase keeps the stored one; disabling the encryption removes it.
  const storedConfig = () => JSON.stringify(hub.parts.store.sources.output(id)?.config)
  assert.equal((await admin.send(setOutput, { id, name: 'S', protocol: SRT, config: srt })).result, SUCCESS)
  assert.ok(storedConfig().includes('very secret 1'))
  await admin.send(setOutput, { id, name: 'S', protocol: SRT, config: { ...srt, enc: 'disable' } })
  assert.ok(!storedConfig().includes('secret'))
  assert.equal((await admin.send(setOutput, { id, name: 'S', protocol: SRT, config: srt })).field, 'config.passphrase')
})

test('only allowed options of a source URL are stored', async () => {
  const { id } = await admin.send(addInput, {
    name: 'I',
    config: { type: 1, url: 'SRT://Host.Example:9000?latency=200&pkt_size=1&streamid=a%2Fb' }
  })
  const { list } = await admin.send(listInputs, {})
  assert.equal(list[0]?.config.url, 'srt://host.example:9000?mode=caller&latency=200&streamid=a%2Fb')
  for (const url of ['file:///etc/passwd', 'concat:a|b', 'srt://a.example', 'udp://a b:1', 'rtmp://a.example', '-i x'])
    assert.equal((await admin.send(setInput, { id, name: 'I', config: { type: 1, url } })).result, INVALID_ARG, url)
})

test('a device can be an input once it is accepted; deleting it clears the input of the channel', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const device = hub.parts.store.devices.bySerial(sn)
  const { id } = await admin.send(addChannel, { name: 'A' })
  assert.equal((await admin.send(setChannelInput, { id, input: device?.id ?? 0 })).result, NOT_EXIST)
  await admin.send(acceptDevices, { sn: [sn] })
  assert.equal((await admin.send(setChannelInput, { id, input: device?.id ?? 0 })).result, SUCCESS)
  assert.equal((await admin.send(queryChannel, { id })).channel.input?.sn, sn)
  await admin.send(deleteDevices, { sn: [sn] })
  assert.equal((await admin.send(queryChannel, { id })).channel.input, null)
})

test('a stopped channel reports no leg as live', async () => {
  const { id } = await admin.send(addChannel, { name: 'A' })
  const { channel } = await admin.send(queryChannel, { id })
  assert.deepEqual([channel.state, channel.kbps, channel['living-time-s'], channel['conn-num']], [0, 0, 0, 0])
  assert.equal((await admin.send(enableChannel, { id: 1, enable: true })).result, NOT_EXIST)
  const counts = await admin.send(channelDashboard, { history: 1 })
  assert.deepEqual([counts['enable-num'], counts['live-num'], counts['used-num']], [0, 0, 1])
})

test.run()
