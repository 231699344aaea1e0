import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type ConfiguredFormat, differingFormat, type StreamFormat } from '../../../contract/stream/format.ts'

const test = suite('format of a stream')

const FORMAT: StreamFormat = {
  video: { codec: 'H.264', width: 1920, height: 1080, fps: 59.94 },
  audio: [{ codec: 'AAC', channels: 2 }],
  program: 1,
  programs: 1
}

test('a format as configured does not differ; 59.94 frames per second count as 60', () => {
  const configured = { width: 1920, height: 1080, fps: 60, channels: 2, program: 1 }
  assert.deepEqual(differingFormat(FORMAT, configured), {})
})

test('each part that differs is returned as it is configured', () => {
  const cases: ConfiguredFormat[] = [{ width: 1920, height: 1088 }, { fps: 50 }, { channels: 1 }, { program: 2 }]
  for (const configured of cases) assert.deepEqual(differingFormat(FORMAT, configured), configured)
})

test('a field that the stream does not report does not differ', () => {
  const configured = { width: 1280, height: 720, fps: 25, channels: 2 }
  const unknown: StreamFormat = { video: { codec: 'H.264' }, audio: [], program: 1, programs: 1 }
  assert.deepEqual(differingFormat(unknown, configured), {})
  assert.deepEqual(differingFormat({ ...unknown, video: undefined } as unknown as StreamFormat, configured), {})
})

test.run()
