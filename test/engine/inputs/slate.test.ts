import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { encodeSlate, playSlate, slateStreamTypes } from '../../../engine/inputs/slate.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { until } from '../../kit/until.ts'

const test = suite('slate')

/** Returns the number of packets of each codec in a clip. */
function countPackets(bytes: Buffer): Record<string, number> {
  const show = ['-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0']
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', ...show, '-f', 'mpegts', 'pipe:0'], { input: bytes })
  const lines = String(stdout).split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => line.split(',').slice(0, 2)).map(([name, count]) => [name, Number(count)])
  )
}

test('a slate has the codecs of the stream before it, or the default ones if ffmpeg cannot encode those', () => {
  const rows: [types: number[], slate: number[]][] = [
    [[], [27, 15]],
    [
      [27, 15],
      [27, 15]
    ],
    [
      [36, 15],
      [36, 15]
    ],
    [
      [2, 4],
      [2, 4]
    ],
    [
      [27, 129, 6],
      [27, 129]
    ],
    [[27], [27]],
    [[66, 17], [27]],
    [[15], [27, 15]]
  ]
  for (const [types, slate] of rows) assert.deepEqual(slateStreamTypes(types), slate, String(types))
})

test('a Chinese name is rendered with its characters', async () => {
  const launcher = createLauncher()
  const renderFirstFrame = async (name: string) => {
    const firstFrame = ['-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
    const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-f', 'mpegts', '-i', 'pipe:0', ...firstFrame], {
      input: await encodeSlate(launcher, name, [27]),
      maxBuffer: 4_000_000
    })
    assert.equal(stdout.length, 1280 * 720)
    return stdout
  }
  const [news, sports, newsAgain] = [
    await renderFirstFrame('新闻'),
    await renderFirstFrame('体育'),
    await renderFirstFrame('新闻')
  ]
  assert.ok(news.equals(newsAgain))
  assert.ok(!news.equals(sports))
})

test('a slate has four seconds with five frames each, whatever the name contains', async () => {
  const launcher = createLauncher()
  for (const name of ["Nave: 100% 'live'\\ %{n}", '演播室', 'x'.repeat(64), '']) {
    const { h264 = 0, aac = 0 } = countPackets((await encodeSlate(launcher, name, [27, 15])) ?? Buffer.alloc(0))
    assert.equal(h264, 20, name)
    assert.ok(aac > 180, `${aac} audio packets`)
  }
  assert.deepEqual(Object.keys(countPackets((await encodeSlate(launcher, 'Hall', [2, 4])) ?? Buffer.alloc(0))), [
    'mpeg2video',
    'mp2'
  ])
  assert.deepEqual(Object.keys(countPackets((await encodeSlate(launcher, 'Hall', [27])) ?? Buffer.alloc(0))), ['h264'])
  assert.equal(launcher.processCount(), 0)
})

test('without ffmpeg there is no slate', async () => {
  assert.equal(await encodeSlate(createLauncher('/no/such/ffmpeg'), 'Hall', []), undefined)
})

test('a slate is played in real time and in a loop until it is stopped', async () => {
  const clip = (await encodeSlate(createLauncher(), 'Hall', [27, 15])) ?? Buffer.alloc(0)
  let bytes = 0
  let bytesOfRound: number | undefined
  let startPoints = 0
  const startedAt = performance.now()
  const player = playSlate(
    clip,
    (data, starts) => {
      bytes += data.length
      startPoints += starts.length
    },
    () => {
      bytesOfRound ??= bytes
    }
  )
  await until(() => bytesOfRound !== undefined, 'the second round starts')
  assert.ok(performance.now() - startedAt > 3800)
  player.stop()
  assert.equal(bytesOfRound, clip.length)
  assert.ok(startPoints >= 4, `${startPoints} points where a decoder can start`)
  const before = bytes
  let bytesOfNext = 0
  const next = playSlate(
    clip,
    (data) => {
      bytesOfNext += data.length
    },
    () => {}
  )
  await until(() => bytesOfNext > clip.length / 4, 'another one plays')
  next.stop()
  assert.equal(bytes, before)
})

test.run()
