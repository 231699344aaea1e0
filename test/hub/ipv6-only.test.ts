// A machine in a network that has nothing but IPv6: no interface has an IPv4 address, not even the loopback one.
// Browsers and encoders are at the other end of its cable.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { changePassword } from '../../contract/access/session.ts'
import { listSessions } from '../../contract/access/user.ts'
import { SUCCESS } from '../../contract/codes.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { CONNECTION_STATE, RTP, UDP } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { listAddresses } from '../../contract/system.ts'
import { tableText } from '../../firewall/table.ts'
import { cleanUpMedia, clipPath } from '../kit/engine/media.ts'
import { md5, newPassword } from '../kit/hub/hub.ts'
import { missingForMachine, TestMachine } from '../kit/machine/machine.ts'
import { HUB_PORT, LanClient, startMachineHub } from '../kit/machine/machine-hub.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suiteRequiring('a network with IPv6 alone', missingForMachine())

const HUB = '2001:db8:7::10'
const PEER = '2001:db8:7::1'
const [SRT_PORT, RTMP_PORT, UDP_PORT, GROUP_PORT, TARGET_PORT] = [9000, 1935, 5000, 5001, 6000]
const TCP_RULE = 0
const UDP_RULE = 1

let machine: TestMachine
let client: LanClient

/** Takes all IPv4 addresses away, and gives each end of the cable one of IPv6. */
async function setAddresses(): Promise<void> {
  const own = `ip -4 addr flush dev lo; ip link set eth0 up; ip -6 addr add ${HUB}/64 dev eth0 nodad`
  const other = `ip -4 addr flush dev lo; ip -4 addr flush dev peer0; ip -6 addr add ${PEER}/64 dev peer0 nodad`
  await machine.run(['bash', '-ec', own])
  await machine.run(['bash', '-ec', other], { in: 'lan' })
  for (const place of ['machine', 'lan'] as const)
    assert.equal(await machine.run(['ip', '-4', '-oneline', 'addr'], { in: place }), '')
}

/** Blocks all but the console and the ports of the streams, as the firewall service does. */
async function setFirewall(): Promise<void> {
  const ranges = [
    [SRT_PORT, SRT_PORT, UDP_RULE, `${PEER}/64`],
    [RTMP_PORT, RTMP_PORT, TCP_RULE],
    [UDP_PORT, GROUP_PORT, UDP_RULE]
  ] as const
  await machine.writeFile('/run/table', tableText({ mode: -1, ranges: ranges as never }, [HUB_PORT]))
  await machine.run(['nft', '--file', '/run/table'])
  // Both ends have to find each other again.
  await machine.run(['ip', '-6', 'neigh', 'flush', 'all'])
  await machine.run(['ip', '-6', 'neigh', 'flush', 'all'], { in: 'lan' })
}

async function startEngine(): Promise<void> {
  // Its files end with the machine.
  const env = { HOST: '::', DATA: '/run/headend/data', TMPDIR: '/run/headend' }
  const engine = machine.start([machine.node, 'engine/main.ts'], { as: 'headend', env })
  let output = ''
  engine.stdout?.on('data', (text) => {
    output += text
  })
  await until(() => output.includes('Engine: ') || engine.exitCode !== null, 'the engine listens')
  assert.equal(engine.exitCode, null)
}

test.before(async () => {
  clipPath()
  machine = await TestMachine.open([])
  await setAddresses()
  await setFirewall()
  await startEngine()
  await startMachineHub(machine, { HOST: '::', SRT_PORT: String(SRT_PORT), RTMP_PORT: String(RTMP_PORT) })
  client = new LanClient(machine, `[${HUB}]`)
  await client.signIn('Admin')
  const change = { 'old-passwd': md5('Admin'), ...newPassword('Studio-Hub-1') }
  assert.equal((await client.send(changePassword, change)).result, SUCCESS)
})
test.after(async () => {
  await machine?.close()
  await cleanUpMedia()
})

