import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type ChannelUse, findConflicts } from '../../../contract/stream/schedule-conflicts.ts'

const test = suite('conflicts of schedules')

const use = (channel: number, resources: string[], ...periods: [from: number, to: number][]): ChannelUse => ({
  channel,
  resources,
  periods: periods.map(([from, to]) => ({ from, to }))
})
const found = (...uses: ChannelUse[]) =>
  findConflicts(uses).map(({ resource, from, to, channels }) => `${resource} ${from}-${to}: ${channels}`)

test('two channels with the same source conflict while both run', () => {
  assert.deepEqual(found(use(1, ['a'], [0, 10]), use(2, ['a'], [5, 20])), ['a 5-10: 1,2'])
})

test('channels with different sources, or one after the other, do not conflict', () => {
  assert.deepEqual(found(use(1, ['a'], [0, 10]), use(2, ['b'], [0, 10])), [])
  assert.deepEqual(found(use(1, ['a'], [0, 10]), use(2, ['a'], [10, 20])), [])
})

test('a channel does not conflict with itself, whether its periods overlap or it uses a source twice', () => {
  assert.deepEqual(found(use(1, ['a', 'a'], [0, 10], [5, 15])), [])
})

test('several resources, and several periods of one, are listed in the order of their starts', () => {
  assert.deepEqual(found(use(1, ['a', 'b'], [0, 4], [10, 14]), use(2, ['b', 'a'], [2, 12])), [
    'a 2-4: 1,2',
    'b 2-4: 1,2',
    'a 10-12: 1,2',
    'b 10-12: 1,2'
  ])
})

test('a conflict of three channels is one, which lasts as long as two of them run', () => {
  const uses = [use(3, ['a'], [4, 6]), use(1, ['a'], [0, 10]), use(2, ['a'], [5, 8])]
  assert.deepEqual(found(...uses), ['a 4-8: 1,2,3'])
})

test.run()
