import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import {
  ALREADY_EXISTS,
  BAD_ADDRESS,
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  PORT_OCCUPIED
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  CHANNEL_VIEW,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_EDIT
} from '../../../../contract/permissions.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION, HTTP, NDI, RTMP, RTP, RTSP, SOURCE, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import {
  type AddOutputRequest,
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  type Output,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { maskedUrl } from '../../../../hub/handlers/stream/source-url.ts'
import { addUser, type Client, join } from '../../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'
import { until } from '../../../kit/until.ts'

const test = suite('source')
// Without the NDI runtime, also where the machine has it.
hubForEach(test, { ndi: { folders: [] } })

const input = (name: string, url = 'srt://10.0.0.1:9000') => ({ name, config: { type: 1 as const, url } })
const listener = (name: string, port: number) => ({
  name,
  protocol: SRT,
  config: { mode: 'listener' as const, 'bind-port': port }
})
const rtmp = (name: string, config: object = {}) => ({
  name,
  protocol: RTMP,
  config: { url: 'rtmp://a.example/live', ...config }
})

async function output(id: number, client = admin): Promise<Output> {
  const found = (await client.send(listOutputs, {})).list.find((one) => one.id === id)
  assert.ok(found)
  return found
}

const stored = (id: number) => hub.hub.store.sources.output(id)?.config

test('a source is kept in the documented form of its URL, and found again', async () => {
  const { id } = await admin.send(addInput, input('Cam', 'SRT://10.0.0.1:9000?x=y'))
  const { list, total } = await admin.send(listInputs, {})
  assert.equal(total, 1)
  assert.deepEqual(list, [
    {
      id,
      name: 'Cam',
      dir: 256,
      type: 258,
      protocol: SRT,
      config: { type: 1, url: 'srt://10.0.0.1:9000?mode=caller&latency=120' },
      'masked-url': 'srt://10.0.0.1:9000?mode=caller&latency=120',
      'owner-i': [],
      'owner-i-d': []
    }
  ])
  assert.equal((await admin.send(setInput, { id, ...input('Cam 2', 'rtmp://a.example/live') })).result, 0)
  const [changed] = (await admin.send(listInputs, {})).list
  assert.deepEqual([changed?.name, changed?.protocol], ['Cam 2', RTMP])
})

const NDI_URL = 'ntkndi://ndi?name=STUDIO%20(Cam%201)&url=10.0.0.9'

test('an NDI preset is kept, found by its name and protocol, and no secret to who may see sources', async () => {
  await admin.send(addInput, input('Cam'))
  const { id } = await admin.send(addInput, input('Studio camera', `${NDI_URL}&x=1`))
  const looker = join(hub, 'looker', INPUT_OUTPUT_VIEW)
  const { list, total } = await looker.send(listInputs, { key: 'CAM', protocol: NDI })
  assert.equal(total, 1)
  assert.deepEqual(list, [
    {
      id,
      name: 'Studio camera',
      dir: 256,
      type: 258,
      protocol: NDI,
      config: { type: 1, url: NDI_URL },
      'masked-url': NDI_URL
    }
  ])
  const wrong = await admin.send(addInput, input('Other', 'ntkndi://ndi?url=10.0.0.9'))
  assert.deepEqual([wrong.result, wrong.field, wrong.fault], [INVALID_ARG, 'config.url', 'required'])
  assert.equal((await looker.send(addInput, { ...input('Studio camera'), force: true })).result, NOT_PERMITTED)
  assert.equal((await admin.send(deleteInputs, { id })).result, 0)
  assert.equal((await admin.send(listInputs, { protocol: NDI })).total, 0)
})

test('a preset is overridden only when that is said, and stays the same node', async () => {
  const { id } = await admin.send(addInput, input('Studio', NDI_URL))
  const next = input('STUDIO', 'ntkndi://ndi?name=FOYER')
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel, input: id })
  const taken = await admin.send(addInput, next)
  assert.deepEqual([taken.result, taken.field, taken['owner-i']], [NAME_EXISTS, 'name', ['Hall']])
  const editor = join(hub, 'eddy', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  assert.deepEqual((await editor.send(addInput, next))['owner-i'], [], 'a channel that may not be seen')
  const over = await admin.send(addInput, { ...next, force: true })
  assert.deepEqual([over.result, over.id], [0, id])
  const { list } = await admin.send(listInputs, {})
  assert.deepEqual(
    list.map(({ name, config }) => [name, config.url]),
    [['STUDIO', next.config.url]]
  )
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.equal(line?.detail, 'STUDIO ntkndi://ndi?name=FOYER')
  const made = await admin.send(addInput, { ...input('New', NDI_URL), force: true })
  assert.equal(made.result, 0)
  assert.notEqual(made.id, id)
})

