import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { hashPassword, verifyPassword } from '../../accounts/passwords.ts'
import { md5 } from '../kit/hub/hub.ts'

const test = suite('passwords')

test('a password is hashed with argon2id in PHC format, with a new salt each time', async () => {
  const [firstHash, secondHash] = await Promise.all([hashPassword(md5('Admin')), hashPassword(md5('Admin'))])
  assert.match(firstHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(firstHash, secondHash)
  assert.ok(!firstHash.includes(md5('Admin')))
  assert.ok(await verifyPassword(md5('Admin'), firstHash))
  assert.ok(await verifyPassword(md5('Admin'), secondHash))
  assert.ok(!(await verifyPassword(md5('admin'), firstHash)))
})

test('for an unknown user every password is wrong, after the same time', async () => {
  const storedHash = await hashPassword(md5('x'))
  const measure = async (hash: string | undefined) => {
    const startedAt = performance.now()
    for (let n = 0; n < 5; n++) assert.ok(!(await verifyPassword(md5('y'), hash)))
    return performance.now() - startedAt
  }
  await measure(storedHash)
  const [known, unknown] = [await measure(storedHash), await measure(undefined)]
  // Without hashing it would take a hundredth of the time; a busy machine causes a factor of a few.
  assert.ok(unknown > known / 10, `${known} ms and ${unknown} ms`)
})

test.run()
