// The NDI router with the real runtime: sources that die, are unplugged, or come later.
import assert from 'node:assert/strict'
import { NDI_SOURCE_OFFLINE, NDI_SOURCE_ONLINE, SUCCESS } from '../../../contract/codes.ts'
import { setMatrix } from '../../../contract/ndi/router.ts'
import { listNdiSources } from '../../../contract/stream/ndi.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { type Studio, startStudio } from '../../kit/ndi/studio.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'
import { within } from '../../kit/within.ts'

const test = suiteRequiring('sources of the NDI router', missingForNdi())

/** Milliseconds until the state of a source that has gone or is back is known, and until its frames arrive. */
const RECOVERY_MAX = 4000

let studio: Studio
test.before(async () => {
  studio = await startStudio()
})
test.after(() => studio?.stop())

test('a source that is killed is away, and its receiver gets it again when it is back', async () => {
  await within(RECOVERY_MAX, 'the source is away', async () => {
    await studio.cameras[0]?.end('SIGKILL')
    await studio.router.states(studio.id, 'source-away', 'routed')
  })
  studio.cameras[0] = await studio.startCamera(1)
  await within(RECOVERY_MAX, 'the source is back', async () => {
    await studio.router.states(studio.id, 'routed', 'routed')
    // A receiver on another machine than the source may wait for it for 14 s, which its own runtime decides.
    await studio.receivers[0].receiving(1)
  })
})

test('sources are away, and announced without an answer in the list, while the cable of their machine is pulled', async () => {
  const listed = (state: number) =>
    until(async () => {
      const { list } = await studio.router.send(listNdiSources, {})
      return list.some((source) => source.name === 'SRC (Cam 1)' && source.state === state)
    }, `the source is listed with ${state}`)
  await listed(NDI_SOURCE_ONLINE)
  await studio.machines.pullCable()
  await within(RECOVERY_MAX, 'the sources are away', () =>
    studio.router.states(studio.id, 'source-away', 'source-away')
  )
  await listed(NDI_SOURCE_OFFLINE)
  await studio.machines.plugCable()
  await studio.router.states(studio.id, 'routed', 'routed')
  await listed(NDI_SOURCE_ONLINE)
  await studio.receivers[0].receiving(1)
})

test('a route to a source that does not exist yet waits for it, and a route to nothing ends the picture', async () => {
  assert.equal(await studio.router.take(studio.id, { destination: 1, source: 3 }), 0)
  await studio.router.states(studio.id, 'source-away', 'routed')
  studio.cameras.push(await studio.startCamera(3))
  await studio.router.states(studio.id, 'routed', 'routed')
  await studio.receivers[0].receiving(3)
  assert.equal(await studio.router.take(studio.id, { destination: 1, source: 0 }), 0)
  await studio.router.states(studio.id, 'none', 'routed')
  await until(() => (studio.receivers[0].figures?.silence ?? 0) > 500, 'no frame arrives')
  assert.equal(studio.receivers[0].connections, 1)
})

test('a source that is added to a running matrix, and is in the network already, is online at once', async () => {
  studio.cameras.push(await studio.startCamera(4))
  const { sources } = await studio.router.matrix(studio.id)
  // The finder reports it once, while the matrix does not have it yet.
  await until(async () => {
    const { list } = await studio.router.send(listNdiSources, {})
    return list.some(({ name, state }) => name === 'SRC (Cam 4)' && state === NDI_SOURCE_ONLINE)
  }, 'the source is found')
  const request = { id: studio.id, sources: [...sources.map(({ name }) => ({ name })), { name: 'SRC (Cam 4)' }] }
  assert.equal((await studio.router.send(setMatrix, request)).result, SUCCESS)
  assert.equal(await studio.router.take(studio.id, { destination: 1, source: 4 }), 0)
  await studio.router.states(studio.id, 'routed', 'routed')
  await studio.receivers[0].receiving(4)
  assert.equal((await studio.router.matrix(studio.id)).sources[3]?.online, true)
})

test.run()
