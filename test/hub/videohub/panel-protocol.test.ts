import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS, WRONG_STATE } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { lockDestination, setMatrix, type TakeRefusal, takeRoutes, undoTake } from '../../../contract/ndi/router.ts'
import { STATUS_BLOCKS } from '../../../hub/videohub/request.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { closePanels, connectPanel } from '../../kit/videohub/panel-client.ts'
import {
  openPanelMatrix,
  type PanelMatrix,
  readMatrix,
  setPanel,
  sourcesNamed
} from '../../kit/videohub/panel-matrix.ts'

const test = suite('panel protocol')
let matrix: PanelMatrix
hubForEach(test)
test.before.each(async () => {
  await hub.listen(0, 0)
  matrix = await openPanelMatrix(admin)
})
test.after.each(closePanels)

const routesOf = async () => (await readMatrix(admin, matrix.id)).destinations.map(({ source }) => source)
const operations = async () => (await admin.send(listLog, { type: 'operation' })).list

test('a new client gets the whole status of the router', async () => {
  await admin.send(takeRoutes, { id: matrix.id, takes: [{ destination: 2, source: 4 }] })
  await admin.send(lockDestination, { id: matrix.id, destination: 3, locked: true })
  const { received } = await connectPanel(matrix.port)
  assert.equal(
    received.replace(/Unique ID: [0-9A-F]{12}\n/, ''),
    `PROTOCOL PREAMBLE:
Version: 2.8

VIDEOHUB DEVICE:
Device present: true
Model name: Headend NDI Router
Friendly name: Studio 4x4
Video inputs: 5
Video processing units: 0
Video outputs: 4
Video monitoring outputs: 0
Serial ports: 0

INPUT LABELS:
0 Camera 1
1 Camera 2
2 Camera 3
3 Camera 4
4 None

OUTPUT LABELS:
0 Wall 1
1 Wall 2
2 Wall 3
3 Wall 4

VIDEO OUTPUT LOCKS:
0 U
1 U
2 L
3 U

VIDEO OUTPUT ROUTING:
0 4
1 3
2 4
3 4

CONFIGURATION:
Take Mode: true

END PRELUDE:

`
  )
})

test('a block of routes is one take of its address, which consoles can undo', async () => {
  const panel = await connectPanel(matrix.port, '127.0.0.7')
  assert.equal(await panel.request('VIDEO OUTPUT ROUTING:', '0 1', '3 2'), 'ACK\n\nVIDEO OUTPUT ROUTING:\n0 1\n3 2\n\n')
  const { destinations, undo } = await readMatrix(admin, matrix.id)
  assert.deepEqual(
    destinations.map(({ source, by }) => [source, by]),
    [
      [2, 'Videohub 127.0.0.7'],
      [0, ''],
      [0, ''],
      [3, 'Videohub 127.0.0.7']
    ]
  )
  assert.equal(undo?.by, 'Videohub 127.0.0.7')
  const [line] = await operations()
  assert.deepEqual([line?.user, line?.ip], ['Videohub 127.0.0.7', '127.0.0.7'])
  assert.match(line?.text ?? '', /Studio 4x4; Wall 1: – → Camera 2; Wall 4: – → Camera 3/)
  panel.clear()
  assert.equal((await admin.send(undoTake, { id: matrix.id })).result, SUCCESS)
  await panel.waitFor('VIDEO OUTPUT ROUTING:\n0 4\n3 4\n\n')
})

test('of a block with one impossible route none is made, and only that is answered', async () => {
  const panel = await connectPanel(matrix.port)
  for (const wrong of ['4 0', '1 5', '63 1', '9999 1'])
    assert.equal(await panel.request('VIDEO OUTPUT ROUTING:', '0 1', wrong), 'NAK\n\n', wrong)
  assert.equal(await panel.request('VIDEO OUTPUT ROUTING:', '0 1', '1 x'), 'NAK\n\n')
  assert.deepEqual(await routesOf(), [0, 0, 0, 0])
})

test('a route that exists already is confirmed without a take', async () => {
  const panel = await connectPanel(matrix.port)
  await panel.request('VIDEO OUTPUT ROUTING:', '0 1')
  const before = (await operations()).length
  assert.equal(await panel.request('VIDEO OUTPUT ROUTING:', '0 1'), 'ACK\n\nVIDEO OUTPUT ROUTING:\n0 1\n\n')
  assert.equal((await operations()).length, before)
})

test('the last input disconnects a destination', async () => {
  const panel = await connectPanel(matrix.port)
  await panel.request('VIDEO OUTPUT ROUTING:', '0 1', '1 1')
  assert.equal(await panel.request('VIDEO OUTPUT ROUTING:', '0 4'), 'ACK\n\nVIDEO OUTPUT ROUTING:\n0 4\n\n')
  assert.deepEqual(await routesOf(), [0, 2, 0, 0])
})

