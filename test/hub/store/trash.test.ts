import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SRT } from '../../../contract/stream/protocols.ts'
import { TRASH_DAYS } from '../../../contract/trash.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { Trash } from '../../../hub/store/trash.ts'

const test = suite('stored trash')

const DAY = 86_400_000
const PRESET = { id: 1, name: 'Site', protocol: SRT, config: {} }
const DELETION = { by: 'Admin', time: 0 }

let store: Store
let now: number
let trash: Trash

test.before.each(() => {
  store = openStore(':memory:')
  now = 0
  trash = new Trash(store.database, { now: () => now })
})
test.after.each(() => store.close())

test('an entry expires after 30 days, to the millisecond', () => {
  trash.putPreset(PRESET, DELETION)
  now = TRASH_DAYS * DAY - 1
  const [entry] = trash.all()
  assert.equal(entry && trash.timeLeft(entry), 1)
  assert.equal(trash.removeExpired(), false)
  now += 1
  assert.equal(trash.removeExpired(), true)
  assert.deepEqual(trash.all(), [])
})

test('a deletion that is rolled back leaves no entry', () => {
  const work = () => {
    trash.putPreset(PRESET, DELETION)
    throw new Error('power cut')
  }
  assert.throws(() => store.database.transaction(work), /power cut/)
  assert.deepEqual(trash.all(), [])
})

test('a row of an earlier version is restored with the defaults of columns that were added since', () => {
  trash.insertRow('input', { id: 2000, name: 'Camera', protocol: SRT, url: 'srt://:9000', dropped: 1 })
  assert.equal(store.sources.input(2000)?.name, 'Camera')
})

test.run()