test('a channel takes NDI, by itself and in the place of what it had, and says what is missing to carry it', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const ndi = await admin.send(addInput, input('Studio', NDI_URL))
  const out = await admin.send(addOutput, { name: 'Out', protocol: NDI, config: {} })
  // As whoever takes it has to choose it.
  assert.equal((await output(out.id)).addr, `${hostname().toUpperCase()} (Out)`)
  assert.equal((await admin.send(setChannelInput, { id, input: ndi.id })).result, 0)
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: [out.id] })).result, 0)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, 0)
  const legs = async () => {
    const { channel } = await admin.send(queryChannel, { id })
    return [channel.input, channel.outputs.list[0]]
  }
  await until(() => {
    const { input: source, outputs } = hub.hub.engine.observe(id)
    return [source, outputs.get(out.id)].every((leg) => leg?.connState === CONNECTION.creationFailed)
  }, 'both legs are judged')
  for (const leg of await legs()) {
    assert.equal(leg?.state, SOURCE.unsupported)
    assert.match(leg?.reason ?? '', /needs the NDI runtime/)
    assert.match(leg?.['next-step'] ?? '', /ndi\.video/)
  }
  const cam = await admin.send(addInput, input('Cam', 'udp://239.1.2.3:5000'))
  assert.equal((await admin.send(setChannelInput, { id, input: cam.id })).result, 0)
  assert.equal((await admin.send(addInput, { ...input('Cam', NDI_URL), force: true })).result, 0)
  assert.equal(hub.hub.store.sources.input(cam.id)?.url, NDI_URL)
  assert.equal((await legs())[0]?.protocol, NDI)
})

test('names are unique in any case among inputs, and among outputs; an entry may keep its own', async () => {
  const { id } = await admin.send(addInput, input('Cam'))
  assert.equal((await admin.send(addInput, input('CAM'))).result, NAME_EXISTS)
  assert.equal((await admin.send(setInput, { id, ...input('cam') })).result, 0)
  assert.equal((await admin.send(addOutput, listener('Cam', 9000))).result, 0, 'an output is no input')
  const other = await admin.send(addOutput, rtmp('Live'))
  assert.equal((await admin.send(setOutput, { id: other.id, ...rtmp('cam') })).result, NAME_EXISTS)
  assert.equal((await admin.send(setOutput, { id: other.id, ...rtmp('LIVE') })).result, 0)
})

test('what is not there cannot be changed or deleted, and a list with one such id deletes nothing', async () => {
  const { id } = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, rtmp('Live'))
  assert.equal((await admin.send(setInput, { id: out.id, ...input('x') })).result, NOT_EXIST, 'an output is no input')
  assert.equal((await admin.send(setOutput, { id, ...rtmp('x') })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteInputs, { id: [id, 77] })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteOutputs, { id: [out.id, id] })).result, NOT_EXIST)
  assert.equal((await admin.send(listInputs, {})).total, 1)
  assert.equal((await admin.send(deleteInputs, { id: [id, id] })).result, 0)
  assert.equal((await admin.send(deleteOutputs, { id: out.id })).result, 0)
  assert.equal(hub.hub.store.database.all('SELECT * FROM node').length, 0)
})

test('a channel that uses several of what is to be deleted is named once', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const outputs = [await admin.send(addOutput, listener('A', 9000)), await admin.send(addOutput, listener('B', 9001))]
  const inputs = [
    await admin.send(addInput, input('A')),
    await admin.send(addInput, input('B', 'rtmp://10.0.0.1/live/b'))
  ]
  const [own, backup] = inputs.map((one) => one.id) as [number, number]
  await admin.send(setChannelInput, { id, input: own })
  await admin.send(setChannel, { id, name: 'Hall', config: { backups: [backup] } })
  await admin.send(addChannelOutputs, { id, outputs: outputs.map((one) => one.id) })
  assert.deepEqual((await admin.send(deleteOutputs, { id: outputs.map((one) => one.id) }))['owner-o'], ['Hall'])
  assert.deepEqual((await admin.send(deleteInputs, { id: [own, backup] }))['owner-i'], ['Hall'])
})

