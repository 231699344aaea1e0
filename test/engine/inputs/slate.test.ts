import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { makeSlate, playSlate, slateTypes } from '../../../engine/inputs/slate.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { until } from '../media.ts'

const test = suite('slate')

/** Codecs of a clip, and how many packets of each. */
function probe(bytes: Buffer): Record<string, number> {
  const show = ['-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0']
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', ...show, '-f', 'mpegts', 'pipe:0'], { input: bytes })
  const lines = String(stdout).split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => line.split(',').slice(0, 2)).map(([name, count]) => [name, Number(count)])
  )
}

test('a slate has the codecs of the stream before it, and the usual ones where nobody here encodes those', () => {
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
  for (const [types, slate] of rows) assert.deepEqual(slateTypes(types), slate, String(types))
})

test('a Chinese name is written in its letters, not in boxes', async () => {
  const launcher = createLauncher()
  const still = async (name: string) => {
    const first = ['-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
    const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-f', 'mpegts', '-i', 'pipe:0', ...first], {
      input: await makeSlate(launcher, name, [27]),
      maxBuffer: 4_000_000
    })
    assert.equal(stdout.length, 1280 * 720)
    return stdout
  }
  const [one, other, again] = [await still('新闻'), await still('体育'), await still('新闻')]
  assert.ok(one.equals(again))
  assert.ok(!one.equals(other))
})

test('a slate is four seconds with a picture each fifth of a second, whatever the name holds', async () => {
  const launcher = createLauncher()
  for (const name of ["Nave: 100% 'live'\\ %{n}", '演播室', 'x'.repeat(64), '']) {
    const { h264 = 0, aac = 0 } = probe((await makeSlate(launcher, name, [27, 15])) ?? Buffer.alloc(0))
    assert.equal(h264, 20, name)
    assert.ok(aac > 180, `${aac} packets of sound`)
  }
  assert.deepEqual(Object.keys(probe((await makeSlate(launcher, 'Hall', [2, 4])) ?? Buffer.alloc(0))), [
    'mpeg2video',
    'mp2'
  ])
  assert.deepEqual(Object.keys(probe((await makeSlate(launcher, 'Hall', [27])) ?? Buffer.alloc(0))), ['h264'])
  assert.equal(launcher.count(), 0)
})

test('without ffmpeg there is no slate', async () => {
  assert.equal(await makeSlate(createLauncher('/no/such/ffmpeg'), 'Hall', []), undefined)
})

test('a slate is given at its own pace, from its beginning again and again, until it is stopped', async () => {
  const clip = (await makeSlate(createLauncher(), 'Hall', [27, 15])) ?? Buffer.alloc(0)
  let given = 0
  let rounds = 0
  let begins = 0
  const began = performance.now()
  const player = playSlate(
    clip,
    (data, starts) => {
      given += data.length
      begins += starts.length
    },
    () => rounds++
  )
  await until('the second round', () => rounds === 1)
  const took = performance.now() - began
  player.stop()
  assert.ok(took > 3800, `${took} ms`)
  assert.ok(given >= clip.length * 0.95 && given < clip.length * 1.3, `${given} of ${clip.length} bytes`)
  assert.ok(begins >= 4, `${begins} places where a decoder can start`)
  const before = given
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal(given, before)
})

test.run()
