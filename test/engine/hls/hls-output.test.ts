// HLS outputs as players see them, over the hub's web server and read by ffprobe. The segmenter is also tested alone.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP } from '../../../contract/stream/protocols.ts'
import type { HlsOutput } from '../../../contract/stream/source.ts'
import { BLOCK_DURATION, HlsPlayers } from '../../../engine/hls/hls-players.ts'
import { type HlsStart, hlsStartAt, SegmentStore } from '../../../engine/hls/segment-store.ts'
import { createSegmentRecorder, timestampAt } from '../../../engine/hls/segments.ts'
import { createHlsHandler } from '../../../hub/http/hls.ts'
import type { HttpServer } from '../../../web-server/server.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { hlsFilesOf } from '../../kit/engine/hls-fetch.ts'
import { runProcess } from '../../kit/engine/media.ts'
import { serve } from '../../kit/hub/web-server.ts'
import { until } from '../../kit/until.ts'

const test = suite('HLS output')

let web: HttpServer
fixtureForEach(test)
test.before.each(async () => {
  const hls = createHlsHandler(hlsFilesOf(fixture.engine))
  web = await serve((request, { address }) => hls(request, address))
})
test.after.each(() => web.close())

/** Returns a packet that starts a frame with a timestamp in seconds. */
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

/** A recorder of MPEG-TS with its store. */
function createSegments(config: HlsOutput, start: HlsStart) {
  const store = new SegmentStore(config, start)
  const recorder = createSegmentRecorder(config, () => 0, store)
  return {
    media: recorder.media.bind(recorder),
    end: () => recorder.end(),
    playlist: () => store.playlist(),
    segment: (name: string) => store.segment(name)?.bytes,
    read: (name: string) => store.segment(name)
  }
}

test('timestamps are read from the packet that starts a frame', () => {
  assert.equal(timestampAt(frame(1.5), 0), 135_000)
  assert.equal(timestampAt(Buffer.concat([frame(0), frame(90_000)]), 188), 90_000 * 90_000)
  assert.equal(timestampAt(Buffer.alloc(188), 0), undefined)
})

test('segments start with the tables and a key frame, have the configured duration, and the playlist keeps its length', () => {
  const segments = createSegments({ 'seg-count': 3, 'seg-duration': 2 }, { sequence: 100, run: '' })
  assert.equal(segments.playlist(), undefined)
  // The clock of the stream wraps around in between.
  for (let index = 0; index < 24; index++) segments.media(frame(index * 0.5 - 3), [0], TABLES)
  const list = segments.playlist() ?? ''
  assert.deepEqual(
    list.split('\n').filter((line) => !line.startsWith('#EXTM3U')),
    [
      ...[
        '#EXT-X-VERSION:3',
        '#EXT-X-TARGETDURATION:2',
        '#EXT-X-MEDIA-SEQUENCE:102',
        // The seam to the time before a restart has left the playlist.
        '#EXT-X-DISCONTINUITY-SEQUENCE:101'
      ],
      ...['#EXTINF:2.000,', '102.ts', '#EXTINF:2.000,', '103.ts', '#EXTINF:2.000,', '104.ts', '']
    ]
  )
  const bytes = segments.segment('103.ts')
  assert.equal(bytes?.length, 376 + 4 * 188)
  assert.ok(bytes.subarray(0, 376).equals(TABLES))
  assert.ok(segments.segment('100.ts'), 'segments removed from the playlist stay available for slow players')
  assert.equal(segments.segment('999.ts'), undefined)
})

test('a segment uses the memory of one that was dropped, unless a player still reads that', () => {
  const segments = createSegments({ 'seg-count': 1, 'seg-duration': 1 }, { sequence: 0, run: '' })
  let index = 0
  // The packet of the key frame, and one that is filled with the number of the segment.
  const record = () => segments.media(Buffer.concat([frame(index), Buffer.alloc(188, index++)]), [0], TABLES)
  for (let count = 0; count < 3; count++) record()
  const [first, second] = [segments.read('0.ts'), segments.read('1.ts')]
  assert.ok(first && second)
  const bytes = Buffer.from(first.bytes)
  second.release()
  second.release()
  // Each one is recorded once the segment after it begins, and three are kept.
  for (let count = 0; count < 10; count++) record()
  assert.equal(segments.segment('1.ts'), undefined)
  assert.ok(first.bytes.equals(bytes), 'the bytes of a segment that is read changed')
  const newest = [9, 10, 11].map((number) => segments.segment(`${number}.ts`)?.buffer)
  assert.ok(!newest.includes(first.bytes.buffer))
  assert.ok(newest.includes(second.bytes.buffer), 'the memory of a segment that was read is not used again')
})

