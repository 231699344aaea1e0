// Targets that stop to receive while their connection stays open, as a frozen server does.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { WantedOutput } from '../../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { type RunningProcess, runProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { within } from '../../kit/within.ts'

const test = suite('stopped targets')
fixtureForEach(test)

/** Milliseconds within which a stopped target must be noticed, whatever its receive buffer holds. */
const NOTICED_WITHIN_MS = 5000

/**
 * Starts a target, waits until the output carries, and stops the target. Returns the observed state when it is no
 * longer connected.
 */
async function stopTarget(output: WantedOutput, target: RunningProcess, signal: NodeJS.Signals = 'SIGSTOP') {
  const { engine } = fixture
  const udp = await freeUdpPort()
  engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${udp}`), [output]))
  sendClip('mpegts', `udp://127.0.0.1:${udp}?pkt_size=1316`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, output.id)
  process.kill(target.pid, signal)
  const observe = () => engine.observe(1).outputs.get(output.id)
  await within(NOTICED_WITHIN_MS, 'a stopped target is noticed', () =>
    until(
      () => observe()?.connState !== CONNECTION_STATE.connected,
      () => `the output is not connected: ${JSON.stringify(observe())}`
    )
  )
  return observe()
}

test('an RTMP output reports a stopped target, counts what it acknowledged, and continues with it', async () => {
  const port = await freeTcpPort()
  const url = `rtmp://127.0.0.1:${port}/live`
  const target = runProcess(['-v', 'error', '-listen', '1', '-i', `${url}/key`, '-c', 'copy', '-f', 'null', '-'])
  const state = await stopTarget({ id: 11, name: 'A', protocol: 1, config: { url, key: 'key' } }, target)
  assert.deepEqual([state?.reason, state?.kbps], ['target-stuck', 0])
  const bytes = () => fixture.engine.byteTotals(1).outputs.get(11) ?? 0
  const stoppedAt = bytes()
  const received = () => fixture.engine.byteTotals(1).input
  const before = received()
  await until(() => received() > before + 40_000, 'the input goes on')
  assert.equal(bytes(), stoppedAt)
  process.kill(target.pid, 'SIGCONT')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  assert.ok(target.isRunning())
})

test('an SRT caller reports a stopped target, and continues with it if it is soon back', async () => {
  const port = await freeUdpPort()
  const target = runProcess(['-v', 'error', '-i', `srt://127.0.0.1:${port}?mode=listener`, '-f', 'null', '-'])
  const config = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } as const
  const state = await stopTarget({ id: 11, name: 'A', protocol: 2, config }, target)
  assert.deepEqual([state?.reason, state?.kbps], ['target-silent', 0])
  process.kill(target.pid, 'SIGCONT')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  assert.ok(target.isRunning())
})

test('an SRT caller reports that a target which stays stopped does not respond, also when its connection has ended', async () => {
  const port = await freeUdpPort()
  const target = runProcess(['-v', 'error', '-i', `srt://127.0.0.1:${port}?mode=listener`, '-f', 'null', '-'])
  const config = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } as const
  await stopTarget({ id: 11, name: 'A', protocol: 2, config }, target)
  const stateOf = () => fixture.engine.observe(1).outputs.get(11)
  const reasons = new Set<string | undefined>()
  await until(() => {
    reasons.add(stateOf()?.reason)
    return stateOf()?.connState === CONNECTION_STATE.disconnected
  }, 'the connection has ended')
  assert.deepEqual([...reasons], ['target-silent'])
})

test('an SRT caller reports within 5 s that nothing listens at the port of a target that was killed', async () => {
  const port = await freeUdpPort()
  const target = runProcess(['-v', 'error', '-i', `srt://127.0.0.1:${port}?mode=listener`, '-f', 'null', '-'])
  const config = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } as const
  const state = await stopTarget({ id: 11, name: 'A', protocol: 2, config }, target, 'SIGKILL')
  assert.deepEqual([state?.reason, state?.connState], ['no-one-there', CONNECTION_STATE.refused])
})

test.run()
