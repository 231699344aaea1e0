import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { changePassword, getSession, login } from '../../../../contract/access/session.ts'
import { addUser, listUsers } from '../../../../contract/access/user.ts'
import { INVALID_ARG, MISMATCH, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { DEFAULT_PASSWORD_RULES, NO_PASSWORD_RULES, type PasswordRules } from '../../../../contract/rules/password.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { DATABASE_FILE } from '../../../../hub/data-folder/entries.ts'
import { MIGRATIONS } from '../../../../hub/database/migrations.ts'
import { openStore } from '../../../../hub/store/store.ts'
import { addSignedInUser, md5, newPassword } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('new-password')
hubForEach(test)

const STRICT: PasswordRules = {
  length: 8,
  lowercase: 1,
  uppercase: 1,
  number: 1,
  special: 1,
  'chk-name': 1
}
const setRules = (rules: Partial<PasswordRules>) => admin.send(setSettings, { 'pwd-rule': rules })
const count = async () => (await admin.send(listUsers, { type: 'usr' })).users?.length

/** Sends a password for a new user and for an existing one. @returns the error, which must be the same for both */
async function refused(password: string | undefined, passwd = md5(password ?? 'x')): Promise<object> {
  const added = await admin.send(addUser, { name: 'newcomer', passwd, password })
  const { users, database } = hub.parts.store
  if (!users.byName('Newcomer2')) database.transaction(() => users.add(2, 'Newcomer2', 4, 'none', false))
  const set = await admin.send(changePassword, { name: 'Newcomer2', passwd, password })
  assert.deepEqual(added, set)
  const own = await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd, password })
  assert.deepEqual(own, set)
  const { result, ...rest } = set
  assert.equal(result, INVALID_ARG)
  return rest
}

test('in a new hub a password in plain text has at least 8 characters, and a hash alone is accepted', async () => {
  assert.deepEqual((await admin.send(getSession, {}))['pwd-rule'], DEFAULT_PASSWORD_RULES)
  assert.deepEqual(await refused('7-chars'), { field: 'password', fault: 'length', min: 8, max: 32 })
  // A client that knows only the calls of the vendor.
  assert.equal((await admin.send(addUser, { name: 'carl', passwd: md5('7-chars') })).result, SUCCESS)
  assert.equal((await admin.send(changePassword, { name: 'carl', passwd: md5('short') })).result, SUCCESS)
  const own = { 'old-passwd': md5('Admin'), passwd: md5('own') }
  assert.equal((await admin.send(changePassword, own)).result, SUCCESS)
  assert.equal((await admin.send(addUser, { name: 'vera', ...newPassword('8-chars!') })).result, SUCCESS)
})

test('a rule that an administrator has set refuses a hash alone, also if it is the default one', async () => {
  await setRules(DEFAULT_PASSWORD_RULES)
  assert.deepEqual(await refused(undefined, md5('7-chars')), { field: 'password', fault: 'required' })
})

test('without rules the field is left out, and the hash is enough', async () => {
  await setRules({})
  assert.ok(!('pwd-rule' in (await admin.send(getSession, {}))))
  assert.equal((await admin.send(addUser, { name: 'vera', passwd: md5('v') })).result, SUCCESS)
  await setRules({ length: 1 })
  assert.ok(!('pwd-rule' in (await admin.send(getSession, {}))))
})

test('stored rules of an existing hub stay as they are', async () => {
  hub.parts.store.settings.set('pwd-rule', { ...NO_PASSWORD_RULES, length: 1 })
  assert.equal((await admin.send(addUser, { name: 'vera', passwd: md5('v') })).result, SUCCESS)
})

