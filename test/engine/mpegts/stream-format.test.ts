// The format of arriving streams, read from streams that ffmpeg encodes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import type { StreamFormat } from '../../../contract/stream/format.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('format of a stream')

fixtureForEach(test)

interface Clip {
  /** Filter source: size and rate. */
  video?: string
  options: readonly string[]
}

/** Encodes 6 s. */
function encode(name: string, { video = 'testsrc2=s=320x180:r=25', options }: Clip): string {
  const path = `${clipPath()}.format-${name}.ts`
  const sources = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', 'sine=r=48000']
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...sources, '-t', '6', ...options, '-y', path])
  assert.equal(status, 0, String(stderr))
  return path
}

const send = (path: string, url: string): RunningProcess =>
  runProcess(['-v', 'error', '-re', '-stream_loop', '-1', '-i', path, '-map', '0', '-c', 'copy', '-f', 'mpegts', url])

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', 'scenecut=0']
/** Encoded streams, each with the format that must be read. */
const CASES: readonly (readonly [name: string, clip: Clip, format: Omit<StreamFormat, 'program' | 'programs'>])[] = [
  [
    'high',
    {
      options: [
        ...x264,
        '-profile:v',
        'high',
        '-level',
        '3.1',
        '-bf',
        '2',
        '-g',
        '50',
        '-pix_fmt',
        'yuv420p',
        '-c:a',
        'aac',
        '-ac',
        '2'
      ]
    },
    {
      video: { codec: 'H.264', profile: 'High', level: '3.1', width: 320, height: 180, fps: 25, 'key-interval-s': 2 },
      audio: [{ codec: 'AAC', channels: 2, 'sample-rate': 48_000 }]
    }
  ],
  [
    'interlaced',
    {
      video: 'testsrc2=s=720x576:r=25',
      options: [
        '-c:v',
        'mpeg2video',
        '-flags',
        '+ildct+ilme',
        '-g',
        '12',
        '-pix_fmt',
        'yuv420p',
        '-c:a',
        'mp2',
        '-ac',
        '1'
      ]
    },
    {
      video: {
        codec: 'MPEG-2',
        profile: 'Main',
        level: 'Main',
        width: 720,
        height: 576,
        interlaced: true,
        fps: 25,
        'key-interval-s': 0.5
      },
      audio: [{ codec: 'MP2', channels: 1, 'sample-rate': 48_000 }]
    }
  ],
  [
    'hevc',
    {
      video: 'testsrc2=s=640x360:r=30000/1001',
      options: [
        ...[
          '-c:v',
          'libx265',
          '-preset',
          'ultrafast',
          '-x265-params',
          'log-level=error:keyint=30:min-keyint=30:scenecut=0'
        ],
        ...['-pix_fmt', 'yuv420p10le', '-c:a', 'ac3', '-ac', '6']
      ]
    },
    {
      video: {
        codec: 'HEVC',
        profile: 'Main 10',
        level: '2.1',
        width: 640,
        height: 360,
        fps: 29.97,
        'key-interval-s': 1
      },
      audio: [{ codec: 'AC-3', channels: 6, 'sample-rate': 48_000 }]
    }
  ],
  [
    'audio',
    { options: ['-map', '1', '-c:a', 'eac3', '-ac', '2', '-ar', '44100'] },
    { audio: [{ codec: 'E-AC-3', channels: 2, 'sample-rate': 44_100 }] }
  ]
]

const formatOf = () => fixture.engine.observe(1).input.format

async function startChannel(): Promise<string> {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(10, `udp://127.0.0.1:${port}`)))
  return `udp://127.0.0.1:${port}?pkt_size=1316`
}

/** Waits until a format is observed. */
const waitForFormat = (format: Omit<StreamFormat, 'program' | 'programs'>) =>
  until(
    () => {
      try {
        assert.deepEqual(formatOf(), { ...format, program: 1, programs: 1 })
        return true
      } catch {
        return false
      }
    },
    () => `the format is ${JSON.stringify(format)}: ${JSON.stringify(formatOf())}`
  )

test('codec, profile, level, size, rate and key frames are read, and follow a change of the stream', async () => {
  const url = await startChannel()
  for (const [name, clip, format] of CASES) {
    const sender = send(encode(name, clip), url)
    await waitForFormat(format)
    await sender.kill()
  }
  await until(() => fixture.engine.observe(1).input.connState !== CONNECTION_STATE.connected, 'nothing arrives')
  assert.equal(formatOf(), undefined)
})

test('the format does not change while the stream does not', async () => {
  const [[name, clip, format]] = CASES as [(typeof CASES)[number]]
  send(encode(name, clip), await startChannel())
  await waitForFormat(format)
  const before = JSON.stringify(formatOf())
  const { livingTimeS } = fixture.engine.observe(1).input
  await until(() => {
    assert.equal(JSON.stringify(formatOf()), before)
    return fixture.engine.observe(1).input.livingTimeS > livingTimeS + 8
  }, 'the stream goes on')
})

test.run()
