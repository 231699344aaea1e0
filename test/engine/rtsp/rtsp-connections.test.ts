// Connections to an RTSP output whose clients do not play.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('RTSP connections')

const PLAYERS_MAX = 4
let port: number
let sockets: Socket[] = []
let timers: NodeJS.Timeout[] = []
fixtureForEach(test)
test.before.each(async () => {
  port = await freeTcpPort()
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall', 'max-client-num': PLAYERS_MAX } }]
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  for (const timer of timers) clearInterval(timer)
  sockets = []
  timers = []
})

interface Client {
  socket: Socket
  text: string
  isClosed: boolean
}

function open(localAddress: string): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const client: Client = { socket, text: '', isClosed: false }
  sockets.push(socket)
  socket.on('error', () => {})
  socket.on('data', (data) => {
    client.text += data.toString('latin1')
  })
  socket.on('close', () => {
    client.isClosed = true
  })
  return client
}

/** Sends one byte of a request every 500 ms. */
function openSlowly(localAddress: string): Client {
  const client = open(localAddress)
  timers.push(setInterval(() => client.socket.write('x'), 500))
  return client
}

async function request(client: Client, method: string, sequence: number, ...lines: string[]): Promise<void> {
  const url = `rtsp://127.0.0.1:${port}/hall`
  client.socket.write([`${method} ${url} RTSP/1.0`, `CSeq: ${sequence}`, ...lines, '', ''].join('\r\n'))
  await until(() => client.text.includes(`CSeq: ${sequence}\r\n`), `the response to ${method}`)
}

async function play(localAddress: string): Promise<Client> {
  const client = open(localAddress)
  await request(client, 'DESCRIBE', 1)
  await request(client, 'SETUP', 2, 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1')
  const [, session = ''] = /Session: (\w+)/.exec(client.text) ?? []
  await request(client, 'PLAY', 3, `Session: ${session}`)
  return client
}

const countOpen = (clients: Client[]) => clients.filter(({ isClosed }) => !isClosed).length

test('players get in while strangers hold every connection that they can, from one address and from many', async () => {
  const known = await play('127.0.0.2')
  const strangers = Array.from({ length: 24 }, () => openSlowly('127.0.0.1'))
  for (let n = 0; n < 200; n++) strangers.push(openSlowly(`127.0.1.${n}`))
  await until(() => countOpen(strangers) <= 64, 'the oldest strangers are closed')
  for (const address of ['127.0.0.1', '127.0.0.3', '127.0.0.2']) {
    const player = await play(address)
    assert.match(player.text, /^(RTSP\/1\.0 200 .*){3}/s, address)
  }
  for (let n = 0; n < 200; n++) strangers.push(openSlowly(`127.0.2.${n}`))
  await until(() => countOpen(strangers) <= 64, 'the oldest strangers are closed')
  assert.equal(known.isClosed, false)
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.clientNum, PLAYERS_MAX)
})

test('a connection that does not play in time is closed, whatever it sends, also after the end of a session', async () => {
  const slow = openSlowly('127.0.0.1')
  const polite = open('127.0.0.1')
  let sequence = 10
  timers.push(setInterval(() => void request(polite, 'OPTIONS', sequence++).catch(() => {}), 1000))
  const ended = await play('127.0.0.1')
  const player = await play('127.0.0.1')
  const [, session = ''] = /Session: (\w+)/.exec(ended.text) ?? []
  await request(ended, 'TEARDOWN', 4, `Session: ${session}`)
  for (const client of [slow, polite, ended]) await until(() => client.isClosed, 'the connection is closed')
  assert.equal(player.isClosed, false)
})

test('a player whose UDP ports are not valid is refused and leaves no socket open', async () => {
  const countSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length
  const before = countSockets()
  const client = open('127.0.0.1')
  await request(client, 'DESCRIBE', 1)
  for (const [index, ports] of ['65535', '0', '99999', '0-5000', '5000-65536'].entries()) {
    client.text = ''
    await request(client, 'SETUP', 2 + index, `Transport: RTP/AVP;unicast;client_port=${ports}`)
    assert.match(client.text, /^RTSP\/1\.0 461 /, ports)
  }
  await until(() => countSockets() <= before, `there are only the ${before} sockets of before`)
})

test.run()
