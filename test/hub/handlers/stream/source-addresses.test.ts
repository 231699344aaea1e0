import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { BAD_ADDRESS, INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { HTTP, RTSP, SRT } from '../../../../contract/stream/protocols.ts'
import { type AddOutputRequest, addInput, addOutput, setOutput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

import { input, output, rtmp } from './source-requests.ts'

const test = suite('addresses of sources')
// Without the NDI runtime, even if the machine has it.
hubForEach(test, { ndi: { folders: [] } })

test('the allowed addresses of an output stay until they are replaced, and outputs that send have none', async () => {
  const allowedIps = { 'allow-ip': ['10.0.0.0/8'] }
  const configOf = async (id: number) => (await output(id)).config as { 'allow-ip'?: string[] }
  const add = async (protocol: number, config: object, name = String(protocol)) =>
    (await admin.send(addOutput, { name, protocol, config } as AddOutputRequest)).id
  for (const [protocol, config] of [
    [SRT, { mode: 'listener', 'bind-port': 9300 }],
    [RTSP, { port: 9301 }],
    [HTTP, {}]
  ] as const) {
    const id = await add(protocol, { ...config, ...allowedIps })
    const setConfig = (more: object) =>
      admin.send(setOutput, { id, name: String(protocol), protocol, config: { ...config, ...more } as never })
    assert.deepEqual((await configOf(id))['allow-ip'], ['10.0.0.0/8'])
    assert.equal((await setConfig({})).result, SUCCESS)
    assert.deepEqual((await configOf(id))['allow-ip'], ['10.0.0.0/8'])
    assert.equal((await setConfig({ 'allow-ip': ['10.0.0.0/40'] })).result, INVALID_ARG)
    assert.equal((await setConfig({ 'allow-ip': [] })).result, SUCCESS)
    assert.equal((await configOf(id))['allow-ip'], undefined)
  }
  const call = { mode: 'caller', 'dst-ip': '10.0.0.1', 'dst-port': 9000, ...allowedIps }
  assert.equal((await configOf(await add(SRT, call, 'Call')))['allow-ip'], undefined)
})

test('addresses of cloud metadata are refused, and private addresses if the settings forbid them', async () => {
  const call = (ip: string) => ({ mode: 'caller' as const, 'dst-ip': ip, 'dst-port': 9000 })
  const resultsFor = async (ip: string) => {
    const responses = [
      await admin.send(addInput, input(`In ${ip}`, `http://${ip}/latest/meta-data`)),
      await admin.send(addInput, input(`Call ${ip}`, `srt://${ip}:9000`)),
      await admin.send(addOutput, { name: `Out ${ip}`, protocol: SRT, config: call(ip) }),
      await admin.send(addOutput, rtmp(`Push ${ip}`, { url: `rtmp://${ip}/live` })),
      await admin.send(addInput, input(`NDI ${ip}`, `ntkndi://ndi?name=Cam&url=${ip}:5961`))
    ]
    return responses.map(({ result, field }) => (result === SUCCESS ? 0 : [result, field]))
  }
  const expectedRefusals = ['config.url', 'config.url', 'config.dst-ip', 'config.url', 'config.url'].map((field) => [
    BAD_ADDRESS,
    field
  ])
  for (const ip of ['169.254.169.254', '0xa9.0xfe.0xa9.0xfe', '168.63.129.16'])
    assert.deepEqual(await resultsFor(ip), expectedRefusals, ip)
  assert.deepEqual(await resultsFor('10.0.0.1'), [0, 0, 0, 0, 0])
  assert.equal((await admin.send(setSettings, { streams: { 'forbid-private': true } })).result, SUCCESS)
  assert.deepEqual((await admin.send(getSettings, {})).settings.streams, { 'forbid-private': true })
  for (const ip of ['10.0.0.2', 'localhost']) assert.deepEqual(await resultsFor(ip), expectedRefusals, ip)
  assert.deepEqual(await resultsFor('203.0.113.1'), [0, 0, 0, 0, 0])
  assert.equal(
    (await admin.send(addInput, input('Group', 'udp://239.1.2.3:5000'))).result,
    0,
    'a multicast group is not a private address'
  )
})

test('no scheme, option or character of a URL gives access to a file or another option', async () => {
  for (const url of [
    ...['file:///etc/passwd', 'concat:a|b', 'subfile,,start,0,end,9,,:/etc/passwd', 'pipe:0', 'data:video/mp2t,x'],
    ...['http://a.example/a.ts\n-i', 'http://a.example/"a', "http://a.example/'a", 'http://a.example/a b', '-i'],
    ...['tcp://a.example:1', 'crypto:http://a.example', 'http://a.example|b', 'udp://239.1.2.3:5000?iface=-i']
  ]) {
    const refusal = await admin.send(addInput, input('Bad', url))
    assert.deepEqual([refusal.result, refusal.field], [INVALID_ARG, 'config.url'], url)
  }
  const option = await admin.send(addInput, input('Option', 'udp://239.1.2.3:5000?localport=1&iface=eth0'))
  assert.equal(hub.parts.store.sources.input(option.id)?.url, 'udp://239.1.2.3:5000?iface=eth0')
})

test.run()
