import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { changePassword, login } from '../../../contract/access/session.ts'
import { MISMATCH, SECOND_FACTOR_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { md5, newPassword, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'

const test = suite('setup code')

/** The codes that the hub has shown on its machine, the newest last; undefined = none is needed. */
let shown: (string | undefined)[] = []
let hub: TestHub
test.before.each(async () => {
  shown = []
  hub = await startHub({ announceSetupCode: (code) => shown.push(code) })
})
test.after.each(() => hub.close())

const signIn = (address: string, setupCode?: string, password = 'Admin') =>
  hub.client(address).send(login, {
    id: 'Admin',
    pass: md5(password),
    ...(setupCode !== undefined && { 'setup-code': setupCode })
  })

test('the default password takes the code of the machine from elsewhere, and none on the machine itself', async () => {
  const [code = ''] = shown
  assert.match(code, /^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  assert.equal((await signIn('127.0.0.1')).result, SUCCESS)
  const asked = await signIn('192.0.2.9')
  assert.deepEqual([asked.result, asked.field], [SECOND_FACTOR_REQUIRED, 'setup-code'])
  const wrong = await signIn('192.0.2.9', '0000-0000')
  assert.deepEqual([wrong.result, wrong.field], [MISMATCH, 'setup-code'])
  assert.equal((await signIn('192.0.2.9', code, 'wrong')).field, undefined, 'the password comes first')
  assert.equal((await signIn('192.0.2.9', code.toLowerCase().replace('-', ' '))).result, SUCCESS)
})

test('guesses of the code are locked out like those of a second factor, and the code is in no log', async () => {
  const [code = ''] = shown
  for (let n = 0; n < 5; n++) await signIn('192.0.2.9', `0000-000${n}`)
  const locked = await signIn('192.0.2.9', code)
  assert.equal(locked.result, MISMATCH)
  assert.ok((locked['locked-s'] ?? 0) > 0)
  const admin = hub.clientAs()
  for (const type of ['operation', 'system'] as const)
    assert.doesNotMatch(JSON.stringify(await admin.send(listLog, { type })), new RegExp(code))
})

test('the code ends with the default password', async () => {
  const admin = hub.clientAs()
  const request = { 'old-passwd': md5('Admin'), ...newPassword('Studio-Hub-1') }
  assert.equal((await admin.send(changePassword, request)).result, SUCCESS)
  assert.deepEqual(shown.slice(1), [undefined])
  assert.equal((await signIn('192.0.2.9', undefined, 'Studio-Hub-1')).result, SUCCESS)
})

test('the code ends with the hub', async () => {
  const codes: (string | undefined)[] = []
  const other = await startHub({ announceSetupCode: (code) => codes.push(code) })
  assert.equal(codes.length, 1)
  await other.close()
  assert.deepEqual(codes.slice(1), [undefined])
})

test('SETUP_CODE=1 lets a hub ask for the code that does not manage its machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-setup-code-'))
  const file = join(folder, 'code')
  const wrapper = ['env', 'MACHINE=view', 'SETUP_CODE=1', `SETUP_CODE_FILE=${file}`]
  const demo = await startHubProcess(join(folder, 'data'), undefined, undefined, wrapper)
  try {
    assert.match(readFileSync(file, 'utf8'), /^Headend setup code: \S{4}-\S{4}\n/)
  } finally {
    await demo.kill()
    rmSync(folder, { recursive: true })
  }
})

test('a hub that does not manage its machine asks for no code', async () => {
  const demo = await startHub()
  try {
    assert.equal((await demo.client('192.0.2.9').send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
  } finally {
    await demo.close()
  }
})

test.run()
