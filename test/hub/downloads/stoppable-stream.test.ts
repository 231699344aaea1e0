import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { STALL_TIME, stoppableStream } from '../../../hub/downloads/stoppable-stream.ts'
import { until } from '../../kit/until.ts'

const test = suite('stoppable stream')
test.after.each(() => mock.timers.reset())

/** A source of chunks, and whether it was cancelled. */
function source(chunks: number) {
  const state = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (chunks-- > 0) controller.enqueue(new Uint8Array([chunks]))
      else controller.close()
    },
    cancel() {
      state.cancelled = true
    }
  })
  return { stream, state }
}

test('a stream that is read is complete, and ends once', async () => {
  let ends = 0
  const { stream } = stoppableStream(source(3).stream, () => ends++)
  const bytes = await new Response(stream).bytes()
  assert.deepEqual([...bytes], [2, 1, 0])
  assert.equal(ends, 1)
})

test('the time limit for a client that stops reading is a minute', () => assert.equal(STALL_TIME, 60_000))

test('a client that stops reading ends the stream, a slow one does not', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let ends = 0
  const slow = stoppableStream(source(3).stream, () => ends++, 1000)
  const reader = slow.stream.getReader()
  for (let n = 0; n < 3; n++) {
    mock.timers.tick(999)
    assert.equal((await reader.read()).done, false)
  }
  assert.equal(ends, 0)
  const stalled = source(3)
  const stoppable = stoppableStream(stalled.stream, () => ends++, 20)
  mock.timers.tick(20)
  await until(() => stalled.state.cancelled, 'the source is cancelled')
  assert.equal(ends, 1)
  await assert.rejects(stoppable.stream.getReader().read())
})

test('stopping aborts the stream, so that the client sees that it is incomplete', async () => {
  let ends = 0
  const { stream, state } = source(3)
  const stoppable = stoppableStream(stream, () => ends++)
  const reader = stoppable.stream.getReader()
  await reader.read()
  stoppable.stop()
  await assert.rejects(reader.read())
  assert.ok(state.cancelled)
  assert.equal(ends, 1)
})

test('a source that fails and a client that disconnects end the stream', async () => {
  let ends = 0
  const failing = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error('disk')
    }
  })
  await assert.rejects(
    stoppableStream(failing, () => ends++)
      .stream.getReader()
      .read()
  )
  const { stream, state } = source(3)
  await stoppableStream(stream, () => ends++).stream.cancel()
  assert.ok(state.cancelled)
  assert.equal(ends, 2)
})

test.run()
