// A relay that takes the port and the targets of another one over, as after an upgrade.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { DatagramTarget, Relay } from '../../../engine/interfaces/relay.ts'
import { createRelay } from '../../../engine/relay/relay.ts'
import { targetAddress } from '../../../engine/relay/relay-address.ts'
import { findJumps, sendFrameCounter, UdpRecorder } from '../../kit/engine/frame-counter.ts'
import { fixture, relayForEach, untilCarrying } from '../../kit/engine/relay-fixture.ts'
import { SANITIZED_RELAY } from '../../kit/engine/sanitized-programs.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('hand-over from relay to relay')
relayForEach(test)

const UDP = { address: '127.0.0.1', payloadBytes: 7 * 188, rtp: false }
/** Bytes that the recorder receives before, and after, each step. */
const SOME = 50_000

const startNext = (): Relay => createRelay(fixture.launcher, { onExit: () => {} }, SANITIZED_RELAY)

async function untilMoreThan(recorder: UdpRecorder, bytes: number): Promise<void> {
  await until(() => recorder.bytes > bytes, `${bytes} bytes have arrived`)
}

for (const rtp of [false, true])
  test(`port and target move from relay to relay without a gap${rtp ? ', over RTP' : ''}`, async () => {
    const { relay } = fixture
    const next = startNext()
    const port = await freeUdpPort()
    const recorder = await UdpRecorder.open(0)
    const target: DatagramTarget = { ...UDP, port: recorder.port }
    await relay.openDatagrams({ address: '127.0.0.1', port, rtp })
    await relay.addTarget(1, target)
    if (rtp) sendFrameCounter('-f', 'rtp_mpegts', `rtp://127.0.0.1:${port}`)
    else sendFrameCounter(`udp://127.0.0.1:${port}?pkt_size=1316`)
    await untilMoreThan(recorder, SOME)

    const { address, opened } = next.continueDatagrams(relay.socketPath, rtp)
    await until(() => next.report().source.isCarrying, 'the next relay carries')
    relay.moveTarget(1, targetAddress(next, 2, target))
    await until(() => next.report().targets.has(2), 'the next relay has the target')
    await relay.moveSource(address)
    await opened
    await untilMoreThan(recorder, recorder.bytes + SOME)

    await untilCarrying(false)
    const { gaps, lost, seams } = next.report().source
    assert.deepEqual({ gaps, lost, seams }, { gaps: 0, lost: 0, seams: 1 })
    const { continuityGaps, frames } = await recorder.finish()
    assert.deepEqual({ continuityGaps, jumps: findJumps(frames) }, { continuityGaps: 0, jumps: [] })
    await next.stop()
  })

test('a target that was taken over goes on without a gap when the engine adds it', async () => {
  const { relay } = fixture
  const next = startNext()
  const port = await freeUdpPort()
  const recorder = await UdpRecorder.open(0)
  const target: DatagramTarget = { ...UDP, port: recorder.port }
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await relay.addTarget(1, target)
  sendFrameCounter(`udp://127.0.0.1:${port}?pkt_size=1316`)
  next.continueDatagrams(relay.socketPath, false).opened.catch(() => {})
  await until(() => next.report().source.isCarrying, 'the next relay carries')
  relay.moveTarget(1, targetAddress(next, 2, target))
  await until(() => next.report().targets.has(2), 'the next relay has the target')
  await next.addTarget(2, target)
  await untilMoreThan(recorder, recorder.bytes + SOME)
  const { continuityGaps, frames } = await recorder.finish()
  assert.deepEqual({ continuityGaps, jumps: findJumps(frames) }, { continuityGaps: 0, jumps: [] })
  await next.stop()
})

test('a relay that was busy finds the port that was passed on before the stream ended', async () => {
  const { relay, launcher } = fixture
  let pid = 0
  const run: typeof launcher.run = (launch) => {
    const started = launcher.run(launch)
    pid = started.pid ?? 0
    return started
  }
  const next = createRelay({ run }, { onExit: () => {} }, SANITIZED_RELAY)
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  sendFrameCounter(`udp://127.0.0.1:${port}?pkt_size=1316`)
  const { address, opened } = next.continueDatagrams(relay.socketPath, false)
  await until(() => next.report().source.isCarrying, 'the next relay carries')
  process.kill(pid, 'SIGSTOP')
  await relay.moveSource(address)
  await untilCarrying(false)
  process.kill(pid, 'SIGCONT')
  await opened
  assert.equal(next.report().source.gaps, 0)
  await next.stop()
})

test('a relay whose predecessor ends without handing its port over says so', async () => {
  const next = startNext()
  await fixture.relay.ready()
  const ended = assert.rejects(next.continueDatagrams(fixture.relay.socketPath, false).opened, /ended/)
  await fixture.relay.stop()
  await ended
  await next.stop()
})

test('a relay without a port has none to hand over', async () => {
  const next = startNext()
  const { address, opened } = next.continueDatagrams(fixture.relay.socketPath, false)
  const ended = assert.rejects(opened, /ended/)
  await assert.rejects(fixture.relay.moveSource(address), /ENOTCONN/)
  await fixture.relay.stop()
  await ended
  await next.stop()
})

test.run()
