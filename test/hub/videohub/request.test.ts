import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { BlockParser } from '../../../hub/videohub/block-parser.ts'
import { parseRequest, takesOf } from '../../../hub/videohub/request.ts'

const test = suite('videohub request')

function requestOf(text: string) {
  const [block] = new BlockParser().push(Buffer.from(`${text}\n\n`))
  assert.ok(block)
  return parseRequest(block)
}

test('a block without lines asks for that status block', () => {
  for (const block of ['PROTOCOL PREAMBLE', 'VIDEOHUB DEVICE', 'INPUT LABELS', 'OUTPUT LABELS', 'VIDEO OUTPUT LOCKS'])
    assert.deepEqual(requestOf(`${block}:`), { kind: 'status', block })
  assert.deepEqual(requestOf('PING:'), { kind: 'ping' })
})

test('routes, locks and labels have an index and a value; of an index that occurs twice the last line counts', () => {
  assert.deepEqual(requestOf('VIDEO OUTPUT ROUTING:\n0 5\n63 64\n0 6'), {
    kind: 'route',
    routes: new Map([
      [0, 6],
      [63, 64]
    ])
  })
  assert.deepEqual(requestOf('VIDEO OUTPUT LOCKS:\n0 O\n1 U\n2 F'), {
    kind: 'lock',
    locks: new Map([
      [0, 'O'],
      [1, 'U'],
      [2, 'F']
    ])
  })
  assert.deepEqual(requestOf('OUTPUT LABELS:\n6 new output label: seven '), {
    kind: 'label',
    side: 'destinations',
    labels: new Map([[6, 'new output label: seven']])
  })
  assert.deepEqual(requestOf('INPUT LABELS:\n0 Camera 1\n1'), {
    kind: 'label',
    side: 'sources',
    labels: new Map([
      [0, 'Camera 1'],
      [1, '']
    ])
  })
})

test('a block with one line that is not valid is refused as a whole', () => {
  const lines = ['0', '0 ', '0 x', '-1 0', '0 -1', ' 0 1', '0 1 2', '0x1 2', '1e1 2', '00000 1', '0 1.5', 'x']
  for (const line of lines) assert.equal(requestOf(`VIDEO OUTPUT ROUTING:\n1 1\n${line}`), undefined, line)
  for (const line of ['0 L', '0 o', '0 OU', '0'])
    assert.equal(requestOf(`VIDEO OUTPUT LOCKS:\n1 O\n${line}`), undefined, line)
})

test('unknown blocks are refused, also blocks that only routers send', () => {
  for (const text of [
    'END PRELUDE:',
    'ACK',
    'PING:\n1',
    'SERIAL PORT ROUTING:\n0 1',
    'VIDEOHUB DEVICE:\nVideo inputs: 1'
  ])
    assert.equal(requestOf(text), undefined, text)
})

test('inputs are sources from 1; the additional input disconnects', () => {
  const routes = new Map([
    [0, 0],
    [5, 15],
    [6, 16]
  ])
  assert.deepEqual(takesOf(routes, 16), [
    { destination: 1, source: 1 },
    { destination: 6, source: 16 },
    { destination: 7, source: 0 }
  ])
})

test.run()
