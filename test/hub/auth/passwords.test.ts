import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { checkPassword, hashPassword } from '../../../hub/auth/passwords.ts'
import { md5 } from '../../kit/hub.ts'

const test = suite('passwords')

test('a password is kept as argon2id in PHC form, salted anew each time', async () => {
  const [one, two] = await Promise.all([hashPassword(md5('Admin')), hashPassword(md5('Admin'))])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.ok(!one.includes(md5('Admin')))
  assert.ok(await checkPassword(md5('Admin'), one))
  assert.ok(await checkPassword(md5('Admin'), two))
  assert.ok(!(await checkPassword(md5('admin'), one)))
})

test('where there is no such user nothing is right, and finding out takes as long', async () => {
  const stored = await hashPassword(md5('x'))
  const times = async (hash: string | undefined) => {
    const began = performance.now()
    for (let n = 0; n < 5; n++) assert.ok(!(await checkPassword(md5('y'), hash)))
    return performance.now() - began
  }
  await times(stored)
  const [known, unknown] = [await times(stored), await times(undefined)]
  // Skipping the work would take a hundredth; a busy machine makes a factor of a few.
  assert.ok(unknown > known / 10, `${known} ms and ${unknown} ms`)
})

test.run()
