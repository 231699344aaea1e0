import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { deleteMatrix, setMatrix, takeRoutes } from '../../../contract/ndi/router.ts'
import { setSettings } from '../../../contract/settings.ts'
import { PanelRates } from '../../../hub/videohub/panel-rates.ts'
import { VideohubServer } from '../../../hub/videohub/videohub-server.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { closePanels, connectPanel, openPanel } from '../../kit/videohub/panel-client.ts'
import { addTestMatrix, openPanelMatrix, readMatrix, setPanel, waitForState } from '../../kit/videohub/panel-matrix.ts'

const test = suite('panel servers')
hubForEach(test)
test.before.each(async () => {
  await hub.listen(0, 0)
})
test.after.each(closePanels)

const events = async () => (await admin.send(listLog, { type: 'system' })).list.map(({ text }) => text)

test('the port of a new matrix is off; the first one is proposed port 9990, the second one 9991', async () => {
  const [first, second] = [await addTestMatrix(admin), await addTestMatrix(admin, 2, 2)]
  for (const [id, port] of [
    [first, 9990],
    [second, 9991]
  ] as const) {
    const { panel } = await readMatrix(admin, id)
    assert.deepEqual(panel, { enable: false, port, 'allow-ip': [], destinations: [], state: 'off' })
  }
})

test('a matrix reports its clients; closing its port disconnects them', async () => {
  const { id, port } = await openPanelMatrix(admin)
  const panel = await connectPanel(port)
  await until(() => hub.parts.panels.stateOf(id).clients === 1, 'client')
  assert.equal((await readMatrix(admin, id)).panel.clients, 1)
  await setPanel(admin, id, { enable: false })
  await panel.waitForEnd()
  assert.equal((await readMatrix(admin, id)).panel.state, 'off')
  await openPanel(port).waitForEnd()
})

test('changing the port disconnects the clients of the old one', async () => {
  const { id, port } = await openPanelMatrix(admin)
  const panel = await connectPanel(port)
  const next = await freeTcpPort()
  await setPanel(admin, id, { port: next })
  await panel.waitForEnd()
  await until(() => hub.parts.panels.ports().includes(next), 'the new port is open')
  await connectPanel(next)
  await openPanel(port).waitForEnd()
})

test('none of the requests are carried out that a client has sent before it is disconnected', async () => {
  const { id, port } = await openPanelMatrix(admin)
  // Keeps its side open.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume()
  const requests = Array.from({ length: 400 }, (_, n) => `VIDEO OUTPUT ROUTING:\n0 ${n % 4}\n\n`)
  socket.write(requests.join(''))
  await once(socket, 'data')
  await setPanel(admin, id, { enable: false })
  const lines = async () => (await admin.send(listLog, { type: 'operation' })).total
  const before = await lines()
  // The requests of one address are carried out in their order.
  await setPanel(admin, id, { enable: true })
  await until(() => hub.parts.panels.ports().includes(port), 'the port is open')
  await (await connectPanel(port)).request('PING:')
  assert.equal(await lines(), before + 1, 'the panel was switched on')
  socket.destroy()
})

test('deleting a matrix closes its port', async () => {
  const { id, port } = await openPanelMatrix(admin)
  const panel = await connectPanel(port)
  assert.equal((await admin.send(deleteMatrix, { id })).result, SUCCESS)
  await panel.waitForEnd()
  await openPanel(port).waitForEnd()
  assert.deepEqual(hub.parts.panels.ports(), [])
})

test('each matrix has its own port', async () => {
  const [first, second] = [await openPanelMatrix(admin), await openPanelMatrix(admin, { inputs: 2, outputs: 2 })]
  const [panel, other] = [await connectPanel(first.port), await connectPanel(second.port)]
  other.clear()
  await admin.send(takeRoutes, { id: first.id, takes: [{ destination: 1, source: 1 }] })
  await panel.waitFor('VIDEO OUTPUT ROUTING:\n0 0\n\n')
  assert.equal(other.received, '')
})

test('addresses that are not allowed are refused and logged once, and disconnected when they are not allowed any more', async () => {
  const { id, port } = await openPanelMatrix(admin, { 'allow-ip': ['127.0.0.8/30', '2001:db8::/32'] })
  await connectPanel(port, '127.0.0.9')
  for (let n = 0; n < 3; n++) {
    const refused = openPanel(port, '127.0.0.7')
    await refused.waitForEnd()
    assert.equal(refused.received, '')
  }
  const lines = (await events()).filter((text) => text?.includes('127.0.0.7'))
  assert.deepEqual(lines, [
    'Connection rejected: Studio 4x4, Videohub, 127.0.0.7: client refused: address not on the allow list'
  ])
  const panel = await connectPanel(port, '127.0.0.10')
  await setPanel(admin, id, { 'allow-ip': ['127.0.0.9'] })
  await panel.waitForEnd()
  await connectPanel(port, '127.0.0.9')
})

test('a port that another program has is reported, and opened when it is free', async () => {
  const other = createServer().listen(await freeTcpPort(), '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const id = await addTestMatrix(admin)
  await setPanel(admin, id, { enable: true, port })
  await waitForState(admin, id, 'failed')
  assert.equal((await readMatrix(admin, id)).panel.reason, `port ${port} is in use by another program`)
  other.close()
  await waitForState(admin, id, 'listening')
  await connectPanel(port)
  assert.deepEqual((await events()).slice(0, 2), [
    `Panel port reopened: Studio 4x4, Videohub, ${port}`,
    `Panel port cannot be opened: Studio 4x4, Videohub: port ${port} is in use by another program`
  ])
})

test('attempts to open a port that is in use leave no listeners behind', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  const options = {
    matrixId: 1,
    uniqueId: '',
    host: '127.0.0.1',
    refusesChanges: () => false,
    onClients() {},
    onRefused() {}
  }
  const server = new VideohubServer({ ...options, routers: hub.parts.routers, rates: new PanelRates() }, [])
  // Node warns of more than 10 listeners.
  for (let n = 0; n < 12; n++) await assert.rejects(server.listen(port), { code: 'EADDRINUSE' })
  await new Promise(setImmediate)
  process.off('warning', onWarning)
  other.close()
  assert.deepEqual(warnings, [])
})

test('ports of the hub and of other matrices are refused with their holder, and the hub refuses panel ports to others', async () => {
  const { id, port } = await openPanelMatrix(admin)
  const other = await addTestMatrix(admin, 2, 2)
  const panel = { enable: true, 'allow-ip': [], destinations: [] }
  const [web] = hub.parts.ownPorts.list()
  const taken = await admin.send(setMatrix, { id: other, panel: { ...panel, port } })
  assert.deepEqual([taken.result, taken.port, taken.holder], [1007, port, { of: 'panel', name: 'Studio 4x4' }])
  const own = await admin.send(setMatrix, { id: other, panel: { ...panel, port: web as number } })
  assert.deepEqual([own.result, own.field, own.holder], [1007, 'panel.port', { of: 'web' }])
  const srt = await admin.send(setSettings, { srt: { ...hub.parts.store.settings.get('srt'), port } })
  assert.deepEqual([srt.result, srt.holder], [1007, { of: 'panel', name: 'Studio 4x4' }])
  await setPanel(admin, id, { enable: true, port })
  assert.ok(hub.parts.ownPorts.list().includes(port))
})

test.run()
