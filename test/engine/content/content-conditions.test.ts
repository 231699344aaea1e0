// When checks find faults, with the settings that ship. Times are milliseconds that the tests choose.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONTENT_CHECKS, type ContentCheck } from '../../../contract/stream/content-checks.ts'
import { type ContentSettings, DEFAULT_CONTENT_SETTINGS } from '../../../contract/stream/content-settings.schema.ts'
import type { StreamFormat } from '../../../contract/stream/format.ts'
import { ContentConditions } from '../../../engine/content/content-conditions.ts'
import type { PictureSample } from '../../../engine/content/picture-meter.ts'
import type { SoundSample } from '../../../engine/content/sound-meter.ts'

const test = suite('content conditions')

const PICTURE: PictureSample = { isBlack: false, hasChanged: true }
const SOUND: SoundSample = { peak: -12, loudness: -23, phase: 0.8 }
const FORMAT: StreamFormat = {
  video: { codec: 'H.264', width: 1920, height: 1080, fps: 25 },
  audio: [{ codec: 'AAC', channels: 2 }],
  program: 1,
  programs: 1
}
/** Milliseconds between two key frames, and between two measurements of the sound. */
const KEY_INTERVAL = 2000
const BLOCK = 500

function enabled(...checks: ContentCheck[]): ContentSettings {
  const settings = structuredClone(DEFAULT_CONTENT_SETTINGS)
  for (const check of checks) settings[check].enable = true
  return settings
}

/** Adds samples until a time. @returns when the reason changed, and to what */
function run(
  conditions: ContentConditions,
  [from, to]: readonly [number, number],
  { picture = {}, sound = {} }: { picture?: Partial<PictureSample>; sound?: Partial<SoundSample> }
): [number, string | undefined][] {
  const changes: [number, string | undefined][] = []
  let last = conditions.reason(from)
  for (let now = from; now < to; now += BLOCK) {
    conditions.tick(FORMAT, false, now)
    if (now % KEY_INTERVAL === 0) conditions.addPicture({ ...PICTURE, ...picture }, now)
    conditions.addSound({ ...SOUND, ...sound }, now)
    const reason = conditions.reason(now)
    if (reason !== last) changes.push([now, reason])
    last = reason
  }
  return changes
}

test('black is found after 10 s, frozen after 60 s and silence after 15 s, and each ends with the first good sample', () => {
  const cases = [
    ['black', { picture: { isBlack: true } }, 10_000],
    ['frozen', { picture: { hasChanged: false } }, 60_000],
    ['silent', { sound: { peak: -60 } }, 15_000]
  ] as const
  for (const [reason, fault, after] of cases) {
    const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
    assert.deepEqual(run(conditions, [0, 20_000], {}), [])
    assert.deepEqual(run(conditions, [20_000, 90_000], fault), [[20_000 + after, reason]])
    assert.deepEqual(run(conditions, [90_000, 95_000], {}), [[90_000, undefined]])
  }
})

test('the other checks find nothing until they are turned on, and then after their times', () => {
  const cases = [
    ['phase-inverted', { phase: -0.9 }, 10_000],
    ['clipped', { peak: 0.2 }, 10_000],
    ['loud', { loudness: -13 }, 10_000],
    ['quiet', { loudness: -41 }, 30_000]
  ] as const
  for (const [check, sound, after] of cases) {
    assert.deepEqual(run(new ContentConditions(DEFAULT_CONTENT_SETTINGS), [0, 60_000], { sound }), [])
    const conditions = new ContentConditions(enabled(check))
    assert.deepEqual(run(conditions, [0, 60_000], { sound }), [[after, check]])
    assert.deepEqual(run(conditions, [60_000, 61_000], {}), [[60_000, undefined]])
  }
})

test('a fault that is interrupted for a moment begins anew', () => {
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  const silence = { sound: { peak: -90 } }
  assert.deepEqual(run(conditions, [0, 14_500], silence), [])
  run(conditions, [14_500, 15_000], {})
  assert.deepEqual(run(conditions, [15_000, 31_000], silence), [[30_000, 'silent']])
})

