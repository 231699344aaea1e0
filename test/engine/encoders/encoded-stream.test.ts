// When an encoder starts. The test calls it as the stream of an input does, and no process runs.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { EncodedStream } from '../../../engine/encoders/encoded-stream.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { Relay, RelayReport, Stream } from '../../../engine/interfaces/relay.ts'
import { createOutputParts } from '../../kit/engine/output-parts.ts'
import { until } from '../../kit/until.ts'

const test = suite('encoder of a stream')

const PROFILE = { isMono: false, track: 0, gain: 0, delay: 0 }
const report = { source: { bytes: 1316, starts: 1, isCarrying: true, programs: [] } } as unknown as RelayReport
const relay: Partial<Relay> = { subscribeProcess: async () => new Socket(), unsubscribe() {}, report: () => report }
const source: Partial<Stream> = { addUser: () => () => {}, isActive: () => true }

test('an encoder does not start while the processor is overloaded, says so, and starts afterwards', async () => {
  let wait = 0.7
  const launches: Launch[] = []
  const parts = createOutputParts(launches)
  const encoder = new EncodedStream(PROFILE, {
    ...parts,
    launcher: { ...parts.launcher, processorWait: () => wait },
    timeouts: { stall: 10_000, start: 10_000 }
  })
  encoder.attach(source as Stream)
  encoder.attachRelay(relay as Relay)
  encoder.handleReport(report)
  await until(() => encoder.problem() !== undefined, 'the encoder is refused')
  assert.equal(encoder.problem()?.reason, 'encoder-waits')
  assert.deepEqual(launches, [])
  wait = 0.69
  await until(() => launches.length > 0, 'the relay of the encoder is started')
  await encoder.stop()
})

test.run()
