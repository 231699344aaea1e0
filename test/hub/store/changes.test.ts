import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { Changes } from '../../../hub/store/changes.ts'

const test = suite('changes')

test('changesSince returns only the objects changed after the revision', () => {
  const changes = new Changes(100)
  changes.markChanged('device', 1)
  const { rev } = changes
  changes.markChanged('device', 2)
  changes.markChanged('channel', 3)
  changes.markRemoved('device', 1)
  const changeSet = changes.changesSince('device', rev)
  assert.deepEqual([...(changeSet?.changed ?? [])], [2])
  assert.deepEqual([...(changeSet?.removed ?? [])], [1])
})

test('for a revision before the start, in the future, or before a reset, the changes are unknown', () => {
  const changes = new Changes(100)
  assert.equal(changes.changesSince('device', 99), undefined)
  assert.equal(changes.changesSince('device', 101), undefined)
  changes.markChanged('device', 1)
  const { rev } = changes
  changes.resetTopic('device')
  assert.equal(changes.changesSince('device', rev), undefined)
  assert.deepEqual(changes.changesSince('device', changes.rev)?.changed.size, 0)
})

test('an item that changes after its removal is no longer removed', () => {
  const changes = new Changes(0)
  changes.markRemoved('device', 7)
  changes.markChanged('device', 7)
  const changeSet = changes.changesSince('device', 0)
  assert.deepEqual([...(changeSet?.removed ?? [])], [])
  assert.deepEqual([...(changeSet?.changed ?? [])], [7])
})

test('listeners receive each changed topic until they unsubscribe', () => {
  const changes = new Changes(0)
  const topics: string[] = []
  const unsubscribe = changes.subscribe((topic) => topics.push(topic))
  changes.markChanged('log')
  changes.markRemoved('device', 1)
  unsubscribe()
  changes.markChanged('channel', 1)
  assert.deepEqual(topics, ['log', 'device'])
})

test.run()
