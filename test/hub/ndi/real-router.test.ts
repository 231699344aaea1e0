// The NDI router with the real runtime: two sources on one machine, the hub on the other, and a receiver on each.
// Takes, and what dies on the machine of the hub.
import assert from 'node:assert/strict'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import { systemStatus } from '../../../contract/system.ts'
import { monotonicSeconds } from '../../kit/ndi/router.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { type Studio, startStudio } from '../../kit/ndi/studio.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'
import { waitDuring } from '../../kit/within.ts'

const test = suiteRequiring('NDI router', missingForNdi())

/** Milliseconds that a switch may take until the first new frame, and that it may leave a receiver without frames. */
const SWITCH_MAX = 100
/** Milliseconds between two frames, without the time for which a busy machine lets the programs wait. */
const STILL_MAX = 500

let studio: Studio
test.before(async () => {
  studio = await startStudio()
})
test.after(() => studio?.stop())

/** Figures of all receivers from now on. */
const nextFigures = () => Promise.all(studio.receivers.map((receiver) => receiver.nextFigures()))

/** Runs `work`, and asserts that no receiver has lost a frame or waited too long for one. */
async function withoutGap(work: () => Promise<unknown>): Promise<void> {
  await Promise.all(studio.receivers.map((receiver) => receiver.reset()))
  const wait = await waitDuring(work)
  for (const { lost, maxGap } of await nextFigures()) {
    assert.equal(lost, 0)
    assert.ok(maxGap < STILL_MAX + wait, `${maxGap} ms without a frame`)
  }
}

test('the hub reports the feature, and destinations have their announced names and connections', async () => {
  const { status } = await studio.router.send(systemStatus, {})
  assert.equal(status.system.info['feature-support'] & FEATURE_BITS.ndiRouter, FEATURE_BITS.ndiRouter)
  const { destinations, sources } = await studio.router.matrix(studio.id)
  assert.deepEqual(
    destinations.map(({ name, connections, state }) => [name, connections, state]),
    [
      ['HUB (Studio 1)', 1, 'routed'],
      ['HUB (Studio 2)', 1, 'routed']
    ]
  )
  assert.deepEqual(
    sources.map(({ online }) => online),
    [true, true, false]
  )
})

test('a take reaches both receivers within 100 ms, with at most 100 ms without a frame', async () => {
  const delays: number[] = []
  const gaps: number[] = []
  for (let round = 0; round < 10; round++) {
    const [first, second] = round % 2 === 0 ? [2, 1] : [1, 2]
    const counts = studio.receivers.map(({ switches }) => switches.length)
    const begin = monotonicSeconds()
    const takes = [
      { destination: 1, source: first },
      { destination: 2, source: second }
    ]
    assert.equal(await studio.router.take(studio.id, ...takes), 0)
    await until(
      () => studio.receivers.every(({ switches }, index) => switches.length > (counts[index] ?? 0)),
      'both receivers have switched'
    )
    for (const [index, { switches }] of studio.receivers.entries()) {
      const last = switches.at(-1)
      assert.equal(last?.to, index === 0 ? first : second)
      delays.push(((last?.at ?? 0) - begin) * 1000)
      gaps.push(last?.gap ?? Number.POSITIVE_INFINITY)
    }
    await studio.receiving(first, second)
  }
  console.log(`  switches: ${Math.max(...delays).toFixed()} ms at most, gap ${Math.max(...gaps).toFixed()} ms at most`)
  assert.ok(Math.max(...delays) < SWITCH_MAX, `${delays.map(Math.round)} ms until the first new frame`)
  assert.ok(Math.max(...gaps) < SWITCH_MAX, `${gaps.map(Math.round)} ms without a frame`)
  await studio.receiving(1, 2)
})

for (const [what, signal] of [
  ['dies', 'SIGKILL'],
  ['hangs', 'SIGSTOP']
] as const)
  test(`a router process that ${what} is replaced with its routes, and no frame is lost`, async () => {
    const before = studio.router.routerProcess() as number
    await withoutGap(async () => {
      process.kill(before, signal)
      await until(() => {
        const now = studio.router.routerProcess()
        return now !== undefined && now !== before
      }, 'there is another router process')
      await studio.router.states(studio.id, 'routed', 'routed')
      await until(() => studio.receivers.every(({ connections }) => connections === 1), 'receivers are connected again')
    })
    assert.equal(await studio.router.take(studio.id, { destination: 1, source: 2 }), 0)
    await studio.receiving(2, 2)
    assert.equal(await studio.router.take(studio.id, { destination: 1, source: 1 }), 0)
    await studio.receiving(1, 2)
  })

test('a hub that is killed and started again interrupts no frame and keeps the routes', async () => {
  const before = studio.router.routerProcess()
  await withoutGap(async () => {
    await studio.router.killHub()
    await nextFigures()
    await studio.router.startHub()
    await studio.router.states(studio.id, 'routed', 'routed')
  })
  assert.equal(studio.router.routerProcess(), before)
  assert.deepEqual(
    (await studio.router.matrix(studio.id)).destinations.map(({ source, by }) => [source, by]),
    [
      [1, 'Admin'],
      [2, 'Admin']
    ]
  )
})

test('an engine that is killed and started again restores the routes', async () => {
  await withoutGap(async () => {
    await studio.router.killEngine()
    await studio.router.startEngine()
    await studio.router.states(studio.id, 'routed', 'routed')
  })
})

test.run()
