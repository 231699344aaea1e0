// An upgrade of the whole hub, with the launcher, the update service, the engine and the hub as processes.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { IN_PROGRESS, SUCCESS } from '../../../contract/codes.ts'
import { addChannel, channelDashboard } from '../../../contract/stream/channel.ts'
import { cancelUpdate, revertUpdate, startUpdate } from '../../../contract/update.ts'
import { findJumps } from '../../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../../kit/engine/media.ts'
import { type CountedChannel, startCountedChannel } from '../../kit/hub/counted-channel.ts'
import { Installation } from '../../kit/hub/releases.ts'
import { until } from '../../kit/until.ts'

const test = suite('upgrade of the whole hub')

const installation = new Installation()
let counter: CountedChannel

/** Made before the hub starts: an idle connection to it would end meanwhile. */
const updates = {
  next: installation.createUpdate({ version: '1.0.2' }),
  broken: installation.createUpdate({
    version: '1.0.3',
    files: { 'hub/main.ts': `console.error('the disk controller is on fire'); process.exit(65)\n` }
  })
}

test.before(async () => {
  installation.addPackage({ version: '1.0.1' })
  await installation.start()
})
test.after(async () => {
  await installation.close()
  await cleanUpMedia()
})

const channelNames = async () => {
  const { list } = await installation.repeat((hub) => hub.send(channelDashboard, {}))
  return list.map(({ name }) => name)
}

test('a hub that was installed as a package shows its release', async () => {
  await installation.waitForUses('1.0.1 active')
  counter = await startCountedChannel(installation.hub as never)
})

test('an uploaded release is verified, and waits for its installation', async () => {
  const uploaded = await installation.upload(updates.next)
  assert.equal([uploaded.result, uploaded.version].join(), `${SUCCESS},1.0.2`)
  await installation.waitForUses('1.0.2 ready', '1.0.1 active')
})

test('on trial, the new release refuses changes, and keeps the session', async () => {
  const { releases = [] } = await installation.status()
  const id = releases[0]?.id ?? ''
  assert.equal((await installation.hub.send(startUpdate, { id })).result, SUCCESS)
  await installation.waitForUses('1.0.2 trial')
  const refused = await installation.repeat((hub) => hub.send(addChannel, { name: 'Lost' }))
  assert.equal(refused.result, IN_PROGRESS)
  assert.match(refused.message ?? '', /on trial/)
})

test('a browser that has loaded its console confirms the release, and changes are possible again', async () => {
  await installation.confirm('2')
  await installation.waitForUses('1.0.2 active', '1.0.1 former')
  assert.equal((await installation.hub.send(addChannel, { name: 'Kept' })).result, SUCCESS)
  assert.deepEqual(readdirSync(installation.downloaded), ['1.0.2'])
})

test('the channel has not lost a frame', async () => {
  const { continuityGaps, frames } = await counter.recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test('a release whose hub does not start goes back, with the data of before, and says why', async () => {
  const { id } = await installation.upload(updates.broken)
  assert.equal((await installation.hub.send(startUpdate, { id })).result, SUCCESS)
  await until(async () => (await installation.status()).rollback, 'the hub has gone back')
  const { rollback, version } = await installation.status()
  assert.equal(version, '1.0.2')
  assert.deepEqual([rollback?.version, rollback?.check], ['1.0.3', 'process'])
  assert.ok(rollback?.lines.some((line) => line.includes('the disk controller is on fire')))
  assert.ok((await channelNames()).includes('Kept'))
  assert.equal(existsSync(join(installation.downloaded, '1.0.3')), false)
  assert.equal((await installation.hub.send(cancelUpdate, {})).result, SUCCESS)
  assert.equal((await installation.status()).rollback, undefined)
})

test('a roll back needs consent, and brings back the data that the release before had', async () => {
  assert.notEqual((await installation.hub.send(revertUpdate, { release: true })).result, SUCCESS)
  assert.equal((await installation.hub.send(revertUpdate, { release: true, force: true })).result, SUCCESS)
  await installation.waitForUses('1.0.1 trial')
  await installation.confirm('1')
  await installation.waitForUses('1.0.1 active', '1.0.2 former')
  assert.equal((await channelNames()).includes('Kept'), false)
})

test.run()