test('the rules of an earlier version keep their meaning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-rules-'))
  const step = MIGRATIONS.findIndex((sql) => sql.includes("'pwd-rule'"))
  for (const [stored, rules] of [
    [
      { 'min-length': 10, lower: true, upper: false, digit: true, special: false, 'not-user-name': true },
      { length: 10, lowercase: 1, uppercase: 0, number: 1, special: 0, 'chk-name': 1 }
    ],
    [
      { 'min-length': 0, lower: false, upper: false, digit: false, special: false, 'not-user-name': false },
      NO_PASSWORD_RULES
    ],
    [undefined, DEFAULT_PASSWORD_RULES]
  ] as const) {
    const database = new DatabaseSync(join(folder, DATABASE_FILE))
    for (const sql of MIGRATIONS.slice(0, step)) database.exec(sql)
    database.exec(`PRAGMA user_version=${step}`)
    if (stored)
      database.prepare("INSERT INTO setting (name, value) VALUES ('password-rules', ?)").run(JSON.stringify(stored))
    database.close()
    const store = openStore(folder)
    assert.deepEqual(store.settings.get('pwd-rule'), rules)
    store.close()
    rmSync(join(folder, DATABASE_FILE))
  }
  rmSync(folder, { recursive: true })
})

test('active rules are returned at login and with the session', async () => {
  assert.equal((await setRules(STRICT)).result, SUCCESS)
  assert.deepEqual((await admin.send(getSession, {}))['pwd-rule'], STRICT)
  const signedIn = await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(signedIn.result, SUCCESS, 'existing passwords stay valid')
  assert.deepEqual(signedIn['pwd-rule'], STRICT)
  await setRules({})
  assert.ok(!('pwd-rule' in (await admin.send(getSession, {}))))
})

test('each rule applies to new users, to other users’ passwords and to one’s own', async () => {
  const field = 'password'
  for (const [rules, password, fault] of [
    [{ length: 8 }, 'Abc-123', { fault: 'length', min: 8, max: 32 }],
    [{ lowercase: 1 }, 'ABC-123', { fault: 'lower' }],
    [{ uppercase: 1 }, 'abc-123', { fault: 'upper' }],
    [{ number: 1 }, 'Abc-def', { fault: 'digit' }],
    [{ special: 1 }, 'Abc123', { fault: 'special' }],
    [{ lowercase: 3 }, 'ABcd-123', { fault: 'lower', min: 3 }],
    [{ uppercase: 2 }, 'Abc-123', { fault: 'upper', min: 2 }],
    [{ number: 4 }, 'Abc-123', { fault: 'digit', min: 4 }],
    [{ special: 2 }, 'Abc-123', { fault: 'special', min: 2 }]
  ] as const) {
    await setRules(rules)
    assert.deepEqual(await refused(password), { field, ...fault })
  }
  assert.equal(await count(), 2)
})

test('the password must not contain the user’s name, ignoring case', async () => {
  await setRules({ 'chk-name': 1 })
  const set = (name: string, password: string) => admin.send(addUser, { name, passwd: md5(password), password })
  assert.equal((await set('vera', 'x-VERA-1')).fault, 'user-name')
  assert.equal((await set('vera', 'x-Admin-1')).result, SUCCESS)
  const own = { 'old-passwd': md5('Admin'), passwd: md5('my-admin-1'), password: 'my-admin-1' }
  assert.equal((await admin.send(changePassword, own)).fault, 'user-name')
  const others = { name: 'vera', passwd: md5('VerA!'), password: 'VerA!' }
  assert.equal((await admin.send(changePassword, others)).fault, 'user-name')
})

test('with active rules the plain text is required, and must match the hash', async () => {
  await setRules({ length: 8 })
  assert.deepEqual(await refused(undefined), { field: 'password', fault: 'required' })
  assert.deepEqual(await refused('long-enough-1', md5('short')), { field: 'password', fault: 'invalid' })
  const password = 'long-enough-1'
  assert.equal((await admin.send(addUser, { name: 'vera', passwd: md5(password), password })).result, SUCCESS)
  await hub.signIn('vera', password)
})

test('without rules a plain text is checked if it is sent', async () => {
  await setRules({})
  assert.deepEqual(await refused('two words'), { field: 'password', fault: 'any-space' })
  assert.deepEqual(await refused('x'.repeat(33)), { field: 'password', fault: 'length', min: 1, max: 32 })
  assert.deepEqual(await refused('pässword'), { field: 'password', fault: 'characters' })
  assert.deepEqual(await refused('fine', md5('other')), { field: 'password', fault: 'invalid' })
})

