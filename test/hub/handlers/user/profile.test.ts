import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setProfile } from '../../../../contract/access/profile.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { listUsers } from '../../../../contract/access/user.ts'
import { INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('own profile')
hubForEach(test)

const usersByName = async () => {
  const { users = [] } = await admin.send(listUsers, { type: 'usr' })
  return new Map(users.map((user) => [user.name, user]))
}

test('a user without permissions can set the own display name only', async () => {
  const anna = addSignedInUser(hub, 'anna', 0)
  // Further fields are ignored: the session says whose name it is.
  assert.equal(
    (await anna.send(setProfile, { nick: 'Anna B.', id: 1, name: 'Admin' } as { nick: string })).result,
    SUCCESS
  )
  const users = await usersByName()
  assert.deepEqual([users.get('anna')?.nick, users.get('Admin')?.nick], ['Anna B.', ''])
  assert.equal((await anna.send(getSession, {})).user.nick, 'Anna B.')
  const [entry] = (await admin.send(listLog, { type: 'operation' })).list
  assert.deepEqual([entry?.user, entry?.text], ['anna', 'Change display name: anna'])
  assert.equal((await anna.send(setProfile, { nick: '' })).result, SUCCESS)
  assert.equal((await anna.send(getSession, {})).user.nick, undefined)
})

test('a name that is too long or not printable changes nothing', async () => {
  await admin.send(setProfile, { nick: 'Control room' })
  for (const nick of ['x'.repeat(33), ' x', 'a\u0000b', 'a\nb', 7, null]) {
    const reply = await admin.send(setProfile, { nick } as { nick: string })
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, 'nick'], JSON.stringify(nick))
  }
  assert.equal((await admin.send(getSession, {})).user.nick, 'Control room')
})

test('callers without a session and access tokens cannot set a display name', async () => {
  assert.equal((await hub.client().send(setProfile, { nick: 'x' })).result, NOT_LOGGED_IN)
  const { token } = await admin.send(addToken, {
    'expired-time': NEVER_EXPIRES,
    scopes: ['read', 'settings', 'devices', 'channels']
  })
  const program = hub.client()
  program.token = token
  assert.equal((await program.send(setProfile, { nick: 'x' })).result, NOT_PERMITTED)
})

test.run()
