// When the program of an output starts, and what is said when it sends nothing. The tests call the output as the stream
// of an input does.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { RTMP } from '../../../contract/stream/protocols.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { Relay, RelayReport, Stream } from '../../../engine/interfaces/relay.ts'
import { ProcessOutput } from '../../../engine/outputs/process-output.ts'
import { createOutputParts } from '../../kit/engine/output-parts.ts'
import { until } from '../../kit/until.ts'

const test = suite('output of a process')

const relay = { subscribeProcess: async () => new Socket(), unsubscribe() {} } as Partial<Relay> as Relay

/** A report of a relay that has received so many key frames. */
const reportOf = (starts: number) =>
  ({ source: { bytes: starts * 1316, starts, isCarrying: true }, targets: new Map(), subscribers: new Map() }) as Pick<
    RelayReport,
    'targets' | 'subscribers'
  > as RelayReport

test('it starts again at the first key frame of the next relay, however many the one before had', async () => {
  const launches: Launch[] = []
  const config = { url: 'rtmp://127.0.0.1/live', key: 'a' }
  const output = new ProcessOutput({ id: 1, name: 'Hall', protocol: RTMP, config }, createOutputParts(launches))
  output.attachRelay(relay)
  // The first report of each relay has other tables than the one before.
  output.handleStreamEnd()
  output.handleReport(reportOf(20))
  await until(() => launches.length === 1, 'the program runs')
  output.detachRelay()
  output.attachRelay(relay)
  output.handleStreamEnd()
  output.handleReport(reportOf(0))
  output.handleReport(reportOf(1))
  await until(() => launches.length === 2, 'the program runs again')
  await output.stop()
})

test('a target is not blamed for what the relay has not reported', async () => {
  let now = 10_000
  const launches: Launch[] = []
  const config = { url: 'rtmp://127.0.0.1/live', key: 'a' }
  const parts = { ...createOutputParts(launches), now: () => now, timeouts: { stall: 60_000, start: 60_000 } }
  const output = new ProcessOutput({ id: 1, name: 'Hall', protocol: RTMP, config }, parts)
  const stream: Partial<Stream> = { addUser: () => () => {}, isActive: () => true }
  output.attach(stream as Stream)
  output.attachRelay(relay)
  output.handleReport(reportOf(1))
  await until(() => launches.length === 1, 'the program runs')
  launches[0]?.onProgress?.(1316, 1316)
  now += 5000
  output.tick(now)
  assert.equal(output.observe(now).reason, undefined, 'the relay is silent')
  output.handleReport(reportOf(2))
  assert.equal(output.observe(now).reason, 'target-stuck')
  await output.stop()
})

test.run()
