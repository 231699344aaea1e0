// The RTSP server with ffprobe as its player over TCP and UDP, and with requests typed by hand.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION, RTSP } from '../../../contract/stream/protocols.ts'
import type { RtspOutput } from '../../../contract/stream/source.ts'
import { createRtspReader, type RtspRequest } from '../../../engine/rtsp/message.ts'
import { freeTcpPort } from '../../kit/free-port.ts'
import { bench, benchForEach, createBench } from '../bench.ts'
import { run, until } from '../media.ts'

const test = suite('RTSP output')

let port: number
let sockets: Socket[]
benchForEach(test)
test.before.each(async () => {
  port = await freeTcpPort()
  sockets = []
})
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
})

async function apply(more: Partial<RtspOutput> = {}, allowIp: string[] = []): Promise<void> {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall', ...more } }],
    door: { pushKey: 'PUSH-1', playKey: 'PLAY-1', srt: false, rtmp: false, allowIp }
  })
  await bench.reaches(1, CONNECTION.connected)
}

const at = (login = '') => `rtsp://${login}127.0.0.1:${port}/hall`
const clients = () => bench.engine.observe(1).outputs.get(3)?.clientNum

/** Packets of each stream in two seconds, as ffprobe counts them. */
function probe(url: string, transport: 'tcp' | 'udp' | undefined) {
  return run(
    [
      ...(transport ? ['-rtsp_transport', transport] : []),
      ...['-v', 'error', '-count_packets', '-read_intervals', '%+2'],
      ...['-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0', url]
    ],
    'ffprobe'
  )
}

/** A connection by hand: sends a request and answers what comes back. */
function door(): (...lines: string[]) => Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  let number = 0
  return async (first, ...more) => {
    text = ''
    socket.write([`${first} RTSP/1.0`, `CSeq: ${++number}`, ...more, '', ''].join('\r\n'))
    await until('an answer', () => text.includes('\r\n\r\n') || socket.destroyed)
    return text
  }
}

const unexpected = () => assert.fail('not expected')

test('requests are found wherever they are cut, between frames and after bodies; what is no RTSP ends it', () => {
  const body = 'SET_PARAMETER rtsp://a/b RTSP/1.0\r\nCSeq: 1\r\ncontent-length: 4\r\n\r\nbody'
  const bytes = Buffer.concat([Buffer.from(body), Buffer.from([0x24, 1, 0, 3, 1, 2, 3]), Buffer.from(body)])
  for (let cut = 1; cut < bytes.length; cut++) {
    const found: RtspRequest[] = []
    const read = createRtspReader((request) => found.push(request), unexpected)
    read(bytes.subarray(0, cut))
    read(bytes.subarray(cut))
    assert.deepEqual(
      found.map(({ method, url }) => [method, url]),
      Array(2).fill(['SET_PARAMETER', 'rtsp://a/b']),
      String(cut)
    )
  }
  for (const bad of [
    ...['GET / HTTP/1.1\r\n\r\n', 'x'.repeat(9000), 'PLAY a RTSP/1.0\r\nno header\r\n\r\n'],
    ...['PLAY a RTSP/1.0\r\ncontent-length: 99999\r\n\r\n', 'PLAY a RTSP/1.0\r\ncontent-length: -1\r\n\r\n']
  ]) {
    let broken = 0
    const read = createRtspReader(unexpected, () => broken++)
    read(Buffer.from(bad))
    read(Buffer.from('PLAY a RTSP/1.0\r\n\r\n'))
    assert.equal(broken, 1, bad.slice(0, 20))
  }
})

test('ffprobe sees picture and sound over TCP, over UDP and as it likes best, and is counted while it plays', async () => {
  await apply()
  assert.equal(clients(), 0)
  for (const transport of ['tcp', 'udp', undefined] as const) {
    const seen = probe(at(), transport)
    await until('it is counted', () => clients() === 1)
    await bench.reaches(1, CONNECTION.connected, 3)
    await seen.done
    assert.match(seen.text(), /h264,[2-9]\d/, transport)
    assert.match(seen.text(), /aac,[2-9]\d/, transport)
    await until('it has left', () => clients() === 0)
  }
})

