// NDI inputs with the real runtime: colors, sync, and sources that end, hang or are cut off.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { type NdiEngine, ndiInput, srtOutput, startNdiEngine } from '../../../kit/ndi/engine.ts'
import { type NdiMachines, startNdiMachines } from '../../../kit/ndi/machines.ts'
import { BAR_LUMA, startSource, type TestSource } from '../../../kit/ndi/programs.ts'
import { measureRecording, recordStream } from '../../../kit/ndi/recording.ts'
import { missingForNdi } from '../../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'
import { until } from '../../../kit/until.ts'
import { waitDuring, within } from '../../../kit/within.ts'

const test = suiteRequiring('NDI input on the network', missingForNdi())
/** Milliseconds within which a lost source is offline, and a source that is back is received. */
const REACTION = 3000

/**
 * Milliseconds for which the machine may let processes wait: the duration of a frame. After longer waits frames are
 * late, and the engine needs some seconds to estimate the clock of the source again: the end of a longer recording is
 * in sync.
 */
const WAIT_MAX = 40
/** Milliseconds between picture and sound. */
const SYNC_MAX = 10

let machines: NdiMachines
let engine: NdiEngine
let source: TestSource
test.before(async () => {
  machines = await startNdiMachines()
  engine = await startNdiEngine(machines)
})
test.after.each(async () => {
  await engine.client.remove(1)
  await source.end('SIGKILL')
})
test.after(async () => {
  await engine.stop()
  await machines.stop()
})

const input = () => engine.client.observe(1).input
async function startCamera(format: 'uyvy' | 'uyva' = 'uyvy'): Promise<void> {
  source = await startSource(machines, machines.src, 'Camera', { id: 3, format })
}
const receiveCamera = () =>
  engine.client.apply({
    id: 1,
    name: 'One',
    enable: true,
    input: ndiInput('SRC (Camera)'),
    outputs: [srtOutput(2, 7001)]
  })

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

for (const format of ['uyvy', 'uyva'] as const)
  test(`a source in ${format} arrives in sync, with its colors and without loss`, async () => {
    const path = join(machines.folder, `${format}.ts`)
    const record = (seconds: number) => recordStream(machines.hub, 'srt://127.0.0.1:7001', path, seconds)
    let wait = await waitDuring(async () => {
      await startCamera(format)
      await receiveCamera()
      await engine.waitForState(1, CONNECTION_STATE.connected)
      await engine.waitForState(1, CONNECTION_STATE.waiting, 2)
      await record(6)
    })
    // A beep or a flash is late by the time for which its program waits for a processor, so most of them are in time.
    const isInSync = (beeps: readonly number[]) =>
      beeps.length >= 4 && Math.abs(medianOf(beeps)) <= SYNC_MAX && beeps.every((ms) => Math.abs(ms) <= SYNC_MAX + wait)
    let recording = measureRecording(path)
    if (wait > WAIT_MAX && !isInSync(recording.sync)) {
      wait = await waitDuring(() => record(12))
      recording = measureRecording(path)
      recording.sync = recording.sync.slice(-4)
    }
    const { frames, lost, repeated, sync, interval, luma } = recording
    assert.ok(frames > 140, `${frames} frames`)
    const waited = `while programs waited for a processor for ${Math.round(wait)} ms`
    assert.deepEqual({ lost, repeated }, { lost: 0, repeated: 0 }, `${lost} lost, ${repeated} repeated ${waited}`)
    assert.ok(isInSync(sync), `beep after flash: ${sync.join()} ms ${waited}`)
    assert.ok(Math.abs(interval - 40) < 2, `a frame every ${interval} ms`)
    for (const [bar, value] of BAR_LUMA.entries())
      assert.ok(Math.abs((luma[bar] ?? 0) - value) <= 1, `luma ${luma.join()}`)
    await until(() => input().format?.video?.fps === 25, 'the format is known')
  })

/** How a source is lost, and how it comes back. */
const LOSSES: Readonly<Record<string, [lose: () => Promise<unknown>, bringBack: () => Promise<unknown>]>> = {
  ends: [() => source.end('SIGTERM'), () => startCamera()],
  'is killed': [() => source.end('SIGKILL'), () => startCamera()],
  hangs: [async () => source.freeze(), async () => source.thaw()],
  'is cut off': [() => machines.pullCable(), () => machines.plugCable()]
}

test('a source that ends, is killed, hangs or is cut off is offline within 3 s, and back within 3 s', async () => {
  await startCamera()
  await receiveCamera()
  await engine.waitForState(1, CONNECTION_STATE.connected)
  for (const [name, [lose, bringBack]] of Object.entries(LOSSES)) {
    await lose()
    const describe = () => `${name}: ${JSON.stringify(input())}`
    await within(REACTION, `offline, as it ${name}`, () =>
      until(
        () => input().state === SOURCE_STATE.offline && input().reason === 'ndi-offline',
        () => `the source is offline. It ${describe()}`
      )
    )
    // It stays offline, also while the next process searches for it.
    const end = performance.now() + 2500
    while (performance.now() < end) {
      assert.equal(input().state, SOURCE_STATE.offline, describe())
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await bringBack()
    await within(REACTION, `back, as it ${name}`, () =>
      until(
        () => input().connState === CONNECTION_STATE.connected,
        () => `the source is back. It ${describe()}`
      )
    )
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.equal(input().connState, CONNECTION_STATE.connected, describe())
  }
})

test('removing an input whose source hangs ends its processes within a second', async () => {
  await startCamera()
  await receiveCamera()
  await engine.waitForState(1, CONNECTION_STATE.connected)
  source.freeze()
  await within(2000, 'the processes end', async () => {
    await engine.client.remove(1)
    await until(() => engine.client.processCount() === 0, 'no process runs')
  })
})

test.run()
