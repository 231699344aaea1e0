import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession, logout } from '../../../../contract/access/session.ts'
import { redeemTicket } from '../../../../contract/access/ticket.ts'
import { listSessions } from '../../../../contract/access/user.ts'
import { MISMATCH, NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { SignInTickets, TICKETS_MAX } from '../../../../hub/auth/sign-in-tickets.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('sign-in ticket')

const MINUTE = 60_000

let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const callerOf = (client: Client) => {
  const caller = hub.parts.gate.caller({ get: (name) => (name === 'cookie' ? client.cookie : null) }, '127.0.0.1')
  assert.ok(caller)
  return caller
}

const issue = (onRedeemed?: () => void) => {
  const ticket = hub.parts.signInTickets.issue(callerOf(admin), MINUTE, onRedeemed)
  assert.ok(ticket)
  return ticket
}

test('a ticket opens one session of its user, once', async () => {
  let redeemed = 0
  const ticket = issue(() => redeemed++)
  const follower = hub.client('192.0.2.7')
  const response = await follower.send(redeemTicket, { ticket })
  assert.equal(response.result, SUCCESS)
  assert.equal(response.user.name, 'Admin')
  assert.equal(redeemed, 1)
  assert.equal((await follower.send(getSession, {})).result, SUCCESS)
  assert.equal((await admin.send(listSessions, {})).list.length, 2)
  const second = await hub.client().send(redeemTicket, { ticket })
  assert.deepEqual(second, { result: MISMATCH, field: 'ticket' })
  assert.equal(redeemed, 1)
})

test('the session of a ticket has proved the password when the first one did', async () => {
  const { session } = callerOf(admin)
  hub.parts.store.users.recordAuthentication(session, 1_000_000)
  const follower = hub.client()
  await follower.send(redeemTicket, { ticket: issue() })
  assert.equal(callerOf(follower).authenticatedAt, 1_000_000)
})

test('a ticket ends with the session that asked for it', async () => {
  const ticket = issue()
  await admin.send(logout, {})
  const follower = hub.client()
  assert.equal((await follower.send(redeemTicket, { ticket })).result, MISMATCH)
  assert.equal((await follower.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('a wrong ticket is refused, and the log names the user of a right one, never the ticket', async () => {
  assert.equal((await hub.client().send(redeemTicket, { ticket: 'x'.repeat(43) })).result, MISMATCH)
  const ticket = issue()
  await hub.client().send(redeemTicket, { ticket })
  const { list } = await admin.send(listLog, { type: 'operation', start: 0, count: 10 })
  assert.ok(JSON.stringify(list).includes('/session/redeem'))
  assert.ok(!JSON.stringify(list).includes(ticket))
})

test('a ticket expires, and the oldest one makes room', () => {
  let now = 0
  const tickets = new SignInTickets(() => now)
  const caller = { session: 'a', byToken: false, display: undefined }
  const first = tickets.issue(caller, MINUTE) as string
  now = MINUTE
  assert.equal(tickets.redeem(first), undefined)
  const oldest = tickets.issue(caller, MINUTE) as string
  for (let count = 0; count < TICKETS_MAX; count++) tickets.issue(caller, MINUTE)
  assert.equal(tickets.redeem(oldest), undefined)
})

test('an access token and a wall display get no ticket', () => {
  const tickets = new SignInTickets()
  assert.equal(tickets.issue({ session: 'token:1', byToken: true, display: undefined }, MINUTE), undefined)
  assert.equal(tickets.issue({ session: 'a', byToken: false, display: 'Foyer' }, MINUTE), undefined)
})

test.run()
