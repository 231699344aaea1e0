// Messages of notifications as a syslog server receives them.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { suite } from 'uvu'
import type { SyslogConfig } from '../../../../contract/alert/syslog.ts'
import type { AlertMessage } from '../../../../hub/alerts/sender.ts'
import { syslogSender } from '../../../../hub/alerts/senders/syslog.ts'
import { sendError } from '../../../kit/hub/alerts/message.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('syslog as a destination')

const MESSAGE: AlertMessage = {
  ...{ id: 'a1-1', alarm: 'a1', state: 'problem', severity: 'bad', since: 1, cause: 'input-lost' },
  ...{
    title: 'Hall: Input lost.',
    text: 'Since noon',
    concerns: [],
    concernCount: 1,
    hub: { name: 'Campus', sn: 'H1' }
  }
}

const signal = () => AbortSignal.timeout(10_000)

/** Priority and JSON object of an entry. */
function parse(entry: string) {
  const [, priority, json = ''] = /^<(\d+)>1 \S+ \S+ headend \d+ \S+ - (\{.*\})$/.exec(entry) ?? assert.fail(entry)
  return { priority: Number(priority), ...JSON.parse(json) }
}

test('a message is one entry over UDP, with its severity', async () => {
  const server = createSocket('udp4')
  const entries: string[] = []
  server.on('message', (entry) => entries.push(entry.toString()))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const config = { host: '127.0.0.1', port: server.address().port, protocol: 'udp' } as const
  await syslogSender.send(MESSAGE, config, signal())
  await syslogSender.send({ ...MESSAGE, state: 'recovered' }, config, signal())
  await until(() => entries.length >= 2, 'both entries are received')
  server.close()
  assert.deepEqual(
    entries.map(parse).map(({ priority, event }) => [priority, event]),
    [
      [16 * 8 + 3, 'alert-problem'],
      [16 * 8 + 6, 'alert-recovered']
    ]
  )
  const { id, alarm, cause, detail } = parse(entries[0] ?? '')
  assert.deepEqual([id, alarm, cause, detail], ['a1-1', 'a1', 'input-lost', 'Hall: Input lost.\nSince noon'])
})

test('a message over TCP has its length before it, and arrives whole', async () => {
  let text = ''
  const received = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => received.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await syslogSender.send(MESSAGE, { host: '127.0.0.1', port }, signal())
  await received.promise
  server.close()
  const [, length, entry = ''] = /^(\d+) (.*)$/s.exec(text) ?? []
  assert.equal(Number(length), entry.length)
  assert.equal(parse(entry).id, 'a1-1')
})

test('a server that is away or forbidden is an error with its reason', async () => {
  const failure = (config: SyslogConfig) => sendError(syslogSender.send(MESSAGE, config, signal()))
  const port = await freeUdpPort()
  const refused = await failure({ host: '127.0.0.1', port, protocol: 'udp' })
  assert.deepEqual([refused.text[0], refused.isFinal], ['No program listens on this port of the server.', false])
  const forbidden = await failure({ host: '169.254.169.254', port: 514, protocol: 'udp' })
  assert.deepEqual([forbidden.text[0], forbidden.isFinal], ['This address is not allowed for a server.', true])
})

test.run()