/** Sends the clip from the LAN until the process is killed. */
const sendFromLan = (format: string, ...target: string[]): ChildProcess =>
  machine.start(
    [
      'ffmpeg',
      '-v',
      'error',
      '-nostdin',
      '-re',
      '-stream_loop',
      '-1',
      '-i',
      clipPath(),
      '-c',
      'copy',
      '-f',
      format,
      ...target
    ],
    { in: 'lan' }
  )

/** Plays a stream in the LAN. @returns the number of frames, of at most ten */
async function playFramesInLan(url: string, ...options: string[]): Promise<number> {
  const input = ['-v', 'error', '-nostdin', '-probesize', '200000', '-analyzeduration', '500000', ...options, '-i', url]
  const output = ['-map', '0:v:0', '-frames:v', '10', '-f', 'framemd5', '-']
  const frames = await machine.run(['ffmpeg', ...input, ...output], { in: 'lan' })
  return frames.split('\n').filter((line) => line.startsWith('0,')).length
}

/** Makes a running channel. */
async function startChannel(name: string, input?: number): Promise<number> {
  const { id } = await client.send(addChannel, {
    name,
    config: { 'push-key': `PUSH-${name}`, 'play-key': `PLAY-${name}`, protocol: { srt: true, rtmp: true } }
  } as never)
  if (input !== undefined) assert.equal((await client.send(setChannelInput, { id, input })).result, SUCCESS)
  assert.equal((await client.send(enableChannel, { id, enable: true })).result, SUCCESS)
  return id
}

const waitForMedia = (id: number) =>
  until(async () => {
    const { channel } = await client.send(queryChannel, { id })
    return channel.input?.['conn-state'] === CONNECTION_STATE.connected
  }, 'the channel receives')

const srtUrl = `srt://[${HUB}]:${SRT_PORT}?pkt_size=1316`
const rtmpUrl = (key: string) => `rtmp://[${HUB}]:${RTMP_PORT}/live/${key}`

test('the console opens at the address, which the hub lists, and the session has the address of the client', async () => {
  const page = await client.curl(`http://[${HUB}]:${HUB_PORT}/healthz/live`)
  assert.equal(page.status, 200)
  const { addresses } = await client.send(listAddresses, {})
  assert.deepEqual(addresses, [{ iface: 'eth0', address: HUB }])
  const { list } = await client.send(listSessions, {})
  assert.deepEqual([...new Set(list.map(({ ip }) => ip))], [PEER])
})

test('a port that no rule opens is blocked, and the console is not', async () => {
  assert.equal((await client.curl(`http://[${HUB}]:8080/`)).status, 0)
  assert.equal((await client.curl(`http://[${HUB}]:${HUB_PORT}/healthz/live`)).status, 200)
})

test('a channel is published and played over SRT', async () => {
  const id = await startChannel('srt')
  await until(async () => (await client.send(queryChannel, { id })).result === SUCCESS, 'the channel')
  const sender = sendFromLan('mpegts', '-srt_streamid', 'PUSH-srt', srtUrl)
  await waitForMedia(id)
  const { channel } = await client.send(queryChannel, { id })
  assert.match(channel.input?.name ?? '', /^\[2001:db8:7::1\]:\d+$/)
  assert.equal(await playFramesInLan(srtUrl, '-srt_streamid', 'PLAY-srt'), 10)
  sender.kill('SIGKILL')
})

test('a channel is published and played over RTMP', async () => {
  const id = await startChannel('rtmp')
  const sender = sendFromLan('flv', rtmpUrl('PUSH-rtmp'))
  await waitForMedia(id)
  assert.equal((await client.send(queryChannel, { id })).channel.input?.name, PEER)
  assert.equal(await playFramesInLan(rtmpUrl('PLAY-rtmp')), 10)
  sender.kill('SIGKILL')
})

