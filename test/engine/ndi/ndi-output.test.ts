// NDI outputs, by what stands in for the runtime: what it is given, who takes it, and what is said where it is not there.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { suite } from 'uvu'
import { CONNECTION, NDI, SOURCE } from '../../../contract/stream/protocols.ts'
import type { NdiOutput } from '../../../contract/stream/source.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { reasonText } from '../../../hub/messages/reasons.ts'
import { type Bench, createBench } from '../bench.ts'
import { clip, endAll, until } from '../media.ts'
import { createNetwork, install, type Network } from './ndi.ts'

const test = suite('NDI output')

let bench: Bench
let network: Network
test.before(() => {
  clip()
})
test.after.each(async () => {
  await bench.engine.close()
  network.remove()
})
test.after(endAll)

function begin(library?: string): void {
  network = createNetwork(library)
  bench = createBench({ ndi: { folders: [network.folder] } })
}

function serve(config: NdiOutput = {}, name = 'Hall'): void {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name, protocol: NDI, config }]
  })
}

const output = () => bench.engine.observe(1).outputs.get(3)
const missing = () =>
  bench.engine
    .missing()
    .map(({ text }) => text)
    .join('\n')
const lines = (begins: string) => network.sent().filter((line) => line.startsWith(begins))

test('pictures and sound arrive whole, by the times of the stream, and who takes them is counted', async () => {
  begin('libndi.so.6')
  serve({ group: 'studio' })
  await bench.reaches(1, CONNECTION.waiting, 3)
  assert.equal(output()?.clientNum, 0)
  network.set('takers', 2)
  await bench.reaches(1, CONNECTION.connected, 3)
  await until('a second of it is sent', () => lines('video').length > 25 && lines('audio').length > 25)
  const view = output()
  assert.equal(view?.clientNum, 2)
  assert.ok((view?.kbps ?? 0) > 0)
  assert.match(lines('send')[0] ?? '', /^send Hall groups=studio clocked=0 config=$/)
  const pictures = lines('video')
  for (const line of pictures) assert.match(line, /^video 160x90 rate=25000\/1000 fourcc=UYVY luma=\d+ hash=/)
  assert.ok(new Set(pictures.map((line) => /hash=(\w+)/.exec(line)?.[1])).size > 20, 'the pictures differ')
  assert.ok(Number(/luma=(\d+)/.exec(pictures[5] ?? '')?.[1]) > 50)
  // Of the sine there is as much in the sound as was put in.
  assert.match(lines('audio')[9] ?? '', /^audio rate=48000 channels=1 samples=\d+ peak=0\.1[12]\d /)
  const timesOf = (all: string[]) => all.map((line) => Number(/time=(\d+)/.exec(line)?.[1]))
  const times = timesOf(pictures)
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  // Units of 100 ns, in milliseconds of the container; the clip begins anew every four seconds.
  assert.ok(steps.filter((step) => Math.abs(step - 400_000) <= 20_000).length >= steps.length - 2, steps.join())
  assert.ok(Math.abs((times[0] ?? 0) / 10_000 - Date.now()) < 60_000, 'the times are those of the clock')
  assert.ok(Math.abs((timesOf(lines('audio'))[0] ?? 0) - (times[0] ?? 0)) < 5_000_000, 'sound goes with picture')
})

test('it goes on for as long as the input does, is found under its new name, and leaves no one behind', async () => {
  begin('libndi.so.5')
  serve()
  await bench.reaches(1, CONNECTION.waiting, 3)
  serve({}, 'Foyer')
  await until('it has its new name', () => lines('send Foyer').length === 1)
  await bench.reaches(1, CONNECTION.waiting, 3)
  const ends = network.sent().indexOf('send over')
  assert.ok(
    ends >= 0 && ends < network.sent().findIndex((line) => line.startsWith('send Foyer')),
    'never two at a time'
  )
  await bench.pushing.get('A1')?.kill()
  await until('nothing is sent without an input', () => output()?.reason === 'input-silent')
  bench.engine.remove(1)
  await until('nothing runs', () => bench.engine.processes() === 0)
  assert.deepEqual(lines('send over').length, lines('send ').length - lines('send over').length)
})

test('what is to go by multicast is told to the runtime, in a folder that goes with it', async () => {
  begin('libndi.so.6')
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`headend-ndi-${process.pid}-`))
  serve({ 'transport-mode': 1, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0', 'mcast-time-to-live': 4 })
  await bench.reaches(1, CONNECTION.waiting, 3)
  const [, text = '{}'] = lines('send')[0]?.split('config=') ?? []
  const send = { enable: true, netprefix: '239.1.0.0', netmask: '255.255.0.0', ttl: 4 }
  assert.deepEqual(JSON.parse(text), { ndi: { multicast: { send } } })
  assert.equal(folders().length, 1)
  bench.engine.remove(1)
  await until('the folder is gone', () => folders().length === 0)
})

test('without the runtime it says what is missing and where to have it, and begins by itself once it is installed', async () => {
  begin()
  assert.match(missing(), /NDI runtime is missing.*https:\/\/ndi\.video/)
  serve()
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  const { state, reason } = output() ?? {}
  assert.deepEqual([state, reason], [SOURCE.unsupported, 'ndi-missing'])
  assert.match(reasonText('en', reason ?? ''), /needs the NDI runtime/)
  const trouble = { state: SOURCE.unsupported, connState: CONNECTION.creationFailed, reason: 'ndi-missing' } as const
  assert.match(nextStep('en', trouble) ?? '', /ndi\.video/)
  assert.match(nextStep('zh', trouble) ?? '', /ndi\.video/)
  install(network.library)
  await bench.reaches(1, CONNECTION.waiting, 3)
  assert.doesNotMatch(missing(), /NDI runtime/)
})

test('a runtime that cannot be used is told from one that is not there, and an older one stands in for it', async () => {
  begin('libndi.so.6')
  network.set('processor', 0)
  serve()
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  assert.equal(output()?.reason, 'ndi-processor')
  writeFileSync(network.library, 'no library')
  await until(
    () => `the file is judged: ${output()?.reason}`,
    () => /^ndi-unusable .*too short/.test(output()?.reason ?? '')
  )
  network.set('processor', 1)
  install(network.library.replace('.6', '.5'))
  await bench.reaches(1, CONNECTION.waiting, 3)
})

test.run()