test('a new stream is marked with a discontinuity, which is counted once it has left the playlist', () => {
  const segments = createSegments({ 'seg-count': 3, 'seg-duration': 1 }, { sequence: 0, run: '' })
  const addStream = () => {
    for (let index = 0; index < 3; index++) segments.media(frame(index), [0], TABLES)
    segments.end()
  }
  addStream()
  addStream()
  assert.match(segments.playlist() ?? '', /MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n#EXT-X-DISCONTINUITY\n/)
  segments.media(frame(0), [0], TABLES)
  segments.media(frame(1), [0], TABLES)
  assert.match(segments.playlist() ?? '', /MEDIA-SEQUENCE:4\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n/)
})

test('after a restart the numbers go on, the seam is marked, and names do not repeat', () => {
  const config = { 'seg-count': 3, 'seg-duration': 2 }
  const record = (epochMs: number, segmentCount: number) => {
    const segments = createSegments(config, hlsStartAt(config, epochMs))
    for (let index = 0; index <= segmentCount; index++) segments.media(frame(index * 2), [0], TABLES)
    const list = segments.playlist() ?? ''
    const value = (name: string) => Number(new RegExp(`#EXT-X-${name}:(\\d+)`).exec(list)?.[1])
    return {
      list,
      names: [...list.matchAll(/^\d+\.ts$/gm)].map(String),
      sequence: value('MEDIA-SEQUENCE'),
      discontinuities: value('DISCONTINUITY-SEQUENCE')
    }
  }
  const epochMs = Date.now()
  const before = record(epochMs, 1800)
  const after = record(epochMs + 3_601_000, 2)
  assert.match(after.list, /DISCONTINUITY-SEQUENCE:\d+\n#EXT-X-DISCONTINUITY\n#EXTINF/)
  const ahead = after.sequence - (before.sequence + before.names.length)
  assert.ok(ahead >= 0 && ahead < 3, `${ahead} segments ahead`)
  assert.ok(after.discontinuities > before.discontinuities)
  // The clock was set back by the time of the restart.
  const again = record(epochMs + 3_601_000, 2)
  assert.deepEqual([again.names.length, again.names.filter((name) => after.names.includes(name))], [2, []])
})

test('an address that fetches segments is a player, its rate is that of the segments, and it leaves after three segments without a fetch', () => {
  let [time, ids, changes] = [0, 0, 0]
  const players = new HlsPlayers({
    targetDuration: () => 2,
    nextClientId: () => ++ids,
    now: () => time,
    onChange: () => changes++
  })
  players.recordFetch('10.0.0.1', 300_000)
  time = 2000
  players.recordFetch('10.0.0.1', 300_000)
  players.recordFetch('10.0.0.2', 150_000)
  assert.equal(changes, 2)
  assert.deepEqual(players.list(time), [
    { id: 1, address: '10.0.0.1', kbps: 800, livingTimeS: 2 },
    { id: 2, address: '10.0.0.2', kbps: 200, livingTimeS: 0 }
  ])
  assert.deepEqual(players.list(8000), [])
  for (time = 10_000; time < 50_000; time += 2000) {
    // Two players behind one address, as late as players may be.
    const delay = time % 4000 === 0 ? 300 : 0
    players.recordFetch('10.0.0.3', 300_000)
    time += delay
    players.recordFetch('10.0.0.3', 300_000)
    time -= delay
  }
  time -= 2000
  const rate = players.list(time)[0]?.kbps ?? 0
  assert.ok(Math.abs(rate - 2400) < 0.05 * 2400, `${rate} kbps`)
  assert.ok(players.disconnect(3))
  time += 6000
  players.recordFetch('10.0.0.1', 1)
  assert.ok(!players.disconnect(1), 'a player that reconnects gets a new ID')
  assert.ok(players.disconnect(4) && !players.isAllowed('10.0.0.1') && players.isAllowed('10.0.0.2'))
  time += BLOCK_DURATION
  assert.ok(players.isAllowed('10.0.0.1'))
  for (let n = 0; n < 5000; n++) players.recordFetch(`10.1.${n >> 8}.${n & 255}`, 1)
  assert.equal(players.list(time).length, 1000)
})

test('an HLS player is listed, can be disconnected for a while, and is refused from addresses that the channel does not allow', async () => {
  const apply = (allowIp: string[]) =>
    fixture.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [{ id: 3, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } }],
      access: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1', srt: false, rtmp: false, 'allow-ip': allowIp }
    })
  apply(['127.0.0.0/8'])
  const fetchPath = (path: string) => fetch(`http://127.0.0.1:${web.port}/hls/HLS-1/${path}`)
  const fetchPlaylist = () => fetchPath('index.m3u8')
  await until(() => fixture.engine.hlsStores.get('HLS-1')?.playlist() !== undefined, 'there is a segment')
  const [name = ''] = /^\d+\.ts$/m.exec(await (await fetchPlaylist()).text()) ?? []
  const { length } = await (await fetchPath(name)).bytes()
  const [player] = fixture.engine.observe(1).clients ?? []
  assert.deepEqual(
    [player?.address, player?.protocol, player?.outputId, player?.isPublisher, player?.kbps],
    ['127.0.0.1', HTTP, 3, false, Math.round((length * 8) / 3000)]
  )
  const bytesBefore = fixture.engine.byteTotals(1).outputs.get(3) ?? 0
  apply(['10.0.0.0/8'])
  assert.equal((await fetchPlaylist()).status, 403)
  assert.deepEqual(fixture.engine.observe(1).clients, [])
  apply([])
  assert.equal((await fetchPath(name)).status, 200)
  const newId = fixture.engine.observe(1).clients?.[0]?.id ?? 0
  assert.ok(newId > (player?.id ?? 0))
  assert.ok(!fixture.engine.disconnectClient(1, player?.id ?? 0))
  assert.ok(fixture.engine.disconnectClient(1, newId))
  assert.deepEqual([(await fetchPlaylist()).status, (await fetchPath(name)).status], [403, 403])
  assert.ok((fixture.engine.byteTotals(1).outputs.get(3) ?? 0) >= bytesBefore, 'the output continued')
})

