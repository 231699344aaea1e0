// NDI inputs with a fake runtime: video and audio, sources that appear and disappear, and sources whose format changes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import { NDI_TCP } from '../../../contract/ndi/transport.ts'
import type { NdiUrl } from '../../../contract/ndi/url.ts'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../../contract/stream/protocols.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia, decodeFrames } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { childrenOf, commandLineOf, isRunning } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { createFakeNdi, type FakeNdi, installLibrary } from './fake-ndi.ts'

const test = suite('NDI input')
const NAME = 'STUDIO (Cam 1)'

let fixture: EngineFixture
let fakeNdi: FakeNdi
let port: number
test.before.each(async () => {
  port = await freeUdpPort()
})
test.after.each(async () => {
  await fixture.engine.close()
  fakeNdi.remove()
})
test.after(cleanUpMedia)

function start(libraryName?: string, options: Parameters<typeof createFixture>[0] = {}): void {
  fakeNdi = createFakeNdi(libraryName)
  fixture = createFixture({ ndi: { folders: [fakeNdi.folder] }, ...options })
}

function applyInput(source: NdiUrl = { name: NAME }): void {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 2, name: 'In', kind: 'ndi', source },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port } }]
  })
}

const observed = () => fixture.engine.observe(1).input
const logLines = (prefix: string) => fakeNdi.readLog().filter((line) => line.startsWith(prefix))
const outputUrl = () => `srt://127.0.0.1:${port}`

/** Returns the process IDs of headend-ndi and of the ffmpeg that it has started. */
function inputProcesses(): number[] {
  const programs = readdirSync('/proc').filter((pid) => commandLineOf(pid).includes(`receive\0${fakeNdi.folder}`))
  return programs.map(Number).flatMap((pid) => [pid, ...childrenOf(pid)])
}

