// A channel is broken in many ways. Within 5 s each call says the right verdict and cause, and none says a false one in
// between.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { cleanUpMedia } from '../kit/engine/media.ts'
import {
  assertInTime,
  assertReport,
  type Causation,
  WAIT_MAX,
  waitForReport,
  waitUntilOnAir
} from '../kit/fault/fault-report.ts'
import { createFaults, FAULT_TITLES, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { VerdictWatch } from '../kit/fault/verdict-watch.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { commandLineOf, descendantsOf } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('ten faults')

/** Verdicts that may be seen before all are on air again. */
const AFTER_RESTART = /on-air|starting|engine-away|input-silent|on-backup|main-returns/
/**
 * The targets take one connection. Until they have noticed its end, which takes SRT 5 s, the next engine cannot reach
 * them.
 */
const TARGET_BUSY = /^output \d+ down: (unreachable|refused)$|^(degraded|down): outputs-failed$/
/** The relays are replaced while they are stopped, and the source goes on without them. */
const AFTER_STOP = /^down: program-stuck$|(discontinuities|hub-busy)$/
/** Packets that are lost while the programs that send and receive them get no processor. */
const PACKETS_LOST = /^(output \d+ )?degraded: (packet-loss|hub-busy)$/
/** Packets that have waited for a program arrive late: the backup is on air meanwhile, or the main input seems back. */
const LATE_PACKETS = /^degraded: (main-returns|on-backup)$/
/** Milliseconds for which a channel has to be on air before the loss of one of its tracks is noticed. */
const STEADY_TIME = 4000

let data: string
let engine: EngineProcess
let hub: HubProcess
let watch: VerdictWatch
let faults: Fault[] = []
let caused: Causation = { at: 0, wait: 0 }

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-faults-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
  faults = await createFaults(hub)
  watch = new VerdictWatch(() => hub)
  await waitUntilOnAir(watch, faults, STEADY_TIME)
  watch.forget()
  const at = Date.now()
  const wait = await waitDuring(async () => {
    for (const fault of faults) await fault.cause()
    // The tests say which one is not reported.
    await Promise.allSettled(faults.map((fault) => waitForReport(watch, fault)))
  })
  caused = { at, wait }
})
test.after(async () => {
  await watch?.close()
  await hub?.kill()
  await engine?.kill()
  rmSync(data, { recursive: true, force: true })
  await endPeers()
  await cleanUpMedia()
})

/** Waits until all channels send again. Those whose codec was changed back may say so. */
async function waitUntilMended(): Promise<void> {
  for (const { channel, title, mended } of faults)
    await watch.waitFor(
      channel,
      ({ channel: verdict, outputs, message = '' }) =>
        outputs.every((each) => each === 'on-air') &&
        (verdict === 'on-air' || (verdict === mended?.channel && mended.message.test(message))),
      `"${title}" is mended`
    )
}

for (const [index, title] of FAULT_TITLES.entries())
  test(`${title}: the right verdict and cause within 5 s, and no false one`, () =>
    // An output that is restarted for another codec finds its target still busy.
    assertReport(watch, faults[index] as Fault, caused, [
      TARGET_BUSY,
      ...(caused.wait > WAIT_MAX ? [LATE_PACKETS] : [])
    ]))

test('each channel is on air again after its fault is removed', async () => {
  for (const { mend } of faults) await mend()
  await waitUntilMended()
})

test('a hub that is killed and restarted says the right verdict with its first answer', async () => {
  const ports = { web: Number(new URL(hub.url).port), link: hub.linkPort }
  await hub.kill()
  watch.forget()
  const wait = await waitDuring(async () => {
    hub = await startHubProcess(data, ports)
    await until(async () => faults.every(({ channel }) => watch.seen(channel).length > 0), 'all channels are seen')
  })
  const expected = [/^(output \d )?on-air$/, ...(wait > WAIT_MAX ? [LATE_PACKETS] : [])]
  for (const { channel, title, mended } of faults)
    assert.deepEqual(
      watch
        .seen(channel)
        .filter((verdict) => verdict !== mended?.channel && !expected.some((each) => each.test(verdict))),
      [],
      title
    )
})

test('relays that are stopped are reported within 5 s as the fault of the hub, and replaced', async () => {
  await waitUntilMended()
  watch.forget()
  const stoppedAt = Date.now()
  const reports: number[] = []
  for (const pid of descendantsOf(engine.child.pid ?? 0))
    if (/headend-relay\0/.test(commandLineOf(pid))) process.kill(pid, 'SIGSTOP')
  const wait = await waitDuring(async () => {
    for (const { channel, title } of faults) {
      const seen = await watch.waitFor(channel, (each) => each.channel === 'down: program-stuck', title)
      assert.equal(seen.nextStep, 'wait')
      reports.push(seen.since - stoppedAt)
    }
    await waitUntilMended()
  })
  for (const took of reports) assertInTime(took, wait)
  const expected = [AFTER_STOP, AFTER_RESTART, TARGET_BUSY, ...(wait > WAIT_MAX ? [PACKETS_LOST] : [])]
  for (const { channel, title, mended } of faults)
    assert.deepEqual(
      watch
        .seen(channel)
        .filter((verdict) => verdict !== mended?.channel && !expected.some((each) => each.test(verdict))),
      [],
      title
    )
})

test('an engine that is killed is reported within 5 s for all channels, and they are on air again with the next one', async () => {
  watch.forget()
  const killedAt = Date.now()
  const reports: number[] = []
  const reportWait = await waitDuring(async () => {
    await engine.kill()
    for (const { channel, title } of faults) {
      const seen = await watch.waitFor(channel, (each) => each.channel === 'down: engine-away', title)
      reports.push(seen.since - killedAt)
      assert.equal(seen.nextStep, 'wait')
    }
  })
  for (const took of reports) assertInTime(took, reportWait)
  assert.ok(watch.hubProblems().includes('engine bad: engine-away'), watch.hubProblems().join())
  watch.forget()
  const wait = await waitDuring(async () => {
    engine = await startEngineProcess(data)
    await waitUntilOnAir(watch, faults)
  })
  const expected = [AFTER_RESTART, TARGET_BUSY, ...(wait > WAIT_MAX ? [PACKETS_LOST] : [])]
  for (const { channel, title } of faults)
    assert.deepEqual(
      watch.seen(channel).filter((verdict) => !expected.some((pattern) => pattern.test(verdict))),
      [],
      title
    )
})

test.run()
