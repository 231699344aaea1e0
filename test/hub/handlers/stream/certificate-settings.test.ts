// How inputs and outputs check the certificates of TLS servers, as requested, stored and passed to the engine.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput, addOutput, listInputs, setInput, setOutput } from '../../../../contract/stream/source.ts'
import { wantedChannel } from '../../../../hub/channels/wanted.ts'
import { collectTables } from '../../../../hub/export/collect.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { makePair } from '../../../kit/tls/certificates.ts'
import { input, output, rtmp, storedConfig } from './source-requests.ts'

const test = suite('certificate checks of inputs and outputs')
hubForEach(test)

const { cert, key } = makePair({ isAuthority: true })
const URL = 'rtmps://a.example:443/live'
const OWN_CA = { 'certificate-check': 'own-ca', 'trusted-certificates': cert.trim() }

const inputConfig = async (id: number) => (await admin.send(listInputs, {})).list.find((each) => each.id === id)?.config
const withConfig = (config: object, url = 'https://a.example:443/live') => {
  const request = input('Feed', url)
  return { ...request, config: { ...request.config, ...config } }
}

test('a new output verifies, and one that is changed keeps its check unless the request has another one', async () => {
  const { id } = await admin.send(addOutput, rtmp('Out', { url: URL }))
  assert.deepEqual(storedConfig(id), { url: URL })
  const set = (config: object) => admin.send(setOutput, { id, ...rtmp('Out', { url: URL, ...config }) })
  assert.equal((await set(OWN_CA)).result, SUCCESS)
  assert.deepEqual(storedConfig(id), { url: URL, ...OWN_CA })
  for (const config of [{}, { 'trusted-certificates': '' }, { 'certificate-check': 'own-ca' }]) {
    assert.equal((await set(config)).result, SUCCESS)
    assert.deepEqual((await output(id)).config, { url: URL, ...OWN_CA })
  }
  await set({ 'certificate-check': 'accept-any', 'trusted-certificates': cert })
  assert.deepEqual(storedConfig(id), { url: URL, 'certificate-check': 'accept-any' })
  await set({ 'certificate-check': 'verify' })
  assert.deepEqual(storedConfig(id), { url: URL })
})

test('an input has the same settings, and the engine gets them', async () => {
  const { id } = await admin.send(addInput, withConfig(OWN_CA))
  assert.deepEqual(await inputConfig(id), { type: 1, url: 'https://a.example:443/live', ...OWN_CA })
  const channel = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id: channel.id, input: id })
  const wanted = wantedChannel(hub.parts.store, channel.id)?.input as object
  assert.deepEqual(wanted, { ...wanted, ...OWN_CA })
  assert.equal(collectTables(hub.parts.store).input[0]?.certificates, JSON.stringify(OWN_CA))
  await admin.send(setInput, { id, ...withConfig({}) })
  assert.deepEqual(await inputConfig(id), { type: 1, url: 'https://a.example:443/live', ...OWN_CA })
  // Without TLS there is nothing to check.
  await admin.send(setInput, { id, ...withConfig({}, 'rtmp://a.example:1935/live/key') })
  assert.deepEqual(await inputConfig(id), { type: 1, url: 'rtmp://a.example:1935/live/key' })
})

test('trusted certificates that are missing, not readable, too long or with a private key are refused', async () => {
  const body = cert.split('\n').slice(1, 4).join('\n')
  const unreadable = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`
  for (const [trusted, fault] of [
    [undefined, 'required'],
    ['', 'required'],
    ['no certificate', 'certificate'],
    [unreadable, 'certificate'],
    [key, 'certificate'],
    [cert + key, 'certificate'],
    [cert.repeat(40), 'length']
  ]) {
    const config = { ...OWN_CA, 'trusted-certificates': trusted }
    for (const refused of [
      await admin.send(addInput, withConfig(config) as never),
      await admin.send(addOutput, rtmp('Out', { url: URL, ...config }))
    ])
      assert.deepEqual(
        [refused.result, refused.field, refused.fault],
        [INVALID_ARG, 'config.trusted-certificates', fault],
        trusted
      )
  }
})

test.run()
