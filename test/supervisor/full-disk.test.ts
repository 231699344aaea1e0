// The disk of the hub is full: a real file system of its own, on which hub and engine keep their files. Within 5 s each
// call says so, in both languages; channels that need no space go on, and nothing else is blamed.
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'
import { suite } from 'uvu'
import { NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { RESERVE_FILE } from '../../hub/data-folder/entries.ts'
import { openSignedIn } from '../kit/browser/browser.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { ConsoleLanguages } from '../kit/fault/console-languages.ts'
import { assertReports, assertWords, waitUntilOnAir } from '../kit/fault/fault-report.ts'
import { type Fault, startChannel } from '../kit/fault/faults.ts'
import { createRtmpTarget, createUdpSource, createUdpTarget, endPeers } from '../kit/fault/media.ts'
import { VerdictWatch } from '../kit/fault/verdict-watch.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import type { HubProcess } from '../kit/hub/hub-process.ts'
import { createSmallDisk, type SmallDisk } from '../kit/hub/small-disk.ts'
import { until } from '../kit/until.ts'

const test = suite('full disk of the hub')

let disk: SmallDisk
let engine: EngineProcess
let hub: HubProcess
let watch: VerdictWatch
/** A channel whose output has to start again, for which the engine needs a file, and one that only goes on. */
let fault: Fault
let calm: number
let context: BrowserContext

test.before(async () => {
  disk = await createSmallDisk(40)
  engine = await startEngineProcess(disk.data, [...disk.enter, 'env', `TMPDIR=${disk.data}`])
  hub = await disk.startHub()
  watch = new VerdictWatch(() => hub)
  const [source, target] = [await createUdpSource(), await createRtmpTarget()]
  const title = 'output that starts again'
  calm = await startChannel(hub, 'calm', source.url, [await createUdpTarget()])
  const second = await createUdpSource()
  fault = {
    title,
    channel: await startChannel(hub, title, second.url, [target.output, await createUdpTarget()]),
    async cause() {
      disk.fill()
      await target.kill()
      target.start()
    },
    mend: () => rmSync(disk.path('filler')),
    expected: { channel: 'degraded: outputs-failed', input: 'on-air', outputs: [['down: disk-full'], ['on-air']] },
    // Until the output starts again.
    meanwhile: ['output 1 down: disconnected', 'output 1 down: refused', 'output 1 starting'],
    problem: 'output warn: disk-full'
  }
  await waitUntilOnAir(watch, [fault])
  context = await openSignedIn(hub.url)
  // The hub makes its reserve a few seconds after its start.
  await until(() => existsSync(disk.path(RESERVE_FILE)), 'the reserve')
})
test.after(async () => {
  await context?.browser()?.close()
  await watch?.close()
  await hub?.kill()
  await engine?.kill()
  await endPeers()
  await disk?.close()
  await cleanUpMedia()
})

test('a full disk is named as the cause within 5 s, in the API and on each page in both languages', async () => {
  const { title, channel } = fault
  const console = await ConsoleLanguages.open(context, hub.url, new Map([[title, channel]]))
  await console.assertCauses(
    () => ['▲', { en: /the disk of the hub is full/i, zh: /中控的磁盘已满/ }],
    async () => {
      const at = Date.now()
      await assertReports(watch, [fault], async () => fault.cause())
      return new Map([[title, at]])
    }
  )
  await console.close()
  await until(
    () => watch.hubProblems().includes('disk bad: disk-full'),
    () => `the problem of the hub: ${watch.hubProblems().join()}`
  )
  assert.deepEqual(watch.seen(calm), ['on-air', 'output 1 on-air'])
})

const [STEP_EN, STEP_ZH] = NEXT_STEP_SENTENCES['free-space']
const WORDS = {
  en: { cause: 'the disk of the hub is full', step: STEP_EN },
  zh: { cause: '中控的磁盘已满', step: STEP_ZH }
}

test('page, list and problems say that the disk is full and what to do, in both languages', () =>
  assertWords(hub, fault, WORDS, ['page', 'list', 'problems']))

test('the output is on air again when there is space, and timeline and log have what could not be written', async () => {
  await fault.mend()
  await waitUntilOnAir(watch, [fault])
  await until(() => !watch.hubProblems().join().includes('disk'), 'the problem of the hub ends')
  await assertWords(hub, fault, WORDS, ['timeline', 'log'])
})

test.run()