test('what a channel uses is busy, and goes when forced; the channel stays without it', async () => {
  const channel = await admin.send(addChannel, { name: 'Hall' })
  const cam = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, listener('Out', 9000))
  await admin.send(setChannelInput, { id: channel.id, input: cam.id })
  await admin.send(addChannelOutputs, { id: channel.id, outputs: [out.id] })
  assert.deepEqual((await admin.send(listInputs, {})).list[0]?.['owner-i'], ['Hall'])
  assert.equal((await output(out.id))['owner-o'], 'Hall')
  const busy = await admin.send(deleteInputs, { id: cam.id })
  assert.deepEqual([busy.result, (busy as never as { 'owner-i': unknown })['owner-i']], [OBJECT_BUSY, ['Hall']])
  assert.equal((await admin.send(deleteOutputs, { id: out.id })).result, OBJECT_BUSY)
  assert.equal((await admin.send(deleteInputs, { id: cam.id, force: true })).result, 0)
  assert.equal((await admin.send(deleteOutputs, { id: out.id, force: true })).result, 0)
  const left = (await admin.send(queryChannel, { id: channel.id })).channel
  assert.deepEqual([left.input, left.outputs.total], [null, 0])
})

test('two listeners cannot have one port, nor can one have the hub’s own; a caller can', async () => {
  const { port, linkPort } = await hub.listen(0, 0)
  const first = await admin.send(addOutput, listener('One', 9000))
  const second = await admin.send(addOutput, listener('Two', 9001))
  for (const taken of [9000, port, linkPort]) {
    const refused = await admin.send(addOutput, listener('Three', taken))
    assert.deepEqual([refused.result, refused.field], [PORT_OCCUPIED, 'config.bind-port'], String(taken))
  }
  assert.equal((await admin.send(setOutput, { id: second.id, ...listener('Two', 9000) })).result, PORT_OCCUPIED)
  assert.equal((await admin.send(setOutput, { id: first.id, ...listener('One', 9000) })).result, 0)
  const caller = { mode: 'caller' as const, 'dst-ip': '10.0.0.1', 'dst-port': 9000 }
  assert.equal((await admin.send(addOutput, { name: 'Call', protocol: SRT, config: caller })).result, 0)
})

test('a slash at the end of an RTMP address makes no other target, since it is not sent', async () => {
  const at = (name: string, url: string, key?: string): AddOutputRequest => ({
    name,
    protocol: RTMP,
    config: { url, key }
  })
  assert.equal((await admin.send(addOutput, at('First', 'rtmp://a.example/live', 'k'))).result, 0)
  for (const same of [at('Other', 'rtmp://a.example/live/', 'k'), at('Other', 'rtmp://a.example/live/k/')])
    assert.equal((await admin.send(addOutput, same)).result, ALREADY_EXISTS)
})

