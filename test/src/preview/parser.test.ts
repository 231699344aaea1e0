import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { createParser } from '../../../src/preview/parser.ts'
import { BOUNDARY, bytesOf, createRandom, noise, parseChunks, partOf, summary } from '../../kit/preview/multipart.ts'

const test = suite('preview parser')

const IMAGE = noise(150)
const LINE = `\r\n--${BOUNDARY}\r\n`
const END = `--${BOUNDARY}--\r\n`

/** A stream with most special cases, and the expected parts. */
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
const MIXED_PARTS = parseChunks([MIXED])

test('a stream with most special cases gives the expected parts', () => {
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
  assert.match(rest[0] as string, /^G image\/jpeg 200 /, 'delivered with the wrong length')
  assert.deepEqual(rest.slice(1), [summary('G', IMAGE), summary('H', IMAGE), summary('I', IMAGE)])
})

test('the stream split at any byte gives the same parts', () => {
  for (let offset = 0; offset <= MIXED.length; offset++)
    assert.deepEqual(parseChunks([MIXED.subarray(0, offset), MIXED.subarray(offset)]), MIXED_PARTS, `cut at ${offset}`)
})

test('the stream in chunks of any size gives the same parts', () => {
  for (let size = 1; size < 300; size++) {
    const pieces = []
    for (let offset = 0; offset < MIXED.length; offset += size) pieces.push(MIXED.subarray(offset, offset + size))
    assert.deepEqual(parseChunks(pieces), MIXED_PARTS, `pieces of ${size}`)
  }
})

test('long streams split at random give the same parts', () => {
  const random = createRandom(11)
  const buffer = new PartBuffer(1 << 16)
  for (let round = 0; round < 200; round++) {
    const images = Array.from({ length: 20 }, (_, i) => IMAGE.subarray(0, random(150)).fill(i + round, 0, 3))
    const stream = bytesOf(...images.map((image, i) => partOf(`P${i}`, image, { length: random(2) === 0 })), END)
    const pieces = []
    for (let offset = 0; offset < stream.length; ) {
      const next = offset + 1 + random(400)
      pieces.push(stream.subarray(offset, next))
      offset = next
    }
    assert.deepEqual(parseChunks(pieces, { buffer }), { parts: parseChunks([stream]).parts, progress: 'closed' })
    assert.equal(parseChunks([stream]).parts.length, 20)
  }
})

test('in 100,000 streams of garbage the parser neither throws nor grows the buffer, and recovers', () => {
  const random = createRandom(2024)
  const fragments = [
    ...['\r\n', '\n', '\r', '--', `--${BOUNDARY}`, LINE, `\n--${BOUNDARY}\n`, BOUNDARY.slice(0, 9), '\r\n\r\n', '\n\n'],
    ...['image-id: A\r\n', 'content-length: ', 'content-length: 7\r\n', 'content-length: 2000\r\n', ':', '48 ', ' '],
    ...[`\r\n--${BOUNDARY}\r\nimage-id: A\r\n`, `\r\n--${BOUNDARY}\r\nimage-id: A\r\ncontent-length: 60\r\n\r\n`]
  ].map((text) => bytesOf(text))
  const stuff = noise(4096)
  const garbage = Buffer.alloc(3000)
  // Behind the garbage come more bytes than any length in it can claim, and then a valid part.
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
  const outcomes = { more: 0, closed: 0, lost: 0 }
  for (let round = 0; round < 100_000; round++) {
    let size = 0
    // Some streams would be rejected at their first bytes.
    if (random(8) > 0) size = put(garbage, size, bytesOf(LINE))
    for (let remaining = random(12); remaining > 0; remaining--) {
      const from = random(4000)
      const piece = random(3) === 0 ? stuff.subarray(from, from + random(90)) : fragments[random(fragments.length)]
      size = put(garbage, size, piece as Uint8Array)
    }
    const cut = random(size + 1)
    const { parts, progress } = parseChunks([garbage.subarray(0, cut), garbage.subarray(cut, size), rest], { buffer })
    outcomes[progress]++
    if (progress === 'more') assert.equal(parts.at(-1), good, `round ${round}`)
    if (round % 10 > 0) continue
    const whole = parseChunks([bytesOf(garbage.subarray(0, size), rest)], { buffer })
    assert.deepEqual(whole, { parts, progress }, `round ${round} in one piece`)
  }
  assert.ok(buffer.bytes.length <= 64 << 10)
  assert.ok(outcomes.more > 50_000 && outcomes.closed > 1000 && outcomes.lost > 1000, JSON.stringify(outcomes))
})

