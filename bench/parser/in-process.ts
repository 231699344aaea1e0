// The parser and busboy on the same streams in one process, compared with copying the bytes once.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { PREVIEW_BUFFER } from '../../contract/limits.ts'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { createParser } from '../../src/preview/parser.ts'
import { createRandom } from '../../test/kit/preview/multipart.ts'
import { inRandomOrder, type Measurement, median } from '../measurement.ts'
import { assertHead, type Cell, createStream, IMAGE_ID, type Stream } from './stream.ts'

const KIB = 1024
/** Approximate bytes of a stream: larger than CPU caches. */
const LENGTH = 64 * KIB * KIB
/** In seconds. */
const MIN_DURATION = 0.08
const ROUNDS = Number(process.env.ROUNDS ?? 7)

/** With 34 and 5 characters. */
const BOUNDARIES = ['5f0c9a1e77d24b6c5f0c9a1e77d24b6c42', 'x7Kq2']
/** Bytes of the smallest parts, where most of the work is in the headers. */
const SMALL = 8 * KIB
/** Required ratio to the speed of one copy, by bytes of a part. */
const SHARES: Readonly<Record<number, number>> = { [SMALL]: 0.3, [64 * KIB]: 0.5, [300 * KIB]: 0.55 }
/** Required ratio to busboy. */
const timesOf = (part: number) => (part === SMALL ? 2 : 1.5)

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Receives the pieces and the end of each part, by number from 0. Node streams may end a part after the next one has
 * started.
 */
interface Sink {
  piece(part: number, bytes: Uint8Array): void
  end(part: number): void
}

interface Input {
  write(chunk: Bytes): void
  /** Called after the closing boundary. */
  end(): void | Promise<void>
}

/** Creates a parser for a stream. */
type ParserAdapter = (boundary: string, sink: Sink) => Input

const buffer = new PartBuffer()

const ours: ParserAdapter = (boundary, { piece, end }) => {
  buffer.reset()
  let part = 0
  const parse = createParser(boundary, buffer, ({ id, type, bytes }) => {
    assertHead(id, type)
    piece(part, bytes)
    end(part++)
  })
  return {
    write(chunk) {
      let offset = buffer.append(chunk)
      parse()
      while (offset < chunk.length) {
        offset += buffer.append(chunk.subarray(offset))
        parse()
      }
    },
    end() {}
  }
}

// Provides no header except the type.
const peer: ParserAdapter = (boundary, { piece, end }) => {
  let parts = 0
  const parser = busboy({ headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } })
  parser.on('file', (_, file: Readable, { mimeType }) => {
    assertHead(IMAGE_ID, mimeType)
    const part = parts++
    file.on('data', (bytes) => piece(part, bytes)).on('end', () => end(part))
  })
  const completion = once(parser, 'close')
  return {
    write: (chunk) => void parser.write(chunk),
    async end() {
      parser.end()
      await completion
    }
  }
}

const cells: Cell[] = Object.keys(SHARES).flatMap((part) =>
  [16 * KIB, 64 * KIB, 0].flatMap((chunk) => BOUNDARIES.map((boundary) => ({ part: Number(part), chunk, boundary })))
)

function nameOf({ part, chunk, boundary }: Cell): string {
  return `${part / KIB} KiB in ${chunk ? `${chunk / KIB} KiB` : 'random'}, boundary ${boundary.length}`
}

async function parse(run: ParserAdapter, { chunks }: Stream, boundary: string, sink: Sink): Promise<void> {
  const feed = run(boundary, sink)
  for (const chunk of chunks) feed.write(chunk)
  await feed.end()
}

/** Checks the result of a parser. @throws Error when a part or a byte is missing */
async function verify(name: string, run: ParserAdapter, stream: Stream, boundary: string): Promise<void> {
  const { parts, image } = stream
  /** Received bytes of each part. */
  const received: number[] = []
  let ended = 0
  const sink: Sink = {
    piece(part, bytes) {
      const start = received[part] ?? 0
      const own = Math.min(Math.max(4 - start, 0), bytes.length)
      for (let i = 0; i < own; i++)
        if (bytes[i] !== ((part >>> (8 * (3 - start - i))) & 255))
          throw new Error(`${name}: wrong number in part ${part}`)
      if (Buffer.compare(bytes.subarray(own), image.subarray(start + own, start + bytes.length)) !== 0)
        throw new Error(`${name}: wrong bytes in part ${part}`)
      received[part] = start + bytes.length
    },
    end(part) {
      if (received[part] !== image.length)
        throw new Error(`${name}: part ${part} has ${received[part]} of ${image.length} bytes`)
      ended++
    }
  }
  await parse(run, stream, boundary, sink)
  if (ended !== parts) throw new Error(`${name}: ${ended} of ${parts} parts were returned`)
}

