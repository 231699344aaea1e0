import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_EDIT, SYSTEM_CONFIG_EDIT } from '../../../../contract/access/permissions.ts'
import { ALREADY_EXISTS, NAME_EXISTS, PORT_OCCUPIED, SUCCESS } from '../../../../contract/codes.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel, addChannelOutputs } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { HTTP, RTMP, RTP, RTSP, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import {
  type AddOutputRequest,
  addInput,
  addOutput,
  deleteOutputs,
  listInputs,
  proposePort,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { addSignedInUser, addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

import { input, listener } from './source-requests.ts'

const test = suite('port and target conflicts')
// Without the NDI runtime, even if the machine has it.
hubForEach(test, { ndi: { folders: [] } })

test('two listeners cannot share a port, nor use the hub’s own; a caller can', async () => {
  const { port, linkPort } = await hub.listen(0, 0)
  const first = await admin.send(addOutput, listener('One', 9000))
  const second = await admin.send(addOutput, listener('Two', 9001))
  for (const occupiedPort of [9000, port, linkPort]) {
    const refusal = await admin.send(addOutput, listener('Three', occupiedPort))
    assert.deepEqual([refusal.result, refusal.field], [PORT_OCCUPIED, 'config.bind-port'], String(occupiedPort))
  }
  assert.equal((await admin.send(setOutput, { id: second.id, ...listener('Two', 9000) })).result, PORT_OCCUPIED)
  assert.equal((await admin.send(setOutput, { id: first.id, ...listener('One', 9000) })).result, SUCCESS)
  const caller = { mode: 'caller' as const, 'dst-ip': '10.0.0.1', 'dst-port': 9000 }
  assert.equal((await admin.send(addOutput, { name: 'Call', protocol: SRT, config: caller })).result, SUCCESS)
})

test('a dry run says whether an output can be added, and adds none', async () => {
  const dryRun = (output: AddOutputRequest) => admin.send(addOutput, { ...output, 'dry-run': true })
  assert.equal((await dryRun(listener('One', 9000))).result, SUCCESS)
  assert.deepEqual(hub.parts.store.sources.outputs(), [])
  await admin.send(addOutput, listener('One', 9000))
  assert.equal((await dryRun(listener('One', 9001))).result, NAME_EXISTS)
  assert.equal((await dryRun(listener('Two', 9000))).result, PORT_OCCUPIED)
})

test('the proposed port is one that neither an output nor another program uses', async () => {
  const propose = async () => (await admin.send(proposePort, {})).port
  const first = await propose()
  await admin.send(addOutput, listener('One', first))
  const second = await propose()
  assert.ok(second > first)
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(second, resolve))
  assert.ok((await propose()) > second)
  await new Promise<void>((resolve) => socket.close(resolve))
})

test('a slash at the end of an RTMP address does not make another target, because it is not sent', async () => {
  const outputTo = (name: string, url: string, key?: string): AddOutputRequest => ({
    name,
    protocol: RTMP,
    config: { url, key }
  })
  assert.equal((await admin.send(addOutput, outputTo('First', 'rtmp://a.example/live', 'k'))).result, SUCCESS)
  for (const sameTarget of [
    outputTo('Other', 'rtmp://a.example/live/', 'k'),
    outputTo('Other', 'rtmp://a.example/live/k/')
  ])
    assert.equal((await admin.send(addOutput, sameTarget)).result, ALREADY_EXISTS)
})

