import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enableSecondFactor, startSecondFactor } from '../../contract/access/second-factor.ts'
import { getSession, login } from '../../contract/access/session.ts'
import { MISMATCH, NOT_LOGGED_IN, SECOND_FACTOR_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import { listLog } from '../../contract/log.ts'
import { NO_PASSWORD_RULES } from '../../contract/rules/password.ts'
import { appCode } from '../kit/hub/app-code.ts'
import { md5, startHub, type TestHub } from '../kit/hub/hub.ts'
import { suite } from '../kit/runner/suite.ts'
import { runUserCommand } from '../kit/user-command.ts'

const test = suite('reset-password')
let data: string
let hub: TestHub
test.before.each(async () => {
  data = mkdtempSync(join(tmpdir(), 'reset-'))
  hub = await startHub({ data })
})
test.after.each(async () => {
  await hub.close()
  rmSync(data, { recursive: true })
})

const run = (...words: string[]) => runUserCommand('reset-password', data, ...words)

/** Resets the password of Admin while the hub is stopped. @returns the printed password and the whole output */
async function resetPassword(): Promise<{ password: string; output: string }> {
  await hub.close()
  const { status, output } = run('Admin')
  hub = await startHub({ data })
  assert.equal(status, 0, output)
  const [, password = ''] = /^New password of Admin: (\S+)$/m.exec(output) ?? []
  return { password, output }
}

test('while the hub is stopped, the command sets a new password for a user and ends all sessions of the user', async () => {
  const session = await hub.signIn()
  const { password, output } = await resetPassword()
  assert.doesNotMatch(output, /second factor/)
  const stale = hub.client()
  stale.cookie = session.cookie
  assert.equal((await stale.send(getSession, {})).result, NOT_LOGGED_IN)

  const browser = hub.client()
  assert.equal((await browser.send(login, { id: 'Admin', pass: md5('Admin') })).result, MISMATCH)
  const reply = await browser.send(login, { id: 'Admin', pass: md5(password) })
  assert.equal(reply.result, SUCCESS)
  assert.equal(reply['default-password'], undefined)
  const { list } = await browser.send(listLog, { type: 'system' })
  const entry = list.find(({ event }) => event === 'password-reset')
  assert.deepEqual([entry?.detail, entry?.level], ['Admin', 2])
  assert.ok(!JSON.stringify(list).includes(password))
})

test('the new password meets the password rules of the hub', async () => {
  hub.parts.store.settings.set('pwd-rule', { ...NO_PASSWORD_RULES, number: 24, length: 30 })
  const { password } = await resetPassword()
  assert.ok(password.length === 30 && (password.match(/\d/g) ?? []).length >= 24, 'the rules are not met')
})

test('the second factor stays, and the command says so', async () => {
  const client = await hub.signIn()
  const { secret } = await client.send(startSecondFactor, {})
  assert.equal((await client.send(enableSecondFactor, { secret, code: appCode(secret) })).result, SUCCESS)
  const { password, output } = await resetPassword()
  assert.match(output, /The second factor stays/)
  const reply = await hub.client().send(login, { id: 'Admin', pass: md5(password) })
  assert.equal(reply.result, SECOND_FACTOR_REQUIRED)
})

test('while the hub runs, and for an unknown user, nothing is changed', async () => {
  const running = run('Admin')
  assert.equal(running.status, 75)
  assert.match(running.output, /Stop the hub first.*Nothing was changed/s)
  await hub.close()
  const unknown = run('nobody')
  assert.equal(unknown.status, 1)
  assert.match(unknown.output, /There is no user nobody, only Admin\. Nothing was changed/)
  hub = await startHub({ data })
  assert.equal((await hub.client().send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
})

test.run()