test('the playlist and its segments have the right content types, and every other path is not found', async () => {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } }]
  })
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${web.port}/hls/${path}`, init)
  await until(() => fixture.engine.hlsStores.has('HLS-1'), 'the output exists')
  const early = await fetchPath('HLS-1/index.m3u8')
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '2'])
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  await until(() => fixture.engine.hlsStores.get('HLS-1')?.playlist() !== undefined, 'there is a segment')
  const list = await fetchPath('HLS-1/index.m3u8')
  assert.equal(list.headers.get('content-type'), 'application/vnd.apple.mpegurl')
  assert.equal(list.headers.get('cache-control'), 'no-store')
  const [name = ''] = /^\d+\.ts$/m.exec(await list.text()) ?? []
  const segment = await fetchPath(`HLS-1/${name}`)
  assert.deepEqual([segment.status, segment.headers.get('content-type')], [200, 'video/mp2t'])
  assert.equal(Number((await fetchPath(`HLS-1/${name}`, { method: 'HEAD' })).headers.get('content-length')) % 188, 0)
  assert.equal((await fetchPath(`HLS-1/${name}`, { method: 'POST' })).status, 405)
  for (const path of ['', 'HLS-1', 'HLS-1/', 'HLS-2/index.m3u8', 'HLS-1/..%2f..%2fetc%2fpasswd', 'HLS-1/9.ts'])
    assert.equal((await fetchPath(path)).status, 404, path)
  // Fetching only playlists does not count as a player.
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.clientNum, 1)

  const probe = runProcess(
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
  await probe.exited
  assert.match(probe.output(), /h264,[1-9]\d/)
  assert.match(probe.output(), /aac,[1-9]\d/)
  fixture.engine.remove(1)
  await until(() => !fixture.engine.hlsStores.has('HLS-1'), 'the output is removed')
  assert.equal((await fetchPath('HLS-1/index.m3u8')).status, 404)
})

test.run()
