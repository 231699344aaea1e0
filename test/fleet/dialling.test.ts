import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { takeTurn } from '../../fleet/dialling.ts'

const test = suite('dialling')

test('so many dial at a time; the next comes when one is done, who gave up does not, and done twice is done once', () => {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const giveUp = Array.from({ length: 46 }, (_, index) =>
    takeTurn((end) => {
      begun.push(index)
      ends.push(end)
    })
  )
  assert.equal(begun.length, 40)
  giveUp[40]?.()
  ends[0]?.()
  ends[0]?.()
  assert.deepEqual(begun.slice(40), [41])
  // To give up what has begun changes nothing.
  giveUp[41]?.()
  for (let index = 1; index < 46; index++) ends[index]?.()
  assert.deepEqual(begun.slice(40), [41, 42, 43, 44, 45])
  for (const end of ends) end()
  let own = false
  takeTurn((end) => {
    own = true
    end()
  })
  assert.ok(own)
})

test.run()