function put(into: Buffer, offset: number, piece: Uint8Array): number {
  into.set(piece, offset)
  return offset + piece.length
}

test('parts from 0 bytes to 8 MiB are complete, with and without content-length', () => {
  const big = noise(8 << 20)
  const buffer = new PartBuffer()
  for (const length of [true, false]) {
    for (const size of [0, 1, 2, 47, 48, 49, 1023, 1024, 65_536, (1 << 20) - 64, 1 << 20, (1 << 20) + 1, 8 << 20]) {
      const image = big.subarray(0, size)
      const stream = bytesOf(partOf('A', image, { length }), partOf('B', 'next'), END)
      const pieces = []
      for (let offset = 0; offset < stream.length; offset += 65_536)
        pieces.push(stream.subarray(offset, offset + 65_536))
      assert.deepEqual(
        parseChunks(pieces, { buffer }).parts,
        [summary('A', image), summary('B', 'next')],
        `${size} bytes`
      )
    }
  }
  assert.equal(buffer.bytes.length, 16 << 20)
})

test('a stream of small parts never makes the buffer grow', () => {
  const buffer = new PartBuffer()
  const first = buffer.bytes
  const stream = bytesOf(...Array.from({ length: 300 }, () => partOf('A', noise(9000), { length: false })))
  parseChunks([stream], { buffer })
  assert.ok(stream.length > 2 << 20)
  assert.equal(buffer.bytes, first)
})

