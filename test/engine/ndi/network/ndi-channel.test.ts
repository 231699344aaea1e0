// The whole path with the real runtime: two cameras, a channel from NDI to NDI, and a receiver. Each is killed, hangs
// or is cut off.
import assert from 'node:assert/strict'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { type NdiEngine, ndiInput, ndiOutput, startNdiEngine } from '../../../kit/ndi/engine.ts'
import { type NdiMachines, startNdiMachines } from '../../../kit/ndi/machines.ts'
import { BAR_LUMA, startReceiver, startSource, type TestReceiver } from '../../../kit/ndi/programs.ts'
import { missingForNdi } from '../../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'
import { until } from '../../../kit/until.ts'
import { waitDuring, within } from '../../../kit/within.ts'

const test = suiteRequiring('NDI channel on the network', missingForNdi())
/** Milliseconds within which a lost receiver or source is shown, and a source that is back is received. */
const REACTION = 3000
const CAMERAS = { first: 3, second: 9 } as const
const INPUT = { first: 'SRC (Camera 1)', second: 'SRC (Camera 2)' } as const

let machines: NdiMachines
let engine: NdiEngine
let receiver: TestReceiver
test.before(async () => {
  machines = await startNdiMachines()
  engine = await startNdiEngine(machines)
  const { src } = machines
  await startSource(machines, src, 'Camera 1', { id: CAMERAS.first })
  await startSource(machines, src, 'Camera 2', { id: CAMERAS.second })
  await receiveCamera('first')
  await engine.waitForState(1, CONNECTION_STATE.connected)
  receiver = startReceiver(machines, src, 'HUB (Program)')
  await receiver.receiving(CAMERAS.first)
})
test.after(async () => {
  await receiver.end('SIGKILL')
  await engine.stop()
  await machines.stop()
})

const receiveCamera = (camera: keyof typeof INPUT) =>
  engine.client.apply({
    id: 1,
    name: 'Program',
    enable: true,
    input: ndiInput(INPUT[camera]),
    outputs: [ndiOutput(2, 'Program')]
  })
const output = () => engine.output(1, 2)

/** Bytes that the machine `hub` has sent over the cable. */
async function sentBytes(): Promise<number> {
  const counters = await machines.hub.run('cat', '/proc/net/dev')
  return Number(/v0: *(?:\d+ +){8}(\d+)/.exec(counters)?.[1])
}

async function outputState(
  what: string,
  isExpected: (output: ReturnType<typeof engine.output>) => boolean
): Promise<void> {
  await within(REACTION, what, () =>
    until(
      () => isExpected(output()),
      () => `${what}: ${JSON.stringify(output())}`
    )
  )
}
const isConnected = (leg: ReturnType<typeof engine.output>) =>
  leg?.connState === CONNECTION_STATE.connected && leg.clientNum === 1
const isWaiting = (leg: ReturnType<typeof engine.output>) =>
  leg?.connState === CONNECTION_STATE.waiting && leg.clientNum === 0 && leg.kbps === 0

test('30 s arrive without a lost frame, in sync, with their colors, with true timecodes and the rate of the network', async () => {
  await receiver.reset()
  const [before, startedAt] = [await sentBytes(), performance.now()]
  const rates: number[] = []
  const timer = setInterval(() => rates.push(output()?.kbps ?? 0), 1000)
  // A frame is late by the time for which its program waits for a processor.
  const wait = await waitDuring(() => until(() => (receiver.figures?.seconds ?? 0) > 30, '30 s are measured'))
  clearInterval(timer)
  const kbps = (((await sentBytes()) - before) * 8) / (performance.now() - startedAt)
  const { figures } = receiver
  assert.ok(figures)
  const { frames, lost, repeated, backward, syncByTimestamp, syncByTimecode, timecodeAhead, luma } = figures
  assert.ok(frames > 740, `${frames} frames`)
  const waited = `while programs waited for a processor for ${Math.round(wait)} ms`
  assert.deepEqual([lost, repeated, backward], [0, 0, 0], `${[lost, repeated, backward]} ${waited}`)
  for (const { count, mean, worst } of [syncByTimestamp, syncByTimecode]) {
    const isInSync = Math.abs(mean) <= 10 + wait / count && Math.abs(worst) <= 10 + wait
    assert.ok(count > 25 && isInSync, `${count} beeps, ${mean} ms after the flash, at worst ${worst} ms, ${waited}`)
  }
  assert.ok(timecodeAhead.mean < 0 && timecodeAhead.mean > -250, JSON.stringify(timecodeAhead))
  for (const [bar, value] of BAR_LUMA.entries())
    assert.ok(Math.abs((luma[bar] ?? 0) - value) <= 2, `luma ${luma.join()}`)
  // The interface also counts the headers, and a few packets of discovery.
  const observed = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  assert.ok(observed < kbps && observed > kbps * 0.8, `${observed} kbps of ${kbps}`)
})

test('the other camera is received within 3 s', async () => {
  await receiveCamera('second')
  await within(REACTION, 'the other camera is received', async () => {
    await until(() => engine.client.observe(1).input.connState === CONNECTION_STATE.connected, 'the input is connected')
    await receiver.receiving(CAMERAS.second)
  })
})

test('an output whose receiver hangs, ends or is killed waits for a receiver within 3 s', async () => {
  await outputState('a receiver is connected', isConnected)
  receiver.freeze()
  await outputState('the receiver hangs', isWaiting)
  receiver.thaw()
  await outputState('the receiver is back', isConnected)
  await receiver.reset()
  await receiver.receiving(CAMERAS.second)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await receiver.end(signal)
    await outputState(`the receiver has ended with ${signal}`, isWaiting)
    receiver = startReceiver(machines, machines.src, 'HUB (Program)')
    await receiver.receiving(CAMERAS.second)
    await outputState('another receiver is connected', isConnected)
  }
})

test('after a cable was out, the input is back within 3 s, and a receiver when its own runtime has noticed', async () => {
  await machines.pullCable()
  await within(REACTION, 'the input is offline', () =>
    until(
      () => engine.client.observe(1).input.state === SOURCE_STATE.offline,
      () => `the input is offline: ${JSON.stringify(engine.client.observe(1).input)}`
    )
  )
  await outputState('the output is silent', (leg) => leg?.connState !== CONNECTION_STATE.connected)
  await machines.plugCable()
  await within(REACTION, 'the input is back', () => engine.waitForState(1, CONNECTION_STATE.connected))
  await receiver.reset()
  await receiver.receiving(CAMERAS.second)
  await outputState('the receiver is connected again', isConnected)
})

test('a channel whose receiver was killed ends within two seconds', async () => {
  await receiver.end('SIGKILL')
  await within(2000, 'the channel ends', async () => {
    await engine.client.remove(1)
    await until(() => engine.client.processCount() === 0, 'no process runs')
  })
})

test.run()
