import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  addView,
  deleteView,
  listViews,
  SAVED_VIEWS_MAX,
  type SavedView,
  setView,
  VIEW_QUERY_MAX
} from '../../../../contract/access/saved-view.ts'
import { addToken, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { deleteUsers } from '../../../../contract/access/user.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { LABEL_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { downloadExport, importExport } from '../../../kit/hub/backup/import-export.ts'
import { addSignedInUser, addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('saved views')
hubForEach(test)

const ON_AIR = { list: 'channels', name: 'On air', query: 'state=on-air&view=compact' } as const

test('a view is saved, changed and deleted, and the log says so', async () => {
  const { id } = await admin.send(addView, ON_AIR)
  assert.deepEqual((await admin.send(listViews, {})).list, [{ id, ...ON_AIR }])
  assert.equal((await admin.send(setView, { id, name: 'Live', query: '' })).result, SUCCESS)
  assert.deepEqual((await admin.send(listViews, {})).list, [{ id, list: 'channels', name: 'Live', query: '' }])
  assert.equal((await admin.send(deleteView, { id })).result, SUCCESS)
  assert.deepEqual((await admin.send(listViews, {})).list, [])
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ text }) => text),
    ['Delete view: Live', 'Edit view: On air → Live', 'Save view: On air']
  )
})

test('a user without permissions has views, which nobody else sees or changes', async () => {
  const anna = addSignedInUser(hub, 'anna', 0)
  const { id } = await anna.send(addView, ON_AIR)
  assert.deepEqual((await admin.send(listViews, {})).list, [])
  assert.equal((await admin.send(setView, { id, name: 'Mine', query: '' })).result, NOT_EXIST)
  assert.equal((await admin.send(deleteView, { id })).result, NOT_EXIST)
  assert.deepEqual((await anna.send(listViews, {})).list, [{ id, ...ON_AIR }])
  assert.equal((await admin.send(addView, ON_AIR)).result, SUCCESS, 'each user has the name')
})

test('the views of a user have different names, also in upper and lower case', async () => {
  await admin.send(addView, ON_AIR)
  const { id } = await admin.send(addView, { ...ON_AIR, list: 'devices', name: 'Zürich' })
  const taken = await admin.send(addView, { ...ON_AIR, list: 'devices', name: 'ON AIR' })
  assert.deepEqual([taken.result, taken.field], [NAME_EXISTS, 'name'])
  assert.equal((await admin.send(addView, { ...ON_AIR, name: 'ZÜRICH' })).result, NAME_EXISTS)
  assert.equal((await admin.send(setView, { id, name: 'on air', query: '' })).result, NAME_EXISTS)
  assert.equal((await admin.send(setView, { id, name: 'ZÜRICH', query: '' })).result, SUCCESS)
})

test('number, names and queries have limits', async () => {
  const name = 'n'.repeat(LABEL_MAX)
  const query = `key=${'q'.repeat(VIEW_QUERY_MAX - 4)}`
  const { id } = await admin.send(addView, { list: 'devices', name, query })
  for (const [field, value] of [
    ['name', `${name}n`],
    ['name', ''],
    ['name', 'a\nb'],
    ['query', `${query}q`],
    ['query', 'a=b#/login'],
    ['query', 'a="<b>"'],
    ['list', 'users']
  ] as const) {
    const request = { list: 'devices', name: 'New', query: '', [field]: value } as Omit<SavedView, 'id'>
    const reply = await admin.send(addView, request)
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, field], `${field} ${value}`)
  }
  assert.equal((await admin.send(setView, { id, name, query: `${query}q` })).result, INVALID_ARG)
  for (let number = 1; number < SAVED_VIEWS_MAX; number++)
    assert.equal((await admin.send(addView, { ...ON_AIR, name: `View ${number}` })).result, SUCCESS)
  const further = await admin.send(addView, ON_AIR)
  assert.deepEqual([further.result, (await admin.send(listViews, {})).list.length], [TOO_MANY, SAVED_VIEWS_MAX])
})

test('callers without a session and access tokens have no views', async () => {
  const { id } = await admin.send(addView, ON_AIR)
  assert.equal((await hub.client().send(listViews, {})).result, NOT_LOGGED_IN)
  const program = hub.client()
  const scopes = ['read', 'settings', 'devices', 'channels'] as const
  program.token = (await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: [...scopes] })).token
  assert.equal((await program.send(listViews, {})).result, NOT_PERMITTED)
  assert.equal((await program.send(addView, ON_AIR)).result, NOT_PERMITTED)
  assert.equal((await program.send(deleteView, { id })).result, NOT_PERMITTED)
})

test('the views of a user are deleted with the user', async () => {
  const anna = addSignedInUser(hub, 'anna', 0)
  await anna.send(addView, ON_AIR)
  const { id = 0 } = hub.parts.store.users.byName('anna') ?? {}
  assert.equal((await admin.send(deleteUsers, { id })).result, SUCCESS)
  assert.deepEqual(hub.parts.store.savedViews.ofUser(id), [])
})

test('an import brings views back with their users', async () => {
  await addUser(hub, 'anna', 0)
  const { id = 0 } = hub.parts.store.users.byName('anna') ?? {}
  hub.parts.store.savedViews.add(id, 'channels', ON_AIR.name, ON_AIR.query)
  await admin.send(addView, { ...ON_AIR, name: 'Mine' })
  const bytes = await downloadExport(admin)
  await admin.send(deleteUsers, { id })
  await admin.send(addView, { ...ON_AIR, name: 'Later' })
  await importExport(admin, bytes)
  const { id: restored = 0 } = hub.parts.store.users.byName('anna') ?? {}
  assert.deepEqual(
    hub.parts.store.savedViews.ofUser(restored).map(({ name, query }) => [name, query]),
    [[ON_AIR.name, ON_AIR.query]]
  )
  assert.deepEqual(
    (await admin.send(listViews, {})).list.map(({ name }) => name),
    ['Mine']
  )
})

test.run()