test('clients switch only the destinations that they may', async () => {
  await setPanel(admin, matrix.id, { destinations: [2, 3] })
  const panel = await connectPanel(matrix.port)
  assert.match(await panel.request('VIDEO OUTPUT ROUTING:', '1 0', '0 0'), /^NAK/)
  assert.match(await panel.request('VIDEO OUTPUT LOCKS:', '0 O'), /^NAK/)
  assert.match(await panel.request('OUTPUT LABELS:', '0 Mine'), /^NAK/)
  assert.match(await panel.request('INPUT LABELS:', '0 Mine'), /^NAK/)
  assert.match(await panel.request('VIDEO OUTPUT ROUTING:', '1 0', '2 0'), /^ACK/)
  assert.match(await panel.request('VIDEO OUTPUT LOCKS:', '1 O'), /^ACK/)
  assert.match(await panel.request('OUTPUT LABELS:', '1 Mine'), /^ACK/)
  const { sources, destinations } = await readMatrix(admin, matrix.id)
  assert.deepEqual(
    destinations.map(({ label, source, ...rest }) => [label, source, rest['locked-by']]),
    [
      ['Wall 1', 0, undefined],
      ['Mine', 1, 'Videohub 127.0.0.1'],
      ['Wall 3', 1, undefined],
      ['Wall 4', 0, undefined]
    ]
  )
  assert.equal(sources[0]?.label, 'Camera 1')
})

test('a lock belongs to the address of the client', async () => {
  const [first, same, other] = [
    await connectPanel(matrix.port, '127.0.0.7'),
    await connectPanel(matrix.port, '127.0.0.7'),
    await connectPanel(matrix.port, '127.0.0.8')
  ]
  assert.equal(await first.request('VIDEO OUTPUT LOCKS:', '1 O'), 'ACK\n\nVIDEO OUTPUT LOCKS:\n1 O\n\n')
  await same.waitFor('VIDEO OUTPUT LOCKS:\n1 O\n\n')
  await other.waitFor('VIDEO OUTPUT LOCKS:\n1 L\n\n')
  assert.equal(await other.request('VIDEO OUTPUT ROUTING:', '1 0', '0 0'), 'NAK\n\n')
  for (const lock of ['U', 'O']) assert.match(await other.request('VIDEO OUTPUT LOCKS:', `1 ${lock}`), /^NAK/)
  const refusal: Envelope & TakeRefusal = await admin.send(takeRoutes, {
    id: matrix.id,
    takes: [{ destination: 2, source: 1 }]
  })
  assert.deepEqual([refusal.result, refusal.locked?.[0]?.by], [WRONG_STATE, 'Videohub 127.0.0.7'])
  assert.match(await same.request('VIDEO OUTPUT ROUTING:', '1 0'), /^ACK/)
  assert.match(await same.request('VIDEO OUTPUT LOCKS:', '1 U'), /^ACK\n\nVIDEO OUTPUT LOCKS:\n1 U\n/)
  await other.waitFor('VIDEO OUTPUT ROUTING:\n1 0\n\n')
  await other.waitFor('VIDEO OUTPUT LOCKS:\n1 U\n\n')
  assert.match(await other.request('VIDEO OUTPUT ROUTING:', '1 1'), /^ACK/)
})

test('a client overrides the lock of another client, but not that of a user', async () => {
  const [first, other] = [await connectPanel(matrix.port, '127.0.0.7'), await connectPanel(matrix.port, '127.0.0.8')]
  await first.request('VIDEO OUTPUT LOCKS:', '0 O')
  await admin.send(lockDestination, { id: matrix.id, destination: 2, locked: true })
  await other.waitFor('0 L\n')
  await other.waitFor('1 L\n')
  assert.equal(await other.request('VIDEO OUTPUT LOCKS:', '0 F', '1 F'), 'NAK\n\n')
  assert.equal(await other.request('VIDEO OUTPUT LOCKS:', '0 F'), 'ACK\n\nVIDEO OUTPUT LOCKS:\n0 U\n\n')
  for (const lock of ['F', 'U', 'O']) assert.match(await other.request('VIDEO OUTPUT LOCKS:', `1 ${lock}`), /^NAK/)
  const { destinations } = await readMatrix(admin, matrix.id)
  assert.deepEqual(
    destinations.map((destination) => destination['locked-by']),
    [undefined, 'Admin', undefined, undefined]
  )
  const [line] = (await operations()).filter(({ user }) => user === 'Videohub 127.0.0.8')
  assert.match(line?.text ?? '', /Wall 1/)
})

test('clients set labels of the router, if they are valid', async () => {
  const panel = await connectPanel(matrix.port)
  assert.equal(await panel.request('OUTPUT LABELS:', '0 主控 1'), 'ACK\n\nOUTPUT LABELS:\n0 主控 1\n\n')
  assert.equal(await panel.request('INPUT LABELS:', '3 Régie'), 'ACK\n\nINPUT LABELS:\n3 Régie\n\n')
  for (const wrong of ['0', '0 ', `0 ${'x'.repeat(65)}`, '0 a\u0007b', '4 x'])
    assert.match(await panel.request('OUTPUT LABELS:', '1 Valid', wrong), /^NAK/, wrong)
  assert.match(await panel.request('INPUT LABELS:', '4 Not none'), /^NAK/)
  const { sources, destinations } = await readMatrix(admin, matrix.id)
  assert.deepEqual(
    [sources[3]?.label, destinations.map(({ label }) => label)],
    ['Régie', ['主控 1', 'Wall 2', 'Wall 3', 'Wall 4']]
  )
})

