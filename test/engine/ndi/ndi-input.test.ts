// NDI inputs with a fake runtime: video and audio, sources that appear and disappear, and sources whose format changes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import type { NdiUrl } from '../../../contract/stream/ndi-url.ts'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../../contract/stream/protocols.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia, decodeFrames, waitUntil } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { childrenOf, commandLineOf, isRunning } from '../../kit/system-processes.ts'
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
  await waitUntil('the audio level is measured', () => (fixture.engine.audioLevel(1)?.levels.length ?? 0) === 2)
  // A sine at half of full scale.
  for (const level of fixture.engine.audioLevel(1)?.levels ?? []) assert.ok(Math.abs(level + 6) < 1.5, `${level} dB`)
  assert.match(logLines('receive ')[0] ?? '', /^receive STUDIO \(Cam 1\) at= color=1$/)
  const processes = inputProcesses()
  assert.equal(processes.length, 2)
  fixture.engine.remove(1)
  await waitUntil('no process runs', () => fixture.engine.processCount() === 0 && !processes.some(isRunning))
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
    await waitUntil('both processes run', () => inputProcesses().length === 2)
    const processes = inputProcesses()
    process.kill(processes[index] ?? 0, 'SIGKILL')
    await waitUntil('both processes have ended', () => !processes.some(isRunning))
  }
  await waitUntil('both processes run', () => inputProcesses().length === 2)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('a change of the frame size restarts the input without a failure, also without audio', async () => {
  start('libndi.so.6')
  fakeNdi.setNumber('silent', 1)
  fakeNdi.announce([NAME, '10.0.0.9:5961'])
  applyInput()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  fakeNdi.setNumber('width', 320)
  await waitUntil('the receiver has restarted', () => logLines('receive ').length - logLines('receive end').length > 1)
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

test('a source at a forbidden address is not received', async () => {
  start('libndi.so.6', { forbidPrivate: () => true })
  applyInput({ name: NAME, address: '10.0.0.9:5961' })
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
  assert.equal(observed().reason, 'forbidden')
  assert.equal(logLines('receive ').length, 0)
})

test.run()
