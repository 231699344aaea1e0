import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { USER_PERMISSIONS } from '../../../contract/access/permissions.ts'
import { INVALID_ARG, NO_RESPONSE, NOT_PERMITTED, SUCCESS, WRONG_STATE } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { getSettings, type Settings, setSettings } from '../../../contract/settings.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { getSyslogStatus, testSyslog } from '../../../contract/syslog/status.ts'
import { ForbiddenServerError } from '../../../hub/machine/server-address.ts'
import { openStore } from '../../../hub/store/store.ts'
import { openConnection } from '../../../hub/syslog/connection.ts'
import { SyslogForwarder } from '../../../hub/syslog/forwarder.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('syslog forwarder')

let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after.each(() => hub.close())

const bodyOf = (message: string) => JSON.parse(message.slice(message.indexOf(' - {') + 3))
const setTarget = (syslog: Settings['syslog']) => admin.send(setSettings, { syslog })

/** A syslog server over TCP that splits its input by the length before each message. */
async function startTcpServer(port = 0) {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    connections++
    socket.on('close', () => sockets.delete(socket))
    let rest = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      rest += chunk
      for (let match = /^(\d+) /.exec(rest); match; match = /^(\d+) /.exec(rest)) {
        const end = match[0].length + Number(match[1])
        if (rest.length < end) return
        messages.push(rest.slice(match[0].length, end))
        rest = rest.slice(end)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    messages,
    /** Number of connections until now, and of those that are open. */
    connections: () => [connections, sockets.size],
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

test('each line of the logs is sent once over TCP, in order, from the time the server is set', async () => {
  const server = await startTcpServer()
  try {
    await admin.send(addChannel, { name: 'Before' })
    assert.equal((await setTarget({ protocol: 'tcp', host: '127.0.0.1', port: server.port })).result, SUCCESS)
    for (let count = 0; count < 250; count++) await admin.send(addChannel, { name: `Hall ${count}` })
    hub.parts.store.logEvent({ event: 'low-memory' })
    const added = () => server.messages.map(bodyOf).filter(({ event }) => event === '/channel/add')
    await until(() => added().length >= 250, 'all lines arrived')
    await until(() => server.messages.some((text) => bodyOf(text).event === 'low-memory'), 'the event arrived')
    const { total } = await admin.send(listLog, { type: 'operation', key: 'Hall' })
    assert.equal(total, added().length)
    const ids = added().map(({ id }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b)
    )
    assert.equal(new Set(ids).size, ids.length)
  } finally {
    await server.close()
  }
})

for (const change of ['another server was set', 'the end of the hub'] as const)
  test(`a connection that opens after ${change} is closed, and carries no line`, async () => {
    const [former, next] = [await startTcpServer(), await startTcpServer()]
    const folder = mkdtempSync(join(tmpdir(), 'headend-syslog-'))
    const store = openStore(folder)
    const targetOf = ({ port }: typeof former) => ({ protocol: 'tcp', host: '127.0.0.1', port }) as const
    store.settings.set('syslog', targetOf(former))
    const forwarder = new SyslogForwarder(store)
    store.logEvent({ event: 'low-memory' })
    const { get } = store.settings
    try {
      // The forwarder reads the setting first when it starts to connect.
      store.settings.get = ((name: 'syslog') => {
        if (name !== 'syslog') return get.call(store.settings, name)
        store.settings.get = get
        queueMicrotask(() => {
          if (change === 'the end of the hub') return forwarder.close()
          store.settings.set('syslog', targetOf(next))
          forwarder.settingChanged()
        })
        return get.call(store.settings, name)
      }) as typeof get
      await until(() => former.connections()[0] === 1 && former.connections()[1] === 0, 'the connection was closed')
      if (change === 'another server was set') await until(() => next.messages.length > 0, 'the line arrived')
      assert.deepEqual(former.messages, [])
    } finally {
      forwarder.close()
      store.close()
      rmSync(folder, { recursive: true })
      await Promise.all([former, next].map((server) => server.close()))
    }
  })

test('lines are sent over UDP', async () => {
  const socket = createSocket('udp4')
  const messages: string[] = []
  socket.on('message', (data) => messages.push(data.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  try {
    await setTarget({ protocol: 'udp', host: '127.0.0.1', port: socket.address().port })
    await admin.send(addChannel, { name: 'Hall' })
    await until(() => messages.some((text) => bodyOf(text).detail?.includes('Hall')), 'the line arrived')
    assert.match(messages[0] ?? '', /^<\d+>1 \d{4}-/)
  } finally {
    socket.close()
  }
})

const events = (event: string) => hub.parts.store.database.all('SELECT id FROM event_log WHERE event = ?', event).length
const status = () => admin.send(getSyslogStatus, {})

test('the status says that TCP is connected, and after a failure of the server since when and why it fails', async () => {
  assert.deepEqual(await status(), { result: SUCCESS, state: 'off', queued: 0 })
  const server = await startTcpServer()
  await setTarget({ protocol: 'tcp', host: '127.0.0.1', port: server.port })
  await until(async () => (await status()).state === 'connected', 'it is connected')
  const began = Date.now()
  await admin.send(addChannel, { name: 'Hall' })
  await until(() => server.messages.length > 0, 'a line arrived')
  await until(async () => (await status()).queued === 0, 'all lines are sent')
  const sent = (await status())['last-sent'] ?? 0
  assert.ok(sent >= began && sent <= Date.now(), `${sent - began} ms`)
  const before = Date.now()
  await recordProcessLog(async () => {
    await server.close()
    // Nothing is sent: the end of the connection alone shows it.
    await until(async () => (await status()).state === 'failing', 'it fails')
  })
  await admin.send(addChannel, { name: 'Waiting' })
  const { since = 0, error, queued } = await status()
  assert.ok(since >= before && since <= Date.now())
  assert.match(error ?? '', /^The server closed the connection\.$|^No program listens on this port/)
  assert.ok(queued >= 2, String(queued))
})

test('over UDP, refused lines wait, the log reports it once, and they arrive when the server is back', async () => {
  const port = await freeUdpPort()
  await recordProcessLog(async () => {
    await setTarget({ protocol: 'udp', host: '127.0.0.1', port })
    await admin.send(addChannel, { name: 'Hall' })
    await until(async () => (await status()).state === 'failing', 'it fails')
    assert.equal((await status()).error, 'No program listens on this port of the server.')
    const { state, queued } = await status()
    assert.equal(state, 'failing')
    assert.ok(queued > 0)
    assert.deepEqual([events('syslog-failed'), events('syslog-reached')], [1, 0])
    const socket = createSocket('udp4')
    const messages: string[] = []
    socket.on('message', (data) => messages.push(data.toString()))
    socket.bind(port, '127.0.0.1')
    await once(socket, 'listening')
    try {
      await until(async () => (await status()).state === 'sending', 'it sends')
      await until(() => messages.some((text) => bodyOf(text).detail?.includes('Hall')), 'the line arrived')
      assert.deepEqual([events('syslog-failed'), events('syslog-reached')], [1, 1])
    } finally {
      socket.close()
    }
  })
})

test('a test message arrives, and one that cannot be sent says why; both are for administrators', async () => {
  assert.equal((await admin.send(testSyslog, {})).result, WRONG_STATE)
  const server = await startTcpServer()
  await setTarget({ protocol: 'tcp', host: '127.0.0.1', port: server.port })
  assert.equal((await admin.send(testSyslog, {})).result, SUCCESS)
  const isTest = (text: string) => bodyOf(text).event === 'syslog-test'
  await until(() => server.messages.some(isTest), 'it arrived')
  assert.equal(bodyOf(server.messages.find(isTest) ?? '').user, 'Admin')
  await recordProcessLog(async () => {
    await server.close()
    const refused = await admin.send(testSyslog, {})
    assert.deepEqual([refused.result, refused.message], [NO_RESPONSE, 'No program listens on this port of the server.'])
    await setTarget({ protocol: 'udp', host: '127.0.0.1', port: await freeUdpPort() })
    assert.equal((await admin.send(testSyslog, {})).result, NO_RESPONSE)
  })
  assert.equal((await addSignedInUser(hub, 'user', USER_PERMISSIONS).send(testSyslog, {})).result, NOT_PERMITTED)
})

test('lines wait while the server is away, and the log reports it once', async () => {
  const first = await startTcpServer()
  const lines = await recordProcessLog(async () => {
    await setTarget({ protocol: 'tcp', host: '127.0.0.1', port: first.port })
    await admin.send(addChannel, { name: 'First' })
    await until(() => first.messages.length > 0, 'the server is connected')
    await first.close()
    let count = 0
    await until(async () => {
      await admin.send(addChannel, { name: `Away ${count++}` })
      return events('syslog-failed') > 0
    }, 'the failure is logged')
    await admin.send(addChannel, { name: 'Last' })
    const second = await startTcpServer(first.port)
    try {
      await until(() => second.messages.some((text) => bodyOf(text).detail?.includes('Last')), 'the lines arrived')
      await until(() => events('syslog-reached') === 1, 'the end is logged')
      assert.equal(events('syslog-failed'), 1)
    } finally {
      await second.close()
    }
  })
  assert.ok(lines.length > 0)
})

test('only the Admin group sets the server, and a bad host is refused', async () => {
  const target = { protocol: 'udp', host: '127.0.0.1', port: 514 } as const
  const user = addSignedInUser(hub, 'vera', USER_PERMISSIONS)
  assert.equal((await user.send(setSettings, { syslog: target })).result, NOT_PERMITTED)
  const refused = await setTarget({ ...target, host: 'a b' })
  assert.deepEqual([refused.result, refused.field], [INVALID_ARG, 'syslog.host'])
  assert.deepEqual((await admin.send(getSettings, {})).settings.syslog, { protocol: 'off', host: '', port: 514 })
})

test('a syslog server at a metadata service or a link-local address is refused', async () => {
  for (const host of ['169.254.169.254', '169.254.10.1', '100.100.100.200'])
    assert.equal((await setTarget({ protocol: 'tcp', host, port: 514 })).result, INVALID_ARG)
  // One that a former version has stored.
  await assert.rejects(
    openConnection({ protocol: 'tcp', host: '169.254.169.254', port: 514 }, () => {}),
    ForbiddenServerError
  )
})

test.run()