test('two outputs cannot have one target, told as each protocol tells one; another key or port is another', async () => {
  const at = (protocol: number, config: object, name = 'Other') => ({ name, protocol, config }) as AddOutputRequest
  const address = { 'dst-ip': '239.1.2.3', 'dst-port': 5000 }
  const call = { mode: 'caller', ...address }
  for (const [protocol, config, same, other, field] of [
    [RTMP, { url: 'rtmp://a.example/live', key: 'k' }, { url: 'RTMP://A.example:1935/live/k' }, { key: 'l' }, 'url'],
    [SRT, { ...call, 'stream-id': 'a' }, {}, { 'stream-id': 'b' }, 'dst-ip'],
    [UDP, address, { mtu: 1400 }, { 'dst-port': 5001 }, 'dst-ip'],
    [HTTP, { key: 'hall' }, { 'seg-count': 9 }, { key: 'foyer' }, 'key']
  ] as const) {
    const first = await admin.send(addOutput, at(protocol, config, `First ${protocol}`))
    assert.equal(first.result, 0)
    const refused = await admin.send(addOutput, at(protocol, protocol === RTMP ? same : { ...config, ...same }))
    assert.deepEqual([refused.result, refused.field], [ALREADY_EXISTS, `config.${field}`], String(protocol))
    assert.equal((refused as never as { exists: string }).exists, 'server')
    const second = await admin.send(addOutput, at(protocol, { ...config, ...other }, `Second ${protocol}`))
    assert.equal(second.result, 0, String(protocol))
    const moved = { id: second.id, ...at(protocol, config, `Second ${protocol}`) }
    assert.equal((await admin.send(setOutput, moved)).result, ALREADY_EXISTS)
    assert.equal((await admin.send(setOutput, { ...moved, id: first.id, name: 'First' })).result, 0, 'itself')
    await admin.send(deleteOutputs, { id: [first.id, second.id] })
  }
  await admin.send(addOutput, at(UDP, address, 'UDP'))
  assert.equal((await admin.send(addOutput, at(RTP, address, 'RTP'))).result, ALREADY_EXISTS, 'whatever is in them')
})

test('an RTSP server, an SRT listener and an input that listens cannot share a port', async () => {
  const rtsp = (name: string, port: number) => ({ name, protocol: RTSP, config: { port } })
  await admin.send(addOutput, rtsp('Eye', 8554))
  assert.equal((await admin.send(addOutput, rtsp('Eye 2', 8554))).field, 'config.port')
  assert.equal((await admin.send(addOutput, listener('Out', 8554))).result, PORT_OCCUPIED)
  const taken = await admin.send(addInput, input('In', 'srt://:8554'))
  assert.deepEqual([taken.result, taken.field], [PORT_OCCUPIED, 'config.url'])
  assert.equal((await admin.send(addInput, input('In', 'srt://:9100'))).result, 0)
  assert.equal((await admin.send(addInput, input('In again', 'srt://:9100'))).result, 0, 'one input under two names')
  assert.equal((await admin.send(addInput, input('In other', 'udp://:9100'))).result, PORT_OCCUPIED)
  assert.equal((await admin.send(addInput, input('Call', 'srt://10.0.0.1:9100'))).result, 0)
  assert.equal((await admin.send(addOutput, listener('Out', 9100))).result, PORT_OCCUPIED)
})

test('a port that something has is refused with who has it, to who may see that: inputs over UDP and RTP have theirs, too', async () => {
  const { port, linkPort } = await hub.listen(0, 0, { srt: 8100, rtmp: 8101 })
  const held = async (name: string, url: string) => {
    const { result, port: taken, holder } = await admin.send(addInput, input(name, url))
    if (result !== 0) assert.equal(result, PORT_OCCUPIED)
    return result === 0 ? undefined : [taken, holder?.of, holder?.name]
  }
  assert.equal(await held('Rtp', 'rtp://:5004'), undefined)
  assert.deepEqual(await held('Next', 'udp://127.0.0.1:5005'), [5005, 'input', 'Rtp'], 'that of RTCP')
  assert.deepEqual(await held('Below', 'rtp://:5003'), [5004, 'input', 'Rtp'])
  assert.equal(await held('Same', 'rtp://:5004'), undefined)
  assert.equal(await held('Group', 'udp://239.1.1.1:5010'), undefined)
  assert.equal(await held('Group 2', 'udp://239.1.1.2:5010'), undefined, 'groups may share a port')
  assert.deepEqual(await held('All', 'udp://:5010'), [5010, 'input', 'Group'])
  assert.equal(await held('Far', 'srt://10.0.0.1:5010'), undefined, 'it is called')
  assert.equal(await held('Camera', 'rtsp://10.0.0.1:5010/1'), undefined)
  assert.deepEqual(await held('Srt', 'srt://:8100'), [8100, 'srt', undefined])
  assert.deepEqual(await held('Web', `udp://:${port}`), [port, 'web', undefined])
  assert.deepEqual(await held('Links', `udp://:${linkPort}`), [linkPort, 'links', undefined])
  assert.deepEqual((await admin.send(addOutput, listener('Out', 8101))).holder, { of: 'rtmp' })
  const moved = { id: 0, ...input('Rtp', 'rtp://:5005') }
  moved.id = (await admin.send(listInputs, { key: 'Same' })).list[0]?.id ?? 0
  assert.equal((await admin.send(setInput, { ...moved, name: 'Same' })).holder?.name, 'Rtp', 'to where the other is')
  assert.equal((await admin.send(addOutput, { name: 'Eye', protocol: RTSP, config: { port: 5020 } })).result, 0)
  for (const [part, taken] of [
    ['srt', { of: 'output', name: 'Eye' }],
    ['rtmp', { of: 'output', name: 'Eye' }]
  ] as const) {
    const set = (at: number, who = admin) =>
      who.send(setSettings, part === 'srt' ? { srt: { port: at, 'pb-key-len': 0 } } : { rtmp: { port: at } })
    const refused = await set(5020)
    assert.deepEqual([refused.result, refused.field, refused.holder], [PORT_OCCUPIED, `${part}.port`, taken])
    assert.match(refused.message ?? '', /^Port 5020 occupied: output Eye\n/)
    assert.deepEqual((await set(5005)).holder, { of: 'input', name: 'Rtp' })
    assert.deepEqual((await set(port)).holder, { of: 'web' })
    assert.deepEqual((await set(part === 'srt' ? 8101 : 8100)).holder, { of: part === 'srt' ? 'rtmp' : 'srt' })
    const blind = await set(5020, join(hub, `no-${part}`, SYSTEM_CONFIG_EDIT))
    assert.deepEqual([blind.result, blind.holder], [PORT_OCCUPIED, undefined])
    assert.equal((await set(part === 'srt' ? 8100 : 8101)).result, 0, 'its own')
  }
})

