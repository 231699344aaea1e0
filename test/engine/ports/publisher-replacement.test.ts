// A publisher whose connection is dead, but not closed, must not keep the key of its channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import type { RunningProcess } from '../../kit/engine/media.ts'
import { ownTime } from '../../kit/own-time.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('publisher replacement')
fixtureForEach(test)

/**
 * Milliseconds within which a new publisher must be connected. An SRT port closes a dead connection after more than 5
 * s.
 */
const CONNECTED_WITHIN_MS = 4500

const publisherId = () => fixture.listClients(true)[0]?.id

/** Starts a publisher and waits until its stream arrives. */
async function startPublisher(start: () => RunningProcess): Promise<RunningProcess> {
  const publisher = start()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  return publisher
}

/** Starts a publisher, again whenever it is refused, until it has replaced another one. */
async function replace(previous: number | undefined, start: () => RunningProcess): Promise<RunningProcess> {
  let publisher = start()
  const took = await ownTime(() =>
    until(
      () => {
        if (!publisher.isRunning()) publisher = start()
        return publisherId() !== undefined && publisherId() !== previous
      },
      () => `another publisher is connected: ${JSON.stringify(fixture.listClients(true))} ${publisher.output()}`
    )
  )
  assert.ok(took < CONNECTED_WITHIN_MS, `connected after ${took} ms`)
  return publisher
}

for (const [first, second] of [
  ['pushSrt', 'pushSrt'],
  ['pushRtmp', 'pushRtmp'],
  ['pushSrt', 'pushRtmp'],
  ['pushRtmp', 'pushSrt']
] as const)
  test(`a publisher that is silent for more than 1 s gives way to a new one: ${first}, ${second}`, async () => {
    fixture.engine.apply(pushedChannel())
    await fixture.openPorts()
    const frozen = await startPublisher(() => fixture[first]())
    const previous = publisherId()
    process.kill(frozen.pid, 'SIGSTOP')
    const next = await replace(previous, () => fixture[second]())
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    assert.equal(fixture.listClients(true).length, 1)
    assert.equal(fixture.listClients(true)[0]?.protocol, second === 'pushSrt' ? SRT : RTMP)
    assert.ok(next.isRunning(), next.output())
  })

test('a publisher is refused while another one sends, unless the channel lets it replace that one', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  await startPublisher(fixture.pushSrt)
  const previous = publisherId()
  const refused = [fixture.pushSrt(), fixture.pushRtmp()]
  await Promise.all(refused.map(({ exited }) => exited))
  assert.equal(publisherId(), previous)
  fixture.engine.apply(pushedChannel({ 'replace-publisher': true }))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(publisherId(), previous)
  let last = publisherId()
  for (const push of [fixture.pushSrt, fixture.pushRtmp, fixture.pushSrt]) {
    await replace(last, push)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    last = publisherId()
    assert.equal(fixture.listClients(true).length, 1)
  }
})

test.run()
