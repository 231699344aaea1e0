import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, waitForText } from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('follow')

hubForEach(test)

function issueTicket(): string {
  const headers = { get: (name: string) => (name === 'cookie' ? other.cookie : null) }
  const caller = hub.parts.gate.caller(headers, '127.0.0.1')
  return (caller && hub.parts.signInTickets.issue(caller, 60_000)) as string
}

test('a link with a ticket signs in and opens its page, and the ticket leaves the address bar', async () => {
  const ticket = issueTicket()
  const console = await openConsole(hub, { user: null, at: linkTo('follow', { ticket, to: '/settings/certificate' }) })
  await until(() => console.currentPath() === ROUTES.certificate, 'the page of the link')
  await findByRole('heading', 'Certificate')
  assert.ok(!location.href.includes(ticket))
})

test('an expired ticket leads to the login page, which returns to the page of the link', async () => {
  await openConsole(hub, { user: null, at: linkTo('follow', { ticket: 'used', to: '/settings/certificate' }) })
  await waitForText(/This link has expired/)
  const link = (await findByRole('link', 'Sign in')) as HTMLAnchorElement
  assert.equal(link.hash, '#/login?return_url=%2Fsettings%2Fcertificate')
})

test('a page of another site is never opened', async () => {
  const ticket = issueTicket()
  const console = await openConsole(hub, { user: null, at: linkTo('follow', { ticket, to: '//evil.example/' }) })
  await until(() => console.currentPath() === ROUTES.dashboard, 'the dashboard')
})

test.run()
