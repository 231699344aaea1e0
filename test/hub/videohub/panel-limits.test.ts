import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite } from 'uvu'
import { takeRoutes } from '../../../contract/ndi/router.ts'
import { NETWORK_CLIENTS_MAX } from '../../../hub/videohub/client-table.ts'
import { WORK_RATE } from '../../../hub/videohub/panel-rates.ts'
import { STALL_TIMEOUT } from '../../../hub/videohub/session.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { ownTime } from '../../kit/own-time.ts'
import { until } from '../../kit/until.ts'
import { closePanels, connectPanel, openPanel } from '../../kit/videohub/panel-client.ts'
import { openPanelMatrix, type PanelMatrix, readMatrix } from '../../kit/videohub/panel-matrix.ts'

const test = suite('panel limits')
let matrix: PanelMatrix
hubForEach(test)
test.before.each(async () => {
  await hub.listen(0, 0)
  matrix = await openPanelMatrix(admin)
})
test.after.each(closePanels)

/** Milliseconds until the panel that works gets a route made at the console. */
async function timeUntilPushed(panel: Awaited<ReturnType<typeof connectPanel>>, source: number): Promise<number> {
  panel.clear()
  return ownTime(async () => {
    await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 1, source }] })
    await panel.waitFor(`VIDEO OUTPUT ROUTING:\n0 ${source - 1}\n`)
  })
}

test('a line without end and a block without end end the connection', async () => {
  const line = openPanel(matrix.port)
  line.socket.write('x'.repeat(10_000_000))
  await line.waitForEnd()
  const block = openPanel(matrix.port)
  block.socket.write('OUTPUT LABELS:\n')
  block.socket.write('0 Label\n'.repeat(10_000))
  await block.waitForEnd()
  assert.equal((await readMatrix(admin, matrix.id)).destinations[0]?.label, 'Wall 1')
})

test('an address has at most 8 clients, of which a new one replaces the oldest one that has sent no request', async () => {
  const working = await connectPanel(matrix.port)
  await working.request('PING:')
  const idle = []
  for (let n = 1; n < NETWORK_CLIENTS_MAX; n++) idle.push(await connectPanel(matrix.port))
  const next = await connectPanel(matrix.port)
  await idle[0]?.waitForEnd()
  await until(() => hub.parts.panels.stateOf(matrix.id).clients === NETWORK_CLIENTS_MAX, 'number of clients')
  assert.deepEqual([working.isClosed, next.isClosed, idle[1]?.isClosed], [false, false, false])
  await connectPanel(matrix.port, '127.0.0.9')
})

test('2000 connections of one address neither displace a working panel nor delay its updates', async () => {
  const panel = await connectPanel(matrix.port, '127.0.0.7')
  await panel.request('PING:')
  for (let n = 0; n < 2000; n++) openPanel(matrix.port, '127.0.0.66')
  const clients = () => hub.parts.panels.stateOf(matrix.id).clients ?? 0
  await until(() => clients() > 1, 'first connection of the attack')
  for (let round = 0; round < 20; round++) {
    const current = (await readMatrix(admin, matrix.id)).destinations[0]?.source
    const time = await timeUntilPushed(panel, current === 1 ? 2 : 1)
    // The machine also runs the attack.
    assert.ok(time < 1000, `${time} ms`)
    assert.ok(clients() <= 1 + NETWORK_CLIENTS_MAX, `${clients()} clients`)
  }
  assert.ok(!panel.isClosed)
})

test('a client that sends more requests than the rate permits delays only itself, and no request is lost', async () => {
  const panel = await connectPanel(matrix.port, '127.0.0.7')
  const busy = await connectPanel(matrix.port, '127.0.0.66')
  busy.clear()
  const count = WORK_RATE.burst + WORK_RATE.perSecond
  const start = performance.now()
  for (let n = 0; n < count; n++) busy.socket.write(`VIDEO OUTPUT ROUTING:\n3 ${n % 4}\n\n`)
  assert.ok((await timeUntilPushed(panel, 1)) < 1000)
  await until(() => busy.received.split('ACK\n\n').length === count + 1, 'all responses')
  assert.ok(performance.now() - start > 900)
})

test('reconnecting does not restore the rate of an address', async () => {
  const start = performance.now()
  const beyond = 30
  for (const count of [WORK_RATE.burst, beyond]) {
    const panel = await connectPanel(matrix.port, '127.0.0.66')
    for (let n = 0; n < count; n++) panel.socket.write(`VIDEO OUTPUT ROUTING:\n3 ${n % 4}\n\n`)
    await until(() => panel.received.split('ACK\n\n').length > count, 'all responses')
    panel.socket.destroy()
  }
  assert.ok(performance.now() - start > ((beyond - 1) / WORK_RATE.perSecond) * 1000)
})

test('a client that does not read is disconnected, and does not delay the others', async () => {
  const large = await openPanelMatrix(admin, { inputs: 64, outputs: 64, label: '控'.repeat(64) })
  const clients = () => hub.parts.panels.stateOf(large.id).clients
  const panel = await connectPanel(large.port, '127.0.0.7')
  const stalled = connect({ port: large.port, host: '127.0.0.1', localAddress: '127.0.0.66' })
  stalled.on('error', () => {})
  stalled.pause()
  await until(() => clients() === 2, 'client')
  stalled.write('OUTPUT LABELS:\n\n'.repeat(2000))
  const start = performance.now()
  await until(() => clients() === 1, 'end of the client')
  stalled.destroy()
  assert.ok(performance.now() - start >= STALL_TIMEOUT)
  panel.clear()
  await admin.send(takeRoutes, { id: large.id, takes: [{ destination: 64, source: 64 }] })
  await panel.waitFor('VIDEO OUTPUT ROUTING:\n63 63\n\n')
})

test.run()
