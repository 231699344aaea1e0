import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { GROUP_ADMIN, GROUP_VIEWER } from '../../../../contract/access/permissions.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../../../../contract/access/second-factor.ts'
import { changePassword, getSession, login, logout, reauthenticate } from '../../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { addGroup, listUsers, setGroup } from '../../../../contract/access/user.ts'
import {
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SECOND_FACTOR_REQUIRED,
  STATE_CHANGED,
  SUCCESS,
  WRONG_STATE
} from '../../../../contract/codes.ts'
import { listDevices } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { appCode } from '../../../kit/hub/app-code.ts'
import { addUser, type Client, md5, newPassword } from '../../../kit/hub/hub.ts'
import { hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('second-factor')

const SECOND = 1000
let now = 0
hubForEach(test, { sessionClock: () => now })

let client: Client
test.before.each(async () => {
  // The start of a time step.
  now = Math.floor(Date.now() / 30_000) * 30_000
  client = await hub.signIn()
})

const codeOf = (secret: string, time = now) => appCode(secret, time)
const nextStep = () => {
  now += 30 * SECOND
}
const pass = md5('Admin')
const signIn = (code?: string, address?: string) =>
  hub.client(address).send(login, { id: 'Admin', pass, ...(code && { code }) })

/** Sets up a second factor; afterwards a new time step begins. */
async function enroll(by = client): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await by.send(startSecondFactor, {})
  const { result, codes } = await by.send(enableSecondFactor, { secret, code: codeOf(secret) })
  assert.equal(result, SUCCESS)
  nextStep()
  return { secret, codes }
}

test('a second factor is on only after a code of the app has been entered', async () => {
  const { secret, uri, qr } = await client.send(startSecondFactor, {})
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.match(uri, new RegExp(`^otpauth://totp/Headend:Admin\\?issuer=Headend&secret=${secret}&`))
  assert.ok(qr.size > 20 && qr.path.startsWith('M'))
  assert.equal((await signIn()).result, SUCCESS, 'nothing has changed yet')
  const wrong = await client.send(enableSecondFactor, { secret, code: codeOf(secret, now + 3600 * SECOND) })
  assert.deepEqual([wrong.result, (wrong as { field?: string }).field], [MISMATCH, 'code'])
  assert.equal((await signIn()).result, SUCCESS)
  const { result, codes } = await client.send(enableSecondFactor, { secret, code: codeOf(secret) })
  assert.equal(result, SUCCESS)
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  assert.deepEqual((await client.send(getSession, {}))['second-factor'], { since: now, 'recovery-codes': 10 })
  assert.equal((await client.send(startSecondFactor, {})).result, WRONG_STATE)
  assert.equal((await client.send(enableSecondFactor, { secret, code: codeOf(secret) })).result, WRONG_STATE)
})

test('switching it on ends the other sessions, which have not proved it', async () => {
  const other = await hub.signIn()
  await enroll()
  assert.equal((await other.send(getSession, {})).result, NOT_LOGGED_IN)
  assert.equal((await client.send(getSession, {})).result, SUCCESS)
})

test('signing in asks for the code after the right password only, and opens no session without it', async () => {
  const { secret } = await enroll()
  const browser = hub.client()
  const asked = await browser.send(login, { id: 'Admin', pass })
  assert.equal(asked.result, SECOND_FACTOR_REQUIRED)
  assert.ok(!('token' in asked) && !('user' in asked))
  assert.equal(browser.cookie, '')
  const wrong = await browser.send(login, { id: 'Admin', pass: md5('wrong'), code: codeOf(secret) })
  assert.deepEqual(wrong, { result: MISMATCH }, 'the answer to a wrong password is the same for every user')
  const reply = await browser.send(login, { id: 'Admin', pass, code: codeOf(secret) })
  assert.equal(reply.result, SUCCESS)
  assert.deepEqual(reply['second-factor']?.['recovery-codes'], 10)
})

test('a code is accepted once, and from a clock that differs by up to one step', async () => {
  const { secret } = await enroll()
  assert.equal((await signIn(codeOf(secret, now - 60 * SECOND))).result, MISMATCH)
  assert.equal((await signIn(codeOf(secret, now - 30 * SECOND))).result, MISMATCH, 'used to switch it on')
  assert.equal((await signIn(codeOf(secret))).result, SUCCESS)
  assert.equal((await signIn(codeOf(secret))).result, MISMATCH, 'used before')
  assert.equal((await signIn(codeOf(secret, now + 30 * SECOND))).result, SUCCESS)
  nextStep()
  assert.equal((await signIn(codeOf(secret))).result, MISMATCH, 'used before, when it was the next one')
  now += 10 * SECOND
  assert.equal((await signIn(codeOf(secret, now + 60 * SECOND))).result, MISMATCH)
  now += 60 * SECOND
  const spaced = codeOf(secret, now - 30 * SECOND).replace(/^.../, '$& ')
  assert.equal((await signIn(spaced)).result, SUCCESS)
})

