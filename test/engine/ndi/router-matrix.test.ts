// A matrix of the engine with a router process that the test plays.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { suite } from 'uvu'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { Ndi, NdiRuntime } from '../../../engine/interfaces/ndi.ts'
import type { WantedMatrix } from '../../../engine/interfaces/router.ts'
import { MachineAnswers } from '../../../engine/ndi/machine-answers.ts'
import { DestinationPorts, RouterMatrix } from '../../../engine/ndi/router-matrix.ts'
import { until } from '../../kit/until.ts'

const test = suite('router matrix')

const runtime: NdiRuntime = {
  library: 'libndi.so',
  version: '5',
  canRoute: true,
  program: 'headend-ndi',
  ffmpeg: 'ffmpeg'
}

const WANTED: WantedMatrix = {
  id: 1,
  name: 'Matrix 1',
  sources: [],
  destinations: [1, 2].map((n) => ({ destination: n, name: `Studio ${n}`, source: 'SRC (Cam 1)' }))
}

class RouterProcessStandIn {
  readonly #launch: Launch
  commands = ''

  constructor(launch: Launch) {
    this.#launch = launch
  }

  send(message: object): void {
    this.#launch.onMessage?.(JSON.stringify(message))
  }

  /** Announces all destinations that it was ordered to announce. */
  announce(): void {
    for (const [, number, name] of this.commands.matchAll(/announce\t(\d+)\t([^\t]*)\t/g))
      this.send({ name: `HUB (${name})`, destination: Number(number) })
  }

  end(): void {
    this.#launch.onEnd?.([])
  }
}

let processes: RouterProcessStandIn[]
let ports: DestinationPorts
const machines = new MachineAnswers({ resolveHost: async (host) => host })
let matrix: RouterMatrix

const last = () => processes.at(-1) as RouterProcessStandIn

function startMatrix(id: number): RouterMatrix {
  const ndi: Ndi = {
    findRuntime: async () => runtime,
    listMissing: () => [],
    openConfig: () => ({ environment: {}, onExit() {} }),
    machineName: () => 'HUB',
    defaultMachineName: () => 'HUB'
  }
  const launcher = {
    run(launch: Launch) {
      const router = new RouterProcessStandIn(launch)
      processes.push(router)
      const stdin = new Writable({
        write(chunk, _encoding, done) {
          router.commands += chunk
          done()
        }
      })
      return { pid: undefined, stdin, stop: async () => {} }
    }
  }
  return new RouterMatrix(
    { ...WANTED, id, name: `Matrix ${id}` },
    { ndi, launcher, machines, ports, now: () => performance.now() },
    () => {}
  )
}

test.before.each(async () => {
  processes = []
  ports = new DestinationPorts()
  matrix = startMatrix(1)
  await until(() => processes.length === 1 && last().commands !== '', 'the process is ordered to announce')
  last().announce()
})
test.after.each(() => matrix.close())

const TAKE = [
  { destination: 1, source: 'SRC (Cam 2)' },
  { destination: 2, source: '' }
]
const sources = () => matrix.observe().destinations.map(({ source }) => source)

test('a new process reserves the ports for the destinations that had them, and those of other matrices for none', async () => {
  last().send({ port: 5961, destination: 1 })
  last().send({ port: 5962, destination: 2 })
  last().end()
  await until(() => processes.length === 2, 'there is a new process')
  assert.ok(last().commands.startsWith('reserve\t1\t5961\nreserve\t2\t5962\nannounce\t'), last().commands)
  const other = startMatrix(2)
  await until(() => processes.length === 3, 'the other matrix has a process')
  assert.ok(last().commands.startsWith('reserve\t0\t5961\nreserve\t0\t5962\nannounce\t'), last().commands)
  await other.close()
})

