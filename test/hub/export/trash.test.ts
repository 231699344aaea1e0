import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SRT } from '../../../contract/stream/protocols.ts'
import { applyTables } from '../../../hub/export/apply.ts'
import { collectTables } from '../../../hub/export/collect.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'

const test = suite('trash after an import')

let store: Store

test.before.each(() => {
  store = openStore(':memory:')
  store.database.transaction(() => {
    store.channels.add('Hall', { 'play-key': 'p', 'push-key': 'q' })
    store.trash.putPreset({ id: 1, name: 'Site', protocol: SRT, config: {} }, { by: 'Admin', time: 0 })
  })
})
test.after.each(() => store.close())

/** Imports the present configuration with one value changed. @returns the number of entries in the trash */
function importWith(change: (tables: ReturnType<typeof collectTables>) => void): number {
  const before = collectTables(store)
  const after = structuredClone(before)
  change(after)
  store.database.transaction(() => applyTables(store, before, after, 'Admin'))
  return store.trash.all().length
}

test('an import that changes channels empties the trash, because ids can have another meaning', () => {
  assert.equal(
    importWith(({ channel }) => Object.assign(channel[0] ?? {}, { name: 'Other' })),
    0
  )
})

test('an import that changes settings only leaves the trash', () => {
  assert.equal(
    importWith(({ setting }) => setting.push({ name: 'expired-time', value: '20' })),
    1
  )
})

test('after an import that changes tags, no entry has tags', () => {
  const { tags, channels, trash, database } = store
  const [channel] = channels.all()
  assert.ok(channel)
  database.transaction(() => {
    tags.put('channel', channel.id, tags.add('Client A', 'teal'))
    trash.putChannel(channel, { by: 'Admin', time: 0 })
    channels.remove(channel.id)
  })
  importWith(({ tag }) => Object.assign(tag[0] ?? {}, { name: 'Client B' }))
  const data = JSON.parse(trash.byObject('channel', channel.id)?.data ?? '')
  assert.ok(data.row)
  assert.deepEqual([data.tags, data.access], [undefined, undefined])
})

test.run()
