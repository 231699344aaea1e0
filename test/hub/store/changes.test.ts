import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createChanges } from '../../../hub/store/changes.ts'

const test = suite('changes')

test('what changed after a revision is told, and nothing else', () => {
  const changes = createChanges(100)
  changes.bump('device', 1)
  const { rev } = changes
  changes.bump('device', 2)
  changes.bump('channel', 3)
  changes.gone('device', 1)
  const difference = changes.since('device', rev)
  assert.deepEqual([...(difference?.changed ?? [])], [2])
  assert.deepEqual([...(difference?.gone ?? [])], [1])
})

test('a revision from before the start, from the future, or from before a reset gets no difference', () => {
  const changes = createChanges(100)
  assert.equal(changes.since('device', 99), undefined)
  assert.equal(changes.since('device', 101), undefined)
  changes.bump('device', 1)
  const { rev } = changes
  changes.reset('device')
  assert.equal(changes.since('device', rev), undefined)
  assert.deepEqual(changes.since('device', changes.rev)?.changed.size, 0)
})

test('an item that comes back is no longer gone', () => {
  const changes = createChanges(0)
  changes.gone('device', 7)
  changes.bump('device', 7)
  const difference = changes.since('device', 0)
  assert.deepEqual([...(difference?.gone ?? [])], [])
  assert.deepEqual([...(difference?.changed ?? [])], [7])
})

test('listeners hear each topic until they stop', () => {
  const changes = createChanges(0)
  const heard: string[] = []
  const stop = changes.listen((topic) => heard.push(topic))
  changes.bump('log')
  changes.gone('device', 1)
  stop()
  changes.bump('channel', 1)
  assert.deepEqual(heard, ['log', 'device'])
})

test.run()
