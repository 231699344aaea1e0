import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { createParser } from '../../../src/preview/parser.ts'
import { BOUNDARY, bytesOf, noise, parsed, partOf, seeded, summary } from './multipart.ts'

const test = suite('preview parser')

const IMAGE = noise(150)
const LINE = `\r\n--${BOUNDARY}\r\n`
const END = `--${BOUNDARY}--\r\n`

/** A stream with most of what may happen in it, and what comes out. */
const MIXED = bytesOf(
  'preamble\r\n',
  partOf('A', IMAGE),
  partOf('B', IMAGE, { length: false }),
  partOf('A', ''),
  partOf('B', '', { length: false }),
  partOf('C', bytesOf(noise(40), LINE, noise(40))),
  partOf('D', IMAGE, { eol: '\n' }),
  partOf('D', noise(90), { eol: '\n', length: false }),
  `--${BOUNDARY}\r\ncontent-type: image/jpeg\r\n\r\nnobody's\r\n`,
  `--${BOUNDARY}\r\nimage-id: E\r\nhalf a head`,
  `\r\n--${BOUNDARY} \t\r\nimage-id: F\r\ncontent-type: image/png\r\n\r\n`,
  noise(20),
  LINE,
  'x: '.padEnd(1100, 'x'),
  '\r\n\r\nlost\r\n',
  partOf('G', IMAGE, { length: 200 }),
  partOf('H', IMAGE, { length: 100 }),
  partOf('I', IMAGE),
  END
)
const MIXED_PARTS = parsed([MIXED])

test('a stream with most of what may happen in it gives what it should', () => {
  assert.equal(MIXED_PARTS.progress, 'closed')
  const [beforeLie, ...rest] = [MIXED_PARTS.parts.slice(0, 8), ...MIXED_PARTS.parts.slice(8)]
  assert.deepEqual(beforeLie, [
    summary('A', IMAGE),
    summary('B', IMAGE),
    summary('A', ''),
    summary('B', ''),
    summary('C', bytesOf(noise(40), LINE, noise(40))),
    summary('D', IMAGE),
    summary('D', noise(90)),
    summary('F', noise(20), 'image/png')
  ])
  assert.match(rest[0] as string, /^G image\/jpeg 200 /, 'handed over by its false length')
  assert.deepEqual(rest.slice(1), [summary('G', IMAGE), summary('H', IMAGE), summary('I', IMAGE)])
})

test('one stream cut at every byte offset gives the same parts', () => {
  for (let at = 0; at <= MIXED.length; at++)
    assert.deepEqual(parsed([MIXED.subarray(0, at), MIXED.subarray(at)]), MIXED_PARTS, `cut at ${at}`)
})

test('one stream in pieces of every size gives the same parts', () => {
  for (let size = 1; size < 300; size++) {
    const pieces = []
    for (let at = 0; at < MIXED.length; at += size) pieces.push(MIXED.subarray(at, at + size))
    assert.deepEqual(parsed(pieces), MIXED_PARTS, `pieces of ${size}`)
  }
})

test('random cuts of long streams give the same parts', () => {
  const random = seeded(11)
  const buffer = new PartBuffer(1 << 16)
  for (let round = 0; round < 200; round++) {
    const images = Array.from({ length: 20 }, (_, i) => IMAGE.subarray(0, random(150)).fill(i + round, 0, 3))
    const stream = bytesOf(...images.map((image, i) => partOf(`P${i}`, image, { length: random(2) === 0 })), END)
    const pieces = []
    for (let at = 0; at < stream.length; ) {
      const next = at + 1 + random(400)
      pieces.push(stream.subarray(at, next))
      at = next
    }
    assert.deepEqual(parsed(pieces, { buffer }), { parts: parsed([stream]).parts, progress: 'closed' })
    assert.equal(parsed([stream]).parts.length, 20)
  }
})

