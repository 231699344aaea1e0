// HLS as a player finds it: over the hub's web server, read by ffprobe; the segmenter alone with packets of its own.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, HTTP } from '../../../contract/stream/protocols.ts'
import { BANISHED, createHlsPlayers } from '../../../engine/hls/hls-players.ts'
import { createHlsSegments, timeStampAt } from '../../../engine/hls/segments.ts'
import { createHls } from '../../../hub/http/hls.ts'
import { type Listening, listen } from '../../../hub/http/server.ts'
import { bench, benchForEach } from '../bench.ts'
import { run, until } from '../media.ts'

const test = suite('HLS output')

let web: Listening
benchForEach(test)
test.before.each(async () => {
  const hls = createHls(bench.engine)
  const none = () => new Response('none', { status: 404 })
  web = await listen(
    async (request, { address }) => hls(request, address) ?? none(),
    () => {},
    0,
    '127.0.0.1'
  )
})
test.after.each(() => web.close())

/** A packet that begins a frame at a time, in seconds. */
function frame(seconds: number): Buffer {
  const packet = Buffer.alloc(188, 0xff)
  packet.set([0x47, 0x41, 0, 0x10, 0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5])
  const ticks = (BigInt(Math.round(seconds * 90_000)) + (1n << 33n)) % (1n << 33n)
  packet[13] = 0x21 | (Number(ticks >> 30n) << 1)
  packet.writeUInt16BE((Number((ticks >> 15n) & 0x7fffn) << 1) | 1, 14)
  packet.writeUInt16BE((Number(ticks & 0x7fffn) << 1) | 1, 16)
  return packet
}
const TABLES = Buffer.alloc(376, 0x47)

test('time stamps are read from the packet that begins a frame', () => {
  assert.equal(timeStampAt(frame(1.5), 0), 135_000)
  assert.equal(timeStampAt(Buffer.concat([frame(0), frame(90_000)]), 188), 90_000 * 90_000)
  assert.equal(timeStampAt(Buffer.alloc(188), 0), undefined)
})

test('segments begin with the tables and a key frame, last as long as was asked, and the list keeps its length', () => {
  const segments = createHlsSegments({ 'seg-count': 3, 'seg-duration': 2 }, () => 0, 100)
  assert.equal(segments.playlist(), undefined)
  // The clock of the stream begins again on the way.
  for (let at = 0; at < 24; at++) segments.media(frame(at * 0.5 - 3), [0], TABLES)
  const list = segments.playlist() ?? ''
  assert.deepEqual(
    list.split('\n').filter((line) => !line.startsWith('#EXTM3U')),
    [
      ...[
        '#EXT-X-VERSION:3',
        '#EXT-X-TARGETDURATION:2',
        '#EXT-X-MEDIA-SEQUENCE:102',
        '#EXT-X-DISCONTINUITY-SEQUENCE:0'
      ],
      ...['#EXTINF:2.000,', '102.ts', '#EXTINF:2.000,', '103.ts', '#EXTINF:2.000,', '104.ts', '']
    ]
  )
  const bytes = segments.segment('103.ts')
  assert.equal(bytes?.length, 376 + 4 * 188)
  assert.ok(bytes.subarray(0, 376).equals(TABLES))
  assert.ok(segments.segment('100.ts'), 'for players that are behind')
  assert.equal(segments.segment('999.ts'), undefined)
})

test('what follows another stream is marked, and counted when it has left the list', () => {
  const segments = createHlsSegments({ 'seg-count': 3, 'seg-duration': 1 }, () => 0, 0)
  const stream = () => {
    for (let at = 0; at < 3; at++) segments.media(frame(at), [0], TABLES)
    segments.over()
  }
  stream()
  stream()
  assert.match(segments.playlist() ?? '', /MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n/)
  segments.media(frame(0), [0], TABLES)
  segments.media(frame(1), [0], TABLES)
  assert.match(segments.playlist() ?? '', /MEDIA-SEQUENCE:4\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n/)
})

test('a player is an address that fetches segments: its rate is what it fetched, and without a segment for three it has left', () => {
  let [at, ids, changes] = [0, 0, 0]
  const players = createHlsPlayers({ target: () => 2, clientId: () => ++ids, now: () => at, changed: () => changes++ })
  players.fetched('10.0.0.1', 300_000)
  at = 2000
  players.fetched('10.0.0.1', 300_000)
  players.fetched('10.0.0.2', 150_000)
  assert.equal(changes, 2)
  assert.deepEqual(players.takers(at), [
    { id: 1, address: '10.0.0.1', kbps: 800, livingTimeS: 2 },
    { id: 2, address: '10.0.0.2', kbps: 200, livingTimeS: 0 }
  ])
  assert.deepEqual(players.takers(8000), [])
  for (at = 10_000; at < 50_000; at += 2000) {
    // As late as a player may be, and two of them behind one address.
    const late = at % 4000 === 0 ? 300 : 0
    players.fetched('10.0.0.3', 300_000)
    at += late
    players.fetched('10.0.0.3', 300_000)
    at -= late
  }
  at -= 2000
  const rate = players.takers(at)[0]?.kbps ?? 0
  assert.ok(Math.abs(rate - 2400) < 0.05 * 2400, `${rate} kbps`)
  assert.ok(players.drop(3))
  at += 6000
  players.fetched('10.0.0.1', 1)
  assert.ok(!players.drop(1), 'it has another number since it came back')
  assert.ok(players.drop(4) && !players.admits('10.0.0.1') && players.admits('10.0.0.2'))
  at += BANISHED
  assert.ok(players.admits('10.0.0.1'))
  for (let n = 0; n < 5000; n++) players.fetched(`10.1.${n >> 8}.${n & 255}`, 1)
  assert.equal(players.takers(at).length, 1000)
})

