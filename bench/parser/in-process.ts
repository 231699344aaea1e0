// All parsers on the same streams in one process, compared with copying the bytes once.
import { PREVIEW_BUFFER } from '../../contract/limits.ts'
import { createRandom } from '../../test/kit/preview/multipart.ts'
import { inRandomOrder, type Measurement, median } from '../measurement.ts'
import { PEERS } from './contestants.ts'
import { ours, type ParserAdapter, type Sink } from './portable.ts'
import { type Cell, createStream, type Stream } from './stream.ts'

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
/** Required ratio to the fastest other parser. */
const timesOf = (part: number) => (part === SMALL ? 2 : 1.5)

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
      [OURS]: () => parseRate(OURS, ours, counted, boundary)
    }
    await verify(SEARCHED, ours, searched, boundary)
    await verify(OURS, ours, counted, boundary)
    for (const [name, run] of Object.entries(PEERS)) {
      await verify(name, run, counted, boundary)
      contestants[name] = () => parseRate(name, run, counted, boundary)
    }
    const rates = await inRandomOrder(contestants, ROUNDS, random)
    const gigabytes = (value: number) => (value / 1000).toFixed(2)
    table[nameOf(cell)] = Object.fromEntries(
      Object.entries(rates).map(([name, values]) => [
        name,
        `${gigabytes(median(values))} (${gigabytes(Math.min(...values))}-${gigabytes(Math.max(...values))})`
      ])
    )
    const medians = Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, median(values)]))
    const [fastest = '', best = Number.NaN] =
      Object.keys(PEERS)
        .map((name) => [name, medians[name] ?? 0] as const)
        .toSorted(([, a], [, b]) => b - a)[0] ?? []
    for (const [name, known] of [
      [OURS, undefined],
      [SEARCHED, document]
    ] as const) {
      const row = { unit: 'MB/s', ours: medians[name] ?? 0, ...(known && { known }) }
      const what = `${nameOf(cell)}, ${name === OURS ? 'lengths' : 'no lengths'}`
      rows.push(
        { name: `${what}: ${fastest}`, referenceName: 'fastest other', reference: best, least: timesOf(part), ...row },
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