test('from where an output is taken is kept until another list is written, and is none of what goes elsewhere', async () => {
  const allowed = { 'allow-ip': ['10.0.0.0/8'] }
  const of = async (id: number) => (await output(id)).config as { 'allow-ip'?: string[] }
  const made = async (protocol: number, config: object, name = String(protocol)) =>
    (await admin.send(addOutput, { name, protocol, config: config as never })).id
  for (const [protocol, config] of [
    [SRT, { mode: 'listener', 'bind-port': 9300 }],
    [RTSP, { port: 9301 }],
    [HTTP, {}]
  ] as const) {
    const id = await made(protocol, { ...config, ...allowed })
    const set = (more: object) =>
      admin.send(setOutput, { id, name: String(protocol), protocol, config: { ...config, ...more } as never })
    assert.deepEqual((await of(id))['allow-ip'], ['10.0.0.0/8'])
    assert.equal((await set({})).result, 0)
    assert.deepEqual((await of(id))['allow-ip'], ['10.0.0.0/8'])
    assert.equal((await set({ 'allow-ip': ['10.0.0.0/40'] })).result, INVALID_ARG)
    assert.equal((await set({ 'allow-ip': [] })).result, 0)
    assert.equal((await of(id))['allow-ip'], undefined)
  }
  const call = { mode: 'caller', 'dst-ip': '10.0.0.1', 'dst-port': 9000, ...allowed }
  assert.equal((await of(await made(SRT, call, 'Call')))['allow-ip'], undefined)
})

test('what leads to where clouds keep secrets is refused, and to private addresses where the hub is told to', async () => {
  const call = (ip: string) => ({ mode: 'caller' as const, 'dst-ip': ip, 'dst-port': 9000 })
  const tries = async (ip: string) => {
    const answers = [
      await admin.send(addInput, input(`In ${ip}`, `http://${ip}/latest/meta-data`)),
      await admin.send(addInput, input(`Call ${ip}`, `srt://${ip}:9000`)),
      await admin.send(addOutput, { name: `Out ${ip}`, protocol: SRT, config: call(ip) }),
      await admin.send(addOutput, rtmp(`Push ${ip}`, { url: `rtmp://${ip}/live` })),
      await admin.send(addInput, input(`NDI ${ip}`, `ntkndi://ndi?name=Cam&url=${ip}:5961`))
    ]
    return answers.map(({ result, field }) => (result === 0 ? 0 : [result, field]))
  }
  const refused = ['config.url', 'config.url', 'config.dst-ip', 'config.url', 'config.url'].map((field) => [
    BAD_ADDRESS,
    field
  ])
  for (const ip of ['169.254.169.254', '0xa9.0xfe.0xa9.0xfe', '168.63.129.16'])
    assert.deepEqual(await tries(ip), refused, ip)
  assert.deepEqual(await tries('10.0.0.1'), [0, 0, 0, 0, 0])
  assert.equal((await admin.send(setSettings, { streams: { 'forbid-private': true } })).result, 0)
  assert.deepEqual((await admin.send(getSettings, {})).settings.streams, { 'forbid-private': true })
  for (const ip of ['10.0.0.2', 'localhost']) assert.deepEqual(await tries(ip), refused, ip)
  assert.deepEqual(await tries('203.0.113.1'), [0, 0, 0, 0, 0])
  assert.equal((await admin.send(addInput, input('Group', 'udp://239.1.2.3:5000'))).result, 0, 'it leads nowhere')
})

