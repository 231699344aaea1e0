// The RTSP server, with ffprobe as its player over TCP and UDP, and with hand-written requests.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP } from '../../../contract/stream/protocols.ts'
import type { RtspOutput } from '../../../contract/stream/source.ts'
import { createRtspReader, type RtspRequest } from '../../../engine/rtsp/message.ts'
import { createFixture, fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { runProcess } from '../../kit/engine/media.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('RTSP output')

let port: number
let sockets: Socket[]
fixtureForEach(test)
test.before.each(async () => {
  port = await freeTcpPort()
  sockets = []
})
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
})

async function apply(config: Partial<RtspOutput> = {}, allowIp: string[] = []): Promise<void> {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall', ...config } }],
    access: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1', srt: false, rtmp: false, 'allow-ip': allowIp }
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
}

const urlWith = (login = '') => `rtsp://${login}127.0.0.1:${port}/hall`
const clientCount = () => fixture.engine.observe(1).outputs.get(3)?.clientNum

/** Counts the packets of each stream with ffprobe. */
function startProbe(url: string, transport: 'tcp' | 'udp' | undefined, seconds = 2) {
  return runProcess(
    [
      ...(transport ? ['-rtsp_transport', transport] : []),
      ...['-v', 'error', '-count_packets', '-read_intervals', `%+${seconds}`],
      ...['-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0', url]
    ],
    'ffprobe'
  )
}

/** Opens a connection. @returns a function that sends a request and returns the response */
function connectRtsp(): (...lines: string[]) => Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  let sequence = 0
  return async (requestLine, ...headers) => {
    text = ''
    socket.write([`${requestLine} RTSP/1.0`, `CSeq: ${++sequence}`, ...headers, '', ''].join('\r\n'))
    await until(() => text.includes('\r\n\r\n') || socket.destroyed, 'there is a response')
    return text
  }
}

const unexpected = () => assert.fail('not expected')

test('requests are parsed wherever they are split, between frames and after bodies, and invalid data ends the parser', () => {
  const body = 'SET_PARAMETER rtsp://a/b RTSP/1.0\r\nCSeq: 1\r\ncontent-length: 4\r\n\r\nbody'
  const bytes = Buffer.concat([Buffer.from(body), Buffer.from([0x24, 1, 0, 3, 1, 2, 3]), Buffer.from(body)])
  for (let cut = 1; cut < bytes.length; cut++) {
    const requests: RtspRequest[] = []
    const readChunk = createRtspReader((request) => requests.push(request), unexpected)
    readChunk(bytes.subarray(0, cut))
    readChunk(bytes.subarray(cut))
    assert.deepEqual(
      requests.map(({ method, url }) => [method, url]),
      Array(2).fill(['SET_PARAMETER', 'rtsp://a/b']),
      String(cut)
    )
  }
  for (const invalidRequest of [
    ...['GET / HTTP/1.1\r\n\r\n', 'x'.repeat(9000), 'PLAY a RTSP/1.0\r\nno header\r\n\r\n'],
    ...['PLAY a RTSP/1.0\r\ncontent-length: 99999\r\n\r\n', 'PLAY a RTSP/1.0\r\ncontent-length: -1\r\n\r\n']
  ]) {
    let errorCount = 0
    const readChunk = createRtspReader(unexpected, () => errorCount++)
    readChunk(Buffer.from(invalidRequest))
    readChunk(Buffer.from('PLAY a RTSP/1.0\r\n\r\n'))
    assert.equal(errorCount, 1, invalidRequest.slice(0, 20))
  }
})

test('ffprobe receives video and audio over TCP, UDP and its default transport, and is counted while it plays', async () => {
  await apply()
  assert.equal(clientCount(), 0)
  for (const transport of ['tcp', 'udp', undefined] as const) {
    const player = startProbe(urlWith(), transport)
    await until(() => clientCount() === 1, 'the player is counted')
    await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
    await player.exited
    assert.match(player.output(), /h264,[2-9]\d/, transport)
    assert.match(player.output(), /aac,[2-9]\d/, transport)
    await until(() => clientCount() === 0, 'the player has left')
  }
})

