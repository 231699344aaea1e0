// After an upgrade, the channels are moved to the engine of the new release, which runs beside the old one.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { ResponseOf } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import {
  confirmUpdate,
  restartStreams,
  startUpdate,
  type UploadedUpdate,
  updateStatus
} from '../../../contract/update.ts'
import { findJumps } from '../../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../../kit/engine/media.ts'
import { createUpdateForm } from '../../kit/hub/console-update.ts'
import { type CountedChannel, startCountedChannel } from '../../kit/hub/counted-channel.ts'
import { Installation } from '../../kit/hub/releases.ts'
import { until } from '../../kit/until.ts'

const test = suite('switch-over of the streams after an upgrade')

const installation = new Installation()
const update = installation.createUpdate({ version: '1.0.2' })
let counter: CountedChannel

test.before(async () => {
  installation.addPackage({ version: '1.0.1' })
  await installation.start()
})
test.after(async () => {
  await installation.close()
  await cleanUpMedia()
})

/** Makes a call that may be repeated. A connection to the process before can end just then. */
const repeat = <Reply>(call: () => Promise<Reply>) => until(() => call().catch(() => undefined), 'the hub answers')
const status = () => repeat(() => installation.hub.send(updateStatus, {})) as Promise<ResponseOf<typeof updateStatus>>

async function upload(): Promise<UploadedUpdate> {
  const response = await fetch(`${installation.hub.url}/api/update/upload`, {
    method: 'POST',
    headers: { cookie: installation.hub.cookie() },
    body: createUpdateForm(update)
  })
  return (await response.json()) as never
}

test('after an upgrade the streams run from the release before', async () => {
  counter = await startCountedChannel(installation.hub as never)
  const { id } = await upload()
  assert.equal((await installation.hub.send(startUpdate, { id })).result, SUCCESS)
  await until(async () => (await status()).releases?.some(({ use }) => use === 'trial'), 'the release is on trial')
  await repeat(() => installation.hub.send(confirmUpdate, { script: `app-${'2'.repeat(8)}.js` }))
  await until(async () => (await status()).releases?.some(({ use }) => use === 'former'), 'the trial has ended')
  assert.equal((await status())['engine-version'], '1.0.1')
})

test('a channel with datagrams alone is moved without a question, and without losing a frame', async () => {
  const { result } = await installation.hub.send(restartStreams, { 'dry-run': 'if-off-air' })
  assert.equal(result, SUCCESS)
  await until(async () => (await status())['engine-version'] === undefined, 'all streams run from the new release')
  const { continuityGaps, frames } = await counter.recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test.run()