test('a block without lines is a query; unknown blocks are refused', async () => {
  const panel = await connectPanel(matrix.port)
  const prelude = panel.received
  for (const block of STATUS_BLOCKS) {
    const answer = await panel.request(`${block}:`)
    assert.match(answer, new RegExp(`^ACK\n\n${block}:\n`))
    assert.ok(prelude.includes(answer.slice('ACK\n\n'.length)), block)
  }
  assert.equal(await panel.request('PING:'), 'ACK\n\n')
  assert.equal(await panel.request('CONFIGURATION:', 'Take Mode: true'), 'ACK\n\n')
  for (const block of [
    'CONFIGURATION:\nTake Mode: maybe',
    'VIDEOHUB DEVICE:\nModel name: Other',
    'VIDEOHUB DEVICE:\nFriendly name:',
    'SERIAL PORT LOCKS:',
    'HELLO',
    'EHLO x\nVIDEO OUTPUT ROUTING:\n0 1'
  ])
    assert.equal(await panel.request(block), 'NAK\n\n', block)
})

test('clients set the name and the take mode, and all clients get them', async () => {
  const [panel, other] = [await connectPanel(matrix.port), await connectPanel(matrix.port)]
  assert.match(await panel.request('VIDEOHUB DEVICE:', 'Friendly name: Gallery'), /^ACK\n\nVIDEOHUB DEVICE:\n/)
  await other.waitFor('Friendly name: Gallery\n')
  other.clear()
  const changed = 'CONFIGURATION:\nTake Mode: false\n\n'
  assert.equal(await panel.request('CONFIGURATION:', 'Take Mode: false'), `ACK\n\n${changed}`)
  await other.waitFor(changed)
  await setPanel(admin, matrix.id, {})
  assert.equal(await panel.request('CONFIGURATION:'), `ACK\n\n${changed}`)
  const { name, panel: settings } = await readMatrix(admin, matrix.id)
  assert.deepEqual([name, settings['take-mode']], ['Gallery', false])
  const lines = (await operations()).map(({ text }) => text)
  assert.ok(
    lines.some((text) => text?.includes('Take Mode: false')),
    lines.join()
  )
})

test('clients that may switch some destinations cannot set what concerns all', async () => {
  await setPanel(admin, matrix.id, { destinations: [2] })
  const panel = await connectPanel(matrix.port)
  assert.equal(await panel.request('VIDEOHUB DEVICE:', 'Friendly name: Gallery'), 'NAK\n\n')
  assert.equal(await panel.request('CONFIGURATION:', 'Take Mode: false'), 'NAK\n\n')
})

test('a web page cannot make a browser switch routes', async () => {
  const panel = await connectPanel(matrix.port)
  panel.clear()
  panel.socket.write(
    'POST / HTTP/1.1\r\nHost: hub:9990\r\nContent-Type: text/plain\r\n\r\nVIDEO OUTPUT ROUTING:\n0 1\n\n'
  )
  await panel.waitForEnd()
  assert.deepEqual([panel.received, await routesOf()], ['NAK\n\n', [0, 0, 0, 0]])
})

test('many requests in one packet are answered in their order', async () => {
  const panel = await connectPanel(matrix.port)
  panel.clear()
  panel.socket.write('PING:\n\nBAD:\n\nVIDEO OUTPUT ROUTING:\n0 0\n\nVIDEO OUTPUT ROUTING:\n0 1\n\nPING:\n\n')
  await panel.waitFor('0 1\n\nACK\n\n')
  assert.equal(
    panel.received,
    'ACK\n\nNAK\n\nACK\n\nVIDEO OUTPUT ROUTING:\n0 0\n\nACK\n\nVIDEO OUTPUT ROUTING:\n0 1\n\nACK\n\n'
  )
})

test('a client that ends its side after a request still gets the response', async () => {
  const panel = await connectPanel(matrix.port)
  panel.clear()
  panel.socket.end('VIDEO OUTPUT ROUTING:\n0 2\n\n')
  await panel.waitForEnd()
  assert.equal(panel.received, 'ACK\n\nVIDEO OUTPUT ROUTING:\n0 2\n\n')
})

test('when sources are added, clients get the router as another one', async () => {
  const panel = await connectPanel(matrix.port)
  panel.clear()
  await admin.send(setMatrix, { id: matrix.id, sources: sourcesNamed(6) })
  await panel.waitFor('VIDEO OUTPUT ROUTING:\n0 6\n1 6\n2 6\n3 6\n\n')
  assert.match(panel.received, /^VIDEOHUB DEVICE:\n[\s\S]*Video inputs: 7\n[\s\S]*5 Camera 6\n6 None\n/)
  panel.clear()
  await admin.send(setMatrix, { id: matrix.id, name: 'Renamed' })
  await panel.waitFor('Friendly name: Renamed\n')
  assert.ok(!panel.received.includes('LABELS'))
})

test.run()
