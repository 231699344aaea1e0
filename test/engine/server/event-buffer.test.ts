import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { EngineEvent } from '../../../engine/interfaces/wire.ts'
import { EVENTS_MAX, EventBuffer } from '../../../engine/server/event-buffer.ts'

const test = suite('event buffer')

const address = (event: EngineEvent) => (event.kind === 'guessing' ? event.address : '')

test('events are sent in order and once', async () => {
  const buffer = new EventBuffer()
  for (let n = 0; n < 250; n++) buffer.add({ kind: 'guessing', address: String(n) })
  const sent: string[] = []
  const send = async (events: EngineEvent[]) => void sent.push(...events.map(address))
  await buffer.flush(send)
  await buffer.flush(send)
  assert.deepEqual(
    sent,
    Array.from({ length: 250 }, (_, n) => String(n))
  )
})

test('events that were not acknowledged are sent again, with their times', async () => {
  const buffer = new EventBuffer()
  buffer.add({ kind: 'guessing', address: 'a' })
  const lost: EngineEvent[] = []
  await buffer.flush(async (events) => {
    lost.push(...events)
    throw new Error('the hub has died')
  })
  buffer.add({ kind: 'guessing', address: 'b' })
  const sent: EngineEvent[] = []
  await buffer.flush(async (events) => void sent.push(...events))
  assert.deepEqual(sent.map(address), ['a', 'b'])
  assert.deepEqual(sent[0], lost[0])
})

test('while the hub is away the newest events are kept', async () => {
  const buffer = new EventBuffer()
  for (let n = 0; n < EVENTS_MAX + 10; n++) buffer.add({ kind: 'guessing', address: String(n) })
  const sent: string[] = []
  await buffer.flush(async (events) => void sent.push(...events.map(address)))
  assert.deepEqual([sent.length, sent[0], sent.at(-1)], [EVENTS_MAX, '10', String(EVENTS_MAX + 9)])
})

test.run()
