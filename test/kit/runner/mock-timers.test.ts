import * as assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'

const test = suite('mocked timers')
test.after.each(() => mock.timers.reset())

for (const [create, clear] of [
  ['setTimeout', 'clearTimeout'],
  ['setInterval', 'clearInterval'],
  ['setImmediate', 'clearImmediate']
] as const)
  test(`${clear} after the reset takes no other timer away`, () => {
    const apis = ['setTimeout' as const, create]
    mock.timers.enable({ apis })
    const left = [1, 2].map(() => globalThis[create](() => {}))
    mock.timers.reset()
    mock.timers.enable({ apis })
    for (const timer of left) (globalThis[clear] as (timer: unknown) => void)(timer)
    let calls = 0
    setTimeout(() => calls++, 10)
    mock.timers.tick(10)
    assert.equal(calls, 1)
  })

test.run()
