import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { takeTurn } from '../../fleet/dialling.ts'

const test = suite('dialling')

test('so many dial at a time; the next comes when one is done, who gave up does not, and done twice is done once', () => {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const giveUp = Array.from({ length: 30 }, (_, index) =>
    takeTurn((end) => {
      begun.push(index)
      ends.push(end)
    })
  )
  assert.equal(begun.length, 24)
  giveUp[24]?.()
  ends[0]?.()
  ends[0]?.()
  assert.deepEqual(begun.slice(24), [25])
  // To give up what has begun changes nothing.
  giveUp[25]?.()
  for (let index = 1; index < 30; index++) ends[index]?.()
  assert.deepEqual(begun.slice(24), [25, 26, 27, 28, 29])
  for (const end of ends) end()
  let own = false
  takeTurn((end) => {
    own = true
    end()
  })
  assert.ok(own)
})

test.run()
