// How soon a receiver shows a picture of a source that has a key frame every 10 s.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP } from '../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess } from '../kit/engine/media.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { probeTracks, watchChannel } from '../kit/engine/watcher.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { lostDatagrams } from '../kit/net/lost-datagrams.ts'
import { ownTime } from '../kit/own-time.ts'
import { until } from '../kit/until.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('first picture')
fixtureForEach(test)

/** Milliseconds within which a receiver has its first picture. */
const FIRST_PICTURE = 2000

/** Milliseconds for which programs may wait for a processor before a player loses datagrams. */
const WAIT_MAX = 50

let rtspPort: number
let sender: RunningProcess

/** A group of pictures has 3.75 MB, more than queues hold of a stream in progress. */
function encodeClip(): string {
  const path = `${clipPath()}.long-groups.ts`
  const { status, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '40'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '250',
      '-pix_fmt',
      'yuv420p',
      '-bf',
      '0',
      '-sc_threshold',
      '0'
    ],
    ...['-b:v', '3M', '-minrate', '3M', '-maxrate', '3M', '-bufsize', '1M', '-x264-params', 'nal-hrd=cbr:filler=1'],
    ...['-c:a', 'aac', '-f', 'mpegts', '-y', path]
  ])
  assert.equal(status, 0, String(stderr))
  return path
}

test.before.each(async () => {
  rtspPort = await freeTcpPort()
  const port = await freeUdpPort()
  const output = { id: 3, name: 'Eye', protocol: RTSP, config: { port: rtspPort, key: 'hall' } } as const
  fixture.engine.apply(channel(1, urlInput(10, `udp://127.0.0.1:${port}`), [output]))
  const input = ['-v', 'error', '-progress', 'pipe:1', '-re', '-i', encodeClip(), '-c', 'copy']
  sender = runProcess([...input, '-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`])
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

/** Waits until the source has sent some seconds. */
const waitForMedia = (seconds: number) =>
  until(
    () => Number([...sender.output().matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1] ?? 0) > seconds * 1e6,
    'the key frame is some seconds old'
  )

/** Starts a player, and waits for its first picture. */
async function play(transport: 'tcp' | 'udp') {
  const url = `rtsp://127.0.0.1:${rtspPort}/hall`
  const options = ['-rtsp_transport', transport, '-probesize', '100000', '-analyzeduration', '500000']
  let player: RunningProcess | undefined
  const hasPicture = () => /^0,/m.test(player?.output() ?? '')
  const ms = await ownTime(() => {
    player = runProcess([
      ...['-v', 'error', ...options, '-i', url, '-map', '0:v', '-t', '8', '-flush_packets', '1', '-f', 'framemd5', '-']
    ])
    return until(() => hasPicture() || !player?.isRunning(), 'there is a picture')
  })
  assert.ok(hasPicture(), player?.output())
  return { player: player as unknown as RunningProcess, ms, lost: 0 }
}

for (const transport of ['tcp', 'udp'] as const)
  test(`RTSP players over ${transport} begin with the last key frame, the first one and those after it`, async () => {
    const plays: Awaited<ReturnType<typeof play>>[] = []
    const wait = await waitDuring(async () => {
      for (const seconds of [2, 4]) {
        await waitForMedia(seconds)
        plays.push(await play(transport))
      }
      await until(() => {
        for (const each of plays) each.lost = Math.max(each.lost, lostDatagrams(each.player.pid))
        return plays.every(({ player }) => !player.isRunning())
      }, 'the players have ended')
    })
    for (const { player, ms, lost } of plays) {
      assert.ok(ms < FIRST_PICTURE, `after ${ms} ms`)
      const output = player.output()
      // No frame is missing, repeated or late, from the cached ones to those that follow.
      const times = [...output.matchAll(/^0, *-?\d+, *(-?\d+)/gm)].map(([, time]) => Number(time))
      const [start = 0] = times
      if (lost > 0 && wait > WAIT_MAX) {
        const inOrder = [...new Set(times)].sort((one, other) => one - other)
        assert.deepEqual(times, inOrder)
        continue
      }
      assert.ok(times.length >= 195, `${times.length} frames`)
      assert.deepEqual(
        times,
        times.map((_, index) => start + index)
      )
      assert.doesNotMatch(output, /error|corrupt|missed|drop/i)
    }
  })

test('pages begin with the last key frame, the first one and those after it', async () => {
  await waitForMedia(3)
  for (let page = 0; page < 2; page++) {
    const watcher = watchChannel(fixture.engine, 1)
    const ms = await ownTime(() => until(() => watcher.parts.length > 2, 'fragments arrive'))
    assert.ok(ms < FIRST_PICTURE, `after ${ms} ms`)
    assert.deepEqual(probeTracks(watcher.parts), ['h264 320x180', 'aac'])
  }
})

test.run()
