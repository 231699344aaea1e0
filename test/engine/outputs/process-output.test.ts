// When the program of an output starts. The test calls the output as the stream of an input does.
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { RTMP } from '../../../contract/stream/protocols.ts'
import type { Launch } from '../../../engine/interfaces/launcher.ts'
import type { Relay, RelayReport } from '../../../engine/interfaces/relay.ts'
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

test.run()
