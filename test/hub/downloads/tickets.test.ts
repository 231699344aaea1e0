import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DOWNLOAD_TICKETS_MAX } from '../../../contract/file/download.ts'
import { DownloadTickets } from '../../../hub/downloads/tickets.ts'

const test = suite('download tickets')

const MINUTE = 60_000
const grant = (userId: number, file = 'a') => ({ session: `s${userId}`, userId, file })

test('a ticket leads to its file for 10 minutes, as often as it is used', () => {
  let now = 0
  const tickets = new DownloadTickets<string>(() => now)
  const ticket = tickets.issue(grant(1))
  now = 10 * MINUTE - 1
  assert.equal(tickets.find(ticket)?.file, 'a')
  assert.equal(tickets.find(ticket)?.file, 'a')
  now = 10 * MINUTE
  assert.equal(tickets.find(ticket), undefined)
})

test('a ticket has 256 random bits, and no other text is accepted for its file', () => {
  const tickets = new DownloadTickets<string>()
  const issued = new Set(Array.from({ length: 100 }, () => tickets.issue(grant(1))))
  assert.equal(issued.size, 100)
  const [ticket = ''] = [...issued].slice(-1)
  assert.match(ticket, /^[\w-]{43}$/)
  for (const guess of ['', ticket.slice(1), `${ticket} `, ticket.toUpperCase(), '__proto__'])
    assert.equal(tickets.find(guess), undefined, guess)
})

test('a user has 16 tickets: another one replaces the oldest of this user alone', () => {
  const tickets = new DownloadTickets<string>()
  const others = tickets.issue(grant(2))
  const own = Array.from({ length: DOWNLOAD_TICKETS_MAX + 1 }, () => tickets.issue(grant(1)))
  assert.deepEqual(
    own.map((ticket) => tickets.find(ticket) !== undefined),
    [false, ...Array.from({ length: 16 }, () => true)]
  )
  assert.ok(tickets.find(others))
})

test('expired tickets take no memory', () => {
  let now = 0
  const tickets = new DownloadTickets<string>(() => now)
  for (let user = 0; user < 32; user++) tickets.issue(grant(user))
  now = 11 * MINUTE
  tickets.issue(grant(1))
  assert.equal(tickets.size, 1)
})

test.run()