test('no scheme, option or character of a URL leads to a file or to another option', async () => {
  for (const url of [
    ...['file:///etc/passwd', 'concat:a|b', 'subfile,,start,0,end,9,,:/etc/passwd', 'pipe:0', 'data:video/mp2t,x'],
    ...['http://a.example/a.ts\n-i', 'http://a.example/"a', "http://a.example/'a", 'http://a.example/a b', '-i'],
    ...['tcp://a.example:1', 'crypto:http://a.example', 'http://a.example|b', 'udp://239.1.2.3:5000?iface=-i']
  ]) {
    const refused = await admin.send(addInput, input('Bad', url))
    assert.deepEqual([refused.result, refused.field], [INVALID_ARG, 'config.url'], url)
  }
  const option = await admin.send(addInput, input('Option', 'udp://239.1.2.3:5000?localport=1&iface=eth0'))
  assert.equal(hub.hub.store.sources.input(option.id)?.url, 'udp://239.1.2.3:5000?iface=eth0')
})

test('keys of players are made where none is given, stay when left out, and are told to who may edit', async () => {
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const login = { 'enable-auth': true, username: 'me', password: 'secret' }
  const eye = { name: 'Eye', protocol: RTSP, config: { port: 8554, ...login } }
  const { id } = await admin.send(addOutput, eye)
  const { key } = (await output(id)).config as { key: string }
  assert.match(key, /^RTSP-[0-9A-F-]{36}$/)
  assert.deepEqual((await output(id, viewer)).config, { port: 8554, 'enable-auth': true, username: 'me' })
  const { password: _, ...kept } = login
  assert.equal((await admin.send(setOutput, { id, ...eye, config: { port: 8555, ...kept } })).result, 0)
  assert.deepEqual(stored(id), { port: 8555, key, ...login })
  assert.equal((await admin.send(setOutput, { id, ...eye, config: { port: 8555, password: 'left over' } })).result, 0)
  assert.deepEqual(stored(id), { port: 8555, key })
  const hls = await admin.send(addOutput, { name: 'Web', protocol: HTTP, config: {} })
  assert.match(((await output(hls.id)).config as { key: string }).key, /^HLS-/)
  assert.ok(!JSON.stringify(await output(hls.id, viewer)).includes('HLS-'))
  const config = { group: 'public', 'transport-mode': 1, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0' }
  const ndi = await admin.send(addOutput, { name: 'Studio', protocol: NDI, config })
  assert.deepEqual((await output(ndi.id)).config, config)
})

test('a passphrase is never answered; left out it stays, and it goes with the encryption', async () => {
  const base = listener('Out', 9000)
  const set = (id: number, config: object) =>
    admin.send(setOutput, { id, ...base, config: { ...base.config, ...config } })
  const secret = 'correct horse'
  const { id } = await admin.send(addOutput, {
    ...base,
    config: { ...base.config, enc: 'aes-128', passphrase: secret }
  })
  assert.deepEqual((await output(id)).config, { mode: 'listener', 'bind-port': 9000, enc: 'aes-128' })
  for (const config of [{ enc: 'aes-256' }, { enc: 'aes-256', passphrase: '' }]) {
    assert.equal((await set(id, config)).result, 0)
    assert.deepEqual(stored(id), { mode: 'listener', 'bind-port': 9000, enc: 'aes-256', passphrase: secret })
  }
  assert.equal((await set(id, { enc: 'disable', passphrase: secret })).result, 0)
  assert.ok(!JSON.stringify(stored(id)).includes(secret))
  const without = await set(id, { enc: 'aes-128' })
  assert.deepEqual([without.result, without.field], [INVALID_ARG, 'config.passphrase'])
})

test('key and login of an RTMP target stay when left out, and go when they no longer apply', async () => {
  const auth = { 'enable-auth': true, username: 'me', password: 'secret' }
  const { id } = await admin.send(addOutput, rtmp('Live', { key: 'k', ...auth }))
  assert.equal(
    (await admin.send(setOutput, { id, ...rtmp('Live', { 'enable-auth': true, username: 'you' }) })).result,
    0
  )
  assert.deepEqual(stored(id), { url: 'rtmp://a.example:1935/live', key: 'k', ...auth, username: 'you' })
  assert.equal((await admin.send(setOutput, { id, ...rtmp('Live') })).result, 0)
  assert.deepEqual(stored(id), { url: 'rtmp://a.example:1935/live', key: 'k' })
  for (const [config, field] of [
    [{ 'enable-auth': true, password: 'x' }, 'config.username'],
    [{ 'enable-auth': true, username: 'x' }, 'config.password']
  ] as const)
    assert.equal((await admin.send(addOutput, rtmp('New', config))).field, field)
})

test('who may not edit reads no secret anywhere, and neither does the log', async () => {
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW | CHANNEL_VIEW)
  const secret = 'topsecret-0123'
  const cam = await admin.send(addInput, input('Cam', `srt://10.0.0.1:9000?passphrase=${secret}`))
  const rtsp = await admin.send(addInput, input('Door', `rtsp://me:${secret}@10.0.0.2/1`))
  const live = await admin.send(
    addOutput,
    rtmp('Live', {
      ...{ url: `rtmp://me:${secret}@a.example/live`, key: secret, 'enable-auth': true },
      ...{ username: 'me', password: secret }
    })
  )
  const out = await admin.send(addOutput, {
    ...listener('Out', 9000),
    config: { ...listener('Out', 9000).config, enc: 'aes-128', passphrase: secret }
  })
  const config = { 'play-key': `${secret}-a`, 'push-key': `${secret}-b` }
  const channel = await admin.send(addChannel, { name: 'Hall', config })
  await admin.send(setChannelInput, { id: channel.id, input: cam.id })
  await admin.send(addChannelOutputs, { id: channel.id, outputs: [live.id, out.id] })
  await admin.send(setInput, { id: rtsp.id, ...input('Door', `rtsp://me:${secret}@10.0.0.2/2`) })
  for (const [name, url] of Object.entries({
    key: `rtmp://10.0.0.3/live/${secret}`,
    instance: `rtmp://10.0.0.3/live/${secret}/x?user=${secret}`,
    signed: `https://cdn.example/live/index.m3u8?${secret}&token=${secret}&b=`,
    gate: `rtsp://10.0.0.4/${secret}`,
    list: `http://10.0.0.6/hls/${secret}/index.m3u8`,
    camera: `rtsp://10.0.0.4/user=admin&password=${secret}&channel=1.sdp`,
    stream: `srt://10.0.0.5:9000?streamid=${secret}`
  })) {
    assert.equal((await admin.send(addInput, input(name, url))).result, 0, name)
    assert.equal(
      (await admin.send(addOutput, rtmp(name, { url: `rtmp://a.example/${name}/${secret}` }))).result,
      0,
      name
    )
  }
  const caller = { mode: 'caller' as const, 'dst-ip': '10.0.0.1', 'dst-port': 9000, 'stream-id': secret }
  assert.equal((await admin.send(addOutput, { name: 'Caller', protocol: SRT, config: caller })).result, 0)
  const readable = async (client: Client) =>
    JSON.stringify([
      await client.send(listInputs, {}),
      await client.send(listOutputs, {}),
      await client.send(queryChannel, { id: channel.id })
    ])
  assert.ok(!(await readable(viewer)).includes(secret))
  assert.ok((await readable(admin)).includes(secret), 'an editor edits what is there')
  for (const type of ['operation', 'system', 'device'] as const)
    assert.ok(!JSON.stringify(await admin.send(listLog, { type })).includes(secret), type)
})

