import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { cleanUpMedia, clipPath } from '../kit/engine/media.ts'
import { runCycles } from '../kit/engine/start-stop-cycles.ts'

const test = suite('start and stop cycles')

test.before(() => {
  clipPath()
})
test.after(cleanUpMedia)

test('starting and stopping a channel leaves no process, port, file or descriptor behind', async () => {
  const { before, after } = await runCycles(8, 2)
  // runCycles waits until no file is left. Later measurements can count files that other tests create for a moment.
  const { heap: _, files: __, ...usageBefore } = before
  const { heap: ___, files: ____, ...usageAfter } = after
  assert.deepEqual(usageAfter, usageBefore)
  assert.deepEqual([usageAfter.processes, usageAfter.listening], [0, 0])
})

test.run()
