// The event of an output that has lost its input.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { RTMP } from '../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { runProcess } from '../kit/engine/media.ts'
import { CAMERA, channel } from '../kit/engine/wanted-channels.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('lost outputs')
fixtureForEach(test)

test('an output that ends because its input went away names that as the cause', async () => {
  const port = await freeTcpPort()
  runProcess(['-v', 'error', '-listen', '1', '-f', 'flv', '-i', `rtmp://127.0.0.1:${port}/live/key`, '-f', 'null', '-'])
  const config = { url: `rtmp://127.0.0.1:${port}/live`, key: 'key' }
  fixture.engine.apply(channel(1, CAMERA, [{ id: 5, name: 'RTMP', protocol: RTMP, config }]))
  await until(() => fixture.events.some(({ kind }) => kind === 'output-up'), 'the output is announced')
  fixture.setOnline('A1', false)
  const lost = () => fixture.events.find(({ kind }) => kind === 'output-down')
  await until(() => lost() !== undefined, 'the output is lost')
  assert.equal(lost()?.reason, 'input-silent')
})

test.run()
