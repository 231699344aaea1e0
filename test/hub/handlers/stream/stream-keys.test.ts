// Keys of the streams that players fetch from the hub: each is unique, and an RTSP output has up to two.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { ALREADY_EXISTS, INVALID_ARG, PLAY_KEY_EXISTS, PUSH_KEY_EXISTS, SUCCESS } from '../../../../contract/codes.ts'
import { addChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { HTTP, RTSP } from '../../../../contract/stream/protocols.ts'
import {
  type AddOutputRequest,
  addInput,
  addOutput,
  type RtspOutput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { input, output, rtmp, storedConfig } from './source-requests.ts'

const test = suite('stream keys')
hubForEach(test)

const rtsp = (name: string, port: number, config: Partial<RtspOutput> = {}) =>
  ({ name, protocol: RTSP, config: { port, ...config } }) satisfies AddOutputRequest

test('a sub stream has a key of its own, which is generated, kept, removed, and hidden from viewers', async () => {
  const { id } = await admin.send(addOutput, rtsp('Eye', 8554, { key: 'hall', 'is-sub': true }))
  const { 'sub-key': generated } = storedConfig(id) as RtspOutput
  assert.match(generated ?? '', /^RTSP-[0-9A-F-]{36}$/)
  await admin.send(setOutput, { id, ...rtsp('Eye', 8554) })
  assert.deepEqual(storedConfig(id), { port: 8554, key: 'hall', 'is-sub': true, 'sub-key': generated })
  const viewer = addSignedInUser(hub, 'viewer', INPUT_OUTPUT_VIEW)
  assert.deepEqual((await output(id, viewer)).config, { port: 8554, 'is-sub': true })
  await admin.send(setOutput, { id, ...rtsp('Eye', 8554, { 'is-sub': false, 'sub-key': 'small' }) })
  assert.deepEqual(storedConfig(id), { port: 8554, key: 'hall' })
  await admin.send(setOutput, { id, ...rtsp('Eye', 8554, { 'sub-key': 'small' }) })
  assert.deepEqual(storedConfig(id), { port: 8554, key: 'hall', 'is-sub': true, 'sub-key': 'small' })
})

test('a key of another stream is refused, and nothing changes', async () => {
  await admin.send(addOutput, rtsp('Eye', 8554, { key: 'hall', 'sub-key': 'small' }))
  await admin.send(addOutput, { name: 'Web', protocol: HTTP, config: { key: 'web' } })
  await admin.send(addOutput, rtmp('Platform', { key: 'elsewhere' }))
  const { id: channel } = await admin.send(addChannel, {
    name: 'News',
    config: { 'play-key': 'play', 'push-key': 'push' }
  })
  const refused = async (config: Partial<RtspOutput>) => {
    const { result, field } = await admin.send(addOutput, rtsp('Other', 8555, config))
    return [result, field]
  }
  for (const key of ['play', 'push']) {
    assert.deepEqual(await refused({ key }), [PLAY_KEY_EXISTS, 'config.key'], key)
    assert.deepEqual(await refused({ 'sub-key': key }), [PLAY_KEY_EXISTS, 'config.sub-key'], key)
  }
  assert.deepEqual(await refused({ key: 'same', 'sub-key': 'same' }), [PLAY_KEY_EXISTS, 'config.sub-key'])
  const web = await admin.send(addOutput, { name: 'Web 2', protocol: HTTP, config: { key: 'web' } })
  assert.deepEqual([web.result, web.field], [ALREADY_EXISTS, 'config.key'])
  for (const [field, code] of [
    ['play-key', PLAY_KEY_EXISTS],
    ['push-key', PUSH_KEY_EXISTS]
  ] as const)
    for (const key of ['hall', 'small', 'web'])
      assert.equal((await admin.send(setChannel, { id: channel, name: 'News', config: { [field]: key } })).result, code)
  assert.equal(hub.parts.store.sources.outputs().length, 3)
  // Players present a key at one port, and another port may have the same one.
  const same = { key: 'hall', 'sub-key': 'web' }
  assert.equal((await admin.send(addOutput, rtsp('Hall', 8556, same))).result, SUCCESS)
  assert.equal(
    (await admin.send(addOutput, { name: 'Web 2', protocol: HTTP, config: { key: 'small' } })).result,
    SUCCESS
  )
  // The key of a target is no key of this hub.
  assert.equal((await admin.send(addOutput, rtsp('Other', 8555, { key: 'elsewhere' }))).result, SUCCESS)
})

test("the name of an RTSP stream has letters, digits and ._-+'[]()", async () => {
  for (const key of ['a b', 'a/b', '..', 'ä', 'x'.repeat(64)])
    for (const field of ['key', 'sub-key'])
      assert.equal((await admin.send(addOutput, rtsp('Eye', 8554, { [field]: key }))).result, INVALID_ARG, key)
  const { id } = await admin.send(addOutput, rtsp('Eye', 8554, { key: "a.b_c-d+e'f[g](h)" }))
  assert.equal((storedConfig(id) as RtspOutput).key, "a.b_c-d+e'f[g](h)")
})

test('an SRT input with a key length has a passphrase, and one without encryption keeps none', async () => {
  const missing = await admin.send(addInput, input('Cam', 'srt://10.0.0.1:9000?pbkeylen=16'))
  assert.deepEqual([missing.result, missing.field, missing.fault], [INVALID_ARG, 'config.url', 'required'])
  const secret = 'passphrase=long%20enough%20for%20it'
  const { id } = await admin.send(addInput, input('Cam', `srt://10.0.0.1:9000?${secret}&pbkeylen=0`))
  assert.equal(hub.parts.store.sources.input(id)?.url, 'srt://10.0.0.1:9000?mode=caller&latency=120')
})

test('an RTMP output and an input take a live URL without rtmp://', async () => {
  const { id } = await admin.send(addOutput, rtmp('Site', { url: 'live.example.com/app', key: 'a' }))
  assert.deepEqual(storedConfig(id), { url: 'rtmp://live.example.com:1935/app', key: 'a' })
  const refused = await admin.send(addOutput, rtmp('Bad', { url: 'live.example.com', key: 'a' }))
  assert.deepEqual([refused.result, refused.field], [INVALID_ARG, 'config.url'])
  const added = await admin.send(addInput, input('Cam', 'live.example.com/app/key'))
  assert.equal(hub.parts.store.sources.input(added.id)?.url, 'rtmp://live.example.com:1935/app/key')
})

test.run()