/** CPU time of this thread, so that other processes do not affect the result. The work never waits. */
function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1e6
}

/** Repeats the work until it has taken long enough for a clock with 4 ms resolution. @returns megabytes per second */
async function rateOf(bytes: number, work: () => void | Promise<void>): Promise<number> {
  const began = process.threadCpuUsage()
  for (let total = bytes; ; total += bytes) {
    await work()
    const seconds = secondsSince(began)
    if (seconds > MIN_DURATION) return total / 1e6 / seconds
  }
}

function parseRate(name: string, run: ParserAdapter, stream: Stream, boundary: string): Promise<number> {
  return rateOf(stream.length, async () => {
    let ended = 0
    const sink: Sink = {
      piece() {},
      end() {
        ended++
      }
    }
    await parse(run, stream, boundary, sink)
    if (ended !== stream.parts) throw new Error(`${name}: ${ended} of ${stream.parts} parts were returned`)
  })
}

const target = new Uint8Array(PREVIEW_BUFFER)

function copyRate({ chunks, length }: Stream): Promise<number> {
  return rateOf(length, () => {
    let offset = 0
    for (const chunk of chunks) {
      if (offset + chunk.length > target.length) offset = 0
      target.set(chunk, offset)
      offset += chunk.length
    }
  })
}

const MEMCPY = 'one copy'
const PEER = 'busboy'
const OURS = 'ours'
const SEARCHED = 'ours, no lengths'

/** Prints a table of medians, with the slowest and the fastest round. @returns the measurements */
export async function compareInProcess(document: string): Promise<Measurement[]> {
  const random = createRandom(Date.now())
  const table: Record<string, Record<string, string>> = {}
  const rows: Measurement[] = []
  for (const cell of cells) {
    const { boundary, part } = cell
    const counted = createStream(cell, LENGTH, true)
    const searched = createStream(cell, LENGTH, false)
    const contestants: Record<string, () => Promise<number>> = {
      [MEMCPY]: () => copyRate(counted),
      [SEARCHED]: () => parseRate(SEARCHED, ours, searched, boundary),
      [OURS]: () => parseRate(OURS, ours, counted, boundary),
      [PEER]: () => parseRate(PEER, peer, counted, boundary)
    }
    await verify(SEARCHED, ours, searched, boundary)
    await verify(OURS, ours, counted, boundary)
    await verify(PEER, peer, counted, boundary)
    const rates = await inRandomOrder(contestants, ROUNDS, random)
    const gigabytes = (value: number) => (value / 1000).toFixed(2)
    table[nameOf(cell)] = Object.fromEntries(
      Object.entries(rates).map(([name, values]) => [
        name,
        `${gigabytes(median(values))} (${gigabytes(Math.min(...values))}-${gigabytes(Math.max(...values))})`
      ])
    )
    const medians = Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, median(values)]))
    for (const [name, known] of [
      [OURS, undefined],
      [SEARCHED, document]
    ] as const) {
      const row = { unit: 'MB/s', ours: medians[name] ?? 0, ...(known && { known }) }
      const what = `${nameOf(cell)}, ${name === OURS ? 'lengths' : 'no lengths'}`
      rows.push(
        { name: `${what}: ${PEER}`, referenceName: PEER, reference: medians[PEER] ?? 0, least: timesOf(part), ...row },
        {
          name: `${what}: ${MEMCPY}`,
          referenceName: MEMCPY,
          reference: medians[MEMCPY] ?? 0,
          least: SHARES[part] ?? 0,
          ...row,
          ...(part === SMALL && { explainedIn: document })
        }
      )
    }
  }
  console.log('\nGB/s: median (slowest-fastest)')
  console.table(table)
  return rows
}
