import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TrackWatch } from '../../../engine/inputs/track-watch.ts'
import type { StreamTrack } from '../../../engine/mpegts/format-reader.ts'

const test = suite('track watch')

const VIDEO: StreamTrack = { pid: 256, kind: 'video', codec: 'H.264' }
const AUDIO: StreamTrack = { pid: 257, kind: 'audio', codec: 'AAC' }
const SECOND_AUDIO: StreamTrack = { pid: 258, kind: 'audio', codec: 'AAC' }

/** Simulates reports of a relay, four times a second, with a clock that the test advances. */
function simulate() {
  const watch = new TrackWatch()
  const lastAt = new Map<number, number>()
  let now = 0
  return {
    /**
     * Advances the clock.
     * @param listed tracks of the PMT
     * @param arriving those of them that have packets
     * @param hasMedia whether any media arrives
     */
    pass(seconds: number, listed: readonly StreamTrack[], arriving = listed, hasMedia = true): string | undefined {
      for (let step = 0; step < 4 * seconds; step++) {
        now += 250
        for (const { pid } of arriving) lastAt.set(pid, now)
        watch.add(listed, new Map([...lastAt].map(([pid, at]) => [pid, now - at])), hasMedia, now)
      }
      return watch.reason(now)
    },
    kinds: () => watch.kinds()
  }
}

test('a track is lost after 2 s without a packet, whether the tables list it or not', () => {
  for (const listed of [[VIDEO, AUDIO], [VIDEO]]) {
    const { pass, kinds } = simulate()
    assert.equal(pass(5, [VIDEO, AUDIO]), undefined)
    assert.equal(pass(2, listed, [VIDEO]), undefined)
    assert.equal(pass(0.25, listed, [VIDEO]), 'audio-lost')
    assert.deepEqual(kinds(), { live: ['video'], missing: ['audio'] })
    assert.equal(pass(0.25, [VIDEO, AUDIO]), undefined)
  }
})

test('a track that was lost before a pause stays lost after it, until it arrives', () => {
  const { pass } = simulate()
  pass(5, [VIDEO, AUDIO])
  assert.equal(pass(3, [VIDEO, AUDIO], [AUDIO]), 'video-lost')
  pass(2, [VIDEO, AUDIO], [], false)
  assert.equal(pass(0.25, [VIDEO, AUDIO], [AUDIO]), 'video-lost')
  assert.equal(pass(0.25, [VIDEO, AUDIO]), undefined)
  pass(2, [VIDEO, AUDIO], [], false)
  assert.equal(pass(1, [VIDEO, AUDIO], [AUDIO]), undefined, 'the other tracks have time to arrive')
})

test('lost video is said before lost audio, and one of several audio tracks is said with its number', () => {
  const { pass } = simulate()
  const all = [VIDEO, AUDIO, SECOND_AUDIO]
  pass(5, all)
  assert.equal(pass(3, all, [VIDEO, AUDIO]), 'audio-track-lost 2')
  assert.equal(pass(3, all, [VIDEO]), 'audio-lost')
  assert.equal(pass(3, all, [SECOND_AUDIO]), 'video-lost')
})

test('a still picture, and a track that a source never had, are not lost', () => {
  const { pass } = simulate()
  assert.equal(pass(10, [VIDEO, AUDIO], [AUDIO]), undefined)
  for (let picture = 0; picture < 5; picture++) {
    pass(0.25, [VIDEO, AUDIO])
    assert.equal(pass(5, [VIDEO, AUDIO], [AUDIO]), undefined)
  }
})

test('an input without any media has lost no track, and its tracks have 2 s again when it returns', () => {
  const { pass } = simulate()
  pass(5, [VIDEO, AUDIO])
  assert.equal(pass(10, [VIDEO, AUDIO], [], false), undefined)
  assert.equal(pass(2, [VIDEO, AUDIO], [AUDIO]), undefined)
  assert.equal(pass(1, [VIDEO, AUDIO], [AUDIO]), 'video-lost')
})

test('after a minute without media the source may have other tracks', () => {
  const { pass } = simulate()
  pass(5, [VIDEO, AUDIO])
  pass(61, [VIDEO, AUDIO], [], false)
  assert.equal(pass(10, [VIDEO]), undefined)
})

test('a sender that starts again may use other PIDs', () => {
  const { pass } = simulate()
  pass(5, [VIDEO, AUDIO])
  assert.equal(
    pass(5, [
      { ...VIDEO, pid: 512 },
      { ...AUDIO, pid: 513 }
    ]),
    undefined
  )
})

test('a codec in place of another one is said for 30 s, and an added or removed track is not', () => {
  const { pass } = simulate()
  pass(5, [VIDEO])
  assert.equal(pass(1, [VIDEO, AUDIO]), undefined)
  const next = { ...VIDEO, codec: 'HEVC' }
  assert.equal(pass(25, [next, AUDIO]), 'codecs-changed H.264, AAC → HEVC, AAC')
  assert.equal(pass(6, [next, AUDIO]), undefined)
})

test.run()
