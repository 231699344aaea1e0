import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  BLOCK_BYTES_MAX,
  BLOCK_LINES_MAX,
  type Block,
  BlockError,
  BlockParser,
  LINE_BYTES_MAX
} from '../../../hub/videohub/block-parser.ts'

const test = suite('block parser')

/** The blocks in a text that arrives in pieces of a number of bytes. */
function parse(text: string | Buffer, pieceBytes = 1_000_000): Block[] {
  const parser = new BlockParser()
  const bytes = Buffer.from(text)
  const blocks: Block[] = []
  for (let start = 0; start < bytes.length; start += pieceBytes)
    blocks.push(...parser.push(bytes.subarray(start, start + pieceBytes)))
  return blocks
}

test('a block is a header, lines, and an empty line', () => {
  assert.deepEqual(parse('VIDEO OUTPUT ROUTING:\n0 5\n1 3\n\nPING:\n\n'), [
    { header: 'VIDEO OUTPUT ROUTING', lines: ['0 5', '1 3'] },
    { header: 'PING', lines: [] }
  ])
})

test('a block without its empty line is not complete', () => {
  assert.deepEqual(parse('VIDEO OUTPUT ROUTING:\n0 5\n'), [])
})

test('blocks may arrive in pieces of any size, also cut within a character', () => {
  const text = 'OUTPUT LABELS:\n0 Régie 主控\n\nPING:\n\n'
  const expected = [
    { header: 'OUTPUT LABELS', lines: ['0 Régie 主控'] },
    { header: 'PING', lines: [] }
  ]
  for (const bytes of [1, 2, 3, 5, 7, 16, 1000]) assert.deepEqual(parse(text, bytes), expected, `${bytes} bytes`)
})

test('lines may end with CR LF, and further empty lines between blocks are ignored', () => {
  assert.deepEqual(parse('\n\r\nPING:\r\n\r\n\r\n\r\nINPUT LABELS:\r\n\r\n'), [
    { header: 'PING', lines: [] },
    { header: 'INPUT LABELS', lines: [] }
  ])
})

test('a header may be in lower case and end with spaces', () => {
  assert.deepEqual(parse('video output routing: \n0 1\n\n'), [{ header: 'VIDEO OUTPUT ROUTING', lines: ['0 1'] }])
})

test('a block has no header if its first line is none, or if a line is not UTF-8', () => {
  assert.deepEqual(parse('HELO there\r\nVIDEO OUTPUT ROUTING:\r\n0 1\r\n\r\n')[0]?.header, undefined)
  assert.deepEqual(parse(Buffer.from('OUTPUT LABELS:\n0 R\xe9gie\n\nPING:\n\n', 'latin1')), [
    { header: undefined, lines: ['0 R�gie'] },
    { header: 'PING', lines: [] }
  ])
})

test('a line has at most 1024 bytes, whether it ends or not', () => {
  assert.equal(parse(`${'x'.repeat(LINE_BYTES_MAX)}\n\n`).length, 1)
  for (const text of ['x'.repeat(LINE_BYTES_MAX + 1), `${'x'.repeat(LINE_BYTES_MAX + 1)}\n\n`])
    for (const bytes of [1, 1000, 65_536]) assert.throws(() => parse(text, bytes), BlockError)
})

test('a block has at most 256 lines and 32 KiB', () => {
  const lines = (count: number, length: number) => `${'x'.repeat(length)}\n`.repeat(count)
  assert.equal(parse(`${lines(BLOCK_LINES_MAX, 2)}\n`).length, 1)
  assert.throws(() => parse(lines(BLOCK_LINES_MAX + 1, 2)), BlockError)
  const count = BLOCK_BYTES_MAX / 1000
  assert.equal(parse(`${lines(Math.floor(count), 1000)}\n`).length, 1)
  assert.throws(() => parse(lines(Math.ceil(count), 1000)), BlockError)
})

test('an HTTP request ends the connection before the blocks in its body', () => {
  for (const method of ['GET', 'POST', 'PUT'])
    assert.throws(() => parse(`${method} / HTTP/1.1\r\nHost: a\r\n\r\nVIDEO OUTPUT ROUTING:\n0 1\n\n`), /HTTP/, method)
  assert.equal(parse('OUTPUT LABELS:\n0 Feed HTTP/2\n\n').length, 1)
})

test('the limits count for each block, not for the connection', () => {
  assert.equal(parse('PING:\n\n'.repeat(20_000)).length, 20_000)
})

test.run()
