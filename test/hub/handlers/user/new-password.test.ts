import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG, MISMATCH, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../../contract/rules/password.ts'
import { changePassword, login, whoAmI } from '../../../../contract/session.ts'
import { addUser, listUsers, setPasswordRules } from '../../../../contract/user.ts'
import { join, md5 } from '../../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'

const test = suite('new-password')
hubForEach(test)

const STRICT: PasswordRules = {
  'min-length': 8,
  lower: true,
  upper: true,
  digit: true,
  special: true,
  'not-user-name': true
}
const demand = (rules: Partial<PasswordRules>) => admin.send(setPasswordRules, { ...NO_PASSWORD_RULES, ...rules })
const count = async () => (await admin.send(listUsers, { type: 'usr' })).users?.length

/** Tries a password for a new user, and for one who is there. @returns both refusals, which are the same */
async function refused(password: string | undefined, passwd = md5(password ?? 'x')): Promise<object> {
  const added = await admin.send(addUser, { name: 'newcomer', passwd, password })
  const { users, database } = hub.hub.store
  if (!users.byName('Newcomer2')) database.transaction(() => users.add(2, 'Newcomer2', 4, 'none', false))
  const set = await admin.send(changePassword, { name: 'Newcomer2', passwd, password })
  assert.deepEqual(added, set)
  const own = await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd, password })
  assert.deepEqual(own, set)
  const { result, ...rest } = set
  assert.equal(result, INVALID_ARG)
  return rest
}

test('a new hub demands nothing, and says so by saying nothing', async () => {
  assert.ok(!('password-rules' in (await admin.send(whoAmI, {}))))
  assert.equal((await admin.send(addUser, { name: 'vera', passwd: md5('v') })).result, SUCCESS)
})

test('what is demanded is told at sign-in and afterwards, for as long as anything is', async () => {
  assert.equal((await demand(STRICT)).result, SUCCESS)
  assert.deepEqual((await admin.send(whoAmI, {}))['password-rules'], STRICT)
  const signedIn = await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })
  assert.equal(signedIn.result, SUCCESS, 'existing passwords stay good')
  assert.deepEqual(signedIn['password-rules'], STRICT)
  await demand({})
  assert.ok(!('password-rules' in (await admin.send(whoAmI, {}))))
})

test('each demand is made of new users, of others’ passwords and of one’s own', async () => {
  const field = 'password'
  for (const [rules, password, fault] of [
    [{ 'min-length': 8 }, 'Abc-123', { fault: 'length', min: 8, max: 32 }],
    [{ lower: true }, 'ABC-123', { fault: 'lower' }],
    [{ upper: true }, 'abc-123', { fault: 'upper' }],
    [{ digit: true }, 'Abc-def', { fault: 'digit' }],
    [{ special: true }, 'Abc123', { fault: 'special' }]
  ] as const) {
    await demand(rules)
    assert.deepEqual(await refused(password), { field, ...fault })
  }
  assert.equal(await count(), 2)
})

test('the user name is not in the password of whose it is, however written', async () => {
  await demand({ 'not-user-name': true })
  const set = (name: string, password: string) => admin.send(addUser, { name, passwd: md5(password), password })
  assert.equal((await set('vera', 'x-VERA-1')).fault, 'user-name')
  assert.equal((await set('vera', 'x-Admin-1')).result, SUCCESS)
  const own = { 'old-passwd': md5('Admin'), passwd: md5('my-admin-1'), password: 'my-admin-1' }
  assert.equal((await admin.send(changePassword, own)).fault, 'user-name')
  const others = { name: 'vera', passwd: md5('VerA!'), password: 'VerA!' }
  assert.equal((await admin.send(changePassword, others)).fault, 'user-name')
})