test('a configured login is required, with Digest or Basic authentication', async () => {
  await apply({ 'enable-auth': true, username: 'me', password: 'pass word' })
  const player = startProbe(urlWith('me:pass%20word@'), 'tcp')
  await player.exited
  assert.match(player.output(), /h264/)
  const rejectedPlayer = startProbe(urlWith('me:wrong@'), 'tcp')
  await rejectedPlayer.exited
  assert.match(rejectedPlayer.output(), /401/)
  const send = connectRtsp()
  assert.match(
    await send(`DESCRIBE ${urlWith()}`),
    /^RTSP\/1.0 401 .*\r\nCSeq: 1\r\n(.*\r\n)*WWW-Authenticate: Digest /
  )
  const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`
  assert.match(await send(`DESCRIBE ${urlWith()}`, basic('me:pass word')), /^RTSP\/1.0 200 /)
  assert.match(await send(`DESCRIBE ${urlWith()}`, basic('me:pass')), /^RTSP\/1.0 401 /)
  const nonce = /nonce="(\w+)"/.exec(await send(`DESCRIBE ${urlWith()}`))?.[1]
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const digest = (uri: string) => {
    const response = md5(`${md5('me:Headend:pass word')}:${nonce}:${md5(`DESCRIBE:${uri}`)}`)
    return `Authorization: Digest username="me", realm="Headend", nonce="${nonce}", uri="${uri}", response="${response}"`
  }
  assert.match(await send(`DESCRIBE ${urlWith()}`, digest(urlWith())), /^RTSP\/1.0 200 /)
  assert.match(
    await send(`DESCRIBE ${urlWith()}`, digest(`${urlWith()}x`)),
    /^RTSP\/1.0 401 /,
    'a response to another request'
  )
  assert.match(
    await connectRtsp()(`DESCRIBE ${urlWith()}`, digest(urlWith())),
    /^RTSP\/1.0 401 /,
    'on another connection'
  )
})

test('the limit of players is enforced, and a wrong key, method, transport or session is refused', async () => {
  await apply({ 'max-client-num': 1 })
  const tcp = 'Transport: RTP/AVP/TCP;unicast;interleaved=4-5'
  const [first, second] = [connectRtsp(), connectRtsp()]
  assert.match(await first(`OPTIONS ${urlWith()}`), /Public: .*DESCRIBE/)
  assert.match(await first(`DESCRIBE ${urlWith()}x`), /^RTSP\/1.0 404 /)
  assert.match(await first(`RECORD ${urlWith()}`), /^RTSP\/1.0 405 /)
  assert.match(await first(`PLAY ${urlWith()}`), /^RTSP\/1.0 455 /)
  assert.match(await first(`SETUP ${urlWith()}/track1`, 'Transport: RTP/AVP;multicast'), /^RTSP\/1.0 461 /)
  const setup = await first(`SETUP ${urlWith()}/track1`, tcp)
  assert.match(setup, /interleaved=4-5/)
  const [, session = ''] = /Session: (\w+);timeout=60/.exec(setup) ?? []
  assert.match(await second(`SETUP ${urlWith()}/track1`, tcp), /^RTSP\/1.0 453 /)
  assert.match(await first(`PLAY ${urlWith()}`, `Session: ${session}0`), /^RTSP\/1.0 454 /)
  assert.match(await first(`PLAY ${urlWith()}`, `Session: ${session}`), /^RTSP\/1.0 200 .*\r\n(.*\r\n)*RTP-Info: url=/)
  assert.equal(clientCount(), 1)
  assert.match(await first(`TEARDOWN ${urlWith()}`, `Session: ${session}`), /RTSP\/1.0 200 /)
  await until(() => clientCount() === 0, 'the player has left')
  assert.match(await second(`SETUP ${urlWith()}/track1`, tcp), /^RTSP\/1.0 200 /)
})

test('a stream over UDP is sent to the requesting client, whatever destination the request names', async () => {
  await apply()
  const send = connectRtsp()
  const response = await send(
    `SETUP ${urlWith()}/track1`,
    'Transport: RTP/AVP;unicast;destination=10.9.9.9;client_port=40000-40001'
  )
  assert.match(response, /^RTSP\/1.0 200 /)
  assert.doesNotMatch(response, /10\.9\.9\.9/)
  const [, even] = /server_port=(\d+)-\d+/.exec(response) ?? []
  assert.equal(Number(even) % 2, 0)
})

/** Parses an RTCP sender report and checks its clock and its source description. */
function parseSenderReport(packet: Buffer): { source: number; packets: number; octets: number; time: number } {
  assert.deepEqual([packet[0], packet[1], packet.readUInt16BE(2)], [0x80, 200, 6])
  const seconds = packet.readUInt32BE(8) + packet.readUInt32BE(12) / 2 ** 32 - 2_208_988_800
  assert.ok(Math.abs(Date.now() / 1000 - seconds) < 5, `${seconds} s`)
  const description = packet.subarray(28)
  assert.deepEqual([description[0], description[1], description[8]], [0x81, 202, 1])
  assert.equal(4 * (description.readUInt16BE(2) + 1), description.length)
  assert.deepEqual([packet.readUInt32BE(4), description.at(-1)], [description.readUInt32BE(4), 0])
  const [source, time, packets, octets] = [4, 16, 20, 24].map((offset) => packet.readUInt32BE(offset)) as Four
  return { source, packets, octets, time }
}
type Four = [number, number, number, number]

test('players get sender reports with wall clock time and totals, over TCP and over UDP', async () => {
  await apply()
  const send = connectRtsp()
  const [socket] = sockets
  const frames: { channel: number; packet: Buffer }[] = []
  let rest = Buffer.alloc(0)
  await send(`SETUP ${urlWith()}/track1`, 'Transport: RTP/AVP/TCP;unicast;interleaved=4-5')
  socket?.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    if (rest[0] !== 0x24) rest = rest.subarray(rest.indexOf('\r\n\r\n') + 4)
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt16BE(2)) {
      const end = 4 + rest.readUInt16BE(2)
      frames.push({ channel: rest[1] ?? 0, packet: rest.subarray(4, end) })
      rest = rest.subarray(end)
    }
  })
  await send(`PLAY ${urlWith()}`)
  await until(() => frames.some(({ channel }) => channel === 5), 'there is a sender report')
  const reportIndex = frames.findIndex(({ channel }) => channel === 5)
  const before = frames.slice(0, reportIndex).map(({ packet }) => packet)
  const { source, packets, octets, time } = parseSenderReport(frames[reportIndex]?.packet ?? Buffer.alloc(0))
  assert.deepEqual(
    [packets, octets, source],
    [before.length, before.reduce((sum, packet) => sum + packet.length - 12, 0), before[0]?.readUInt32BE(8)]
  )
  const difference = (time - (before.at(-1)?.readUInt32BE(4) ?? 0)) | 0
  assert.ok(difference >= 0 && difference < 90_000, `${difference} ticks`)

  const [media, reports] = await Promise.all([1, 2].map(listenUdp))
  const [rtp, rtcp] = [media?.socket.address().port, reports?.socket.address().port]
  const sendOverUdp = connectRtsp()
  await sendOverUdp(`SETUP ${urlWith()}/track1`, `Transport: RTP/AVP;unicast;client_port=${rtp}-${rtcp}`)
  await sendOverUdp(`PLAY ${urlWith()}`)
  await until(() => Boolean(media?.packets.length && reports?.packets.length), 'media and reports have arrived')
  assert.equal(parseSenderReport(reports?.packets[0] ?? Buffer.alloc(0)).source, media?.packets[0]?.readUInt32BE(8))
  for (const each of [media, reports]) each?.socket.close()
})

async function listenUdp() {
  const packets: Buffer[] = []
  const socket = createSocket('udp4').on('message', (packet) => packets.push(packet))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { socket, packets }
}

test('players are listed with address, uptime and bitrate, can be disconnected, and are refused from addresses that the channel does not allow', async () => {
  await apply()
  const list = () => fixture.engine.observe(1).clients ?? []
  const players = [startProbe(urlWith(), 'tcp', 60), startProbe(urlWith(), 'udp', 60)]
  await until(() => list().length === 2 && list().every((player) => player.kbps > 50), 'both players receive data')
  const [first, second] = list()
  assert.deepEqual([first?.protocol, first?.outputId, first?.isPublisher], [RTSP, 3, false])
  assert.match(first?.address ?? '', /^127\.0\.0\.1:\d+$/)
  assert.ok(Number(second?.id) > Number(first?.id))
  assert.ok(fixture.engine.disconnectClient(1, first?.id ?? 0) && !fixture.engine.disconnectClient(1, first?.id ?? 0))
  await until(() => list().length === 1 && list()[0]?.id === second?.id, 'one player is left')
  const bytes = fixture.engine.byteTotals(1).outputs.get(3) ?? 0
  await apply({}, ['10.0.0.0/8'])
  await until(() => list().length === 0, 'the other player is disconnected')
  await Promise.all(players.map((player) => player.exited))
  assert.equal(await connectRtsp()(`OPTIONS ${urlWith()}`), '')
  await apply({}, ['10.0.0.0/8', '127.0.0.1'])
  assert.match(await connectRtsp()(`OPTIONS ${urlWith()}`), /^RTSP\/1.0 200 /)
  assert.ok((fixture.engine.byteTotals(1).outputs.get(3) ?? 0) >= bytes, 'the output continued')
})

test('a port in use is a failure, and removing an output closes its connections', async () => {
  const other = createFixture()
  await apply()
  other.engine.apply({
    id: 1,
    name: 'Other',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall' } }]
  })
  await other.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.equal(other.engine.observe(1).outputs.get(3)?.reason, `port-taken ${port}`)
  const send = connectRtsp()
  await send(`OPTIONS ${urlWith()}`)
  fixture.engine.remove(1)
  await until(() => sockets.every((socket) => socket.destroyed), 'the connection is closed')
  await other.waitForState(1, CONNECTION_STATE.waiting, 3)
  await other.engine.close()
})

test.run()
