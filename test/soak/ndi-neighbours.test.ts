// NDI senders of other people live beside a hub that lists and routes them, on a busy machine. The senders have
// ordinary priority, as on a user's computer: senders with real-time priority survive what ends others.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { NDI_SOURCE_ONLINE } from '../../contract/codes.ts'
import { listNdiSources } from '../../contract/stream/ndi.ts'
import { type NdiMachine, type NdiMachines, startNdiMachines } from '../kit/ndi/machines.ts'
import { startSource, type TestSource } from '../kit/ndi/programs.ts'
import { type RouterSetup, startRouter } from '../kit/ndi/router.ts'
import { missingForNdi } from '../kit/ndi/runtime.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const test = suiteRequiring('NDI senders beside the hub', missingForNdi())

const SENDERS = [1, 2, 3, 4, 5, 6, 7, 8]
/** Milliseconds. Connections that are closed before the greeting was read ended all eight in 14 minutes. */
const DURATION = 15 * 60_000

let machines: NdiMachines
let router: RouterSetup
let load: ChildProcess[] = []
test.before(async () => {
  machines = await startNdiMachines()
  router = await startRouter(machines)
  load = Array.from({ length: availableParallelism() }, () => spawn('nice', ['-n', '20', 'yes'], { stdio: 'ignore' }))
})
test.after(async () => {
  for (const child of load) {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  await router?.stop()
  await machines?.stop()
})

test('eight senders at ordinary priority live for a quarter of an hour beside a hub that lists and routes them', async () => {
  const ordinary: NdiMachine = {
    ...machines.src,
    wrapper: [...machines.src.wrapper, 'chrt', '--other', '0', 'nice', '-n', '20']
  }
  const senders: TestSource[] = []
  for (const n of SENDERS) senders.push(await startSource(machines, ordinary, `Cam ${n}`, { id: n }))
  const sources = SENDERS.map((n) => ({ name: `SRC (Cam ${n})` }))
  const { id } = await router.add({
    name: 'Studio',
    machine: 'Studio',
    sources,
    destinations: SENDERS.map(() => ({}))
  })
  await router.take(id, ...SENDERS.map((n) => ({ destination: n, source: n })))
  const ended = () => senders.flatMap((sender, n) => (sender.hasEnded() ? [`Cam ${n + 1}`] : []))
  for (const began = performance.now(); performance.now() - began < DURATION; await sleep(1000)) {
    await router.send(listNdiSources, {})
    assert.deepEqual(ended(), [], `after ${Math.round((performance.now() - began) / 1000)} s`)
  }
  const { list } = await router.send(listNdiSources, {})
  const online = list.filter(({ state }) => state === NDI_SOURCE_ONLINE).map(({ name }) => name)
  // The outputs of the router are sources as well.
  for (const { name } of sources) assert.ok(online.includes(name), `${name} among ${online.join()}`)
  await router.states(id, ...SENDERS.map(() => 'routed'))
})

test.run()