test('in 100,000 streams of garbage it neither throws nor grows, and comes back into step', () => {
  const random = seeded(2024)
  const fragments = [
    ...['\r\n', '\n', '\r', '--', `--${BOUNDARY}`, LINE, `\n--${BOUNDARY}\n`, BOUNDARY.slice(0, 9), '\r\n\r\n', '\n\n'],
    ...['image-id: A\r\n', 'content-length: ', 'content-length: 7\r\n', 'content-length: 2000\r\n', ':', '48 ', ' '],
    ...[`\r\n--${BOUNDARY}\r\nimage-id: A\r\n`, `\r\n--${BOUNDARY}\r\nimage-id: A\r\ncontent-length: 60\r\n\r\n`]
  ].map((text) => bytesOf(text))
  const stuff = noise(4096)
  const garbage = Buffer.alloc(3000)
  // Behind the garbage comes more than any length in it can claim, and then a good part.
  const rest = bytesOf(
    partOf('X', stuff),
    partOf('X', ''),
    LINE.slice(2),
    'x'.repeat(1100),
    partOf('good', IMAGE),
    LINE.slice(2)
  )
  const buffer = new PartBuffer(8 << 10, 64 << 10)
  const good = summary('good', IMAGE)
  const seen = { more: 0, closed: 0, lost: 0 }
  for (let round = 0; round < 100_000; round++) {
    let size = 0
    // Some would never get past the first look at the stream.
    if (random(8) > 0) size = put(garbage, size, bytesOf(LINE))
    for (let left = random(12); left > 0; left--) {
      const from = random(4000)
      const piece = random(3) === 0 ? stuff.subarray(from, from + random(90)) : fragments[random(fragments.length)]
      size = put(garbage, size, piece as Uint8Array)
    }
    const cut = random(size + 1)
    const { parts, progress } = parsed([garbage.subarray(0, cut), garbage.subarray(cut, size), rest], { buffer })
    seen[progress]++
    if (progress === 'more') assert.equal(parts.at(-1), good, `round ${round}`)
    if (round % 10 > 0) continue
    const whole = parsed([bytesOf(garbage.subarray(0, size), rest)], { buffer })
    assert.deepEqual(whole, { parts, progress }, `round ${round} in one piece`)
  }
  assert.ok(buffer.bytes.length <= 64 << 10)
  assert.ok(seen.more > 50_000 && seen.closed > 1000 && seen.lost > 1000, JSON.stringify(seen))
})

function put(into: Buffer, at: number, piece: Uint8Array): number {
  into.set(piece, at)
  return at + piece.length
}

test('parts from 0 bytes to 8 MiB come out whole, with their length said and without', () => {
  const big = noise(8 << 20)
  const buffer = new PartBuffer()
  for (const length of [true, false]) {
    for (const size of [0, 1, 2, 47, 48, 49, 1023, 1024, 65_536, (1 << 20) - 64, 1 << 20, (1 << 20) + 1, 8 << 20]) {
      const image = big.subarray(0, size)
      const stream = bytesOf(partOf('A', image, { length }), partOf('B', 'next'), END)
      const pieces = []
      for (let at = 0; at < stream.length; at += 65_536) pieces.push(stream.subarray(at, at + 65_536))
      assert.deepEqual(parsed(pieces, { buffer }).parts, [summary('A', image), summary('B', 'next')], `${size} bytes`)
    }
  }
  assert.equal(buffer.bytes.length, 16 << 20)
})

test('a stream of small parts never makes the buffer grow', () => {
  const buffer = new PartBuffer()
  const first = buffer.bytes
  const stream = bytesOf(...Array.from({ length: 300 }, () => partOf('A', noise(9000), { length: false })))
  parsed([stream], { buffer })
  assert.ok(stream.length > 2 << 20)
  assert.equal(buffer.bytes, first)
})

test('a part is handed over as soon as its length is in, before the boundary behind it', () => {
  const ids: string[] = []
  const buffer = new PartBuffer()
  const parse = createParser(BOUNDARY, buffer, (part) => ids.push(part.id))
  const stream = partOf('A', IMAGE)
  buffer.append(stream.subarray(0, stream.length - 3))
  parse()
  assert.deepEqual(ids, [])
  buffer.append(stream.subarray(stream.length - 3))
  parse()
  parse()
  assert.deepEqual(ids, ['A'])
})

test('a boundary line inside an image is harmless where the length is said', () => {
  const image = bytesOf(IMAGE, LINE, partOf('X', 'fake'), IMAGE, END, IMAGE)
  const { parts } = parsed([bytesOf(partOf('A', image), partOf('B', IMAGE), END)])
  assert.deepEqual(parts, [summary('A', image), summary('B', IMAGE)])
})

test('a boundary line inside an image without length ends it there, and the next part is whole', () => {
  const { parts } = parsed([
    bytesOf(partOf('A', bytesOf(IMAGE, LINE, IMAGE), { length: false }), partOf('B', IMAGE), END)
  ])
  assert.deepEqual(parts, [summary('A', IMAGE), summary('B', IMAGE)])
})

test('what only begins like a boundary line is part of the image', () => {
  for (const almost of [`--${BOUNDARY}x\r\n`, `--${BOUNDARY}\r`, `-${BOUNDARY}\r\n`, `--${BOUNDARY}-`]) {
    const image = bytesOf(IMAGE, '\r\n', almost, IMAGE)
    const { parts } = parsed([bytesOf(partOf('A', image, { length: false }), END)])
    assert.deepEqual(parts, [summary('A', image)], JSON.stringify(almost))
  }
})

test('a false length costs one wrong picture, then lengths are ignored', () => {
  for (const lie of [0, 50, 101, 149 + 40, 5000]) {
    const rest = partOf('C', noise(6000))
    const { parts } = parsed([
      bytesOf(partOf('A', IMAGE, { length: lie }), partOf('B', IMAGE, { length: lie }), rest, END)
    ])
    assert.equal(parts.shift()?.split(' ')[2], String(lie))
    assert.deepEqual(parts, [summary('A', IMAGE), summary('B', IMAGE), summary('C', noise(6000))], `length ${lie}`)
  }
})

