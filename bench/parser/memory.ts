// Memory of the parser on both paths: the buffer must not grow, and no memory may remain per byte.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PREVIEW_BUFFER } from '../../contract/limits.ts'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { createParser } from '../../src/preview/parser.ts'
import { readParts } from '../../src/preview/read-parts.ts'
import { createRandom } from '../../test/kit/preview/multipart.ts'
import { type Measurement, median } from '../measurement.ts'
import { createImage, createStream } from './stream.ts'

const KIB = 1024
const BOUNDARY = '5f0c9a1e77d24b6c5f0c9a1e77d24b6c'
/** Bytes of the long stream. */
const LENGTH = 4 * KIB ** 3
/** Bytes of the repeated block. */
const BLOCK = 32 * KIB ** 2
const LARGEST = 300 * KIB
/** Limit of heap bytes per part. */
const HEAP_PER_PART = 0.7 * KIB
/** Limit of additional array buffer bytes: two pools of Node, and the boundary with its dashes. Less than one read. */
const KEPT = 16 * KIB + BOUNDARY.length + 2
/** Parts between two heap measurements: few enough that no garbage collection runs. */
const PARTS_PER_SAMPLE = 400
const SAMPLES = 9

/** Creates a block of parts of up to 300 KiB, two thirds of them with a content length. */
function createBlock(): Uint8Array<ArrayBuffer> {
  const random = createRandom(4)
  const image = createImage(LARGEST)
  const pieces: Uint8Array[] = []
  for (let size = 0; size < BLOCK; ) {
    const bytes = image.subarray(0, 1 + random(LARGEST))
    const length = random(3) ? `content-length: ${bytes.length}\r\n` : ''
    pieces.push(Buffer.from(`--${BOUNDARY}\r\nimage-id: A\r\n${length}\r\n`), bytes, Buffer.from('\r\n'))
    size += bytes.length
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/**
 * Parses a long stream in reads of random size. @returns capacity of the buffer, and the maximum growth of array
 * buffers during that
 */
async function longStream(block: Uint8Array<ArrayBuffer>, byob: boolean): Promise<{ capacity: number; most: number }> {
  const random = createRandom(5)
  const buffer = new PartBuffer()
  globalThis.gc?.()
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  let offset = 0
  let remaining = LENGTH
  type Control = { enqueue(bytes: Uint8Array<ArrayBuffer>): void; close(): void }
  function pull(control: Control | ReadableByteStreamController) {
    const request = 'byobRequest' in control ? control.byobRequest : null
    const maxLength = request?.view?.byteLength ?? Number.POSITIVE_INFINITY
    const next = block.subarray(offset, offset + Math.min(maxLength, 1 + random(128 * KIB)))
    offset = (offset + next.length) % block.length
    remaining -= next.length
    if (offset === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    if (request?.view) {
      new Uint8Array(request.view.buffer, request.view.byteOffset).set(next)
      request.respond(next.length)
    } else control.enqueue(next)
    if (remaining <= 0) control.close()
  }
  const body = byob
    ? new ReadableStream({ type: 'bytes', pull }, { highWaterMark: 0 })
    : new ReadableStream<Uint8Array<ArrayBuffer>>({ pull }, { highWaterMark: 0 })
  await readParts(body, BOUNDARY, buffer, () => {}, new AbortController().signal)
  return { capacity: buffer.bytes.length, most }
}

/** Heap bytes allocated for a part of 8 KiB. */
function heapPerPart(): number {
  const part = 8 * KIB
  const { chunks, parts } = createStream({ part, chunk: 64 * KIB, boundary: BOUNDARY }, PARTS_PER_SAMPLE * part, true)
  const buffer = new PartBuffer()
  const samples: number[] = []
  for (let sample = -3; sample < SAMPLES; sample++) {
    buffer.reset()
    let partCount = 0
    const parse = createParser(BOUNDARY, buffer, () => partCount++)
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    for (const chunk of chunks) {
      buffer.append(chunk)
      parse()
    }
    const growth = process.memoryUsage().heapUsed - before
    if (partCount !== parts) throw new Error(`${partCount} of ${parts} parts were parsed`)
    if (sample >= 0) samples.push(growth / parts)
  }
  return median(samples)
}

export async function measureMemory(): Promise<Measurement[]> {
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc')
  const block = createBlock()
  const rows: Measurement[] = []
  for (const byob of [true, false]) {
    const { capacity, most } = await longStream(block, byob)
    const path = byob ? 'read in place' : 'copied'
    rows.push(
      {
        name: `the buffer after 4 GiB, ${path}`,
        unit: 'bytes',
        referenceName: 'limit',
        ours: capacity,
        reference: PREVIEW_BUFFER,
        most: 1
      },
      {
        name: `additional array buffers, ${path}`,
        unit: 'bytes',
        referenceName: 'limit',
        ours: most,
        reference: KEPT,
        most: 1
      }
    )
  }
  rows.push({
    name: 'heap per part',
    unit: 'bytes',
    referenceName: 'limit',
    ours: heapPerPart(),
    reference: HEAP_PER_PART,
    most: 1
  })
  return rows
}
