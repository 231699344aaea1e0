import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { UDP } from '../../../contract/stream/protocols.ts'
import type { AudioOutput } from '../../../contract/stream/source.ts'
import { audioProfile, encoderArgs, profileKey } from '../../../engine/encoders/audio-profile.ts'

const test = suite('profiles of encoded audio')

const [AAC, MP2, H264] = [15, 3, 27]

const profileOf = (audio: AudioOutput) =>
  audioProfile({ id: 1, name: 'A', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': 5000, ...audio } })

function argsOf(audio: AudioOutput, types: number[]): string {
  const profile = profileOf(audio)
  assert.ok(profile)
  return encoderArgs(profile, types).join(' ')
}

test('an output without the setting, or with the audio as it is, has no profile', () => {
  assert.equal(profileOf({}), undefined)
  assert.equal(profileOf({ audio: 'as-is', 'audio-gain': 3 }), undefined)
})

test('profiles with the same values are one, also if some are the defaults', () => {
  const keys = [
    { audio: 'aac' },
    { audio: 'aac', 'audio-track': 0, 'audio-gain': 0, 'audio-delay': 0 },
    { audio: 'aac-mono' },
    { audio: 'aac', 'audio-track': 2 },
    { audio: 'aac', 'audio-gain': -3 },
    { audio: 'aac', 'audio-delay': 40 }
  ] as const
  const found = keys.map(profileOf).map((profile) => profile && profileKey(profile))
  assert.equal(found[0], found[1])
  assert.equal(new Set(found).size, 5)
})

test('audio that is AAC already is copied, unless something of it changes', () => {
  assert.match(argsOf({ audio: 'aac' }, [H264, AAC, AAC]), /-c:a copy/)
  assert.match(argsOf({ audio: 'aac' }, [H264, AAC, MP2]), /-c:a aac/)
  assert.match(argsOf({ audio: 'aac' }, []), /-c:a aac/)
  for (const change of [{ 'audio-gain': 1 }, { 'audio-delay': 1 }, { audio: 'aac-mono' }] as const)
    assert.match(argsOf({ audio: 'aac', ...change }, [H264, AAC]), /-c:a aac/)
})

test('track, gain, delay and mono are options of ffmpeg', () => {
  const args = argsOf({ audio: 'aac-mono', 'audio-track': 2, 'audio-gain': -30, 'audio-delay': 5000 }, [H264, MP2])
  assert.match(args, /-map 0:a:1 .*-ac 1 -af aresample=async=1000,volume=-30dB,adelay=5000:all=1/)
  assert.match(argsOf({ audio: 'aac' }, [H264, MP2]), /-map 0:a\? .*-ac 2 -af aresample=async=1000 /)
})

test.run()
