// Webhooks, received by a web server that checks their signatures.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { WebhookConfig } from '../../../../contract/alert/webhook.schema.ts'
import type { AlertMessage } from '../../../../hub/alerts/sender.ts'
import { webhookSender } from '../../../../hub/alerts/senders/webhook.ts'
import { sendError } from '../../../kit/hub/alerts/message.ts'
import { startWebhookReceiver } from '../../../kit/hub/alerts/webhook-receiver.ts'

const test = suite('webhooks')

const SECRET = 'signs every message'

const MESSAGE: AlertMessage = {
  id: 'a1-problem',
  alarm: 'a1',
  state: 'problem',
  severity: 'bad',
  since: 1_795_846_013_071,
  title: 'Two channels are down <!channel> @everyone',
  text: 'Hall\nChapel & yard',
  cause: 'device-offline',
  concerns: [{ kind: 'channel', id: 'channel-3', name: 'Hall' }],
  concernCount: 2,
  hub: { name: 'Campus', sn: 'H1' }
}

const send = (config: WebhookConfig, message: Partial<AlertMessage> = {}) =>
  webhookSender.send({ ...MESSAGE, ...message }, config, AbortSignal.timeout(10_000))

const failure = (config: WebhookConfig) => sendError(send(config))

test('a receiver can check that a message is from this hub, and unchanged', async () => {
  const receiver = await startWebhookReceiver({ secret: SECRET })
  assert.equal(await send({ url: `${receiver.url}/hook?x=1`, secret: SECRET }), '200 OK ok')
  await send({ url: receiver.url, secret: 'another key' })
  await send({ url: receiver.url })
  assert.deepEqual(
    receiver.received.map(({ isSigned, path }) => [isSigned, path]),
    [
      [true, '/hook?x=1'],
      [false, '/'],
      [false, '/']
    ]
  )
  const [first, , unsigned] = receiver.received
  assert.equal(first?.headers['x-headend-id'], MESSAGE.id)
  assert.equal(unsigned?.headers['x-headend-signature'], undefined)
  const { concernCount, ...rest } = MESSAGE
  assert.deepEqual(first?.message, { ...rest, 'concern-count': concernCount })
  await receiver.close()
})

test('each service gets its format, in which no name mentions anybody', async () => {
  const receiver = await startWebhookReceiver()
  for (const template of ['slack', 'teams', 'discord', 'telegram'] as const)
    await send({ url: receiver.url, template, chat: '-100' }, { text: 'x'.repeat(5000) })
  const [slack, teams, discord, telegram] = receiver.received.map(({ message }) => message)
  assert.match(String(slack?.text), /^🔴 Two channels are down &lt;!channel&gt; @everyone\nx{5000}$/)
  assert.match(JSON.stringify(teams), /"contentType":"application\/vnd.microsoft.card.adaptive".*🔴 Two channels/)
  assert.deepEqual([String(discord?.content).length, discord?.allowed_mentions], [2000, { parse: [] }])
  assert.deepEqual([String(telegram?.text).length, telegram?.chat_id], [4096, '-100'])
  await receiver.close()
})

test('an answer has no secrets, one line, and at most 500 characters', async () => {
  const receiver = await startWebhookReceiver({
    respond: ({ path }) => ({ status: 200, body: `got ${path} ${SECRET}\r\n\u2028${'y'.repeat(3000)}` })
  })
  const answer = await send({ url: `${receiver.url}/bot123:token/sendMessage`, secret: SECRET })
  assert.match(answer, /^200 OK got … … y+$/)
  assert.equal(answer.length, 500)
  await receiver.close()
})

test('a refusal is final, and a temporary failure is tried again', async () => {
  const finals: unknown[] = []
  for (const status of [302, 401, 404, 408, 429, 500, 503]) {
    const receiver = await startWebhookReceiver({
      respond: () => ({ status, headers: { location: 'http://127.0.0.1:1/' } })
    })
    const { isFinal, text } = await failure({ url: receiver.url })
    assert.match(text[0], new RegExp(`^The server answered ${status} `))
    finals.push([status, isFinal, receiver.received.length])
    await receiver.close()
  }
  assert.deepEqual(finals, [
    [302, true, 1],
    [401, true, 1],
    [404, true, 1],
    [408, false, 1],
    [429, false, 1],
    [500, false, 1],
    [503, false, 1]
  ])
})

test('a server that is away is tried again; a forbidden address is not', async () => {
  const receiver = await startWebhookReceiver()
  await receiver.close()
  const away = await failure({ url: receiver.url })
  assert.deepEqual([away.isFinal, away.text[0]], [false, 'No program listens on this port of the server.'])
  const forbidden = await failure({ url: 'http://169.254.169.254/latest' })
  assert.deepEqual([forbidden.isFinal, forbidden.text[0]], [true, 'This address is not allowed for a server.'])
})

test('HTTPS to a port that answers with HTTP fails in plain words, and is tried again', async () => {
  const receiver = await startWebhookReceiver()
  const { isFinal, text } = await failure({ url: receiver.url.replace('http:', 'https:') })
  assert.deepEqual([isFinal, text[0]], [false, 'The server does not use TLS on this port.'])
  await receiver.close()
})

test('addresses that the policy forbids, with a login, and of other protocols cannot be stored', () => {
  const accepts = (url: string, config = {}) => WebhookConfig.safeParse({ url, ...config }).success
  for (const url of ['http://hooks.example.com/a?b#c', 'https://10.0.0.1:8443/', 'http://[2001:db8::1]/x'])
    assert.equal(accepts(url), true, url)
  for (const url of [
    ...['http://169.254.169.254/', 'http://[fe80::1]/', 'http://[fd00:ec2::254]/', 'http://0xa9fea9fe/'],
    ...['http://user:secret@hooks.example.com/', 'ftp://hooks.example.com/', 'http://', 'http://a b/', 'http:\\\\a/']
  ])
    assert.equal(accepts(url), false, url)
  assert.equal(accepts('https://api.telegram.org/bot1/sendMessage', { template: 'telegram' }), false)
})

test.run()
