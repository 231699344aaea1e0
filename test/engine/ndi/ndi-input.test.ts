// NDI inputs, by what stands in for the runtime: what becomes of pictures and sound, of a source that comes and goes, and of one that changes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import type { NdiUrl } from '../../../contract/stream/ndi-url.ts'
import { CONNECTION, SOURCE, SRT } from '../../../contract/stream/protocols.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { childrenOf, commandOf, isRunning } from '../../kit/system-processes.ts'
import { type Bench, createBench } from '../bench.ts'
import { endAll, look, until } from '../media.ts'
import { createNetwork, install, type Network } from './ndi.ts'

const test = suite('NDI input')
const NAME = 'STUDIO (Cam 1)'

let bench: Bench
let network: Network
let port: number
test.before.each(async () => {
  port = await freeUdpPort()
})
test.after.each(async () => {
  await bench.engine.close()
  network.remove()
})
test.after(endAll)

function begin(library?: string, more: Parameters<typeof createBench>[0] = {}): void {
  network = createNetwork(library)
  bench = createBench({ ndi: { folders: [network.folder] }, ...more })
}

function take(source: NdiUrl = { name: NAME }): void {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 2, name: 'In', kind: 'ndi', source },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port } }]
  })
}

const seen = () => bench.engine.observe(1).input
const lines = (begins: string) => network.sent().filter((line) => line.startsWith(begins))
const at = () => `srt://127.0.0.1:${port}`

/** The processes that carry the input: our program, and the ffmpeg that it started. */
function carriers(): number[] {
  const ours = readdirSync('/proc').filter((pid) => commandOf(pid).includes(`receive\0${network.folder}`))
  return ours.map(Number).flatMap((pid) => [pid, ...childrenOf(pid)])
}

test('pictures and sound come through as H.264 and AAC, and it leaves no one behind', async () => {
  begin('libndi.so.6')
  network.offers([NAME, '10.0.0.9:5961'])
  take()
  await bench.reaches(1, CONNECTION.connected)
  const found = await look(at(), 25)
  assert.equal(found.codec, 'h264', found.text)
  assert.match(found.text, /160x90/)
  assert.match(found.text, /Audio: aac.* 48000 Hz, stereo/)
  assert.ok(found.different > 20, `${found.different} of ${found.pictures} pictures differ`)
  await until('its sound is measured', () => (bench.engine.level(1)?.level.length ?? 0) === 2)
  // A sine of half the full scale.
  for (const level of bench.engine.level(1)?.level ?? []) assert.ok(Math.abs(level + 6) < 1.5, `${level} dB`)
  assert.match(lines('receive ')[0] ?? '', /^receive STUDIO \(Cam 1\) at= color=1$/)
  const all = carriers()
  assert.equal(all.length, 2)
  bench.engine.remove(1)
  await until('nothing runs', () => bench.engine.processes() === 0 && !all.some(isRunning))
  assert.ok(lines('receive over').length > 0)
})

test('one that is not there is offline until it comes, and again when it goes', async () => {
  begin('libndi.so.6')
  take({ name: NAME, address: '127.0.0.1:5961' })
  await bench.reaches(1, CONNECTION.disconnected)
  assert.deepEqual([seen().state, seen().reason], [SOURCE.offline, 'ndi-offline'])
  assert.match(nextStep('en', seen()) ?? '', /one network/)
  assert.match(lines('receive ')[0] ?? '', / at=127\.0\.0\.1:5961 /)
  network.offers([NAME, '127.0.0.1:5961'])
  await bench.reaches(1, CONNECTION.connected)
  assert.equal(lines('receive ').length, 1, 'the one that waited takes it')
  network.offers()
  await bench.reaches(1, CONNECTION.disconnected)
  assert.equal(seen().reason, 'other-end')
  network.offers([NAME, '127.0.0.1:5961'])
  await bench.reaches(1, CONNECTION.connected)
})

test('whichever of its processes dies, the other dies with it, and it is there again', async () => {
  begin('libndi.so.6')
  network.offers([NAME, '10.0.0.9:5961'])
  take()
  for (const which of [0, 1]) {
    await until('both run', () => carriers().length === 2)
    const all = carriers()
    process.kill(all[which] ?? 0, 'SIGKILL')
    await until('both are gone', () => !all.some(isRunning))
  }
  await until('both run', () => carriers().length === 2)
  await bench.reaches(1, CONNECTION.connected)
})

test('pictures of another size are begun anew and no failure; without sound it goes on', async () => {
  begin('libndi.so.6')
  network.set('silent', 1)
  network.offers([NAME, '10.0.0.9:5961'])
  take()
  await bench.reaches(1, CONNECTION.connected)
  network.set('width', 320)
  await until('it is received anew', () => lines('receive ').length - lines('receive over').length > 1)
  await bench.reaches(1, CONNECTION.connected)
  const found = await look(at(), 5)
  assert.match(found.text, /320x90/)
  assert.doesNotMatch(found.text, /Audio:/)
  assert.ok(!bench.events.some(({ reason }) => reason?.startsWith('said')), JSON.stringify(bench.events))
})

test('without the runtime it says what is missing, and begins by itself once it is installed', async () => {
  begin()
  network.offers([NAME, '10.0.0.9:5961'])
  take()
  await bench.reaches(1, CONNECTION.creationFailed)
  assert.deepEqual([seen().state, seen().reason], [SOURCE.unsupported, 'ndi-missing'])
  install(network.library)
  await bench.reaches(1, CONNECTION.connected)
})

test('a source at an address where streams may not go is not asked for', async () => {
  begin('libndi.so.6', { forbidPrivate: () => true })
  take({ name: NAME, address: '10.0.0.9:5961' })
  await bench.reaches(1, CONNECTION.creationFailed)
  assert.equal(seen().reason, 'forbidden')
  assert.equal(lines('receive ').length, 0)
})

test.run()
