// The installation of a release that a user cancels while the update service works on it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { cancelUpdate, startUpdate, UPDATE_STATE, updateStatus } from '../../../contract/update.ts'
import type { UpdaterClient } from '../../../hub/upgrade/updater-client.ts'
import { VERSION } from '../../../web-server/version.ts'
import { admin, hub, hubForEach, replaceHub } from '../../kit/hub/hub-for-each.ts'
import { createReleaseUpdate, type ReleaseHub, startReleaseHub } from '../../kit/hub/release-hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('cancelled installation of a release')
hubForEach(test)

let installation: ReleaseHub
test.before.each(async () => {
  installation = await startReleaseHub()
})
test.after.each(() => installation.close())

const whenAborted = (signal: AbortSignal) => until(() => signal.aborted, 'the installation is cancelled')

/** Cancels the installation of a release, and asserts that it then waits for its installation again. */
async function cancelInstallation(install: UpdaterClient['install']): Promise<void> {
  const updater = installation.options.updater as UpdaterClient
  await replaceHub({ ...installation.options, updater: { ...updater, install } })
  await until(() => hub.parts.releases.isPossible, 'the hub knows its release')
  const update = createReleaseUpdate('9.0.0')
  const { id } = await hub.parts.consoleUpdater.upload(update.length, (write) => write(update))
  assert.equal((await admin.send(startUpdate, { id })).result, SUCCESS)
  await until(() => hub.parts.releases.isInstalling, 'the release is being installed')
  assert.equal((await admin.send(cancelUpdate, {})).result, SUCCESS)
  await until(() => !hub.parts.releases.isInstalling, 'the installation has ended')
  const { state, releases, 'update-fault': fault } = await admin.send(updateStatus, {})
  assert.deepEqual([state, fault], [UPDATE_STATE.idle, undefined])
  assert.deepEqual([releases?.[0]?.version, releases?.[0]?.use], ['9.0.0', 'ready'])
  assert.equal(installation.endings(), 0)
  assert.deepEqual(
    (await updater.list()).releases.map(({ version }) => version),
    [VERSION]
  )
}

test('while the release is unpacked, it is no failure', async () => {
  const { install } = installation.options.updater as UpdaterClient
  await cancelInstallation(async (update, size, signal) => {
    await whenAborted(signal)
    return install(update, size, signal)
  })
})

test('after the release was unpacked, it is no failure, and the release is removed', async () => {
  const { install } = installation.options.updater as UpdaterClient
  await cancelInstallation(async (update, size, signal) => {
    const release = await install(update, size, new AbortController().signal)
    await whenAborted(signal)
    return release
  })
})

test.run()