test('a take is done when the process has switched all destinations', async () => {
  const outcome = matrix.take(TAKE)
  assert.ok(last().commands.endsWith('route\t1\tSRC (Cam 2)\nroute\t2\t\ntake\t1\n'), last().commands)
  assert.deepEqual(sources(), ['SRC (Cam 1)', 'SRC (Cam 1)'])
  last().send({ take: 1, failed: [] })
  assert.equal(await outcome, 'done')
  assert.deepEqual(sources(), ['SRC (Cam 2)', ''])
})

test('a take of which one route fails changes nothing, and names the destination', async () => {
  const outcome = matrix.take(TAKE)
  last().send({ take: 1, failed: [2] })
  assert.deepEqual(await outcome, { failed: [2] })
  assert.deepEqual(sources(), ['SRC (Cam 1)', 'SRC (Cam 1)'])
})

test('a take whose process ends has failed, and the next process has the routes from before', async () => {
  const outcome = matrix.take(TAKE)
  last().end()
  assert.deepEqual(await outcome, { failed: [1, 2] })
  await until(() => processes.length === 2, 'there is a new process')
  assert.match(last().commands, /announce\t1\tStudio 1\tSRC \(Cam 1\)\nannounce\t2\tStudio 2\tSRC \(Cam 1\)\n/)
})

test('the routes of a take without a process are those of the next process', async () => {
  last().end()
  assert.equal(await matrix.take(TAKE), 'down')
  await until(() => processes.length === 2, 'there is a new process')
  assert.match(last().commands, /announce\t1\tStudio 1\tSRC \(Cam 2\)\nannounce\t2\tStudio 2\t\n/)
})

test('a take switches the destinations that are announced at once, although another one is not announced yet', async () => {
  last().end()
  await until(() => processes.length === 2, 'there is a new process')
  last().send({ name: 'HUB (Studio 1)', destination: 1 })
  assert.equal(await matrix.take(TAKE), 'down')
  assert.ok(last().commands.endsWith('route\t1\tSRC (Cam 2)\nroute\t2\t\ntake\t1\n'), last().commands)
  last().send({ name: 'HUB (Studio 2)', destination: 2 })
  last().send({ take: 1, failed: [] })
  assert.deepEqual(sources(), ['SRC (Cam 2)', ''])
})

test('a take is refused, and names the destination, while that could not be announced', async () => {
  last().end()
  await until(() => processes.length === 2, 'there is a new process')
  last().send({ name: 'HUB (Studio 1)', destination: 1 })
  last().send({ 'failed-destination': 2 })
  assert.deepEqual(await matrix.take(TAKE), { failed: [2] })
  assert.deepEqual(sources(), ['SRC (Cam 1)'])
  assert.doesNotMatch(last().commands, /route/)
  await until(() => last().commands.match(/announce\t2\t/g)?.length === 2, 'it is announced again')
  last().send({ name: 'HUB (Studio 2)', destination: 2 })
  const outcome = matrix.take(TAKE)
  last().send({ take: 1, failed: [] })
  assert.equal(await outcome, 'done')
})

test('a source that is added to the matrix is online if it was announced before, and away if it has left', async () => {
  const online = () => matrix.observe().sources.map((source) => [source.name, source.online])
  for (const name of ['SRC (Cam 1)', 'SRC (Cam 2)']) last().send({ found: name, url: '203.0.113.9:5961' })
  last().send({ gone: 'SRC (Cam 2)' })
  matrix.update({ ...WANTED, sources: ['SRC (Cam 1)', 'SRC (Cam 2)'] })
  assert.deepEqual(online(), [['SRC (Cam 1)', true]])
  // A source that is not announced is looked for, for three seconds.
  await until(() => online().length === 2, 'the other source was looked for')
  assert.deepEqual(online()[1], ['SRC (Cam 2)', false])
})

test('a process that is silent for 600 ms is replaced', async () => {
  last().send({ alive: 1 })
  const begin = performance.now()
  await until(() => processes.length === 2, 'there is a new process')
  assert.ok(performance.now() - begin > 550)
})

test.run()
