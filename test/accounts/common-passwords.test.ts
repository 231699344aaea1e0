import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { isCommonPassword } from '../../accounts/common-passwords.ts'
import { checkPassword } from '../../contract/access/session.ts'
import { addUser } from '../../contract/access/user.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../contract/rules/password.ts'
import { md5, newPassword } from '../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../kit/hub/hub-for-each.ts'

const test = suite('common passwords')

hubForEach(test)

test('passwords that attackers try first are known, in several spellings, and others are not', () => {
  for (const word of ['password', 'Password', 'PASSWORD', '12345678', 'aaaaaaaa', 'qwertyuiop', 'iloveyou'])
    assert.equal(isCommonPassword(md5(word)), true, word)
  for (const word of ['Studio-Hub-1', 'mz4_kq9+tw', '']) assert.equal(isCommonPassword(md5(word)), false, word)
})

test('the list has some thousand passwords that the hub would accept, with its origin and licence', () => {
  const text = readFileSync('accounts/common-passwords.txt', 'utf8')
  const [head = '', list = ''] = text.split('\n---\n')
  assert.match(head, /zxcvbn[\s\S]*Permission is hereby granted/)
  const words = list.split('\n').filter(Boolean)
  assert.equal(words.length, 3000)
  const rule = makePasswordRule(NO_PASSWORD_RULES, '')
  assert.deepEqual(
    words.filter((word) => word.length < 8 || rule(word)),
    []
  )
})

test('a common password is a warning: it is accepted', async () => {
  assert.equal((await admin.send(checkPassword, { passwd: md5('password') })).common, true)
  const { result } = await admin.send(addUser, { name: 'anna', 'group-id': 4, ...newPassword('password') })
  assert.equal(result, SUCCESS)
})

test('who has to replace the default password can ask, too', async () => {
  const afar = hub.clientAs('Admin', '192.0.2.9')
  assert.equal((await afar.send(checkPassword, { passwd: md5('password') })).common, true)
})

test.run()
