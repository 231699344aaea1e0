import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Channel } from '../../../../contract/stream/channel.ts'
import { sortByTrouble } from '../../../../src/parts/channel/health-tile.tsx'

const test = suite('order of channels by their state')

test('the worst channels come first, equal ones in the natural order of their names', () => {
  const channel = (name: string, verdict: string) => ({ name, health: { verdict } }) as Channel
  const sorted = sortByTrouble([
    channel('Studio 10', 'on-air'),
    channel('Studio 2', 'on-air'),
    channel('Hall 11', 'down'),
    channel('Hall 3', 'down')
  ])
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['Hall 3', 'Hall 11', 'Studio 2', 'Studio 10']
  )
})

test.run()
