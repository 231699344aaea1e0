import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { audioText, formatText, pictureFormat, videoText } from '../../../src/text/format.ts'
import { setLanguage } from '../../../src/text/language.ts'

const test = suite('text of stream formats')

test.before.each(() => setLanguage('en'))

const video = {
  codec: 'H.264',
  profile: 'High',
  level: '4.1',
  width: 1920,
  height: 1080,
  fps: 25,
  'key-interval-s': 2
}
const audio = { codec: 'AAC', channels: 2, 'sample-rate': 48_000 }

test('a stream is described on one line', () => {
  const format = {
    video,
    audio: [audio, { codec: 'AC-3', channels: 6, 'sample-rate': 44_100 }],
    program: 1,
    programs: 1
  }
  assert.equal(
    formatText(format),
    'H.264 High 4.1, 1080p25, key frame every 2 s; AAC stereo, 48 kHz; AC-3 5.1 channels, 44.1 kHz'
  )
  assert.match(formatText({ ...format, 'not-carried': ['pcm_mulaw'] }), /44\.1 kHz; pcm_mulaw \(not supported\)$/)
  setLanguage('zh')
  assert.equal(
    formatText({ ...format, audio: [audio] }),
    'H.264 High 4.1, 1080p25, 关键帧间隔 2 秒; AAC 立体声, 48 kHz'
  )
})

test('usual sizes are named by their height, and interlaced pictures by their field rate', () => {
  assert.equal(pictureFormat({ ...video, interlaced: true }), '1080i50')
  assert.equal(pictureFormat({ ...video, width: 1440 }), '1440x1080p25')
  assert.equal(pictureFormat({ ...video, width: 1280, height: 720, fps: 59.94 }), '720p59.94')
  assert.equal(pictureFormat({ codec: 'HEVC' }), '')
})

test('unknown fields are left out', () => {
  assert.equal(videoText({ codec: 'HEVC' }), 'HEVC')
  assert.equal(audioText({ codec: 'MP2' }), 'MP2')
  assert.equal(formatText({ audio: [], program: 1, programs: 1 }), '')
})

test.run()