test('a login is demanded where there is one, and Digest and Basic are taken', async () => {
  await apply({ 'enable-auth': true, username: 'me', password: 'pass word' })
  const seen = probe(at('me:pass%20word@'), 'tcp')
  await seen.done
  assert.match(seen.text(), /h264/)
  const wrong = probe(at('me:wrong@'), 'tcp')
  await wrong.done
  assert.match(wrong.text(), /401/)
  const ask = door()
  assert.match(await ask(`DESCRIBE ${at()}`), /^RTSP\/1.0 401 .*\r\nCSeq: 1\r\n(.*\r\n)*WWW-Authenticate: Digest /)
  const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`
  assert.match(await ask(`DESCRIBE ${at()}`, basic('me:pass word')), /^RTSP\/1.0 200 /)
  assert.match(await ask(`DESCRIBE ${at()}`, basic('me:pass')), /^RTSP\/1.0 401 /)
  const nonce = /nonce="(\w+)"/.exec(await ask(`DESCRIBE ${at()}`))?.[1]
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const digest = (uri: string) => {
    const response = md5(`${md5('me:Headend:pass word')}:${nonce}:${md5(`DESCRIBE:${uri}`)}`)
    return `Authorization: Digest username="me", realm="Headend", nonce="${nonce}", uri="${uri}", response="${response}"`
  }
  assert.match(await ask(`DESCRIBE ${at()}`, digest(at())), /^RTSP\/1.0 200 /)
  assert.match(await ask(`DESCRIBE ${at()}`, digest(`${at()}x`)), /^RTSP\/1.0 401 /, 'an answer to another request')
  assert.match(await door()(`DESCRIBE ${at()}`, digest(at())), /^RTSP\/1.0 401 /, 'on another connection')
})

test('no more players than may come; another key, method, transport or session is refused', async () => {
  await apply({ 'max-client-num': 1 })
  const tcp = 'Transport: RTP/AVP/TCP;unicast;interleaved=4-5'
  const [first, second] = [door(), door()]
  assert.match(await first(`OPTIONS ${at()}`), /Public: .*DESCRIBE/)
  assert.match(await first(`DESCRIBE ${at()}x`), /^RTSP\/1.0 404 /)
  assert.match(await first(`RECORD ${at()}`), /^RTSP\/1.0 405 /)
  assert.match(await first(`PLAY ${at()}`), /^RTSP\/1.0 455 /)
  assert.match(await first(`SETUP ${at()}/track1`, 'Transport: RTP/AVP;multicast'), /^RTSP\/1.0 461 /)
  const set = await first(`SETUP ${at()}/track1`, tcp)
  assert.match(set, /interleaved=4-5/)
  const [, session = ''] = /Session: (\w+);timeout=60/.exec(set) ?? []
  assert.match(await second(`SETUP ${at()}/track1`, tcp), /^RTSP\/1.0 453 /)
  assert.match(await first(`PLAY ${at()}`, `Session: ${session}0`), /^RTSP\/1.0 454 /)
  assert.match(await first(`PLAY ${at()}`, `Session: ${session}`), /^RTSP\/1.0 200 .*\r\n(.*\r\n)*RTP-Info: url=/)
  assert.equal(clients(), 1)
  assert.match(await first(`TEARDOWN ${at()}`, `Session: ${session}`), /RTSP\/1.0 200 /)
  await until('it has left', () => clients() === 0)
  assert.match(await second(`SETUP ${at()}/track1`, tcp), /^RTSP\/1.0 200 /)
})

test('a stream over UDP goes to who asked, whatever destination is named', async () => {
  await apply()
  const ask = door()
  const said = await ask(
    `SETUP ${at()}/track1`,
    'Transport: RTP/AVP;unicast;destination=10.9.9.9;client_port=40000-40001'
  )
  assert.match(said, /^RTSP\/1.0 200 /)
  assert.doesNotMatch(said, /10\.9\.9\.9/)
  const [, even] = /server_port=(\d+)-\d+/.exec(said) ?? []
  assert.equal(Number(even) % 2, 0)
})

/** What a sender report says, and the packets after it. */
function judgeReport(packet: Buffer): { source: number; packets: number; octets: number; time: number } {
  assert.deepEqual([packet[0], packet[1], packet.readUInt16BE(2)], [0x80, 200, 6])
  const seconds = packet.readUInt32BE(8) + packet.readUInt32BE(12) / 2 ** 32 - 2_208_988_800
  assert.ok(Math.abs(Date.now() / 1000 - seconds) < 5, `${seconds} s`)
  const description = packet.subarray(28)
  assert.deepEqual([description[0], description[1], description[8]], [0x81, 202, 1])
  assert.equal(4 * (description.readUInt16BE(2) + 1), description.length)
  assert.deepEqual([packet.readUInt32BE(4), description.at(-1)], [description.readUInt32BE(4), 0])
  const [source, time, packets, octets] = [4, 16, 20, 24].map((at) => packet.readUInt32BE(at)) as Four
  return { source, packets, octets, time }
}
type Four = [number, number, number, number]

test('players are told how the time of packets is that of the day, and how much was sent: over their connection and over UDP', async () => {
  await apply()
  const ask = door()
  const [socket] = sockets
  const frames: { channel: number; packet: Buffer }[] = []
  let rest = Buffer.alloc(0)
  await ask(`SETUP ${at()}/track1`, 'Transport: RTP/AVP/TCP;unicast;interleaved=4-5')
  socket?.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    if (rest[0] !== 0x24) rest = rest.subarray(rest.indexOf('\r\n\r\n') + 4)
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt16BE(2)) {
      const end = 4 + rest.readUInt16BE(2)
      frames.push({ channel: rest[1] ?? 0, packet: rest.subarray(4, end) })
      rest = rest.subarray(end)
    }
  })
  await ask(`PLAY ${at()}`)
  await until('a report', () => frames.some(({ channel }) => channel === 5))
  const told = frames.findIndex(({ channel }) => channel === 5)
  const before = frames.slice(0, told).map(({ packet }) => packet)
  const { source, packets, octets, time } = judgeReport(frames[told]?.packet ?? Buffer.alloc(0))
  assert.deepEqual(
    [packets, octets, source],
    [before.length, before.reduce((sum, packet) => sum + packet.length - 12, 0), before[0]?.readUInt32BE(8)]
  )
  const apart = (time - (before.at(-1)?.readUInt32BE(4) ?? 0)) | 0
  assert.ok(apart >= 0 && apart < 90_000, `${apart} ticks`)

  const [media, reports] = await Promise.all([1, 2].map(listener))
  const [rtp, rtcp] = [media?.socket.address().port, reports?.socket.address().port]
  const other = door()
  await other(`SETUP ${at()}/track1`, `Transport: RTP/AVP;unicast;client_port=${rtp}-${rtcp}`)
  await other(`PLAY ${at()}`)
  await until('both come', () => Boolean(media?.packets.length && reports?.packets.length))
  assert.equal(judgeReport(reports?.packets[0] ?? Buffer.alloc(0)).source, media?.packets[0]?.readUInt32BE(8))
  for (const each of [media, reports]) each?.socket.close()
})

async function listener() {
  const packets: Buffer[] = []
  const socket = createSocket('udp4').on('message', (packet) => packets.push(packet))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { socket, packets }
}

test('players are listed with address, time and rate, thrown out, and refused from where the channel does not allow', async () => {
  await apply()
  const list = () => bench.engine.observe(1).clients ?? []
  const players = [probe(at(), 'tcp'), probe(at(), 'udp')]
  await until('both are given something', () => list().length === 2 && list().every((one) => one.kbps > 50))
  const [first, second] = list()
  assert.deepEqual([first?.protocol, first?.output, first?.sends], [RTSP, 3, false])
  assert.match(first?.address ?? '', /^127\.0\.0\.1:\d+$/)
  assert.ok(Number(second?.id) > Number(first?.id))
  assert.ok(bench.engine.dropClient(1, first?.id ?? 0) && !bench.engine.dropClient(1, first?.id ?? 0))
  await until('one is left', () => list().length === 1 && list()[0]?.id === second?.id)
  const bytes = bench.engine.counted(1).outputs.get(3) ?? 0
  await apply({}, ['10.0.0.0/8'])
  await until('the other is gone', () => list().length === 0)
  await Promise.all(players.map((player) => player.done))
  assert.equal(await door()(`OPTIONS ${at()}`), '')
  await apply({}, ['10.0.0.0/8', '127.0.0.1'])
  assert.match(await door()(`OPTIONS ${at()}`), /^RTSP\/1.0 200 /)
  assert.ok((bench.engine.counted(1).outputs.get(3) ?? 0) >= bytes, 'the output went on')
})

test('a port that is taken is a failure, and what was open is closed with the output', async () => {
  const other = createBench()
  await apply()
  other.engine.apply({
    id: 1,
    name: 'Other',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall' } }]
  })
  await other.reaches(1, CONNECTION.creationFailed, 3)
  assert.equal(other.engine.observe(1).outputs.get(3)?.reason, `port-taken ${port}`)
  const ask = door()
  await ask(`OPTIONS ${at()}`)
  bench.engine.remove(1)
  await until('the connection is closed', () => sockets.every((socket) => socket.destroyed))
  await other.reaches(1, CONNECTION.waiting, 3)
  await other.engine.close()
})

test.run()
