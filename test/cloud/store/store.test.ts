import assert from 'node:assert/strict'
import type { Store } from '../../../cloud/store/store.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('cloud store')

const addOrganisation = (store: Store, name: string) =>
  store.within(name, async (scope) => {
    await scope.insert('organisations', { invitation: `code of ${name}`, created: 1 }).execute()
    const entry = { time: 2 ** 41, user_name: '', address: '', event: 'created', detail: name, result: 0 }
    await scope.insert('log_entries', entry).execute()
  })

const detailsOf = (store: Store, name: string) =>
  store.within(name, async (scope) => {
    const rows = await scope.select('log_entries').select('detail').execute()
    return rows.map(({ detail }) => detail)
  })

function testTransactions(stores: Stores): void {
  const { test } = stores
  test('a transaction is stored as a whole, or not at all', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    const failing = store.within('acme', async (scope) => {
      await scope.update('organisations').set({ invitation: 'new' }).execute()
      throw new Error('after the change')
    })
    await assert.rejects(failing, /after the change/)
    const [row] = await store.within('acme', (scope) => scope.select('organisations').selectAll().execute())
    assert.deepEqual({ ...row }, { organisation: 'acme', invitation: 'code of acme', created: 1 })
  })

  test('transactions that run at the same time do not see or disturb each other', async () => {
    const store = await stores.open()
    const names = Array.from({ length: 20 }, (_, index) => `org${index}`)
    await Promise.all(names.map((name) => addOrganisation(store, name)))
    assert.deepEqual(
      await Promise.all(names.map((name) => detailsOf(store, name))),
      names.map((name) => [name])
    )
  })

  test('numbers keep their value, up to a permission mask and a time in milliseconds', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    const mask = await store.within('acme', async (scope) => {
      await scope.insert('user_groups', { id: 1, name: 'Admin', type: 1, permission: 4294967295 }).execute()
      return scope.select('user_groups').select('permission').executeTakeFirst()
    })
    assert.equal(mask?.permission, 4294967295)
    const entry = await store.within('acme', (scope) => scope.select('log_entries').select('time').executeTakeFirst())
    assert.equal(entry?.time, 2 ** 41)
  })
}

function testOrganisations(stores: Stores): void {
  const { test } = stores
  test('an organisation reads, changes and deletes no row of another one', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    await addOrganisation(store, 'evil')
    await store.within('evil', async (scope) => {
      assert.equal((await scope.select('organisations').selectAll().execute()).length, 1)
      await scope.update('organisations').set({ invitation: 'taken' }).execute()
      const other = scope.select('organisations').select('invitation').where('organisation', '=', 'acme')
      assert.deepEqual(await other.execute(), [])
      const changed = await scope
        .update('organisations')
        .set({ created: 9 })
        .where('organisation', '=', 'acme')
        .execute()
      assert.equal(Number(changed[0]?.numUpdatedRows), 0)
      await scope.delete('organisations').execute()
    })
    const [row] = await store.within('acme', (scope) => scope.select('organisations').selectAll().execute())
    assert.equal(row?.invitation, 'code of acme')
  })

  test('a row that names another organisation is stored for the own one, or refused', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    await addOrganisation(store, 'evil')
    await store.within('evil', async (scope) => {
      const forged = {
        organisation: 'acme',
        time: 5,
        user_name: '',
        address: '',
        event: '',
        detail: 'forged',
        result: 0
      }
      await scope.insert('log_entries', forged).execute()
    })
    assert.deepEqual(await detailsOf(store, 'acme'), ['acme'])
    assert.deepEqual((await detailsOf(store, 'evil')).sort(), ['evil', 'forged'])
  })

  test('a row cannot move to another organisation', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    await addOrganisation(store, 'evil')
    const moved = { organisation: 'acme' } as never
    const move = store.within('evil', (scope) => scope.update('log_entries').set(moved).execute())
    await assert.rejects(move, /permission denied|cannot move to another organisation/)
    await assert.rejects(
      store.within('evil', (scope) => scope.update('organisations').set(moved).execute()),
      /row-level security|cannot move to another organisation/
    )
    assert.deepEqual(await detailsOf(store, 'acme'), ['acme'])
    assert.deepEqual(await detailsOf(store, 'evil'), ['evil'])
  })

  test('the rows of an organisation are deleted with it', async () => {
    const store = await stores.open()
    await addOrganisation(store, 'acme')
    await addOrganisation(store, 'other')
    await store.within('acme', (scope) => scope.delete('organisations').execute())
    assert.deepEqual(await detailsOf(store, 'acme'), [])
    assert.deepEqual(await detailsOf(store, 'other'), ['other'])
  })
}

for (const stores of bothDatabases(test)) {
  testTransactions(stores)
  testOrganisations(stores)
}

test.run()