test('two outputs cannot have the same target, by the rules of each protocol; another key or port is another target', async () => {
  const outputTo = (protocol: number, config: object, name = 'Other') =>
    ({ name, protocol, config }) as AddOutputRequest
  const address = { 'dst-ip': '239.1.2.3', 'dst-port': 5000 }
  const call = { mode: 'caller', ...address }
  for (const [protocol, config, same, other, field] of [
    [RTMP, { url: 'rtmp://a.example/live', key: 'k' }, { url: 'RTMP://A.example:1935/live/k' }, { key: 'l' }, 'url'],
    [SRT, { ...call, 'stream-id': 'a' }, {}, { 'stream-id': 'b' }, 'dst-ip'],
    [UDP, address, { mtu: 1400 }, { 'dst-port': 5001 }, 'dst-ip'],
    [HTTP, { key: 'hall' }, { 'seg-count': 9 }, { key: 'foyer' }, 'key']
  ] as const) {
    const first = await admin.send(addOutput, outputTo(protocol, config, `First ${protocol}`))
    assert.equal(first.result, SUCCESS)
    const refusal = await admin.send(addOutput, outputTo(protocol, protocol === RTMP ? same : { ...config, ...same }))
    assert.deepEqual([refusal.result, refusal.field], [ALREADY_EXISTS, `config.${field}`], String(protocol))
    assert.equal((refusal as never as { exists: string }).exists, 'server')
    const second = await admin.send(addOutput, outputTo(protocol, { ...config, ...other }, `Second ${protocol}`))
    assert.equal(second.result, SUCCESS, String(protocol))
    const movedOutput = { id: second.id, ...outputTo(protocol, config, `Second ${protocol}`) }
    assert.equal((await admin.send(setOutput, movedOutput)).result, ALREADY_EXISTS)
    assert.equal(
      (await admin.send(setOutput, { ...movedOutput, id: first.id, name: 'First' })).result,
      0,
      'the output itself'
    )
    await admin.send(deleteOutputs, { id: [first.id, second.id] })
  }
  await admin.send(addOutput, outputTo(UDP, address, 'UDP'))
  assert.equal(
    (await admin.send(addOutput, outputTo(RTP, address, 'RTP'))).result,
    ALREADY_EXISTS,
    'whatever the protocol'
  )
})

test('the refusal of a target names the output and the channel that have it, for users who see them', async () => {
  const config = { url: 'rtmp://a.example/live', key: 'k' }
  const { id: output } = await admin.send(addOutput, { name: 'CDN', protocol: RTMP, config })
  const add = (client: Client) => client.send(addOutput, { name: 'Second', protocol: RTMP, config })
  const alone = await add(admin)
  assert.deepEqual([alone.holder, alone['owner-o']], [{ of: 'output', name: 'CDN' }, undefined])
  assert.match(alone.message ?? '', /^Output “CDN” already sends to this address\. Enter another .* use that output\.$/)
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  const used = await add(admin)
  assert.deepEqual([used.holder?.name, used['owner-o']], ['CDN', ['Hall']])
  assert.match(used.message ?? '', /^Output “CDN” of channel “Hall” already sends .* or change that output\.$/)
  await admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  const editor = await addUser(hub, 'editor', INPUT_OUTPUT_EDIT | CHANNEL_VIEW)
  const hidden = await add(editor)
  assert.deepEqual([hidden.result, hidden.holder, hidden['owner-o']], [ALREADY_EXISTS, undefined, undefined])
  assert.match(hidden.message ?? '', /^An output that you cannot see already sends to this address/)
  const web = { name: 'Web', protocol: HTTP, config: { key: 'hall' } } as const
  await admin.send(addOutput, web)
  const sameKey = await admin.send(addOutput, { ...web, name: 'Web 2' })
  assert.equal(sameKey.message, 'Output “Web” already has this key. Enter another one.')
})

test('an RTSP server, an SRT listener and an input that listens cannot share a port', async () => {
  const rtsp = (name: string, port: number) => ({ name, protocol: RTSP, config: { port } }) satisfies AddOutputRequest
  await admin.send(addOutput, rtsp('Eye', 8554))
  assert.equal((await admin.send(addOutput, rtsp('Eye 2', 8554))).field, 'config.port')
  assert.equal((await admin.send(addOutput, listener('Out', 8554))).result, PORT_OCCUPIED)
  const refusal = await admin.send(addInput, input('In', 'srt://:8554'))
  assert.deepEqual([refusal.result, refusal.field], [PORT_OCCUPIED, 'config.url'])
  assert.equal((await admin.send(addInput, input('In', 'srt://:9100'))).result, SUCCESS)
  assert.equal(
    (await admin.send(addInput, input('In again', 'srt://:9100'))).result,
    SUCCESS,
    'one URL under two names'
  )
  assert.equal((await admin.send(addInput, input('In other', 'udp://:9100'))).result, PORT_OCCUPIED)
  assert.equal((await admin.send(addInput, input('Call', 'srt://10.0.0.1:9100'))).result, SUCCESS)
  assert.equal((await admin.send(addOutput, listener('Out', 9100))).result, PORT_OCCUPIED)
})

