// Tests of e-mail with a real SMTP server, with and without TLS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { DESTINATION_KINDS } from '../../../../contract/alert/destination-kinds.schema.ts'
import type { EmailConfig } from '../../../../contract/alert/email.ts'
import { emailSender } from '../../../../hub/alerts/senders/email.ts'
import { PROBLEM, RECOVERED, sendError, unaborted } from '../../../kit/hub/alerts/message.ts'
import { startSmtpServer } from '../../../kit/hub/alerts/smtp-server.ts'
import { makePair, type Pair } from '../../../kit/tls/certificates.ts'
import { until } from '../../../kit/until.ts'

const test = suite('e-mail')

const PASSWORD = 'zSecretHush'
const ADDRESSES = { from: 'hub@studio.test', to: ['duty@studio.test', 'night@studio.test'] }

let authority: Pair
let identity: Pair

test.before(() => {
  authority = makePair({ name: 'Studio CA', isAuthority: true })
  identity = makePair({ name: 'mail.test', names: 'DNS:mail.test,IP:127.0.0.1', issuer: authority })
})

const toPort = (port: number, more: Partial<EmailConfig> = {}): EmailConfig => ({
  ...{ host: '127.0.0.1', port, ...ADDRESSES },
  'certificate-check': 'own-ca',
  'trusted-certificates': authority.cert,
  ...more
})

const startServer = (options: Parameters<typeof startSmtpServer>[0] = {}) =>
  startSmtpServer({
    ...identity,
    onAuth: ({ username, password }, _session, done) =>
      username === 'hub' && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error('wrong'), undefined),
    ...options
  })

/** Decodes quoted-printable (RFC 2045, 6.7). */
const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  ).toString()

test('a message is sent encrypted, with a login, to all recipients, as text and HTML', async () => {
  const server = await startServer({ authOptional: false })
  const answer = await emailSender.send(PROBLEM, toPort(server.port, { user: 'hub', password: PASSWORD }), unaborted())
  assert.equal(answer, '250 2.0.0 queued as 77')
  const [mail] = server.mails
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to, mail.isSecure, mail.user], [ADDRESSES.from, ADDRESSES.to, true, 'hub'])
  assert.match(mail.source, /^Content-Type: text\/plain; charset=utf-8/m)
  assert.match(mail.source, /^Content-Type: text\/html; charset=utf-8/m)
  const html = quotedPrintable(mail.source.split('text/html')[1] ?? '')
  assert.match(
    html,
    /Channel 体育 is off air<br>Channel &#60;b&#62;News&#60;\/b&#62; is off air/,
    'names of channels are no HTML'
  )
  await server.close()
})

test('a title or a name with line breaks adds no header and no recipient', async () => {
  const server = await startServer()
  const hub = { ...PROBLEM.hub, name: 'Studio\r\nBcc: everybody@evil.test' }
  await emailSender.send({ ...PROBLEM, hub }, toPort(server.port), unaborted())
  const [mail] = server.mails
  assert.deepEqual(mail?.to, ADDRESSES.to)
  const headers = mail?.source.split('\r\n\r\n')[0] ?? ''
  assert.doesNotMatch(headers, /^Bcc:/im)
  const schema = DESTINATION_KINDS.email.config
  for (const address of ['a@b.test\r\nBcc: c@d.test', 'a@b.test, c@d.test', 'Name <a@b.test>', 'a b@c.test', '@c.test'])
    assert.equal(schema.safeParse(toPort(25, { to: [address] })).success, false, address)
  assert.equal(schema.safeParse(toPort(25)).success, true)
  await server.close()
})

test('each attempt has the same message ID, and a recovery is in the thread of its problem', async () => {
  const server = await startServer()
  for (const message of [PROBLEM, PROBLEM, RECOVERED]) await emailSender.send(message, toPort(server.port), unaborted())
  const header = (name: string) =>
    server.mails.map(({ source }) => new RegExp(`^${name}: (.*)$`, 'm').exec(source)?.[1])
  const [first, second, third] = header('Message-ID')
  assert.equal(first, second)
  assert.notEqual(first, third)
  assert.equal(new Set(header('References')).size, 1)
  await server.close()
})

