// After an upgrade, the channels are moved to the engine of the new release, which runs beside the old one.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { restartStreams, startUpdate } from '../../../contract/update.ts'
import { findJumps } from '../../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../../kit/engine/media.ts'
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

test('after an upgrade the streams run from the release before', async () => {
  counter = await startCountedChannel(installation.hub as never)
  const { id } = await installation.upload(update)
  assert.equal((await installation.hub.send(startUpdate, { id })).result, SUCCESS)
  await installation.waitForUses('1.0.2 trial')
  await installation.confirm('2')
  await installation.waitForUses('1.0.2 active', '1.0.1 former')
  assert.equal((await installation.status())['engine-version'], '1.0.1')
})

test('a channel with datagrams alone is moved without a question, and without losing a frame', async () => {
  const { result } = await installation.hub.send(restartStreams, { 'dry-run': 'if-off-air' })
  assert.equal(result, SUCCESS)
  await until(
    async () => (await installation.status())['engine-version'] === undefined,
    'all streams run from the new release'
  )
  const { continuityGaps, frames } = await counter.recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test.run()