test('a check without measurements is unknown, and a fault that was found stands until it has ended', () => {
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  const states = (now: number) => conditions.checks(now).map(({ state }) => state)
  assert.deepEqual(states(0), ['unknown', 'unknown', 'unknown'])
  run(conditions, [0, 4000], {})
  assert.deepEqual(states(4000), ['good', 'good', 'good'])
  assert.deepEqual(states(10_000), ['good', 'good', 'unknown'], 'sound is measured all the time')
  assert.deepEqual(states(40_000), ['unknown', 'unknown', 'unknown'])
  run(conditions, [40_000, 60_000], { sound: { peak: -90 } })
  assert.equal(conditions.reason(200_000), 'silent')
  // Nothing is known of the time between two measurements so far apart.
  const gap = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  gap.addSound({ ...SOUND, peak: -90 }, 0)
  gap.addSound({ ...SOUND, peak: -90 }, 20_000)
  assert.equal(gap.reason(20_000), undefined)
})

test('in turns, measurements count for minutes', () => {
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  conditions.tick(FORMAT, true, 0)
  conditions.addSound({ ...SOUND, peak: -90 }, 0)
  conditions.addSound({ ...SOUND, peak: -90 }, 48_000)
  assert.equal(conditions.reason(48_000), 'silent')
})

test('checks that do not apply are left out', () => {
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  const names = () => conditions.checks(0).map(({ check }) => check)
  conditions.tick({ ...FORMAT, audio: [] }, false, 0)
  assert.deepEqual(names(), ['black', 'frozen'])
  conditions.tick({ audio: FORMAT.audio, program: 1, programs: 1 }, false, 0)
  assert.deepEqual(names(), ['silent'])
})

test('another format than the expected one is named', () => {
  const settings = enabled('unexpected-format')
  const expect = (expected: ContentSettings['unexpected-format']['expected']) => {
    const conditions = new ContentConditions({
      ...settings,
      'unexpected-format': { ...settings['unexpected-format'], expected }
    })
    return run(conditions, [0, 6000], {})
  }
  assert.deepEqual(expect({}), [])
  assert.deepEqual(expect({ width: 1920, height: 1080, fps: 25, 'video-codec': 'h.264', channels: 2 }), [])
  assert.deepEqual(expect({ height: 720 }), [[5000, 'unexpected-format 1920x1080']])
  assert.deepEqual(expect({ fps: 50, 'video-codec': 'HEVC', 'audio-codec': 'MP2', channels: 6 }), [
    [5000, 'unexpected-format H.264, 25 fps, AAC, 2 ch']
  ])
})

test('a check that is turned off, and an input without media, have no fault any more', () => {
  const conditions = new ContentConditions(enabled(...CONTENT_CHECKS))
  run(conditions, [0, 20_000], { sound: { peak: -90 } })
  assert.equal(conditions.reason(20_000), 'silent')
  conditions.update({ ...DEFAULT_CONTENT_SETTINGS, silent: { ...DEFAULT_CONTENT_SETTINGS.silent, enable: false } })
  assert.equal(conditions.reason(20_000), undefined)
  run(conditions, [20_000, 40_000], { picture: { isBlack: true } })
  assert.equal(conditions.reason(40_000), 'black')
  conditions.reset()
  assert.equal(conditions.reason(40_000), undefined)
})

test('a backup takes over only because of a check that is set so', () => {
  const conditions = new ContentConditions(DEFAULT_CONTENT_SETTINGS)
  run(conditions, [0, 20_000], { sound: { peak: -90 } })
  assert.equal(conditions.switchesOver(20_000), false)
  conditions.update({ ...DEFAULT_CONTENT_SETTINGS, silent: { ...DEFAULT_CONTENT_SETTINGS.silent, failover: true } })
  assert.equal(conditions.switchesOver(20_000), true)
})

test.run()