test('a channel receives UDP, and sends it on to an IPv6 address', async () => {
  const { id: input } = await client.send(addInput, { name: 'In', config: { type: 1, url: `udp://[::]:${UDP_PORT}` } })
  const config = { 'dst-ip': PEER, 'dst-port': TARGET_PORT }
  const { id: output } = await client.send(addOutput, { name: 'Out', protocol: UDP, config } as never)
  const id = await startChannel('udp', input)
  assert.equal((await client.send(addChannelOutputs, { id, outputs: [output] })).result, SUCCESS)
  const count = `let n = 0; require('node:dgram').createSocket('udp6').on('message', (m) => { n += m.length; if (n > 100000) { console.log('DONE'); process.exit() } }).bind(${TARGET_PORT}, '::')`
  const receiver = machine.start([process.execPath, '--eval', count], { in: 'lan' })
  let received = ''
  receiver.stdout?.on('data', (text) => {
    received += text
  })
  const sender = sendFromLan('mpegts', `udp://[${HUB}]:${UDP_PORT}?pkt_size=1316`)
  await waitForMedia(id)
  await until(() => received.includes('DONE'), 'the output arrives')
  sender.kill('SIGKILL')
})

const SOURCE_GROUP = 'ff3e::8000:71'
const TARGET_GROUP = 'ff0e::72'

/** Receives a multicast group in the LAN. @returns the datagrams so far, the first bytes of each in hexadecimal */
function joinGroupInLan(port: number): () => string[] {
  const join = `const socket = require('node:dgram').createSocket({ type: 'udp6', reuseAddr: true })
socket.on('message', (datagram) => console.log(datagram.subarray(0, 2).toString('hex')))
socket.bind(${port}, '::', () => socket.addMembership('${TARGET_GROUP}', '::%peer0'))`
  const receiver = machine.start([process.execPath, '--eval', join], { in: 'lan' })
  let text = ''
  receiver.stdout?.on('data', (chunk) => {
    text += chunk
  })
  return () => text.split('\n').filter(Boolean)
}

const MULTICAST = [
  { scheme: 'udp', protocol: UDP, format: 'mpegts', start: /^47/ },
  // Version 2, payload type 33 (RFC 2250).
  { scheme: 'rtp', protocol: RTP, format: 'rtp_mpegts', start: /^80[2a]1/ }
] as const

for (const { scheme, protocol, format, start } of MULTICAST)
  test(`a channel receives a multicast group of one sender over ${scheme}, and sends to another group`, async () => {
    const url = `${scheme}://[${SOURCE_GROUP}]:${GROUP_PORT}?iface=eth0&source=${PEER}`
    const { id: input } = await client.send(addInput, { name: `Group ${scheme}`, config: { type: 1, url } })
    const port = protocol === UDP ? 6002 : 6004
    const config = { 'dst-ip': TARGET_GROUP, 'dst-port': port, iface: 'eth0', 'mcast-time-to-live': 2 }
    const { id: output } = await client.send(addOutput, { name: `To group ${scheme}`, protocol, config } as never)
    const id = await startChannel(`group-${scheme}`, input)
    assert.equal((await client.send(addChannelOutputs, { id, outputs: [output] })).result, SUCCESS)
    const received = joinGroupInLan(port)
    const sender = sendFromLan(format, `${scheme}://[${SOURCE_GROUP}]:${GROUP_PORT}?pkt_size=1316`)
    await waitForMedia(id)
    await until(() => received().length > 100, 'the group receives')
    assert.deepEqual(
      received().filter((bytes) => !start.test(bytes)),
      []
    )

    // The datagrams of another sender do not count.
    const other = { name: `Other ${scheme}`, config: { type: 1, url: url.replace(PEER, '2001:db8:7::99') } }
    const { id: second } = await client.send(addInput, other)
    const idle = await startChannel(`other-${scheme}`, second)
    const before = received().length
    await until(() => received().length > before + 100, 'the group still receives')
    const { channel } = await client.send(queryChannel, { id: idle })
    assert.notEqual(channel.input?.['conn-state'], CONNECTION_STATE.connected)
    sender.kill('SIGKILL')
  })

test.run()
