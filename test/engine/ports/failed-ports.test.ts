// A shared port fails: that is the reason why a publisher is missing, and not the encoder.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { childrenOf, commandLineOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('failed shared ports')
fixtureForEach(test)

const PROGRAMS = { srt: /headend-srt\0port\0/, rtmp: /^[^\0]*nginx(\0|:)/ } as const

for (const name of ['srt', 'rtmp'] as const)
  test(`a publisher that the death of the ${name.toUpperCase()} port has disconnected is not blamed`, async () => {
    const { engine } = fixture
    engine.apply(pushedChannel())
    await fixture.openPorts()
    const publisher = name === 'srt' ? fixture.pushSrt() : fixture.pushRtmp()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    for (const pid of childrenOf(process.pid)) if (PROGRAMS[name].test(commandLineOf(pid))) process.kill(pid, 'SIGKILL')
    const input = await until(() => {
      const observed = engine.observe(1).input
      return observed.connState === CONNECTION_STATE.connected ? undefined : observed
    }, 'the publisher has left')
    assert.deepEqual([input.state, input.reason], [SOURCE_STATE.failed, 'program-ended SIGKILL'])
    await publisher.kill()
    await until(() => engine.observePorts()[name].port, 'the port is open again')
    assert.equal(engine.observe(1).input.reason, 'program-ended SIGKILL', 'its encoder is not expected at once')
  })

test('a channel whose only port another program has taken does not ask for an encoder', async () => {
  const { engine } = fixture
  const other = createSocket('udp4')
  await new Promise<void>((resolve) => other.bind(0, '127.0.0.1', resolve))
  const { port } = other.address()
  try {
    engine.apply(pushedChannel())
    engine.configurePorts({ srt: { port, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } })
    await until(() => engine.observePorts().srt.reason, 'the port has failed')
    await until(() => engine.observePorts().rtmp.port, 'the other port is open')
    assert.equal(engine.observe(1).input.connState, CONNECTION_STATE.waiting, 'it may still come over RTMP')
    for (const pid of childrenOf(process.pid)) if (PROGRAMS.rtmp.test(commandLineOf(pid))) process.kill(pid, 'SIGKILL')
    await until(() => engine.observe(1).input.reason === `port-taken ${port}`, 'both ports have failed')
  } finally {
    other.close()
  }
})

test.run()
