// Tests of Apprise with the real program.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { DESTINATION_KINDS } from '../../../../contract/alert/destination-kinds.schema.ts'
import { appriseSender } from '../../../../hub/alerts/senders/apprise.ts'
import { PROBLEM, RECOVERED, sendError, unaborted } from '../../../kit/hub/alerts/message.ts'
import { LIMIT, until } from '../../../kit/until.ts'

const test = suite('Apprise')

const TOKEN = 'tokenHush'

/** Arguments of all programs that this process has started. */
const argumentsOfChildren = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isChild = new RegExp(`^PPid:\\t${process.pid}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        return isChild ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
      } catch {
        // It has ended.
        return []
      }
    })

interface Received {
  body: { title: string; message: string; type: string }
  path: string
  /** Arguments of the running program. */
  args: string[]
}

async function startService(status: number): Promise<{ server: Server; url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ body: JSON.parse(text), path: request.url ?? '', args: argumentsOfChildren() })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `json://127.0.0.1:${(server.address() as AddressInfo).port}/${TOKEN}`, received }
}

test('the program sends a message, and no argument of it has a secret', async () => {
  const { server, url, received } = await startService(200)
  await appriseSender.send(PROBLEM, { urls: [url] }, unaborted())
  await appriseSender.send(RECOVERED, { urls: [url] }, unaborted())
  const [problem, recovered] = received
  assert.deepEqual(
    [problem?.path, problem?.body.title, problem?.body.message.trim(), problem?.body.type, recovered?.body.type],
    [
      ...[`/${TOKEN}`, 'Switch “North” <offline> & 2 channels Bcc: everybody@evil.test'],
      ...[PROBLEM.text, 'failure', 'success']
    ]
  )
  const args = problem?.args.filter((each) => each.includes('apprise')) ?? []
  assert.equal(args.length, 1)
  assert.doesNotMatch(args.join(' '), new RegExp(TOKEN))
  server.close()
})

test('a message that a service refuses is tried again, and no answer has a part of its URL', async () => {
  const { server, url } = await startService(403)
  const error = await sendError(appriseSender.send(PROBLEM, { urls: [url] }, unaborted()))
  assert.equal(error.isFinal, false)
  assert.match(error.text[0], /^Apprise could not send: .*403/)
  assert.doesNotMatch(`${error.text} ${error.stack}`, new RegExp(TOKEN))
  server.close()
})

test('without the program the answer says that it is not installed', async () => {
  const { PATH } = process.env
  process.env.PATH = '/nonexistent'
  try {
    const error = await sendError(appriseSender.send(PROBLEM, { urls: ['json://127.0.0.1:9'] }, unaborted()))
    assert.equal(error.text[0], 'Apprise is not installed on the machine of the hub.')
  } finally {
    process.env.PATH = PATH
  }
})

test('the program ends with the attempt', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const controller = new AbortController()
  const attempt = sendError(appriseSender.send(PROBLEM, { urls: [`json://127.0.0.1:${port}`] }, controller.signal))
  await once(silent, 'request', { signal: AbortSignal.timeout(LIMIT) })
  controller.abort()
  assert.equal((await attempt).text[0], 'The server does not answer.')
  await until(() => !argumentsOfChildren().some((each) => each.includes('apprise')), 'the program has ended')
  silent.close()
})

test('only URLs of services are accepted, not instructions, tags, files, or addresses that the policy forbids', () => {
  const { config } = DESTINATION_KINDS.apprise
  const isAccepted = (url: string) => config.safeParse({ urls: [url] }).success
  for (const url of ['tgram://123:abc/42', 'mailtos://user:pass@example.com', 'jsons://10.0.0.7:8443/path?x=1'])
    assert.ok(isAccepted(url), url)
  const refused = [
    'include http://a',
    'tag=json://a',
    'file:///etc/passwd',
    'json://a\njson://b',
    'json://a b',
    'json://169.254.169.254/x'
  ]
  for (const url of [...refused, 'json://u:p@169.254.169.254', 'x']) assert.equal(isAccepted(url), false, url)
})

test.run()