test('a masked URL still tells where it leads, and nothing that may be a key', () => {
  for (const [url, shown] of [
    ['rtmp://10.0.0.3/live/key', 'rtmp://10.0.0.3:1935/live/****'],
    ['rtmp://10.0.0.3/live', 'rtmp://10.0.0.3:1935/live'],
    ['rtmps://live.example/rtmp/', 'rtmps://live.example:443/rtmp/'],
    ['rtmp://10.0.0.3/live/a/b?c=d', 'rtmp://10.0.0.3:1935/live/****?c=****'],
    ['rtsp://me:pw@10.0.0.4/cam/1?channel=1&x&y=', 'rtsp://me:****@10.0.0.4:554/****?channel=****&****&y=****'],
    ['rtsp://10.0.0.4/user=a;pass=b/c?mw-tcp-first=1', 'rtsp://10.0.0.4:554/****?mw-tcp-first=1'],
    ['rtsp://10.0.0.4/key', 'rtsp://10.0.0.4:554/****'],
    ['rtsp://10.0.0.4', 'rtsp://10.0.0.4:554'],
    ['https://cdn.example/a/b.m3u8', 'https://cdn.example:443/****'],
    ['http://10.0.0.6/hls/key/index.m3u8', 'http://10.0.0.6:80/****'],
    ['http://10.0.0.6/', 'http://10.0.0.6:80/'],
    ['srt://10.0.0.5:9000?streamid=a', 'srt://10.0.0.5:9000?mode=caller&latency=120&streamid=****'],
    ['udp://239.0.0.1:5000', 'udp://239.0.0.1:5000'],
    ['nonsense', '']
  ] as const)
    assert.equal(maskedUrl(url), shown, url)
})

