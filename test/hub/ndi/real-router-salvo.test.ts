// The largest matrix with the real runtime: 64 sources and 64 destinations.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../../contract/codes.ts'
import { addSalvo, listMatrices, type Matrix, takeSalvo } from '../../../contract/ndi/router.ts'
import { type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startSource } from '../../kit/ndi/programs.ts'
import { type RouterSetup, startRouter } from '../../kit/ndi/router.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { ownTime } from '../../kit/own-time.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('NDI router with 64 destinations', missingForNdi())

/** Milliseconds for a salvo, and until all consoles show it. */
const SALVO_MAX = 150
const AGREEMENT_MAX = 500

const places = Array.from({ length: 64 }, (_, index) => index + 1)
let machines: NdiMachines
let router: RouterSetup
let id: number
test.before(async () => {
  machines = await startNdiMachines()
  router = await startRouter(machines)
  for (const n of [1, 2]) await startSource(machines, machines.src, `Cam ${n}`, { id: n })
  const sources = places.map((n) => ({ name: `SRC (Cam ${n})` }))
  const matrix = await router.add({ name: 'Big', machine: 'Big', sources, destinations: places.map(() => ({})) })
  id = matrix.id
  await until(async () => {
    const { sources: observed } = await router.matrix(id)
    return observed.filter(({ online }) => online).length === 2
  }, 'both sources are present')
})
test.after(async () => {
  await router?.stop()
  await machines?.stop()
})

/** Requests changes as a console does until all destinations get a source. @returns when */
async function follow(source: number): Promise<number> {
  const isRouted = ({ destinations }: Matrix) =>
    destinations.every((each) => each.source === source && each.state === 'routed')
  let since: number | undefined
  await until(async () => {
    const reply = await router.send(listMatrices, since === undefined ? {} : { since })
    since = reply.rev
    return reply.list.some(isRouted)
  }, `all destinations get source ${source}`)
  return performance.now()
}

test('a salvo of 64 routes is made within 150 ms, observed within 500 ms, and two consoles agree', async () => {
  const salvos: (number | undefined)[] = []
  for (const source of [1, 2]) {
    const takes = places.map((destination) => ({ destination, source }))
    salvos.push((await router.send(addSalvo, { id, name: `Cam ${source}`, takes })).salvo)
  }
  const responses: number[] = []
  const observed: number[] = []
  const differences: number[] = []
  for (let round = 0; round < 6; round++) {
    const source = (round % 2) + 1
    const consoles = [follow(source), follow(source)]
    const whole = ownTime(() => Promise.all(consoles))
    const salvo = salvos[source - 1] as number
    responses.push(
      await ownTime(async () => {
        assert.equal((await router.send(takeSalvo, { id, salvo })).result, SUCCESS)
      })
    )
    observed.push(await whole)
    const [first = 0, second = 0] = await Promise.all(consoles)
    differences.push(Math.abs(first - second))
  }
  const [response, observation, difference] = [responses, observed, differences].map((all) => Math.max(...all))
  console.log(
    `  salvo: ${response?.toFixed()} ms, observed ${observation?.toFixed()} ms, consoles ${difference?.toFixed()} ms`
  )
  assert.ok(Math.max(...responses) < SALVO_MAX, `${responses.map(Math.round)} ms until the response`)
  assert.ok(Math.max(...observed) < AGREEMENT_MAX, `${observed.map(Math.round)} ms until the last destination`)
  assert.ok(Math.max(...differences) < AGREEMENT_MAX, `${differences.map(Math.round)} ms between two consoles`)
})

test.run()
