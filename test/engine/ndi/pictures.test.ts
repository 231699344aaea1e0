// Which NDI sources are received for pictures: how many at once, and which when more are watched. Without the runtime:
// processes are counted, not run.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Launch, Process } from '../../../engine/interfaces/launcher.ts'
import type { NdiSources } from '../../../engine/interfaces/ndi.ts'
import { NdiPictures, RUNNING_MAX } from '../../../engine/ndi/pictures.ts'
import { until } from '../../kit/until.ts'

const test = suite('NDI pictures')

const SIZE = { width: 320, fps: 2 }
const JPEG = Buffer.from('Content-length: 3\r\n\r\nabc')

interface Fake {
  /** Lists the sources, or fails. */
  findSources: () => Promise<NdiSources>
  pictures: NdiPictures
  sources: Map<string, string>
  /** The running processes by the name of their source. */
  running: Map<string, Launch>
  /** Names in the order of their starts. */
  started: string[]
  /** Advances the clock. */
  pass(ms: number): void
}

function createFake(): Fake {
  let time = 0
  const sources = new Map<string, string>()
  const running = new Map<string, Launch>()
  const started: string[] = []
  const run = (launch: Launch): Process => {
    const name = launch.args[2] as string
    running.set(name, launch)
    started.push(name)
    return { pid: 1, stdin: undefined, stop: async () => void running.delete(name) }
  }
  const findSources = async (): Promise<NdiSources> => ({ sources, answers: new Map(), version: '1' })
  const pictures = new NdiPictures({
    findSources: () => fake.findSources(),
    context: {
      now: () => time,
      launcher: {
        run,
        listMissing: () => [],
        waitForStops: async () => {},
        processCount: () => 0,
        processorWait: () => 0,
        stopAll: async () => {}
      },
      resolveHost: async (host) => host,
      ndi: {
        findRuntime: async () => ({ library: 'l', version: '1', canRoute: true, program: 'p', ffmpeg: 'f' }),
        listMissing: () => [],
        openConfig: () => ({ environment: {}, onExit() {} }),
        machineName: () => 'HUB',
        defaultMachineName: () => 'HUB'
      }
    }
  })
  const fake: Fake = { findSources, pictures, sources, running, started, pass: (ms) => (time += ms) }
  return fake
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `SRC (${index})`)

test('as many sources as the limit are received, and further ones get a turn when others have delivered a picture', async () => {
  const fake = createFake()
  const all = names(RUNNING_MAX + 4)
  const received = new Set<string>()
  for (const name of all) fake.sources.set(name, '10.0.0.1:5961')
  for (const name of all) fake.pictures.watch({ name }, SIZE, () => received.add(name))
  await until(() => fake.running.size === RUNNING_MAX, 'the limit is reached')
  fake.pass(4000)
  for (const launch of fake.running.values()) launch.onStdout?.(JPEG)
  assert.equal(received.size, RUNNING_MAX)
  await until(() => new Set(fake.started).size === all.length, 'all sources had a turn')
  assert.equal(fake.running.size, RUNNING_MAX)
  assert.deepEqual(
    all.filter((name) => !fake.running.has(name)),
    all.slice(0, 4),
    'those that were received longest gave way'
  )
  fake.pictures.close()
  await until(() => fake.running.size === 0, 'all have ended')
})

test('a source is not interrupted while there is room, even after its turn', async () => {
  const fake = createFake()
  fake.sources.set('SRC (0)', '10.0.0.1:5961')
  const end = fake.pictures.watch({ name: 'SRC (0)' }, SIZE, () => {})
  fake.pictures.watch({ name: 'SRC (1)' }, SIZE, () => {})
  await until(() => fake.running.size === 1, 'it is received')
  fake.pass(60_000)
  fake.sources.set('SRC (1)', '10.0.0.1:5962')
  await until(() => fake.running.size === 2, 'another source appears')
  assert.deepEqual(fake.started, ['SRC (0)', 'SRC (1)'])
  end()
  await until(() => fake.running.size === 1, 'nobody watches the first any more')
  fake.pictures.close()
})

test('a source that has disappeared is not received, and one with a new address is received there', async () => {
  const fake = createFake()
  fake.sources.set('SRC (0)', '10.0.0.1:5961')
  fake.pictures.watch({ name: 'SRC (0)' }, SIZE, () => {})
  await until(() => fake.running.size === 1, 'it is received')
  fake.sources.delete('SRC (0)')
  await until(() => fake.running.size === 0, 'it has disappeared')
  fake.sources.set('SRC (0)', '10.0.0.1:5999')
  await until(() => fake.running.get('SRC (0)')?.args[3] === '10.0.0.1:5999', 'it is received at the new address')
  fake.sources.set('SRC (0)', '10.0.0.1:5962')
  await until(() => fake.running.get('SRC (0)')?.args[3] === '10.0.0.1:5962', 'it moves without waiting')
  fake.pictures.close()
})

test('two viewers of a source share one process, and a source with a stored address is received without discovery', async () => {
  const fake = createFake()
  const source = { name: 'SRC (0)', address: 'cam.example.com:5961' }
  const images: string[] = []
  const ends = ['first', 'second'].map((name) => fake.pictures.watch(source, SIZE, () => images.push(name)))
  await until(() => fake.running.size === 1, 'it is received')
  // The runtime searches at the address, so that another source at that port is not taken for it.
  assert.equal(fake.running.get('SRC (0)')?.args[3], '')
  fake.running.get('SRC (0)')?.onStdout?.(JPEG)
  assert.deepEqual(images, ['first', 'second'])
  ends[0]?.()
  fake.running.get('SRC (0)')?.onStdout?.(JPEG)
  assert.deepEqual(images, ['first', 'second', 'second'])
  fake.pictures.close()
})

test('while discovery cannot start because the disk is full, the engine keeps running, and pictures appear later', async () => {
  const fake = createFake()
  const { findSources } = fake
  let attempts = 0
  fake.findSources = async () => {
    attempts++
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  fake.sources.set('SRC (0)', '10.0.0.1:5961')
  const end = fake.pictures.watch({ name: 'SRC (1)' }, SIZE, () => {})
  fake.pictures.watch({ name: 'SRC (0)' }, SIZE, () => {})
  end()
  await until(() => attempts > 3, 'the sources were looked for at the start, at an end and at a tick')
  fake.findSources = findSources
  await until(() => fake.running.size === 1, 'it is received')
  fake.pictures.close()
})

test.run()