test('channels that use a source are named to who may view channels only, also by a refusal', async () => {
  const channel = await admin.send(addChannel, { name: 'Hall' })
  const cam = await admin.send(addInput, input('Cam'))
  const out = await admin.send(addOutput, listener('Out', 9000))
  await admin.send(setChannelInput, { id: channel.id, input: cam.id })
  await admin.send(addChannelOutputs, { id: channel.id, outputs: [out.id] })
  const editor = join(hub, 'ines', INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT)
  const answers = [
    await editor.send(listInputs, {}),
    await editor.send(listOutputs, {}),
    await editor.send(deleteInputs, { id: cam.id }),
    await editor.send(deleteOutputs, { id: out.id })
  ]
  assert.deepEqual([answers[2]?.result, answers[3]?.result], [OBJECT_BUSY, OBJECT_BUSY])
  assert.ok(!JSON.stringify(answers).includes('Hall'))
  const viewer = join(hub, 'vera', INPUT_OUTPUT_VIEW | CHANNEL_VIEW)
  assert.deepEqual((await viewer.send(listInputs, {})).list[0]?.['owner-i'], ['Hall'])
  assert.equal((await viewer.send(listOutputs, {})).list[0]?.['owner-o'], 'Hall')
})

test('where an output goes is said without secrets, to an editor too', async () => {
  const login = { url: 'rtmp://ines:hidden@a.example/live', key: 'hidden' }
  const { id } = await admin.send(addOutput, rtmp('Push', login))
  assert.equal((await output(id)).addr, 'rtmp://ines:****@a.example:1935/live')
  const srt = await admin.send(addOutput, listener('Out', 9001))
  assert.equal((await output(srt.id)).addr, 'srt://:9001')
})

test('search, sort and page; an order without a sort is refused', async () => {
  for (const name of ['Cam 10', 'Cam 9', 'Door']) await admin.send(addInput, input(name))
  const names = async (request: Parameters<typeof admin.send<object, { list: { name: string }[] }>>[1]) =>
    (await admin.send(listInputs, request)).list.map(({ name }) => name)
  assert.deepEqual(await names({ sort: 'name' }), ['Cam 9', 'Cam 10', 'Door'])
  assert.deepEqual(await names({ sort: 'name', order: 'descending', count: 1, start: 1 }), ['Cam 10'])
  assert.deepEqual(await names({ key: 'CAM' }), ['Cam 10', 'Cam 9'])
  assert.deepEqual((await admin.send(listInputs, { order: 'descending' })).field, 'order')
})

test.run()
