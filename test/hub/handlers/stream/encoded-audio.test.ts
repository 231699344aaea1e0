import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INVALID_ARG } from '../../../../contract/codes.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { type AudioOutput, addOutput, setOutput } from '../../../../contract/stream/source.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('audio of outputs')
hubForEach(test)

const output = (audio: AudioOutput) =>
  ({ name: 'Live', protocol: RTMP, config: { url: 'rtmp://a.example:1935/live', ...audio } }) as const

const stored = () => hub.parts.store.sources.outputs()[0]?.config as AudioOutput
const change = (id: number, audio: AudioOutput) => admin.send(setOutput, { id, ...output(audio) })

test('settings that a write leaves out are kept while the audio is encoded, and removed when it is as it is', async () => {
  const { id } = await admin.send(addOutput, output({ audio: 'aac', 'audio-gain': -6, 'audio-delay': 5000 }))
  await change(id, { audio: 'aac-mono', 'audio-track': 16 })
  const all = { audio: 'aac-mono', 'audio-track': 16, 'audio-gain': -6, 'audio-delay': 5000 } as const
  assert.deepEqual(stored(), { url: 'rtmp://a.example:1935/live', ...all })
  await change(id, {})
  assert.deepEqual(stored(), { url: 'rtmp://a.example:1935/live', ...all })
  await change(id, { audio: 'as-is', 'audio-gain': 3 })
  assert.deepEqual(stored(), { url: 'rtmp://a.example:1935/live' })
  await change(id, { audio: 'aac' })
  assert.deepEqual(stored(), { url: 'rtmp://a.example:1935/live', audio: 'aac' })
})

test('values outside of their ranges are refused', async () => {
  const invalid = [
    { 'audio-track': 17 },
    { 'audio-track': -1 },
    { 'audio-gain': 31 },
    { 'audio-gain': -31 },
    { 'audio-gain': 0.5 },
    { 'audio-delay': 5001 },
    { 'audio-delay': -1 },
    { audio: 'mp3' as 'aac' }
  ]
  for (const audio of invalid) {
    const { result } = await admin.send(addOutput, output({ audio: 'aac', ...audio }))
    assert.equal(result, INVALID_ARG, JSON.stringify(audio))
  }
  assert.deepEqual(hub.parts.store.sources.outputs(), [])
})

test.run()