test('an occupied port is refused with its user, if the caller has access to it; UDP and RTP inputs have ports, too', async () => {
  const { port, linkPort } = await hub.listen(0, 0, { srt: 8100, rtmp: 8101 })
  const findHolder = async (name: string, url: string) => {
    const { result, port: occupiedPort, holder } = await admin.send(addInput, input(name, url))
    if (result !== SUCCESS) assert.equal(result, PORT_OCCUPIED)
    return result === SUCCESS ? undefined : [occupiedPort, holder?.of, holder?.name]
  }
  assert.equal(await findHolder('Rtp', 'rtp://:5004'), undefined)
  assert.deepEqual(await findHolder('Next', 'udp://127.0.0.1:5005'), [5005, 'input', 'Rtp'], 'the RTCP port')
  assert.deepEqual(await findHolder('Below', 'rtp://:5003'), [5004, 'input', 'Rtp'])
  assert.equal(await findHolder('Same', 'rtp://:5004'), undefined)
  assert.equal(await findHolder('Group', 'udp://239.1.1.1:5010'), undefined)
  assert.equal(await findHolder('Group 2', 'udp://239.1.1.2:5010'), undefined, 'groups may share a port')
  assert.deepEqual(await findHolder('All', 'udp://:5010'), [5010, 'input', 'Group'])
  assert.equal(await findHolder('Far', 'srt://10.0.0.1:5010'), undefined, 'the hub connects to it')
  assert.equal(await findHolder('Camera', 'rtsp://10.0.0.1:5010/1'), undefined)
  assert.deepEqual(await findHolder('Srt', 'srt://:8100'), [8100, 'srt', undefined])
  assert.deepEqual(await findHolder('Web', `udp://:${port}`), [port, 'web', undefined])
  assert.deepEqual(await findHolder('Links', `udp://:${linkPort}`), [linkPort, 'links', undefined])
  assert.deepEqual((await admin.send(addOutput, listener('Out', 8101))).holder, { of: 'rtmp' })
  const movedInput = { id: 0, ...input('Rtp', 'rtp://:5005') }
  movedInput.id = (await admin.send(listInputs, { key: 'Same' })).list[0]?.id ?? 0
  assert.equal(
    (await admin.send(setInput, { ...movedInput, name: 'Same' })).holder?.name,
    'Rtp',
    'the port of the other input'
  )
  assert.equal((await admin.send(addOutput, { name: 'Eye', protocol: RTSP, config: { port: 5020 } })).result, SUCCESS)
  for (const [part, taken] of [
    ['srt', { of: 'output', name: 'Eye' }],
    ['rtmp', { of: 'output', name: 'Eye' }]
  ] as const) {
    const set = (outputTo: number, who = admin) =>
      who.send(
        setSettings,
        part === 'srt' ? { srt: { port: outputTo, 'pb-key-len': 0 } } : { rtmp: { port: outputTo } }
      )
    const refusal = await set(5020)
    assert.deepEqual([refusal.result, refusal.field, refusal.holder], [PORT_OCCUPIED, `${part}.port`, taken])
    assert.match(refusal.message ?? '', /^Port 5020 occupied by output Eye\n/)
    assert.deepEqual((await set(5005)).holder, { of: 'input', name: 'Rtp' })
    assert.deepEqual((await set(port)).holder, { of: 'web' })
    assert.deepEqual((await set(part === 'srt' ? 8101 : 8100)).holder, { of: part === 'srt' ? 'rtmp' : 'srt' })
    const withoutPermission = await set(5020, addSignedInUser(hub, `no-${part}`, SYSTEM_CONFIG_EDIT))
    assert.deepEqual([withoutPermission.result, withoutPermission.holder], [PORT_OCCUPIED, undefined])
    assert.equal((await set(part === 'srt' ? 8100 : 8101)).result, SUCCESS, 'its own port')
  }
})

test.run()
