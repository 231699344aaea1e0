// A publisher whose connection is dead, but not closed, must not keep the key of its channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { type RunningProcess, runProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
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

/**
 * Freezes an encoder, whose connection stays open, as that of an encoder that has lost its power, and waits until its
 * program could have started again: a port refuses a caller at once while packets of another one arrive.
 */
async function crash(encoder: RunningProcess): Promise<void> {
  process.kill(encoder.pid, 'SIGSTOP')
  await runProcess(['-version']).exited
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

for (const [first, second] of [
  ['pushSrt', 'pushSrt'],
  ['pushRtmp', 'pushRtmp'],
  ['pushSrt', 'pushRtmp'],
  ['pushRtmp', 'pushSrt']
] as const)
  test(`an encoder that crashed and connects again only once is admitted: ${first}, ${second}`, async () => {
    fixture.engine.apply(pushedChannel())
    await fixture.openPorts()
    const crashed = await startPublisher(() => fixture[first]())
    const previous = publisherId()
    await crash(crashed)
    const next = fixture[second]()
    await until(
      () => publisherId() !== previous && publisherId() !== undefined,
      () => `the new connection is admitted: ${next.output()}`
    )
    await until(
      () => fixture.engine.observe(1).connState === CONNECTION_STATE.connected,
      () => `its stream arrives: ${JSON.stringify(fixture.listClients(true))} ${next.output()}`
    )
    assert.ok(next.isRunning(), next.output())
  })

test('an encoder that crashed and connects again to an input with a port of its own is admitted at its first attempt', async () => {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(2, urlInput(5, `srt://:${port}?mode=listener`)))
  await fixture.waitForState(2, CONNECTION_STATE.waiting)
  const send = () => sendClip('mpegts', `srt://127.0.0.1:${port}?pkt_size=1316`)
  const crashed = send()
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  const second = send()
  await second.exited
  assert.ok(crashed.isRunning(), 'a sender keeps its place')
  await crash(crashed)
  const next = send()
  const bytes = () => fixture.engine.byteTotals(2).input
  const before = bytes()
  await until(
    () => bytes() > before + 200_000,
    () => `the new connection sends: ${next.output()}`
  )
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
