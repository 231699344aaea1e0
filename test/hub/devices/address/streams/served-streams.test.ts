// Streams that devices at addresses serve, which the hub pulls, and those that an audio device sends to the hub.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS, UNSUPPORTED } from '../../../../../contract/codes.ts'
import { addDevice } from '../../../../../contract/device/address.ts'
import { configureDevices, queryDevice } from '../../../../../contract/device/device.ts'
import { addDeviceStream, listDeviceStreams } from '../../../../../contract/device/stream.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  setChannelInput
} from '../../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, DIR_INPUT, RTMP, RTSP } from '../../../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs } from '../../../../../contract/stream/source.ts'
import { reasonText } from '../../../../../hub/messages/reasons.ts'
import { cleanUpMedia, clipPath, sendClip } from '../../../../kit/engine/media.ts'
import { addressedHubForEach, createAddRequest, startDevice } from '../../../../kit/fleet/addressed-devices.ts'
import type { HttpDevice } from '../../../../kit/fleet/http-device.ts'
import { admin, hub } from '../../../../kit/hub/hub-for-each.ts'
import { freeTcpPort, freeUdpPort } from '../../../../kit/net/free-port.ts'
import { until } from '../../../../kit/until.ts'

const test = suite('streams that devices serve')
test.after(cleanUpMedia)
addressedHubForEach(test)

const AUDIO = 'B431210600140'

async function add(...[model, options]: Parameters<typeof startDevice>) {
  const device = await startDevice(model, { ...options, documented: { clipPath: () => clipPath() } })
  const { family: module } = device.appliance.entry.model
  const { sn, id, result } = await admin.send(addDevice, createAddRequest(device, { module }))
  assert.equal(result, SUCCESS)
  return { device, sn, id }
}

