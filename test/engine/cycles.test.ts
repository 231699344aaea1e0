import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { cycle } from './cycles.ts'
import { clip, endAll } from './media.ts'

const test = suite('cycles')

test.before(() => {
  clip()
})
test.after(endAll)

test('starting and stopping leaves no process, port, file or descriptor behind', async () => {
  const { before, after } = await cycle(8, 2)
  const { heap: _, ...had } = before
  const { heap: __, ...has } = after
  assert.deepEqual(has, had)
  assert.deepEqual([has.processes, has.listening, has.files], [0, 0, 0])
})

test.run()