test('of two concurrent sign-ins with the same code one succeeds', async () => {
  const { secret } = await enroll()
  const code = codeOf(secret)
  const results = (await Promise.all([signIn(code), signIn(code)])).map(({ result }) => result)
  assert.deepEqual(results.sort(), [SUCCESS, MISMATCH])
})

test('each recovery code is accepted once, however it is typed, and logged; only hashes are stored', async () => {
  const { codes } = await enroll()
  const [first = '', second = ''] = codes
  assert.equal((await signIn(first)).result, SUCCESS)
  assert.equal((await signIn(first)).result, MISMATCH)
  assert.equal((await signIn(second.toUpperCase().replaceAll('-', ' '))).result, SUCCESS)
  assert.equal((await client.send(getSession, {}))['second-factor']?.['recovery-codes'], 8)
  const { database } = hub.parts.store
  const stored = JSON.stringify([database.all('SELECT * FROM recovery_code'), database.all('SELECT * FROM user')])
  for (const code of codes) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')))
  const { list } = await client.send(listLog, { type: 'system' })
  assert.equal(list.filter(({ event }) => event === 'recovery-code-used').length, 2)
  const renewed = await client.send(renewRecoveryCodes, {})
  assert.equal(renewed.codes.length, 10)
  assert.equal((await signIn(codes[2])).result, MISMATCH, 'new codes replace the old ones')
  assert.equal((await signIn(renewed.codes[0])).result, SUCCESS)
})

test('the secret is stored encrypted for its user, and is in no log', async () => {
  const { secret } = await enroll()
  const { database, users, encryption } = hub.parts.store
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
  for (const { name } of tables)
    assert.ok(!JSON.stringify(database.all(`SELECT * FROM ${name}`)).includes(secret), name)
  const stored = users.byId(1)?.second_factor ?? ''
  assert.equal(encryption.decrypt(stored, 'second factor of user 1'), secret)
  assert.equal(encryption.decrypt(stored, 'second factor of user 2'), undefined)
})

test('wrong codes lock out like wrong passwords', async () => {
  const { secret } = await enroll()
  for (let attempt = 0; attempt < 4; attempt++)
    assert.equal((await signIn('000000', '10.0.0.1'))['locked-s'], undefined, `${attempt}`)
  assert.equal((await signIn('000000', '10.0.0.1'))['locked-s'], 10)
  const locked = await signIn(codeOf(secret), '10.0.0.1')
  assert.deepEqual([locked.result, locked['locked-s']], [MISMATCH, 10])
  assert.equal((await signIn(codeOf(secret))).result, SUCCESS, 'not at an address where the user has signed in')
})

test('guesses from many addresses are slowed down for the user, except where the user has signed in before', async () => {
  const { secret } = await enroll()
  for (let address = 1; address <= 10; address++) await signIn('000000', `10.0.${address}.1`)
  const locked = await signIn(codeOf(secret), '10.1.0.1')
  assert.deepEqual([locked.result, locked['locked-s']], [MISMATCH, 10])
  assert.equal((await signIn(codeOf(secret))).result, SUCCESS)
  let guesses = 0
  // A day of guessing from a new address each time.
  for (const end = now + 86_400 * SECOND; now < end; now += 5 * SECOND) {
    const address = `10.2.${Math.floor(guesses / 200)}.${guesses % 200}`
    const { lockOut } = hub.parts
    if (lockOut.secondsToWaitForCode('Admin', address) > 0) continue
    lockOut.recordCodeFailure('Admin', address)
    guesses++
  }
  assert.ok(guesses < 150, `${guesses} guesses of a million codes in a day`)
})

test('a proof of the password needs the code, too', async () => {
  const { secret } = await enroll()
  now += 11 * 60 * SECOND
  assert.equal((await client.send(renewRecoveryCodes, {})).result, REAUTHENTICATION_REQUIRED)
  assert.equal((await client.send(reauthenticate, { pass })).result, SECOND_FACTOR_REQUIRED)
  assert.equal((await client.send(reauthenticate, { pass, code: '000000' })).result, MISMATCH)
  assert.equal((await client.send(renewRecoveryCodes, {})).result, REAUTHENTICATION_REQUIRED)
  assert.equal((await client.send(reauthenticate, { pass, code: codeOf(secret) })).result, SUCCESS)
  assert.equal((await client.send(renewRecoveryCodes, {})).result, SUCCESS)
})

test('setting it up needs a recent proof of the password, so an open console cannot be taken over with it', async () => {
  now += 11 * 60 * SECOND
  assert.equal((await client.send(startSecondFactor, {})).result, REAUTHENTICATION_REQUIRED)
})