test('with rules the clear password is wanted, and must be the one whose hash is sent', async () => {
  await demand({ 'min-length': 8 })
  assert.deepEqual(await refused(undefined), { field: 'password', fault: 'required' })
  assert.deepEqual(await refused('long-enough-1', md5('short')), { field: 'password', fault: 'invalid' })
  const password = 'long-enough-1'
  assert.equal((await admin.send(addUser, { name: 'vera', passwd: md5(password), password })).result, SUCCESS)
  await hub.signIn('vera', password)
})

test('without rules a clear password that is sent is looked at all the same', async () => {
  assert.deepEqual(await refused('two words'), { field: 'password', fault: 'any-space' })
  assert.deepEqual(await refused('x'.repeat(33)), { field: 'password', fault: 'length', min: 1, max: 32 })
  assert.deepEqual(await refused('pässword'), { field: 'password', fault: 'characters' })
  assert.deepEqual(await refused('fine', md5('other')), { field: 'password', fault: 'invalid' })
})

test('no account has the empty password, with rules or without', async () => {
  assert.deepEqual(await refused(undefined, md5('')), { field: 'passwd', fault: 'required' })
  await demand(STRICT)
  assert.deepEqual(await refused('', md5('')), { field: 'passwd', fault: 'required' })
})

test('the clear password is kept nowhere: neither in the database nor in an answer nor in the log', async () => {
  await demand(STRICT)
  const password = 'Sesame-Open-1'
  const passwd = md5(password)
  const answers = [
    await admin.send(addUser, { name: 'vera', passwd, password }),
    await admin.send(changePassword, { 'old-passwd': md5('Admin'), passwd, password }),
    await admin.send(changePassword, { name: 'vera', passwd, password: `${password}2` }),
    await admin.send(listLog, { type: 'operation' })
  ]
  const { database } = hub.hub.store
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
  const kept = tables.map(({ name }) => JSON.stringify(database.all(`SELECT * FROM ${name}`))).join()
  for (const secret of [password, passwd])
    assert.ok(!JSON.stringify(answers).includes(secret) && !kept.includes(secret))
})

test('a rule that nobody could keep is no rule, and only administrators make them', async () => {
  for (const min of [0, 33, 1.5, -1])
    assert.deepEqual([(await demand({ 'min-length': min })).result, min], [INVALID_ARG, min])
  const incomplete = await admin.send(setPasswordRules, { lower: true } as never)
  assert.equal(incomplete.result, INVALID_ARG)
  const mighty = join(hub, 'mighty', 2 ** 18 - 1)
  assert.equal((await mighty.send(setPasswordRules, STRICT)).result, NOT_PERMITTED)
  assert.ok(!('password-rules' in (await admin.send(whoAmI, {}))))
})

test('what was demanded stands in the log, and consoles are told that it changed', async () => {
  const { session, user } = hub.hub.store.changes.revs()
  await demand({ 'min-length': 10, digit: true })
  const revs = hub.hub.store.changes.revs()
  assert.ok(revs.session > session && revs.user > user)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual([list[0]?.event, list[0]?.detail], ['/usr/rules/set', 'min-length 10, digit'])
})

test('whether the first password stands is told of user 1 alone, and anew when it is set again', async () => {
  const first = md5('Admin')
  const stands = async () => (await admin.send(whoAmI, {}))['default-password']
  const set = (from: string, passwd: string) => admin.send(changePassword, { 'old-passwd': from, passwd })
  assert.equal(await stands(), true)
  assert.equal((await set(first, md5('other'))).result, SUCCESS)
  assert.equal(await stands(), undefined)
  assert.equal((await set(first, md5('else'))).result, MISMATCH)
  assert.equal((await set(md5('other'), first)).result, SUCCESS)
  assert.equal(await stands(), true)
  await admin.send(addUser, { name: 'vera', passwd: first })
  await admin.send(changePassword, { name: 'vera', passwd: first })
  assert.ok(!('default-password' in (await (await hub.signIn('vera', 'Admin')).send(whoAmI, {}))))
})

test.run()
