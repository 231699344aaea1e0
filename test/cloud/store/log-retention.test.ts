import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { addLogEntry } from '../../../cloud/store/log.ts'
import { enterOrganisation } from '../../../cloud/store/row-security.ts'
import type { Store } from '../../../cloud/store/store.ts'
import { LOG_DAYS, LOG_LINES } from '../../../contract/limits.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('retention of the log of the cloud')

const DAY = 86_400_000

const addOrganisation = (store: Store, name: string) =>
  store.within(name, (scope) => scope.insert('organisations', { invitation: 'x', created: 1 }).execute())

/** Adds lines whose times follow each other. @param days age of the first one */
const addLines = (store: Store, name: string, count: number, days: number) =>
  store.withinCloud(async (transaction) => {
    if (store.kind === 'postgres') await enterOrganisation(transaction, name)
    const first = Date.now() - days * DAY
    await sql`insert into log_entries (organisation, time, user_name, address, event, detail, result)
      with recursive line(number) as (select 1 union all select number + 1 from line where number < ${sql.lit(count)})
      select ${name}, ${sql.lit(first)} + number, '', '', 'event', '', 0 from line`.execute(transaction)
  })

const countLines = (store: Store, name: string) =>
  store.within(name, async (scope) => {
    const { count } = await scope
      .select('log_entries')
      .select((where) => where.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  })

const trim = (store: Store, name: string) => store.within(name, (scope) => scope.trimLog())

function testRetention({ test, open }: Stores): void {
  test('of lines older than 90 days the newest 100,000 stay, and of all others each, in one organisation', async () => {
    const store = await open()
    for (const name of ['acme', 'other']) await addOrganisation(store, name)
    await addLines(store, 'other', 10, LOG_DAYS.min + 1)
    await addLines(store, 'acme', 10, LOG_DAYS.min + 1)
    await addLines(store, 'acme', LOG_LINES.default - 5, LOG_DAYS.min - 1)
    await trim(store, 'acme')
    assert.equal(await countLines(store, 'acme'), LOG_LINES.default)
    await addLines(store, 'acme', 10, LOG_DAYS.min - 1)
    await trim(store, 'acme')
    assert.equal(await countLines(store, 'acme'), LOG_LINES.default + 5)
    await trim(store, 'other')
    assert.equal(await countLines(store, 'other'), 10)
  })

  test('lines older than a year are removed when lines are added', async () => {
    const store = await open()
    for (const name of ['acme', 'other']) await addOrganisation(store, name)
    for (const name of ['acme', 'other']) await addLines(store, name, 3, LOG_DAYS.default + 1)
    await addLines(store, 'acme', 992, 1)
    const entry = { time: Date.now(), user_name: '', address: '', event: 'event', detail: '', result: 0 }
    const addOne = () => store.within('acme', (scope) => addLogEntry(scope, entry))
    await addOne()
    assert.equal(await countLines(store, 'acme'), 996)
    // The thousandth line of the cloud.
    await addOne()
    assert.equal(await countLines(store, 'acme'), 994)
    assert.equal(await countLines(store, 'other'), 3)
  })
}

for (const stores of bothDatabases(test)) testRetention(stores)

test.run()
