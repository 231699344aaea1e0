// Which problems have one cause, and so are one message.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { SRT, UDP } from '../../../contract/stream/protocols.ts'
import { newChannelKeys } from '../../../hub/store/channels.ts'
import { AlertBench } from '../../kit/hub/alerts/alert-bench.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('causes of problems')

test('hosts that fail together in one network are one message about the network', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  for (let host = 1; host <= 40; host++) {
    const channel = bench.addChannel(`Hall ${host}`, `srt://10.0.3.${host}:9000`)
    bench.begin(`channel-${channel}`, { channel })
  }
  bench.pass(10)
  assert.deepEqual(bench.titles(), ['problem: Network 10.0.3.0/24: 40 problems'])
})

test('the engine and all its channels are one message', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  bench.begin('engine', { reason: 'engine-away' })
  for (let channel = 1; channel <= 30; channel++) bench.begin(`channel-${channel}`, { channel, reason: 'engine-away' })
  bench.pass(10)
  assert.deepEqual(bench.titles(), ['problem: Stream engine: 31 problems'])
})

test('inputs of one multicast group have one cause, and inputs that wait at an address of the hub have their own', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  const beginProblem = (name: string, url: string, protocol: number) => {
    const channel = bench.addChannel(name, url, protocol)
    bench.begin(`channel-${channel}`, { channel })
    return channel
  }
  for (const port of [5000, 5002]) beginProblem(`Group ${port}`, `udp://239.1.2.3:${port}`, UDP)
  const waiting = [9000, 9002].map((port) =>
    beginProblem(`Listener ${port}`, `srt://192.168.1.5:${port}?mode=listener`, SRT)
  )
  bench.pass(20)
  assert.deepEqual(bench.titles(), [
    'problem: 239.1.2.3: 2 problems',
    ...waiting.map((channel) => `problem: channel-${channel}: Input lost.`)
  ])
})

test('legs on a network interface of the hub that is missing have one cause', () => {
  const bench = new AlertBench()
  const { store } = bench
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  const channel = bench.addChannel('Hall', 'udp://239.1.2.3:5000?iface=eth7', UDP)
  const output = store.sources.addOutput('Wall', UDP, { 'dst-ip': '239.1.2.4', 'dst-port': 5000, iface: 'eth7' })
  store.channels.addOutput(channel, output)
  store.channels.setOutputEnable(channel, output, true)
  bench.begin(`channel-${channel}`, { channel, reason: 'interface-missing' })
  bench.begin(`output-${channel}-${output}`, { channel, output, reason: 'interface-missing' })
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: Network interface eth7: 2 problems'])
})

test('a device, and the channel whose input it is, have one cause', () => {
  const bench = new AlertBench()
  const { store } = bench
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  const hello = helloOf(1, { name: 'Camera' })
  const { sn } = hello
  const device = store.devices.add(hello, 'x', REGISTRATION_STATE.accepted, '192.0.2.1', bench.now)
  const channel = store.channels.add('Hall', newChannelKeys())
  store.channels.setInput(channel, device)
  bench.begin(`device-${sn}`, { sn, reason: 'device-offline' })
  bench.begin(`channel-${channel}`, { channel })
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: Camera: 2 problems'])
})

test('an output is grouped by its target', () => {
  const bench = new AlertBench()
  const { store } = bench
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  for (const name of ['One', 'Two']) {
    const channel = bench.addChannel(name, `srt://${name}.example.com:9000`)
    const output = store.sources.addOutput(name, UDP, { 'dst-ip': '192.0.2.7', 'dst-port': 5000 })
    store.channels.addOutput(channel, output)
    store.channels.setOutputEnable(channel, output, true)
    bench.begin(`output-${channel}-${output}`, { channel, output, reason: 'refused', severity: 'warn' })
  }
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: 192.0.2.7: 2 problems'])
})

test.run()
