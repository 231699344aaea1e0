// A real fetch in Chromium of a body written by the hub's preview stream.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PreviewStream } from '../../hub/preview/stream.ts'
import { openChromium } from '../../test/kit/browser/browser.ts'
import { createRandom } from '../../test/kit/preview/multipart.ts'
import { inRandomOrder, type Measurement, median } from '../measurement.ts'
import type { Run } from './page.ts'
import { createImage, IMAGE_ID } from './stream.ts'

const KIB = 1024
/** Bytes of a body. */
const LENGTH = 256 * KIB ** 2
/** Bytes of the repeated block. */
const BLOCK = 4 * KIB ** 2
/** Bytes of the line end after the last boundary, which becomes the closing boundary. */
const LINE_END = 2
/** Additional bytes of the closing boundary. */
const CLOSING = 2
const ROUNDS = Number(process.env.ROUNDS ?? 7)

const IN_PLACE = 'in place'
const COPIED = 'copied'
const DISCARD = 'discard'
/** Required ratio to reading and discarding. */
const TIMES = 1.15

/** Returns the output of the hub: the first boundary line, and a block of parts that can be repeated. */
async function createHubStream(
  size: number
): Promise<{ boundary: string; first: Uint8Array; block: Buffer; parts: number }> {
  const { body, boundary, offer, close } = new PreviewStream(() => {}, Date.now)
  const reader = body.getReader()
  const next = async () => (await reader.read()).value ?? new Uint8Array()
  const first = await next()
  const parts = Math.floor(BLOCK / size)
  const pieces: Uint8Array[] = []
  for (let i = 0; i < parts; i++) {
    offer(IMAGE_ID, { jpeg: createImage(size), at: Date.now(), interval: 500 })
    pieces.push(await next())
  }
  close()
  return { boundary, first, block: Buffer.concat(pieces), parts }
}

async function openServer(first: Uint8Array, block: Buffer, times: number) {
  const page = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'esnext',
    platform: 'browser'
  })
  const script = page.outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    if (request.url !== '/stream') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<script>${script.replaceAll('</', '<\\/')}</script>`)
      return
    }
    response.writeHead(200, {
      'content-type': 'multipart/x-mixed-replace',
      'x-length': first.length + block.length * times
    })
    response.write(first)
    let remaining = times
    const more = () => {
      while (remaining-- > 1) if (!response.write(block)) return response.once('drain', more)
      response.write(block.subarray(0, -LINE_END))
      return response.end('--\r\n')
    }
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Prints a table of medians. @returns the measurements */
export async function compareInBrowser(): Promise<Measurement[]> {
  const random = createRandom(Date.now())
  const rows: Measurement[] = []
  const table: Record<string, Record<string, string>> = {}
  const browser = await openChromium()
  try {
    for (const size of [8, 64, 300]) {
      const { boundary, first, block, parts } = await createHubStream(size * KIB)
      const times = Math.ceil(LENGTH / block.length)
      const { server, address } = await openServer(first, block, times)
      const page = await browser.newPage()
      try {
        await page.goto(address)
        const run = async (method: string) => {
          const { rate, ...seen } = (await page.evaluate(
            ([of, boundaryOf]) =>
              (globalThis as unknown as { measure(...by: unknown[]): Promise<unknown> }).measure(
                of,
                '/stream',
                boundaryOf
              ),
            [method, boundary]
          )) as Run
          const expected =
            method === DISCARD ? first.length + block.length * times + CLOSING : parts * times * size * KIB
          if (seen.bytes !== expected || (method !== DISCARD && seen.parts !== parts * times))
            throw new Error(`${method}: ${seen.parts} parts with ${seen.bytes} bytes were returned`)
          return rate
        }
        const methods = [DISCARD, IN_PLACE, COPIED]
        const rates = await inRandomOrder(
          Object.fromEntries(methods.map((method) => [method, () => run(method)])),
          ROUNDS,
          random
        )
        const format = (values: number[]) =>
          `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}-${Math.max(...values).toFixed(0)})`
        table[`${size} KiB`] = Object.fromEntries(
          Object.entries(rates).map(([method, values]) => [method, format(values)])
        )
        const medianOf = (method: string) => median(rates[method] ?? [])
        const row = { unit: 'MB/s', referenceName: 'read and discarded', reference: medianOf(DISCARD) }
        rows.push(
          { name: `Chromium, ${size} KiB, ${IN_PLACE}`, ...row, ours: medianOf(IN_PLACE), least: TIMES },
          { name: `Chromium, ${size} KiB, ${COPIED}`, ...row, ours: medianOf(COPIED) }
        )
      } finally {
        await page.close()
        server.closeAllConnections()
        server.close()
      }
    }
  } finally {
    await browser.close()
  }
  console.log('\nChromium, MB/s: median (slowest-fastest)')
  console.table(table)
  return rows
}