test('switching it off needs password and code', async () => {
  const { secret } = await enroll()
  const code = codeOf(secret)
  assert.equal((await client.send(disableSecondFactor, { pass: md5('wrong'), code })).result, MISMATCH)
  assert.equal((await client.send(disableSecondFactor, { pass, code: '000000' })).result, MISMATCH)
  assert.equal((await signIn()).result, SECOND_FACTOR_REQUIRED)
  assert.equal((await client.send(disableSecondFactor, { pass, code })).result, SUCCESS)
  assert.equal((await signIn()).result, SUCCESS)
  assert.equal((await client.send(getSession, {}))['second-factor'], undefined)
  assert.equal((await client.send(disableSecondFactor, { pass, code })).result, WRONG_STATE)
  assert.equal((await client.send(renewRecoveryCodes, {})).result, WRONG_STATE)
  assert.deepEqual(hub.parts.store.database.all('SELECT * FROM recovery_code'), [])
})

test('an administrator resets the second factor of another user, whose sessions end; not the own one', async () => {
  const vera = await addUser(hub, 'vera', 1)
  await enroll(vera)
  await enroll()
  const { users = [] } = await client.send(listUsers, { type: 'usr' })
  assert.deepEqual(
    users.map((user) => user['second-factor']),
    [true, true]
  )
  const id = users.find(({ name }) => name === 'vera')?.id ?? 0
  assert.equal((await client.send(resetSecondFactor, { id: 1 })).result, NOT_PERMITTED)
  assert.equal((await client.send(resetSecondFactor, { id: 2 ** 20 })).result, NOT_EXIST)
  assert.equal((await client.send(resetSecondFactor, { id })).result, SUCCESS)
  assert.equal((await client.send(resetSecondFactor, { id })).result, WRONG_STATE)
  assert.equal((await vera.send(getSession, {})).result, NOT_LOGGED_IN)
  await hub.signIn('vera', 'vera')
  const { list } = await client.send(listLog, { type: 'operation' })
  assert.ok(
    list.some(({ event, detail, code }) => event === '/usr/second-factor/reset' && detail === 'vera' && code === 0)
  )
})

test('members of a group that demands it can do nothing but set it up', async () => {
  const vera = await addUser(hub, 'vera', 2 ** 18 - 1)
  const { groups = [] } = await client.send(listUsers, { type: 'group' })
  const { id, name } = groups.find((group) => group.name.includes('vera')) ?? { id: 0, name: '' }
  const demand = { 'require-second-factor': true }
  assert.equal((await client.send(setGroup, { id, was: demand, ...demand })).result, STATE_CHANGED)
  assert.equal((await client.send(setGroup, { id, ...demand })).result, SUCCESS)
  const refused = await vera.send(listDevices, {})
  assert.deepEqual(refused, { result: NOT_PERMITTED, 'must-enroll': true } as never)
  assert.equal((await vera.send(getSession, {}))['must-enroll'], true)
  assert.equal((await hub.client().send(login, { id: 'vera', pass: md5('vera') }))['must-enroll'], true)
  const { secret } = await enroll(vera)
  assert.equal((await vera.send(listDevices, {})).result, SUCCESS)
  assert.equal((await vera.send(getSession, {}))['must-enroll'], undefined)
  const off = await vera.send(disableSecondFactor, { pass: md5('vera'), code: codeOf(secret) })
  assert.equal(off.result, SUCCESS, 'to set it up again on a new phone')
  assert.equal((await vera.send(listDevices, {})).result, NOT_PERMITTED)
  await client.send(setGroup, { id, name, 'require-second-factor': false })
  assert.equal((await vera.send(listDevices, {})).result, SUCCESS)
})

test('the last administrator who demands it of the Admin group is asked to set it up, and locked out of nothing', async () => {
  const { token } = await client.send(addToken, { 'expired-time': NEVER_EXPIRES })
  assert.equal((await client.send(setGroup, { id: GROUP_ADMIN, 'require-second-factor': true })).result, SUCCESS)
  assert.equal((await client.send(listUsers, {})).result, NOT_PERMITTED)
  const program = hub.client()
  program.token = token
  assert.equal((await program.send(listDevices, {})).result, SUCCESS, 'a program has no phone')
  await enroll()
  assert.equal((await client.send(listUsers, {})).groups?.[0]?.['require-second-factor'], true)
  assert.equal((await client.send(setGroup, { id: GROUP_VIEWER, 'require-second-factor': true })).result, SUCCESS)
  assert.equal((await client.send(setGroup, { id: GROUP_VIEWER, desc: 'x' })).result, NOT_PERMITTED)
  const { id } = await client.send(addGroup, { name: 'Crew', permissions: 4, 'require-second-factor': true })
  assert.equal(hub.parts.store.users.group(id)?.require_second_factor, 1)
})

test('the default password from another machine is changed first, then the second factor is set up', async () => {
  await client.send(setGroup, { id: GROUP_ADMIN, 'require-second-factor': true })
  const remote = await hub.signIn('Admin', 'Admin', '192.0.2.7')
  assert.equal((await remote.send(startSecondFactor, {})).result, NOT_PERMITTED)
  await remote.send(changePassword, { 'old-passwd': pass, ...newPassword('my-password') })
  await enroll(remote)
  assert.equal((await remote.send(listDevices, {})).result, SUCCESS)
  assert.equal((await remote.send(logout, {})).result, SUCCESS)
})

test.run()
