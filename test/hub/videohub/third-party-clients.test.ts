import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { lockDestination, setMatrix, takeRoutes } from '../../../contract/ndi/router.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { until } from '../../kit/until.ts'
import { connectIoVideohub, type IoVideohubClient } from '../../kit/videohub/io-videohub-client.ts'
import { openPanelMatrix, type PanelMatrix, readMatrix } from '../../kit/videohub/panel-matrix.ts'
import { PyatemClient, type TimedEvent } from '../../kit/videohub/pyatem-client.ts'

const test = suite('third-party videohub clients')
let matrix: PanelMatrix
let pyatem: PyatemClient | undefined
let ioVideohub: IoVideohubClient | undefined
hubForEach(test)
test.before.each(async () => {
  await hub.listen(0, 0)
  matrix = await openPanelMatrix(admin, { inputs: 6, outputs: 4 })
})
test.after.each(() => {
  pyatem?.close()
  ioVideohub?.close()
  pyatem = undefined
  ioVideohub = undefined
})

const sourceOf = async (destination: number) =>
  (await readMatrix(admin, matrix.id)).destinations[destination - 1]?.source

const isRoute = (output: number, input: number) => (event: TimedEvent) =>
  event.event === 'route' && event.output === output && event.input === input

test('pyatem reads labels and routes, and switches', async () => {
  await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 2, source: 6 }] })
  pyatem = new PyatemClient(matrix.port)
  const { inputs, outputs, inputLabels, outputLabels, routes, version } = await pyatem.connected()
  assert.deepEqual([version, inputs, outputs], ['2.8', 7, 4])
  assert.deepEqual(inputLabels, ['Camera 1', 'Camera 2', 'Camera 3', 'Camera 4', 'Camera 5', 'Camera 6', 'None'])
  assert.deepEqual(outputLabels, ['Wall 1', 'Wall 2', 'Wall 3', 'Wall 4'])
  assert.deepEqual(routes, [6, 5, 6, 6])
  pyatem.route(3, 2)
  await pyatem.waitFor(isRoute(3, 2), 'confirmation of the route')
  assert.equal(await sourceOf(4), 3)
})

test('pyatem gets the routes of a console within 100 ms, and changed labels', async () => {
  pyatem = new PyatemClient(matrix.port)
  await pyatem.connected()
  const times: number[] = []
  for (let round = 0; round < 24; round++) {
    const source = (round % 6) + 1
    pyatem.events.length = 0
    const start = performance.now()
    await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 1, source }] })
    times.push((await pyatem.waitFor(isRoute(0, source - 1), `route to source ${source}`)).time - start)
  }
  // One of six may be late.
  assert.ok(times.filter((time) => time >= 100).length <= 4, times.join(' '))
  const destinations = ['Lobby', 'Wall 2', 'Wall 3', 'Wall 4'].map((label) => ({ label }))
  await admin.send(setMatrix, { id: matrix.id, destinations })
  await pyatem.waitFor((event) => event.event === 'label' && event.label === 'Lobby', 'label')
})

test('io-videohub reads labels, routes and locks, switches, and gets changes of a console', async () => {
  await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 1, source: 3 }] })
  await admin.send(lockDestination, { id: matrix.id, destination: 2, locked: true })
  ioVideohub = await connectIoVideohub(matrix.port)
  const { router } = ioVideohub
  const status = router.statusObj
  await until(() => 'end_prelude' in status, 'prelude')
  assert.deepEqual(status.output_labels, ['Wall 1', 'Wall 2', 'Wall 3', 'Wall 4'])
  assert.equal(status.input_labels?.[2], 'Camera 3')
  assert.deepEqual(status.video_output_routing, ['2', '6', '6', '6'])
  assert.deepEqual(status.video_output_locks, ['U', 'L', 'U', 'U'])
  router.route(3, 4)
  router.setInputLabel(0, 'Studio')
  await until(() => status.video_output_routing?.[3] === '4', 'confirmation of the route')
  await until(() => status.input_labels?.[0] === 'Studio', 'label')
  assert.equal(await sourceOf(4), 5)
  await admin.send(lockDestination, { id: matrix.id, destination: 2, locked: false })
  await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 2, source: 1 }] })
  await until(() => status.video_output_locks?.[1] === 'U', 'lock')
  await until(() => status.video_output_routing?.[1] === '0', 'route')
})

test.run()