test('video and audio arrive as H.264 and AAC, and removing the channel ends all processes', async () => {
  start('libndi.so.6')
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const decoded = await decodeFrames(outputUrl(), 25)
  assert.equal(decoded.codec, 'h264', decoded.log)
  assert.match(decoded.log, /160x90/)
  assert.match(decoded.log, /Audio: aac.* 48000 Hz, stereo/)
  assert.ok(decoded.distinctFrames > 20, `${decoded.distinctFrames} of ${decoded.frameCount} frames differ`)
  await until(() => (fixture.engine.audioLevel(1)?.levels.length ?? 0) === 2, 'the audio level is measured')
  // A sine at half of full scale.
  for (const level of fixture.engine.audioLevel(1)?.levels ?? []) assert.ok(Math.abs(level + 6) < 1.5, `${level} dB`)
  assert.match(logLines('receive ')[0] ?? '', /^receive STUDIO \(Cam 1\) at= color=1 bandwidth=100 config=\{/)
  const processes = inputProcesses()
  assert.equal(processes.length, 2)
  fixture.engine.remove(1)
  await until(() => fixture.engine.processCount() === 0 && !processes.some(isRunning), 'no process runs')
  assert.ok(logLines('receive end').length > 0)
})

test('a source is offline until it is announced, and again when it disappears', async () => {
  start('libndi.so.6')
  applyInput({ name: NAME, address: '127.0.0.1:5961' })
  await fixture.waitForState(1, CONNECTION_STATE.disconnected)
  assert.deepEqual([observed().state, observed().reason], [SOURCE_STATE.offline, 'ndi-offline'])
  assert.match(nextStep('en', observed()) ?? '', /same network/)
  assert.match(logLines('receive ')[0] ?? '', / at= /)
  fakeNdi.announce([NAME, '127.0.0.1:5961'])
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(logLines('receive ').length, 1, 'the waiting process receives it')
  fakeNdi.announce()
  await fixture.waitForState(1, CONNECTION_STATE.disconnected)
  assert.deepEqual([observed().state, observed().reason], [SOURCE_STATE.offline, 'ndi-offline'])
  fakeNdi.announce([NAME, '127.0.0.1:5961'])
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('when one of the two processes ends, the other ends too, and the input restarts', async () => {
  start('libndi.so.6')
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput()
  for (const index of [0, 1]) {
    await until(() => inputProcesses().length === 2, 'both processes run')
    const processes = inputProcesses()
    process.kill(processes[index] ?? 0, 'SIGKILL')
    await until(() => !processes.some(isRunning), 'both processes have ended')
  }
  await until(() => inputProcesses().length === 2, 'both processes run')
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('a change of the frame size restarts the input without a failure, also without audio', async () => {
  start('libndi.so.6')
  fakeNdi.setNumber('silent', 1)
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  fakeNdi.setNumber('width', 320)
  await until(() => logLines('receive ').length - logLines('receive end').length > 1, 'the receiver has restarted')
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const decoded = await decodeFrames(outputUrl(), 5)
  assert.match(decoded.log, /320x90/)
  assert.doesNotMatch(decoded.log, /Audio:/)
  assert.ok(!fixture.events.some(({ reason }) => reason?.startsWith('said')), JSON.stringify(fixture.events))
})

test('without the runtime the input reports the missing runtime, and starts once it is installed', async () => {
  start()
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput()
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
  assert.deepEqual([observed().state, observed().reason], [SOURCE_STATE.unsupported, 'ndi-missing'])
  installLibrary(fakeNdi.library)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('a preset is searched and received as its own fields say, over those of the settings', async () => {
  start('libndi.so.6')
  const server = { address: '192.0.2.1', port: 5959 }
  await fixture.engine.configureNdi({
    discovery: {
      ...{ enable: true, servers: [server], 'extra-ips': ['192.0.2.2'], 'machine-name': '', ifaces: [] },
      ...{ 'send-groups': 'Stage', 'recv-groups': 'Stage' }
    },
    server: { enable: false, port: 5959 }
  })
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  const own = { group: 'News,Public', extraIps: ['192.0.2.3'], discoveryServers: ['192.0.2.4:6000'] }
  applyInput({ name: NAME, address: '192.0.2.5:5961', ...own, transport: NDI_TCP, lowBandwidth: true })
  await until(() => logLines('receive ').length > 0, 'the source is received')
  const [, bandwidth, config = ''] =
    / at= color=1 bandwidth=(\d+) config=(.*)$/.exec(logLines('receive ')[0] ?? '') ?? []
  assert.equal(bandwidth, '0', 'the preview')
  const { ndi } = JSON.parse(config)
  assert.deepEqual(ndi.networks, { ips: '192.0.2.2,192.0.2.5,192.0.2.3', discovery: '192.0.2.4:6000' })
  assert.deepEqual(ndi.groups, { send: 'Stage', recv: 'News,Public' })
  const off = { recv: { enable: false } }
  assert.deepEqual([ndi.rudp, ndi.tcp, ndi.unicast, ndi.multicast], [off, off, off, off], 'one TCP connection')
})

const FORBIDDEN: [where: string, source: Partial<NdiUrl>][] = [
  ['extra address', { extraIps: ['192.0.2.3', '10.0.0.9'] }],
  ['discovery server', { discoveryServers: ['10.0.0.9:6000'] }]
]
for (const [where, source] of FORBIDDEN)
  test(`a preset with a forbidden ${where} is not received`, async () => {
    start('libndi.so.6', { forbidPrivate: () => true })
    applyInput({ name: NAME, ...source })
    await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
    assert.equal(observed().reason, 'forbidden')
    assert.equal(logLines('receive ').length, 0)
  })

test('a preset is not received any more when an extra address becomes forbidden', async () => {
  let forbidsPrivate = false
  start('libndi.so.6', { forbidPrivate: () => forbidsPrivate })
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput({ name: NAME, extraIps: ['10.0.0.9'] })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  forbidsPrivate = true
  fixture.engine.recheckAddresses()
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
  assert.equal(observed().reason, 'forbidden')
  await until(() => inputProcesses().length === 0, 'its processes have ended')
})

test('a source at a forbidden address is not received', async () => {
  start('libndi.so.6', { forbidPrivate: () => true })
  applyInput({ name: NAME, address: '10.0.0.9:5961' })
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
  assert.equal(observed().reason, 'forbidden')
  assert.equal(logLines('receive ').length, 0)
})

test.run()
