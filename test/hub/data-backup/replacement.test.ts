// New data takes the place of the old at the next start: all of it or none, wherever the power fails.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { DataReplacement, removeStaging } from '../../../hub/data-backup/replacement.ts'
import { finishRestore } from '../../../hub/data-backup/restore-plan.ts'
import { losePowerAt } from '../../kit/fault/lost-power.ts'

const test = suite('replacement')
let data: string

const OLD = { database: 'old', firmware: 'old', tls: 'kept' }
const NEW = { database: 'new', 'device.key': 'new', tls: 'kept' }

test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-replacement-'))
  resetFolder()
})
test.after.each(() => rmSync(data, { recursive: true, force: true }))

/** The files of the data folder with their texts. A folder is an entry without one. */
const entries = () =>
  Object.fromEntries(
    readdirSync(data, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(data, entry.name), 'utf8') : undefined
    ])
  )

function replace(isDiscarded: boolean): void {
  const replacement = new DataReplacement(data)
  for (const name of ['database', 'device.key']) writeFileSync(join(replacement.folder, name), 'new')
  replacement.commit({ old: ['database', 'firmware'], isDiscarded })
}

/** The data folder before the replacement. */
function resetFolder(): void {
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true })
  for (const [name, text] of Object.entries(OLD)) writeFileSync(join(data, name), text)
}

/** The start of a hub. */
function start(): void {
  finishRestore(data)
  removeStaging(data)
}

function replaceAndStart(): void {
  replace(true)
  start()
}

test('the old data is in use until the hub starts again, the new data afterwards', () => {
  replace(true)
  for (const [name, text] of Object.entries(OLD)) assert.equal(entries()[name], text)
  start()
  assert.deepEqual(entries(), NEW)
})

test('wherever the power fails, the next start has all of the old data or all of the new, and nothing is left over', () => {
  let step = 0
  let results = ''
  while (losePowerAt(step, replaceAndStart)) {
    start()
    const isNew = entries().database === 'new'
    assert.deepEqual(entries(), isNew ? NEW : OLD, `after step ${step}`)
    results += isNew ? 'n' : 'o'
    resetFolder()
    step++
  }
  assert.match(results, /^o{4,}n{8,}$/)
})

test('a second loss of power during the start that finishes a replacement has the same outcome', () => {
  for (let first = 5; ; first++) {
    let isOver = true
    for (let second = 0; ; second++) {
      resetFolder()
      if (losePowerAt(first, replaceAndStart)) isOver = false
      const wasLostAgain = losePowerAt(second, start)
      start()
      assert.deepEqual(entries(), entries().database === 'new' ? NEW : OLD, `after steps ${first} and ${second}`)
      if (!wasLostAgain) break
    }
    if (isOver) break
  }
})

test('replaced data that is not discarded stays in a folder of its own', () => {
  replace(false)
  start()
  const { database, ...others } = entries()
  assert.equal(database, 'new')
  const [kept = ''] = Object.keys(others).filter((name) => name.startsWith('replaced-'))
  assert.deepEqual(readdirSync(join(data, kept)).sort(), ['database', 'firmware'])
})

test('the next start deletes prepared data that was not committed', () => {
  const replacement = new DataReplacement(data)
  mkdirSync(join(replacement.folder, 'firmware'))
  start()
  assert.deepEqual(entries(), OLD)
  assert.equal(existsSync(replacement.folder), false)
})

test.run()
