// Releases of the hub on a web server: found, downloaded, verified, and kept like an upload.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { SYSTEM_STATUS_BITS } from '../../../../contract/system.ts'
import {
  cancelUpdate,
  checkUpdate,
  setUpdate,
  startUpdate,
  UPDATE_STATE,
  updateStatus
} from '../../../../contract/update.ts'
import { VERSION } from '../../../../web-server/version.ts'
import { releaseOf } from '../../../kit/hub/channel-files.ts'
import { createTestUpdate } from '../../../kit/hub/console-update.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import {
  installation,
  publishRelease,
  RELEASE_UPDATE,
  releaseServerForEach,
  server
} from '../../../kit/hub/release-server.ts'
import { until } from '../../../kit/until.ts'

const test = suite('releases of the hub online')
hubForEach(test)
releaseServerForEach(test)

const status = () => admin.send(updateStatus, {})
const online = async () => (await status())['online-status']

async function useServer(): Promise<void> {
  assert.equal((await admin.send(setUpdate, { address: server.address, enable: true })).result, SUCCESS)
  assert.equal((await admin.send(checkUpdate, {})).result, SUCCESS)
}

test('without a server there is nothing to check', async () => {
  assert.equal((await admin.send(checkUpdate, {})).result, WRONG_STATE)
  const { address, enable, versions } = await online()
  assert.deepEqual([address, enable, versions], ['', false, { start: 0, total: 0, list: [] }])
})

test('a newer release is found, and shown by the flag for new versions', async () => {
  publishRelease({}, releaseOf(Buffer.from('x'), { version: VERSION, architecture: process.arch, file: 'x' }))
  await useServer()
  const { versions, date, 'check-result': result, 'newest-version': newest, 'is-newest': isNewest } = await online()
  assert.deepEqual(
    versions?.list.map(({ version, notes }) => [version, notes]),
    [
      ['9.0.0', 'Better.'],
      [VERSION, 'Better.']
    ]
  )
  assert.deepEqual([newest, isNewest, result, date !== 0], ['9.0.0', false, SUCCESS, true])
  assert.equal(hub.parts.consoleUpdater.statusBits() & SYSTEM_STATUS_BITS.newVersion, SYSTEM_STATUS_BITS.newVersion)
  const page = await admin.send(updateStatus, { start: 1, count: 1 })
  assert.deepEqual(
    page['online-status'].versions?.list.map(({ version }) => version),
    [VERSION]
  )
})

test('releases for other processors, and pre-releases without consent, are left out', async () => {
  publishRelease({ change: { architecture: 'riscv64' } })
  publishRelease({ change: { 'pre-release': true }, channel: 'pre-release' })
  await useServer()
  assert.equal((await online()).versions?.total, 0)
  await admin.send(setUpdate, { 'enable-expr': true })
  assert.deepEqual(
    (await online()).versions?.list.map((release) => release['pre-release']),
    [true]
  )
})

test('a release is downloaded, verified, and waits for its installation', async () => {
  publishRelease()
  await useServer()
  const [release] = (await online()).versions?.list ?? []
  assert.equal((await admin.send(startUpdate, { id: release?.id ?? '' })).result, SUCCESS)
  await until(async () => (await status()).releases?.some(({ use }) => use === 'ready'), 'the release is ready')
  assert.equal((await status()).state, UPDATE_STATE.idle)
  assert.equal(installation.endings(), 0)
})

test('a download is cancelled, and continued by the next one', async () => {
  publishRelease()
  await useServer()
  const [release] = (await online()).versions?.list ?? []
  const half = RELEASE_UPDATE.subarray(0, RELEASE_UPDATE.length / 2)
  server.answer = (request, response) => {
    if (request.url !== '/9.0.0.update') return false
    response.writeHead(200, { 'content-length': RELEASE_UPDATE.length, etag: '"1"' }).write(half)
    return true
  }
  await admin.send(startUpdate, { id: release?.id ?? '' })
  await until(async () => (await status()).progress >= 40, 'half of the release has arrived')
  assert.equal((await status()).state, UPDATE_STATE.pulling)
  assert.equal((await admin.send(cancelUpdate, {})).result, SUCCESS)
  await until(async () => (await status()).state === UPDATE_STATE.idle, 'the download has ended')
  server.answer = () => false
  await admin.send(startUpdate, { id: release?.id ?? '' })
  await until(async () => (await status()).releases?.some(({ use }) => use === 'ready'), 'the release is ready')
})

test('a list that cannot be used is explained, and the last one stays', async () => {
  publishRelease({ number: 5 })
  await useServer()
  publishRelease({ number: 4 })
  await admin.send(checkUpdate, {})
  const { fault, versions, 'check-result': result } = await online()
  assert.match(fault?.reason ?? '', /older than the one before/)
  assert.equal(versions?.total, 1)
  assert.notEqual(result, SUCCESS)
})

test('a downloaded file that is no update of the list is refused', async () => {
  const other = createTestUpdate('1', { version: '9.0.0' })
  publishRelease({ change: { file: 'other' } })
  server.files.set('/other', other)
  await useServer()
  const [release] = (await online()).versions?.list ?? []
  await admin.send(startUpdate, { id: release?.id ?? '' })
  await until(async () => (await online()).fault, 'the download has failed')
  assert.equal((await admin.send(cancelUpdate, {})).result, SUCCESS)
  assert.equal((await online()).fault, undefined)
})

test('only the Admin group sets the server, and addresses that the hub must not ask are refused', async () => {
  const user = addSignedInUser(hub, 'operator', ALL_PERMISSIONS)
  assert.equal((await user.send(setUpdate, { address: server.address })).result, NOT_PERMITTED)
  for (const address of ['http://169.254.169.254/', 'ftp://example.com/', 'http://user:pass@example.com/'])
    assert.equal((await admin.send(setUpdate, { address })).result, INVALID_ARG, address)
})

test.run()