test('the empty password is always refused', async () => {
  assert.deepEqual(await refused(undefined, md5('')), { field: 'passwd', fault: 'required' })
  await setRules(STRICT)
  assert.deepEqual(await refused('', md5('')), { field: 'passwd', fault: 'required' })
})

test('the plain text is stored nowhere: not in the database, a response or the log', async () => {
  await setRules(STRICT)
  const password = 'Sesame-Open-1'
  const passwd = md5(password)
  const responses = [
    await admin.send(addUser, { name: 'vera', passwd, password }),
    await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd, password }),
    await admin.send(changePassword, { name: 'vera', passwd, password: `${password}2` }),
    await admin.send(listLog, { type: 'operation' })
  ]
  const { database } = hub.parts.store
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
  const contents = tables.map(({ name }) => JSON.stringify(database.all(`SELECT * FROM ${name}`))).join()
  for (const secret of [password, passwd])
    assert.ok(!JSON.stringify(responses).includes(secret) && !contents.includes(secret))
})

test('rules that no password can meet are refused, and only administrators set rules', async () => {
  for (const length of [33, 1.5, -1])
    assert.deepEqual([(await setRules({ length })).result, length], [INVALID_ARG, length])
  assert.equal((await setRules({ 'chk-name': 2 })).result, INVALID_ARG)
  assert.deepEqual(await setRules({ lowercase: 30, number: 3 }), {
    ...{ result: INVALID_ARG, field: 'pwd-rule.lowercase', fault: 'range' },
    ...{ min: 0, max: 29 }
  })
  const nonAdmin = addSignedInUser(hub, 'mighty', 2 ** 18 - 1)
  assert.equal((await nonAdmin.send(setSettings, { 'pwd-rule': STRICT })).result, NOT_PERMITTED)
  assert.deepEqual((await admin.send(getSession, {}))['pwd-rule'], DEFAULT_PASSWORD_RULES)
  assert.equal((await setRules({ lowercase: 30, number: 2 })).result, SUCCESS)
})

test('the rules are in the settings and, for every user, in the status; absent fields require nothing', async () => {
  const read = async () => [
    (await admin.send(getSettings, {})).settings['pwd-rule'],
    (await addSignedInUser(hub, `u${++added}`, 0).send(systemStatus, {})).status['pwd-rule']
  ]
  let added = 0
  assert.deepEqual(await read(), [DEFAULT_PASSWORD_RULES, DEFAULT_PASSWORD_RULES])
  await setRules(STRICT)
  assert.deepEqual(await read(), [STRICT, STRICT])
  const onlyDigits = { ...NO_PASSWORD_RULES, number: 2 }
  await setRules({ number: 2 })
  assert.deepEqual(await read(), [onlyDigits, onlyDigits])
  await admin.send(setSettings, { 'pwd-rule': { 'chk-name': true as never } })
  assert.equal((await admin.send(getSettings, {})).settings['pwd-rule']?.['chk-name'], 1)
})

test('changed rules are logged, and consoles are notified', async () => {
  const { session, user } = hub.parts.store.changes.revs()
  await setRules({ length: 10, number: 1 })
  const revs = hub.parts.store.changes.revs()
  assert.ok(revs.session > session && revs.user > user)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual([list[0]?.event, list[0]?.detail], ['/settings/set', 'pwd-rule, length 10, number 1'])
})

test('only the first user is marked as having the default password, also when it is set again', async () => {
  await setRules({})
  const first = md5('Admin')
  const hasDefaultPassword = async () => (await admin.send(getSession, {}))['default-password']
  const set = (from: string, passwd: string) => admin.send(changePassword, { 'old-passwd': from, passwd })
  assert.equal(await hasDefaultPassword(), true)
  assert.equal((await set(first, md5('other'))).result, SUCCESS)
  assert.equal(await hasDefaultPassword(), undefined)
  assert.equal((await set(first, md5('else'))).result, MISMATCH)
  assert.equal((await set(md5('other'), first)).result, SUCCESS)
  assert.equal(await hasDefaultPassword(), true)
  await admin.send(addUser, { name: 'vera', passwd: first })
  await admin.send(changePassword, { name: 'vera', passwd: first })
  assert.ok(!('default-password' in (await (await hub.signIn('vera', 'Admin')).send(getSession, {}))))
})

test.run()
