// Measures a programme with the program and the settings that ship, faster than it is played.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { DEFAULT_CONTENT_SETTINGS } from '../../../contract/stream/content-settings.schema.ts'
import { ContentConditions } from '../../../engine/content/content-conditions.ts'
import { METER_ARGS } from '../../../engine/content/content-meter.ts'
import { PictureMeter, type PictureSample } from '../../../engine/content/picture-meter.ts'
import { SoundMeter, type SoundSample } from '../../../engine/content/sound-meter.ts'
import { PROGRAMME_KEY_INTERVAL } from './programme.ts'

/** Milliseconds of a block of sound. */
const BLOCK = 500

/** @returns a picture for each key frame, and a block of sound for each half second */
export function measureProgramme(path: string): { pictures: PictureSample[]; sound: SoundSample[] } {
  const result = { pictures: [] as PictureSample[], sound: [] as SoundSample[] }
  const { stdout, stderr } = spawnSync('ffmpeg', METER_ARGS, { input: readFileSync(path), maxBuffer: 1 << 30 })
  new PictureMeter((sample) => result.pictures.push(sample)).push(stdout)
  const meter = new SoundMeter((sample) => result.sound.push(sample))
  for (const line of stderr.toString().split('\n')) meter.push(line)
  return result
}

/** Asserts that all of a programme was measured, and raises no alarm. @param seconds its length */
export function assertNoAlarm(path: string, seconds: number): ReturnType<typeof measureProgramme> {
  const measured = measureProgramme(path)
  const { pictures, sound } = measured
  assert.ok(Math.abs(pictures.length * PROGRAMME_KEY_INTERVAL - seconds) <= 2, `${pictures.length} pictures`)
  assert.ok(Math.abs((sound.length * BLOCK) / 1000 - seconds) <= 2, `${sound.length} blocks of sound`)
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  for (const [index, block] of sound.entries()) {
    const now = index * BLOCK
    const picture = pictures[now / 1000 / PROGRAMME_KEY_INTERVAL]
    if (picture) conditions.addPicture(picture, now)
    conditions.addSound(block, now)
    assert.equal(conditions.reason(now), undefined, `at ${now / 1000} s`)
  }
  return measured
}