test('a player over HLS is listed, thrown out for a while, and refused from where the channel does not allow', async () => {
  const apply = (allowIp: string[]) =>
    bench.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [{ id: 3, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } }],
      door: { pushKey: 'PUSH-1', playKey: 'PLAY-1', srt: false, rtmp: false, allowIp }
    })
  apply(['127.0.0.0/8'])
  const at = (path: string) => fetch(`http://127.0.0.1:${web.port}/hls/HLS-1/${path}`)
  const list = () => at('index.m3u8')
  await until('a segment', () => bench.engine.shelves.get('HLS-1')?.playlist() !== undefined)
  const [name = ''] = /^\d+\.ts$/m.exec(await (await list()).text()) ?? []
  const { length } = await (await at(name)).bytes()
  const [player] = bench.engine.observe(1).clients ?? []
  assert.deepEqual(
    [player?.address, player?.protocol, player?.output, player?.sends, player?.kbps],
    ['127.0.0.1', HTTP, 3, false, Math.round((length * 8) / 3000)]
  )
  const written = bench.engine.counted(1).outputs.get(3) ?? 0
  apply(['10.0.0.0/8'])
  assert.equal((await list()).status, 403)
  assert.deepEqual(bench.engine.observe(1).clients, [])
  apply([])
  assert.equal((await at(name)).status, 200)
  const again = bench.engine.observe(1).clients?.[0]?.id ?? 0
  assert.ok(again > (player?.id ?? 0))
  assert.ok(!bench.engine.dropClient(1, player?.id ?? 0))
  assert.ok(bench.engine.dropClient(1, again))
  assert.deepEqual([(await list()).status, (await at(name)).status], [403, 403])
  assert.ok((bench.engine.counted(1).outputs.get(3) ?? 0) >= written, 'the output went on')
})

test('a player finds the list and its segments, with the right types; nothing else is there', async () => {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } }]
  })
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${web.port}/hls/${path}`, init)
  await until('the output is there', () => bench.engine.shelves.has('HLS-1'))
  const early = await at('HLS-1/index.m3u8')
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '2'])
  await bench.reaches(1, CONNECTION.connected, 3)
  await until('a segment', () => bench.engine.shelves.get('HLS-1')?.playlist() !== undefined)
  const list = await at('HLS-1/index.m3u8')
  assert.equal(list.headers.get('content-type'), 'application/vnd.apple.mpegurl')
  assert.equal(list.headers.get('cache-control'), 'no-store')
  const [name = ''] = /^\d+\.ts$/m.exec(await list.text()) ?? []
  const segment = await at(`HLS-1/${name}`)
  assert.deepEqual([segment.status, segment.headers.get('content-type')], [200, 'video/mp2t'])
  assert.equal(Number((await at(`HLS-1/${name}`, { method: 'HEAD' })).headers.get('content-length')) % 188, 0)
  assert.equal((await at(`HLS-1/${name}`, { method: 'POST' })).status, 405)
  for (const path of ['', 'HLS-1', 'HLS-1/', 'HLS-2/index.m3u8', 'HLS-1/..%2f..%2fetc%2fpasswd', 'HLS-1/9.ts'])
    assert.equal((await at(path)).status, 404, path)
  // Who fetches lists alone does not take the stream.
  assert.equal(bench.engine.observe(1).outputs.get(3)?.clientNum, 1)

  const probe = run(
    [
      ...[
        '-v',
        'error',
        '-count_packets',
        '-read_intervals',
        '%+2',
        '-show_entries',
        'stream=codec_name,nb_read_packets'
      ],
      ...['-of', 'csv=p=0', `http://127.0.0.1:${web.port}/hls/HLS-1/index.m3u8`]
    ],
    'ffprobe'
  )
  await probe.done
  assert.match(probe.text(), /h264,[1-9]\d/)
  assert.match(probe.text(), /aac,[1-9]\d/)
  bench.engine.remove(1)
  await until('the output is gone', () => !bench.engine.shelves.has('HLS-1'))
  assert.equal((await at('HLS-1/index.m3u8')).status, 404)
})

test.run()
