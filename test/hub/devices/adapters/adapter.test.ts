// Requirements for all adapters, with damaged responses.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Adapter } from '../../../../hub/devices/adapters/adapter.ts'
import { adapterOf } from '../../../../hub/devices/adapters/generations.ts'
import { createSampleRecorder } from '../../../../hub/devices/samples.ts'
import { BASIC_INFO, DECODER_SUMMARY, ENCODER_SUMMARY, GET_STATUS } from './examples.ts'

const test = suite('adapters')

/** Pseudo-random numbers from a seed, so that a failure can be reproduced. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const HOSTILE: unknown[] = [
  ...[null, true, false, 0, -1, 1, 0.5, -0, 1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 99, 100],
  ...['', ' ', '0', 'x'.repeat(100_000), '\0\x1b[2J', '\ud800', '\u202e', '<img onerror=1>', "'; DROP TABLE device"],
  ...[
    [],
    {},
    [[]],
    [null],
    { status: 0 },
    { length: 1e9 },
    { toString: 1, valueOf: 1 },
    Array.from({ length: 5000 }, () => ({}))
  ]
]

/** A copy of a value with one of its parts replaced or deleted. */
function mutate(value: unknown, random: () => number): unknown {
  const replacement = HOSTILE[Math.floor(random() * HOSTILE.length)]
  if (typeof value !== 'object' || value === null || random() < 0.05) return replacement
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const keys = Object.keys(copy)
  const key = keys[Math.floor(random() * keys.length)]
  if (key === undefined) return replacement
  if (random() < 0.1) delete copy[key]
  else copy[key] = mutate(copy[key], random)
  return copy
}

function assertValid(value: unknown, path: string): void {
  if (value === undefined || typeof value === 'boolean') return
  // A port without a name, and an encoder without an NDI source.
  if (value === '' && /puts\.\d+\.name$|\.ndiSource$/.test(path)) return
  if (typeof value === 'number') {
    assert.ok(Number.isFinite(value), path)
    return
  }
  if (typeof value === 'string') {
    assert.ok(value.length > 0 && value.length <= 64, path)
    assert.ok(value.isWellFormed() && !/\p{Cc}/u.test(value), path)
    return
  }
  assert.ok(typeof value === 'object' && value !== null, path)
  for (const [key, inner] of Object.entries(value)) assertValid(inner, `${path}.${key}`)
}

const EXAMPLES: [Adapter | undefined, unknown][] = [
  [adapterOf('usapi'), GET_STATUS],
  [adapterOf('mwapi'), ENCODER_SUMMARY],
  [adapterOf('mwapi'), DECODER_SUMMARY],
  [adapterOf('api'), BASIC_INFO],
  [adapterOf('api'), { ...GET_STATUS, ...BASIC_INFO }]
]

test('ten thousand damaged responses throw no error, and all values read from them are valid', () => {
  let readCount = 0
  for (const [index, [adapter, example]] of EXAMPLES.entries()) {
    assert.ok(adapter)
    const random = createRandom(index + 1)
    const record = createSampleRecorder()
    for (let times = 0; times < 2000; times++) {
      let response = example
      for (let damage = 1 + Math.floor(random() * 6); damage > 0; damage--) response = mutate(response, random)
      const reading = adapter.readStatus(response)
      adapter.resultCode(response)
      if (!reading) continue
      readCount++
      const { status, warns, ...rest } = record(reading)
      assertValid({ ...status, warns, ...rest }, `response ${index}.${times}`)
      for (const samples of [status.cpu, status['eth-rx'], status['eth-tx']]) assert.ok((samples?.length ?? 0) <= 24)
      assert.ok((status.cpu ?? []).every((percent) => percent >= 0 && percent <= 100))
      assert.ok(Number.isInteger(warns) && warns >= 0)
    }
  }
  assert.ok(readCount > 3000, `only ${readCount} responses were read`)
})

test('there is no adapter for devices without an API', () => {
  assert.equal(adapterOf('none'), undefined)
})

test.run()
