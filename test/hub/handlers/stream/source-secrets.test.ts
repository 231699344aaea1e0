import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, addChannelOutputs, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { HTTP, NDI, RTSP, SRT } from '../../../../contract/stream/protocols.ts'
import {
  type AddOutputRequest,
  addInput,
  addOutput,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { maskUrl } from '../../../../hub/handlers/stream/source-url.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

import { input, listener, output, rtmp, storedConfig } from './source-requests.ts'

const test = suite('secrets of sources')
// Without the NDI runtime, even if the machine has it.
hubForEach(test, { ndi: { folders: [] } })

test('keys for players are generated if missing, stay if left out, and are returned only to editors', async () => {
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const login = { 'enable-auth': true, username: 'me', password: 'secret' }
  const camera = { name: 'Eye', protocol: RTSP, config: { port: 8554, ...login } } satisfies AddOutputRequest
  const { id } = await admin.send(addOutput, camera)
  const { key } = (await output(id)).config as { key: string }
  assert.match(key, /^RTSP-[0-9A-F-]{36}$/)
  assert.deepEqual((await output(id, viewer)).config, { port: 8554, 'enable-auth': true, username: 'me' })
  const { password: _, ...loginWithoutPassword } = login
  assert.equal(
    (await admin.send(setOutput, { id, ...camera, config: { port: 8555, ...loginWithoutPassword } })).result,
    0
  )
  assert.deepEqual(storedConfig(id), { port: 8555, key, ...login })
  assert.equal(
    (await admin.send(setOutput, { id, ...camera, config: { port: 8555, password: 'left over' } })).result,
    0
  )
  assert.deepEqual(storedConfig(id), { port: 8555, key })
  const hls = await admin.send(addOutput, { name: 'Web', protocol: HTTP, config: {} })
  assert.match(((await output(hls.id)).config as { key: string }).key, /^HLS-/)
  assert.ok(!JSON.stringify(await output(hls.id, viewer)).includes('HLS-'))
  const config = { group: 'public', 'transport-mode': 1, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0' }
  const ndi = await admin.send(addOutput, { name: 'Studio', protocol: NDI, config })
  assert.deepEqual((await output(ndi.id)).config, config)
})

test('a passphrase is never returned; it stays if left out, and is removed with the encryption', async () => {
  const base = listener('Out', 9000)
  const setConfig = (id: number, config: object) =>
    admin.send(setOutput, { id, ...base, config: { ...base.config, ...config } })
  const secret = 'correct horse'
  const { id } = await admin.send(addOutput, {
    ...base,
    config: { ...base.config, enc: 'aes-128', passphrase: secret }
  })
  assert.deepEqual((await output(id)).config, { mode: 'listener', 'bind-port': 9000, enc: 'aes-128' })
  for (const config of [{ enc: 'aes-256' }, { enc: 'aes-256', passphrase: '' }]) {
    assert.equal((await setConfig(id, config)).result, SUCCESS)
    assert.deepEqual(storedConfig(id), { mode: 'listener', 'bind-port': 9000, enc: 'aes-256', passphrase: secret })
  }
  assert.equal((await setConfig(id, { enc: 'disable', passphrase: secret })).result, SUCCESS)
  assert.ok(!JSON.stringify(storedConfig(id)).includes(secret))
  const withoutPassphrase = await setConfig(id, { enc: 'aes-128' })
  assert.deepEqual([withoutPassphrase.result, withoutPassphrase.field], [INVALID_ARG, 'config.passphrase'])
})

test('key and login of an RTMP target stay if left out, and are removed when they no longer apply', async () => {
  const auth = { 'enable-auth': true, username: 'me', password: 'secret' }
  const { id } = await admin.send(addOutput, rtmp('Live', { key: 'k', ...auth }))
  assert.equal(
    (await admin.send(setOutput, { id, ...rtmp('Live', { 'enable-auth': true, username: 'you' }) })).result,
    0
  )
  assert.deepEqual(storedConfig(id), { url: 'rtmp://a.example:1935/live', key: 'k', ...auth, username: 'you' })
  assert.equal((await admin.send(setOutput, { id, ...rtmp('Live') })).result, SUCCESS)
  assert.deepEqual(storedConfig(id), { url: 'rtmp://a.example:1935/live', key: 'k' })
  for (const [config, field] of [
    [{ 'enable-auth': true, password: 'x' }, 'config.username'],
    [{ 'enable-auth': true, username: 'x' }, 'config.password']
  ] as const)
    assert.equal((await admin.send(addOutput, rtmp('New', config))).field, field)
})

test('viewers see no secret anywhere, and neither does the log', async () => {
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
    assert.equal((await admin.send(addInput, input(name, url))).result, SUCCESS, name)
    assert.equal(
      (await admin.send(addOutput, rtmp(name, { url: `rtmp://a.example/${name}/${secret}` }))).result,
      0,
      name
    )
  }
  const caller = { mode: 'caller' as const, 'dst-ip': '10.0.0.1', 'dst-port': 9000, 'stream-id': secret }
  assert.equal((await admin.send(addOutput, { name: 'Caller', protocol: SRT, config: caller })).result, SUCCESS)
  const visibleText = async (client: Client) =>
    JSON.stringify([
      await client.send(listInputs, {}),
      await client.send(listOutputs, {}),
      await client.send(queryChannel, { id: channel.id })
    ])
  assert.ok(!(await visibleText(viewer)).includes(secret))
  assert.ok((await visibleText(admin)).includes(secret), 'an editor reads the secret in order to edit it')
  for (const type of ['operation', 'system', 'device'] as const)
    assert.ok(!JSON.stringify(await admin.send(listLog, { type })).includes(secret), type)
})

test('a masked URL shows the host and nothing that may be a key', () => {
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
    assert.equal(maskUrl(url), shown, url)
})

test('the address of an output has no secrets, even for editors', async () => {
  const login = { url: 'rtmp://ines:hidden@a.example/live', key: 'hidden' }
  const { id } = await admin.send(addOutput, rtmp('Push', login))
  assert.equal((await output(id)).addr, 'rtmp://ines:****@a.example:1935/live')
  const srt = await admin.send(addOutput, listener('Out', 9001))
  assert.equal((await output(srt.id)).addr, 'srt://:9001')
})

test.run()
