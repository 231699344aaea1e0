// Runs in the browser: reads a stream to its end with one of several methods.
import { PartBuffer } from '../../src/preview/buffer.ts'
import { readParts } from '../../src/preview/read-parts.ts'
import { assertHead } from './stream.ts'

export interface Run {
  /** Megabytes per second, from the request to the last byte. */
  rate: number
  parts: number
  /** Bytes of the images; bytes of the whole body when it is not parsed. */
  bytes: number
}

const buffer = new PartBuffer()

/** @param method `discard`, `in place` or `copied` */
async function measure(method: string, address: string, boundary: string): Promise<Run> {
  const totals = { parts: 0, bytes: 0 }
  const began = performance.now()
  const { body, headers } = await fetch(address)
  if (!body) throw new Error('no body')
  if (method === 'in place' || method === 'copied') {
    const source = method === 'copied' ? withoutByob(body) : body
    const signal = new AbortController().signal
    await readParts(
      source,
      boundary,
      buffer,
      ({ id, type, bytes }) => {
        assertHead(id, type)
        totals.parts++
        totals.bytes += bytes.length
      },
      signal
    )
  } else {
    for (let reader = body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      totals.bytes += value.length
    }
  }
  const seconds = (performance.now() - began) / 1000
  return { rate: Number(headers.get('x-length')) / 1e6 / seconds, ...totals }
}

/** The body without a BYOB reader, as in browsers that do not support it. */
function withoutByob(body: ReadableStream<Uint8Array<ArrayBuffer>>): typeof body {
  const getReader = (options?: object) => {
    if (options) throw new TypeError('no such reader')
    return body.getReader()
  }
  return { getReader } as typeof body
}

Object.assign(globalThis, { measure })