test('a password that the server refuses is a final error, and stands in no text', async () => {
  const server = await startServer()
  const config = toPort(server.port, { user: 'hub', password: 'wrongHush' })
  const error = await sendError(emailSender.send(PROBLEM, config, unaborted()))
  assert.ok(error.isFinal)
  assert.match(error.text[0], /^The server refuses the login: 535 /)
  assert.doesNotMatch(`${error.text} ${error.stack}`, /wrongHush/)
  assert.deepEqual(server.mails, [])
  await server.close()
})

test('a recipient that the server does not know is a final error, a mailbox that is full is not', async () => {
  const replies = new Map([
    [550, true],
    [452, false]
  ])
  for (const [responseCode, isFinal] of replies) {
    const server = await startServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not taken'), { responseCode }))
    })
    const error = await sendError(emailSender.send(PROBLEM, toPort(server.port), unaborted()))
    assert.deepEqual([error.isFinal, error.text[0]], [isFinal, `The server answered ${responseCode} not taken`])
    await server.close()
  }
})

test('the message goes to the recipients that the server takes, and the answer names the others', async () => {
  const server = await startServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('night') ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null)
  })
  const answer = await emailSender.send(PROBLEM, toPort(server.port), unaborted())
  assert.equal(answer, '250 2.0.0 queued as 77 (refused: night@studio.test)')
  assert.deepEqual(server.mails[0]?.to, ['duty@studio.test'])
  await server.close()
})

test('a certificate that nobody known has signed gets no password; it can be accepted', async () => {
  for (const security of ['tls', 'starttls'] as const) {
    const logins: string[] = []
    const server = await startServer({
      secure: security === 'tls',
      onAuth: ({ password }, _session, done) => {
        logins.push(String(password))
        done(null, { user: 'hub' })
      }
    })
    const login = { security, user: 'hub', password: PASSWORD }
    const strict = toPort(server.port, { ...login, 'certificate-check': 'verify' })
    const error = await sendError(emailSender.send(PROBLEM, strict, unaborted()))
    assert.match(error.text[0], /certificate/, security)
    assert.equal(error.isFinal, false)
    const name = toPort(server.port, { ...login, host: 'localhost' })
    await sendError(emailSender.send(PROBLEM, name, unaborted()))
    assert.deepEqual(logins, [], 'also with the certificate of another name')
    const any = toPort(server.port, { ...login, 'certificate-check': 'accept-any' })
    await emailSender.send(PROBLEM, any, unaborted())
    assert.deepEqual([logins, server.mails[0]?.isSecure], [[PASSWORD], true], security)
    await server.close()
  }
})

test('with STARTTLS nothing is sent to a server that offers no encryption, and none without it takes no password', async () => {
  const server = await startServer({ disabledCommands: ['STARTTLS'] })
  const error = await sendError(emailSender.send(PROBLEM, toPort(server.port), unaborted()))
  assert.equal(error.text[0], 'The server offers no encryption.')
  assert.equal(server.mails.length, 0)
  await emailSender.send(PROBLEM, toPort(server.port, { security: 'none' }), unaborted())
  assert.equal(server.mails[0]?.isSecure, false)
  const plain = toPort(25, { security: 'none', user: 'hub', password: PASSWORD })
  assert.equal(DESTINATION_KINDS.email.config.safeParse(plain).success, false)
  await server.close()
})

test('the attempt ends when it is aborted, and leaves no connection', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const open: Socket[] = []
  silent.on('connection', (socket) => open.push(socket))
  const controller = new AbortController()
  const attempt = sendError(emailSender.send(PROBLEM, toPort(port), controller.signal))
  await until(() => open.length === 1, 'the hub has connected')
  controller.abort()
  const error = await attempt
  assert.deepEqual([error.text[0], error.isFinal], ['The server does not answer.', false])
  await until(() => open[0]?.resume().destroyed, 'the connection is closed')
  silent.close()
})

test('no connection is made to addresses that the policy forbids', async () => {
  const config = toPort(25, { host: '169.254.169.254' })
  const error = await sendError(emailSender.send(PROBLEM, config, unaborted()))
  assert.ok(error.isFinal)
  assert.equal(DESTINATION_KINDS.email.config.safeParse(config).success, false)
})

test.run()