/** Asks a device itself. */
async function ask(sn: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const call = body
    ? { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { method: 'GET', path }
  return JSON.parse((await hub.parts.links.request(sn, call, 10_000)).body.toString())
}

const addServer = async (sn: string, parameters: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams({ method: 'add-server', 'is-use': '1', ...parameters })
  assert.equal((await ask(sn, `/usapi?${query}`)).result, SUCCESS)
}

const RTSP_SERVER = { type: '100', name: 'RTSP', port: '8554', 'is-main': '1', 'main-stream-name': 'main hall' }

const streamsOf = async (sn: string) => (await admin.send(listDeviceStreams, { sn })).list
const deviceOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

/** Makes an input of a stream. @returns its URL */
async function inputUrl(sn: string, stream = ''): Promise<string | undefined> {
  const { id, result } = await admin.send(addDeviceStream, { sn, stream })
  assert.equal(result, SUCCESS)
  return (await admin.send(listInputs, {})).list.find((input) => input.id === id)?.config.url
}

test('the RTSP and SRT servers of an encoder that are on are listed, and become inputs with the login of the server', async () => {
  const { sn, device } = await add('encodeAio')
  const login = { 'is-auth': '1', user: 'view', passwd: 'p@ss' }
  await addServer(sn, { ...RTSP_SERVER, ...login, 'is-sub': '1', 'sub-stream-name': 'sub' })
  await addServer(sn, { ...RTSP_SERVER, name: 'Unused', port: '8555', 'is-use': '0' })
  await addServer(sn, { type: '121', name: 'Caller', port: '9000', aes: '16', 'aes-word': '0123456789 & more' })
  await addServer(sn, { type: '0', name: 'Church', url: 'rtmp://192.0.2.1/live', key: 'x' })
  const before = JSON.stringify(await ask(sn, '/usapi?method=get-settings'))
  assert.equal((await deviceOf(sn))['serves-streams'], true)
  const list = await streamsOf(sn)
  assert.deepEqual(
    list.map(({ name, detail, live, playable, picture }) => [name, detail, live, playable, picture]),
    [
      ['main hall', 'RTSP', false, true, false],
      ['sub', 'RTSP', false, true, false],
      ['Caller', 'SRT', false, true, false]
    ]
  )
  assert.doesNotMatch(JSON.stringify(list), /p@ss|0123456789/)
  assert.equal(await inputUrl(sn, list[0]?.id), 'rtsp://view:p%40ss@127.0.0.1:8554/main%20hall')
  assert.match(
    (await inputUrl(sn, list[2]?.id)) ?? '',
    /^srt:\/\/127\.0\.0\.1:9000\?.*passphrase=0123456789(%20|\+)%26/
  )
  assert.deepEqual(
    (await streamsOf(sn)).map(({ inputs }) => inputs?.length),
    [1, 0, 1]
  )
  assert.equal(JSON.stringify(await ask(sn, '/usapi?method=get-settings')), before)
  assert.deepEqual(device.unknownRequests, [])
})

/** Makes a channel of an input and starts it. */
async function startChannel(name: string, input: number, outputs: number[] = []): Promise<number> {
  const { id } = await admin.send(addChannel, { name })
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  if (outputs.length > 0) await admin.send(addChannelOutputs, { id, outputs })
  await admin.send(enableChannel, { id, enable: true })
  return id
}

async function isConnected(id: number): Promise<void> {
  const { engine } = hub.parts
  await until(
    () => engine.observe(id).input.connState === CONNECTION_STATE.connected,
    () => `the stream arrives ${JSON.stringify(engine.observe(id).input)}`
  )
}

test('the RTSP stream of an encoder goes on air without a change of the encoder', async () => {
  // The RTSP server is an output of the hub.
  const [udp, port] = [await freeUdpPort(), await freeTcpPort()]
  const feed = await admin.send(addInput, { name: 'Feed', config: { type: 1, url: `udp://127.0.0.1:${udp}` } })
  const server = await admin.send(addOutput, { name: 'Server', protocol: RTSP, config: { port, key: 'live' } })
  const program = sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
  try {
    await isConnected(await startChannel('Source', feed.id, [server.id]))
    const { sn, device } = await add('encodeAio')
    await addServer(sn, { ...RTSP_SERVER, port: `${port}`, 'main-stream-name': 'live' })
    await ask(sn, '/usapi?method=start-live')
    const [stream] = await streamsOf(sn)
    assert.equal(stream?.live, true)
    const { id } = await admin.send(addDeviceStream, { sn, stream: stream?.id ?? '' })
    await isConnected(await startChannel('Hall', id))
    assert.ok(!device.requests.some((line) => /set-server|enable-server/.test(line)), device.requests.join('\n'))
  } finally {
    await program.kill()
  }
})

const SENT = { uid: 3, enable: true, 'stream-no': 'Stream1' }
const SRT_LISTENER = {
  mode: 'listener',
  'bind-port': 9001,
  'stream-id': 'a/b',
  enc: 'aes-128',
  passphrase: '0123456789'
}

test('the streams that an audio device serves are listed, and become inputs', async () => {
  const { sn } = await add('audioDx', { sn: AUDIO })
  const apply = (stream: object) => ask(sn, '/api/tx/live-apply', { ...SENT, ...stream })
  const rtsp = { 'bind-port': 554, key: 'aud', 'enable-auth': true, username: 'a', password: 'b' }
  assert.equal((await apply({ name: 'Stage', type: 'rtsp', rtsp })).status, SUCCESS)
  assert.equal((await apply({ uid: 4, name: 'Calls', type: 'srt', srt: SRT_LISTENER })).status, SUCCESS)
  await apply({ uid: 5, name: 'Off', type: 'rtsp', rtsp, enable: false })
  await apply({ uid: 6, name: 'NDI', type: 'ndi' })
  assert.deepEqual(
    (await streamsOf(sn)).map(({ id, name, detail }) => [id, name, detail]),
    [
      ['3', 'Stage', 'RTSP'],
      ['4', 'Calls', 'SRT']
    ]
  )
  assert.equal(await inputUrl(sn, '3'), 'rtsp://a:b@127.0.0.1:554/aud')
  assert.match((await inputUrl(sn, '4')) ?? '', /^srt:\/\/127\.0\.0\.1:9001\?.*streamid=a(\/|%2F)b.*/)
})

test('the sound of an audio device goes on air over SRT, and its own streams stay as they are', async () => {
  const { sn, id: input } = await add('audioDx', { sn: AUDIO })
  await ask(sn, '/api/tx/live-apply', { ...SENT, name: 'NDI', type: 'ndi' })
  const { dir, 'sends-over': way } = await deviceOf(sn)
  assert.deepEqual([dir, way], [DIR_INPUT, 'SRT'])
  const config = { input: { protocol: RTMP, 'stream-index': 0 } } as const
  assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, UNSUPPORTED)
  const id = await startChannel('Radio', input)
  await isConnected(id)
  const sent = async () => (await ask(sn, '/api/tx/live-info', {})).streaming as Record<string, unknown>[]
  const states = async () => (await sent()).map(({ name, enable }) => [name, enable])
  assert.deepEqual(await states(), [
    ['NDI', true],
    ['Headend hub', true]
  ])
  await admin.send(enableChannel, { id, enable: false })
  await until(async () => (await states())[1]?.[1] === false, 'the stream to the hub is disabled')
  assert.equal((await states())[0]?.[1], true)
})

test('a full list of an audio device is not changed, and the reason is given in words', async () => {
  const { sn } = await add('audioDx', { sn: AUDIO })
  for (let uid = 1; uid <= 16; uid++)
    await ask(sn, '/api/tx/live-apply', { ...SENT, uid, name: `N${uid}`, type: 'ndi' })
  const order = { port: 9, 'stream-id': 'x', passphrase: 'a secret of 24 letters', latency: 200, 'stream-index': 0 }
  await assert.rejects(hub.parts.links.orderStream(sn, order as never), (error) => {
    const text = reasonText('en', `device-refuses ${(error as Error).message}`)
    return /all of its 16 streaming servers are set up/.test(text)
  })
})

test('a device whose API serves no streams says so', async () => {
  for (const [model, sn] of [
    ['ndiToHdmi', 'Z410210600124'],
    ['usbFusion', 'A330210600125'],
    ['modator', 'B600210600126']
  ] as const) {
    const device: { sn: string; device: HttpDevice } = await add(model, { sn })
    assert.equal((await deviceOf(device.sn))['serves-streams'], undefined, model)
    assert.equal((await admin.send(listDeviceStreams, { sn: device.sn })).result, UNSUPPORTED, model)
  }
})

test.run()