test('a boundary is looked for in the 48 bytes behind a counted part, and no further', () => {
  const padded = (count: number) => bytesOf(partOf('A', IMAGE), 'x'.repeat(count), partOf('B', 'b'), END)
  assert.deepEqual(parsed([padded(46)]).parts, [summary('A', IMAGE), summary('B', 'b')])
  assert.deepEqual(parsed([padded(47)]).parts, [
    summary('A', IMAGE),
    summary('A', bytesOf(IMAGE, '\r\n', 'x'.repeat(47))),
    summary('B', 'b')
  ])
})

test('a stream that does not begin with its boundary within 48 bytes is lost', () => {
  const stream = bytesOf(partOf('A', IMAGE), END)
  assert.deepEqual(parsed([bytesOf('x'.repeat(48), stream)]).parts, [summary('A', IMAGE)])
  assert.deepEqual(parsed([bytesOf('x'.repeat(49), stream)]), { parts: [], progress: 'lost' })
  assert.equal(parsed([bytesOf('<!doctype html>'.repeat(20))]).progress, 'lost')
})

test('a part without image-id is passed over, one without content type counts as JPEG', () => {
  const stream = bytesOf(
    `--${BOUNDARY}\r\ncontent-type: image/jpeg\r\ncontent-length: 4\r\n\r\nnone\r\n`,
    `--${BOUNDARY}\r\n\r\nnothing at all\r\n`,
    `--${BOUNDARY}\r\nimage-id: B\r\n\r\nbare\r\n`,
    END
  )
  assert.deepEqual(parsed([stream]).parts, [summary('B', 'bare')])
})

test('headers of 1024 bytes are read, longer ones skip the part', () => {
  const withHead = (size: number) => {
    const head = 'image-id: A\r\ncontent-length: 3\r\nx: '
    return bytesOf(`--${BOUNDARY}\r\n`, head.padEnd(size - 4, 'x'), '\r\n\r\nabc\r\n', partOf('B', 'next'), END)
  }
  assert.deepEqual(parsed([withHead(1024)]).parts, [summary('A', 'abc'), summary('B', 'next')])
  assert.deepEqual(parsed([withHead(1025)]).parts, [summary('B', 'next')])
})

test('lines may end with LF alone, and the line end before a boundary may be missing', () => {
  const bare = bytesOf(partOf('A', IMAGE, { eol: '\n', length: false }), partOf('B', IMAGE, { eol: '\n' }), END)
  assert.deepEqual(parsed([bare]).parts, [summary('A', IMAGE), summary('B', IMAGE)])
  for (const length of [true, false]) {
    const glued = partOf('A', IMAGE, { length })
    const { parts } = parsed([bytesOf(glued.subarray(0, glued.length - 2), partOf('B', 'b'), END)])
    assert.deepEqual(parts, [summary('A', IMAGE), summary('B', 'b')])
  }
})

test('only one line end belongs to the boundary behind an image', () => {
  const image = bytesOf('ends with lines\r\n\r\n')
  assert.deepEqual(parsed([bytesOf(partOf('A', image, { length: false }), END)]).parts, [summary('A', image)])
})

test('a boundary named with its dashes is found with two more and without', () => {
  for (const dashes of ['--', '----']) {
    const stream = bytesOf(
      `${dashes}cut\r\nimage-id: A\r\n\r\none\r\n${dashes}cut\r\nimage-id: B\r\n\r\ntwo\r\n${dashes}cut--`
    )
    assert.deepEqual(parsed([stream], { boundary: '--cut' }).parts, [summary('A', 'one'), summary('B', 'two')])
  }
})

test('boundaries of 1 and of 70 characters work', () => {
  for (const boundary of ['b', 'b'.repeat(70)]) {
    const stream = bytesOf(`--${boundary}\r\nimage-id: A\r\n\r\none\r\n--${boundary}--`)
    assert.deepEqual(parsed([stream], { boundary }), { parts: [summary('A', 'one')], progress: 'closed' })
  }
})

test('a stream that ends in the middle gives the parts that were whole', () => {
  const first = partOf('A', IMAGE, { length: false })
  const stream = bytesOf(first, partOf('B', IMAGE, { length: false }))
  for (let size = first.length + BOUNDARY.length + 4; size <= stream.length; size++)
    assert.deepEqual(parsed([stream.subarray(0, size)]), { parts: [summary('A', IMAGE)], progress: 'more' })
})

test('a part over the ceiling is skipped without growth, and the next one found', () => {
  const buffer = new PartBuffer(4 << 10, 64 << 10)
  for (const length of [true, false, 1e12]) {
    const stream = bytesOf(partOf('A', noise(100_000), { length }), partOf('B', IMAGE), END)
    const pieces = []
    for (let at = 0; at < stream.length; at += 1500) pieces.push(stream.subarray(at, at + 1500))
    assert.deepEqual(parsed(pieces, { buffer }).parts, [summary('B', IMAGE)])
    assert.ok(buffer.bytes.length <= 64 << 10)
  }
})

test.run()