test('a part is delivered as soon as its length has arrived, before the boundary behind it', () => {
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

test('a boundary line inside an image is ignored when the part has a length', () => {
  const image = bytesOf(IMAGE, LINE, partOf('X', 'fake'), IMAGE, END, IMAGE)
  const { parts } = parseChunks([bytesOf(partOf('A', image), partOf('B', IMAGE), END)])
  assert.deepEqual(parts, [summary('A', image), summary('B', IMAGE)])
})

test('a boundary line inside an image without length ends the part, and the next part is complete', () => {
  const { parts } = parseChunks([
    bytesOf(partOf('A', bytesOf(IMAGE, LINE, IMAGE), { length: false }), partOf('B', IMAGE), END)
  ])
  assert.deepEqual(parts, [summary('A', IMAGE), summary('B', IMAGE)])
})

test('bytes that only start like a boundary line belong to the image', () => {
  for (const almost of [`--${BOUNDARY}x\r\n`, `--${BOUNDARY}\r`, `-${BOUNDARY}\r\n`, `--${BOUNDARY}-`]) {
    const image = bytesOf(IMAGE, '\r\n', almost, IMAGE)
    const { parts } = parseChunks([bytesOf(partOf('A', image, { length: false }), END)])
    assert.deepEqual(parts, [summary('A', image)], JSON.stringify(almost))
  }
})

test('a wrong length gives one wrong image, then lengths are ignored', () => {
  for (const lie of [0, 50, 101, 149 + 40, 5000]) {
    const rest = partOf('C', noise(6000))
    const { parts } = parseChunks([
      bytesOf(partOf('A', IMAGE, { length: lie }), partOf('B', IMAGE, { length: lie }), rest, END)
    ])
    assert.equal(parts.shift()?.split(' ')[2], String(lie))
    assert.deepEqual(parts, [summary('A', IMAGE), summary('B', IMAGE), summary('C', noise(6000))], `length ${lie}`)
  }
})

test('a boundary is searched in the 48 bytes behind a part with a length, and no further', () => {
  const padded = (count: number) => bytesOf(partOf('A', IMAGE), 'x'.repeat(count), partOf('B', 'b'), END)
  assert.deepEqual(parseChunks([padded(46)]).parts, [summary('A', IMAGE), summary('B', 'b')])
  assert.deepEqual(parseChunks([padded(47)]).parts, [
    summary('A', IMAGE),
    summary('A', bytesOf(IMAGE, '\r\n', 'x'.repeat(47))),
    summary('B', 'b')
  ])
})

test('a stream without its boundary in the first 48 bytes is rejected', () => {
  const stream = bytesOf(partOf('A', IMAGE), END)
  assert.deepEqual(parseChunks([bytesOf('x'.repeat(48), stream)]).parts, [summary('A', IMAGE)])
  assert.deepEqual(parseChunks([bytesOf('x'.repeat(49), stream)]), { parts: [], progress: 'lost' })
  assert.equal(parseChunks([bytesOf('<!doctype html>'.repeat(20))]).progress, 'lost')
})

test('a part without image-id is skipped, one without content type counts as JPEG', () => {
  const stream = bytesOf(
    `--${BOUNDARY}\r\ncontent-type: image/jpeg\r\ncontent-length: 4\r\n\r\nnone\r\n`,
    `--${BOUNDARY}\r\n\r\nnothing at all\r\n`,
    `--${BOUNDARY}\r\nimage-id: B\r\n\r\nbare\r\n`,
    END
  )
  assert.deepEqual(parseChunks([stream]).parts, [summary('B', 'bare')])
})

test('headers of 1024 bytes are read, with longer ones the part is skipped', () => {
  const withHead = (size: number) => {
    const head = 'image-id: A\r\ncontent-length: 3\r\nx: '
    return bytesOf(`--${BOUNDARY}\r\n`, head.padEnd(size - 4, 'x'), '\r\n\r\nabc\r\n', partOf('B', 'next'), END)
  }
  assert.deepEqual(parseChunks([withHead(1024)]).parts, [summary('A', 'abc'), summary('B', 'next')])
  assert.deepEqual(parseChunks([withHead(1025)]).parts, [summary('B', 'next')])
})

test('lines may end with LF alone, and the line end before a boundary may be missing', () => {
  const bare = bytesOf(partOf('A', IMAGE, { eol: '\n', length: false }), partOf('B', IMAGE, { eol: '\n' }), END)
  assert.deepEqual(parseChunks([bare]).parts, [summary('A', IMAGE), summary('B', IMAGE)])
  for (const length of [true, false]) {
    const glued = partOf('A', IMAGE, { length })
    const { parts } = parseChunks([bytesOf(glued.subarray(0, glued.length - 2), partOf('B', 'b'), END)])
    assert.deepEqual(parts, [summary('A', IMAGE), summary('B', 'b')])
  }
})

test('only one line end before a boundary is part of it', () => {
  const image = bytesOf('ends with lines\r\n\r\n')
  assert.deepEqual(parseChunks([bytesOf(partOf('A', image, { length: false }), END)]).parts, [summary('A', image)])
})

test('a boundary announced with its dashes is found with and without two more', () => {
  for (const dashes of ['--', '----']) {
    const stream = bytesOf(
      `${dashes}cut\r\nimage-id: A\r\n\r\none\r\n${dashes}cut\r\nimage-id: B\r\n\r\ntwo\r\n${dashes}cut--`
    )
    assert.deepEqual(parseChunks([stream], { boundary: '--cut' }).parts, [summary('A', 'one'), summary('B', 'two')])
  }
})

test('boundaries of 1 and of 70 characters work', () => {
  for (const boundary of ['b', 'b'.repeat(70)]) {
    const stream = bytesOf(`--${boundary}\r\nimage-id: A\r\n\r\none\r\n--${boundary}--`)
    assert.deepEqual(parseChunks([stream], { boundary }), { parts: [summary('A', 'one')], progress: 'closed' })
  }
})

test('a truncated stream gives its complete parts', () => {
  const first = partOf('A', IMAGE, { length: false })
  const stream = bytesOf(first, partOf('B', IMAGE, { length: false }))
  for (let size = first.length + BOUNDARY.length + 4; size <= stream.length; size++)
    assert.deepEqual(parseChunks([stream.subarray(0, size)]), { parts: [summary('A', IMAGE)], progress: 'more' })
})

test('a part over the maximum is skipped without growing the buffer, and the next one is found', () => {
  const buffer = new PartBuffer(4 << 10, 64 << 10)
  for (const length of [true, false, 1e12]) {
    const stream = bytesOf(partOf('A', noise(100_000), { length }), partOf('B', IMAGE), END)
    const pieces = []
    for (let offset = 0; offset < stream.length; offset += 1500) pieces.push(stream.subarray(offset, offset + 1500))
    assert.deepEqual(parseChunks(pieces, { buffer }).parts, [summary('B', IMAGE)])
    assert.ok(buffer.bytes.length <= 64 << 10)
  }
})

test.run()
