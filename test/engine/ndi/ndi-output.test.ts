// NDI outputs with a fake runtime: frames, number of receivers, and errors of a missing or unusable runtime.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { suite } from 'uvu'
import { CONNECTION_STATE, NDI, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import type { NdiOutput } from '../../../contract/stream/source.ts'
import { missingPartText } from '../../../hub/messages/missing-parts.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { reasonText } from '../../../hub/messages/reasons.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia, clipPath } from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'
import { createFakeNdi, type FakeNdi, installLibrary } from './fake-ndi.ts'

const test = suite('NDI output')

let fixture: EngineFixture
let fakeNdi: FakeNdi
test.before(() => {
  clipPath()
})
test.after.each(async () => {
  await fixture.engine.close()
  fakeNdi.remove()
})
test.after(cleanUpMedia)

function start(libraryName?: string): void {
  fakeNdi = createFakeNdi(libraryName)
  fixture = createFixture({ ndi: { folders: [fakeNdi.folder] } })
}

function applyOutput(config: NdiOutput = {}, name = 'Hall'): void {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name, protocol: NDI, config }]
  })
}

const output = () => fixture.engine.observe(1).outputs.get(3)
const missingParts = () =>
  fixture.engine
    .listMissing()
    .map(({ text }) => text)
    .join('\n')
const logLines = (prefix: string) => fakeNdi.readLog().filter((line) => line.startsWith(prefix))

test('video and audio arrive complete with the times of the stream, and receivers are counted', async () => {
  start('libndi.so.6')
  applyOutput({ group: 'studio' })
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  assert.equal(output()?.clientNum, 0)
  fakeNdi.setNumber('receivers', 2)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  await until(() => logLines('video').length > 25 && logLines('audio').length > 25, 'a second of media is sent')
  const observed = output()
  assert.equal(observed?.clientNum, 2)
  await until(
    () => Math.abs((output()?.kbps ?? 0) - 5000) < 500,
    () => `the rate is that of the network, for both receivers: ${output()?.kbps}`
  )
  assert.match(logLines('send')[0] ?? '', /^send Hall groups=studio clocked=0 config=\{"ndi":\{\}\}$/)
  const frames = logLines('video')
  for (const line of frames) assert.match(line, /^video 160x90 rate=25000\/1000 fourcc=UYVY luma=\d+ hash=/)
  assert.ok(new Set(frames.map((line) => /hash=(\w+)/.exec(line)?.[1])).size > 20, 'the frames differ')
  assert.ok(Number(/luma=(\d+)/.exec(frames[5] ?? '')?.[1]) > 50)
  // The peak of the sine in the clip.
  assert.match(logLines('audio')[9] ?? '', /^audio rate=48000 channels=1 samples=\d+ peak=0\.1[12]\d /)
  const timesOf = (lines: string[]) => lines.map((line) => Number(/time=(\d+)/.exec(line)?.[1]))
  const times = timesOf(frames)
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  // Units of 100 ns with the millisecond precision of the container. The clip restarts every four seconds.
  assert.ok(steps.filter((step) => Math.abs(step - 400_000) <= 20_000).length >= steps.length - 2, steps.join())
  assert.ok(Math.abs((times[0] ?? 0) / 10_000 - Date.now()) < 60_000, 'the times are wall clock times')
  assert.ok(Math.abs((timesOf(logLines('audio'))[0] ?? 0) - (times[0] ?? 0)) < 5_000_000, 'audio and video are in sync')
})

test('a renamed output restarts under its new name, an output without input is silent, and removing it ends all processes', async () => {
  start('libndi.so.5')
  applyOutput()
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  applyOutput({}, 'Foyer')
  await until(() => logLines('send Foyer').length === 1, 'it has its new name')
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  const end = fakeNdi.readLog().indexOf('send end')
  assert.ok(
    end >= 0 && end < fakeNdi.readLog().findIndex((line) => line.startsWith('send Foyer')),
    'the old sender has ended before the new one starts'
  )
  await fixture.pushingProcesses.get('A1')?.kill()
  await until(() => output()?.reason === 'input-silent', 'the output is silent without its input')
  fixture.engine.remove(1)
  await until(() => fixture.engine.processCount() === 0, 'no process runs')
  assert.deepEqual(logLines('send end').length, logLines('send ').length - logLines('send end').length)
})

test('multicast settings reach the runtime in a configuration folder, which is deleted afterwards', async () => {
  start('libndi.so.6')
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`headend-ndi-config-${process.pid}-`))
  applyOutput({
    'transport-mode': 1,
    'mcast-ip': '239.1.0.0',
    'mcast-sub-mask': '255.255.0.0',
    'mcast-time-to-live': 4
  })
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  const [, text = '{}'] = logLines('send')[0]?.split('config=') ?? []
  const send = { enable: true, netprefix: '239.1.0.0', netmask: '255.255.0.0', ttl: 4 }
  assert.deepEqual(JSON.parse(text), { ndi: { multicast: { send } } })
  assert.equal(folders().length, 1)
  fixture.engine.remove(1)
  await until(() => folders().length === 0, 'the folder is deleted')
})

test('without the runtime the output reports the missing runtime with its download address, and starts once it is installed', async () => {
  start()
  assert.match(missingParts(), /^no-ndi-runtime libndi\.so\.6$/m)
  assert.match(missingPartText('en', 'no-ndi-runtime libndi.so.6'), /https:\/\/ndi\.video \(libndi\.so\.6 in/)
  applyOutput()
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  const { state, reason } = output() ?? {}
  assert.deepEqual([state, reason], [SOURCE_STATE.unsupported, 'ndi-missing'])
  assert.match(reasonText('en', reason ?? ''), /requires the NDI runtime/)
  const leg = {
    state: SOURCE_STATE.unsupported,
    connState: CONNECTION_STATE.creationFailed,
    reason: 'ndi-missing'
  } as const
  assert.match(nextStep('en', leg) ?? '', /ndi\.video/)
  assert.match(nextStep('zh', leg) ?? '', /ndi\.video/)
  installLibrary(fakeNdi.library)
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  assert.doesNotMatch(missingParts(), /no-ndi-runtime/)
})

test('an unusable runtime has a specific reason, and an older runtime is used instead', async () => {
  start('libndi.so.6')
  fakeNdi.setNumber('processor', 0)
  applyOutput()
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.equal(output()?.reason, 'ndi-processor')
  writeFileSync(fakeNdi.library, 'no library')
  await until(
    () => /^ndi-unusable .*too short/.test(output()?.reason ?? ''),
    () => `the reason is ndi-unusable: ${output()?.reason}`
  )
  fakeNdi.setNumber('processor', 1)
  installLibrary(fakeNdi.library.replace('.6', '.5'))
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
})

test.run()
