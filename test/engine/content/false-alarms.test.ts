// A programme without a fault must raise no alarm. It is measured with the program and the settings that ship, faster
// than it is played; its times are those of its key frames and of its half seconds of sound.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { DEFAULT_CONTENT_SETTINGS } from '../../../contract/stream/content-settings.schema.ts'
import { ContentConditions } from '../../../engine/content/content-conditions.ts'
import { METER_ARGS } from '../../../engine/content/content-meter.ts'
import { PictureMeter, type PictureSample } from '../../../engine/content/picture-meter.ts'
import { SoundMeter, type SoundSample } from '../../../engine/content/sound-meter.ts'
import { encodeProgramme, PROGRAMME_KEY_INTERVAL, PROGRAMME_SECONDS } from '../../kit/engine/programme.ts'

const test = suite('false alarms')

let folder = ''
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-programme-'))
})
test.after(() => rmSync(folder, { recursive: true }))

/** Milliseconds of a block of sound. */
const BLOCK = 500

function measure(path: string): { pictures: PictureSample[]; sound: SoundSample[] } {
  const result = { pictures: [] as PictureSample[], sound: [] as SoundSample[] }
  const { stdout, stderr } = spawnSync('ffmpeg', METER_ARGS, { input: readFileSync(path), maxBuffer: 64 << 20 })
  new PictureMeter((sample) => result.pictures.push(sample)).push(stdout)
  const meter = new SoundMeter((sample) => result.sound.push(sample))
  for (const line of stderr.toString().split('\n')) meter.push(line)
  return result
}

test('cuts, fades to black, a slide, credits and quiet speech with pauses raise no alarm', () => {
  const path = join(folder, 'programme.ts')
  encodeProgramme(path)
  const { pictures, sound } = measure(path)
  assert.ok(Math.abs(pictures.length * PROGRAMME_KEY_INTERVAL - PROGRAMME_SECONDS) <= 2, `${pictures.length} pictures`)
  assert.ok(Math.abs((sound.length * BLOCK) / 1000 - PROGRAMME_SECONDS) <= 2, `${sound.length} blocks of sound`)
  assert.ok(pictures.some(({ isBlack }) => isBlack) && sound.some(({ peak }) => peak < -60), 'it has black and pauses')
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  for (const [index, block] of sound.entries()) {
    const now = index * BLOCK
    const picture = pictures[now / 1000 / PROGRAMME_KEY_INTERVAL]
    if (picture) conditions.addPicture(picture, now)
    conditions.addSound(block, now)
    assert.equal(conditions.reason(now), undefined, `at ${now / 1000} s`)
  }
})

test.run()
