// The calls for console updates: permissions, the served console, responses and log entries.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { GROUP_USER, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { addGroup, addUser } from '../../../../contract/access/user.ts'
import type { Envelope } from '../../../../contract/call.ts'
import { CANCELED, IN_PROGRESS, NOT_PERMITTED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../../contract/system.ts'
import {
  cancelUpdate,
  confirmUpdate,
  revertUpdate,
  startUpdate,
  UPDATE_STATE,
  type UploadedUpdate,
  updateStatus
} from '../../../../contract/update.ts'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY } from '../../../../pack/keys.ts'
import {
  createTestUpdate,
  createUpdateForm,
  generateSigningKey,
  writeConsole
} from '../../../kit/hub/console-update.ts'
import { type Client, newPassword, startHub } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach, replaceHub } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('update')

const folder = mkdtempSync(join(tmpdir(), 'headend-update-'))
const dist = join(folder, 'dist')
writeConsole('0', dist)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const PACK = createTestUpdate('1')

hubForEach(test, { dist, consoleUpdater: { trusted: [DEVELOPMENT_KEY] } })

async function upload(
  bytes: Uint8Array,
  headers: Record<string, string> = {},
  by = admin
): Promise<Envelope & UploadedUpdate> {
  const response = await by.post('/api/update/upload', createUpdateForm(bytes), headers)
  return (await response.json()) as Envelope & UploadedUpdate
}

/** Fetches the console: the page, and the status of the script of `mark`. */
async function fetchConsole(mark: string): Promise<[page: string, script: number]> {
  const page = await (await admin.raw('GET', '/')).text()
  const { status } = await admin.raw('GET', `/assets/app-${mark.repeat(8)}.js`)
  return [page.slice(-1), status]
}

const code = async (who: Client) => (await who.send(systemStatus, {})).status.system.status['status-code']
const trialOf = async (who: Client) => (await who.send(systemStatus, {})).status.system.info['console-trial']

test('an uploaded console is served at once, confirmed by its script, and every step is logged', async () => {
  const { result, id, version } = await upload(PACK)
  assert.deepEqual([result, version], [0, '1.0.0'])
  assert.deepEqual(await fetchConsole('0'), ['0', 200])
  assert.equal((await admin.send(startUpdate, { id })).result, SUCCESS)
  // A page that was loaded before still finds its own script.
  assert.deepEqual(
    [await fetchConsole('1'), await fetchConsole('0')],
    [
      ['1', 200],
      ['1', 200]
    ]
  )
  assert.equal(await code(admin), UPDATE_STATE.restarting | SYSTEM_STATUS_BITS.updating)
  const script = await trialOf(admin)
  assert.equal(script, 'app-11111111.js')
  assert.equal((await admin.send(confirmUpdate, { script: 'app-00000000.js' })).result, WRONG_STATE)
  assert.equal((await admin.send(confirmUpdate, { script: script ?? '' })).result, SUCCESS)
  assert.deepEqual([await code(admin), await trialOf(admin)], [0, undefined])
  assert.equal((await admin.send(revertUpdate, {})).result, SUCCESS)
  assert.deepEqual(await fetchConsole('0'), ['0', 200])

  const { list } = await admin.send(listLog, { type: 'operation' })
  const lines = list.map(({ event, detail, code }) => `${event} ${detail} ${code}`).reverse()
  assert.deepEqual(lines, [
    '/update/upload 1.0.0 0',
    '/update/start 1.0.0 0',
    '/update/confirm  38',
    '/update/confirm 1.0.0 0',
    '/update/revert 0.1.0 0'
  ])
  const { list: system } = await admin.send(listLog, { type: 'system' })
  const texts = system.map(({ text }) => text).reverse()
  assert.ok(texts.includes('Console 1.0.0 installed, on trial') && texts.includes('Console 1.0.0 confirmed'))
})

test('an error is in the language of the caller, and so is the status after it', async () => {
  const damaged = Buffer.from(PACK)
  damaged.writeUInt8(damaged.readUInt8(600) ^ 1, 600)
  const english = await upload(damaged)
  assert.deepEqual(
    [english.result, english.message?.split('\n')[0]],
    [40, 'The update was changed after it was signed']
  )
  const chinese = await upload(damaged, { 'accept-language': 'zh' })
  assert.match(chinese.message ?? '', /更新在签名后被修改/)
  const status = await admin.send(updateStatus, {})
  assert.deepEqual(
    [status.result, status.state, status['update-fault'], status.message === english.message],
    [0, UPDATE_STATE.failed, 'tampered', true]
  )
  assert.equal(await code(admin), UPDATE_STATE.failed)
  assert.equal((await admin.send(cancelUpdate, {})).result, SUCCESS)
  assert.equal(await code(admin), 0)
})

test('a body that is not a form, or a form without a file, is refused', async () => {
  const postUpload = async (body: BodyInit, headers = {}) =>
    ((await (await admin.post('/api/update/upload', body, headers)).json()) as Envelope).result
  assert.equal(await postUpload('x', { 'content-type': 'text/plain' }), 7)
  const empty = new FormData()
  empty.append('other', 'x')
  assert.equal(await postUpload(empty), 7)
})

test('the file of an aborted upload is deleted, and a cancelled one gets a response', async () => {
  const { port } = await hub.listen(0, 0)
  const firstHalf = PACK.subarray(0, PACK.length >> 1)
  /** Sends half of a form over a real connection and then stalls. */
  function startUpload(signal: AbortSignal): Promise<Response> {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.update"\r\n\r\n'
    const body = new ReadableStream({
      start(stream) {
        for (const part of [Buffer.from(head), firstHalf]) stream.enqueue(new Uint8Array(part))
      }
    })
    return fetch(`http://127.0.0.1:${port}/api/update/upload`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'content-type': 'multipart/form-data; boundary=x' },
      body,
      signal,
      duplex: 'half'
    } as RequestInit)
  }
  const state = () => hub.parts.consoleUpdater.stateBits()
  const abort = new AbortController()
  const aborted = startUpload(abort.signal).catch(() => 'aborted')
  await until(() => state() === UPDATE_STATE.uploading, 'the upload has started')
  abort.abort()
  assert.equal(await aborted, 'aborted')
  await until(() => state() === UPDATE_STATE.failed, 'the hub has noticed the abort')
  const { message } = await admin.send(updateStatus, {})
  assert.match(message ?? '', /^The update is incomplete/)

  const other = new AbortController()
  const reply = startUpload(other.signal).then((response) => response.json())
  await until(() => state() === UPDATE_STATE.uploading, 'another upload has started')
  assert.equal((await upload(PACK)).result, IN_PROGRESS)
  assert.equal((await admin.send(cancelUpdate, {})).result, SUCCESS)
  assert.equal(((await reply) as Envelope).result, CANCELED)
  assert.equal(state(), UPDATE_STATE.idle)
  other.abort()
  assert.equal((await upload(PACK)).result, SUCCESS)
})

test('users with permission to view the system settings read the update state, but cannot upload or confirm', async () => {
  const { id: group } = await admin.send(addGroup, { name: 'Lookers', permissions: SYSTEM_CONFIG_VIEW })
  await admin.send(addUser, { name: 'vera', ...newPassword('vera-password'), 'group-id': group })
  const vera = hub.clientAs('vera')
  const { id } = await upload(PACK)
  await admin.send(startUpdate, { id })
  assert.equal((await vera.send(updateStatus, {})).state, UPDATE_STATE.restarting)
  assert.equal(await trialOf(vera), undefined)
  assert.equal((await upload(PACK, {}, vera)).result, NOT_PERMITTED)
  assert.equal((await vera.send(confirmUpdate, { script: 'app-11111111.js' })).result, NOT_PERMITTED)
})

test('a member of the User group can neither upload nor install, confirm, cancel or revert a console', async () => {
  await admin.send(addUser, { name: 'uwe', ...newPassword('uwe-password'), 'group-id': GROUP_USER })
  const uwe = hub.clientAs('uwe')
  const { id } = await upload(PACK)
  assert.equal((await upload(createTestUpdate('2'), {}, uwe)).result, NOT_PERMITTED)
  assert.equal((await uwe.send(startUpdate, { id })).result, NOT_PERMITTED)
  assert.equal((await uwe.send(cancelUpdate, {})).result, NOT_PERMITTED)
  await admin.send(startUpdate, { id })
  assert.equal(await trialOf(uwe), undefined)
  assert.equal((await uwe.send(confirmUpdate, { script: 'app-11111111.js' })).result, NOT_PERMITTED)
  assert.equal((await uwe.send(revertUpdate, {})).result, NOT_PERMITTED)
  assert.deepEqual((await admin.send(updateStatus, {}))['trusted-keys'], [
    { fingerprint: DEVELOPMENT_FINGERPRINT, development: true }
  ])
  assert.equal((await uwe.send(updateStatus, {}))['trusted-keys'], undefined)
})

test('a hub without options trusts no key: a console signed with the development key is refused', async () => {
  await replaceHub({ dist })
  const reply = await upload(PACK)
  assert.deepEqual([reply.result, reply['update-fault' as 'message']], [WRONG_STATE, 'no-keys'])
  assert.deepEqual(await fetchConsole('1'), ['0', 404])
  assert.deepEqual((await admin.send(updateStatus, {}))['trusted-keys'], [])
  await replaceHub({ dist, consoleUpdater: { trusted: [generateSigningKey().publicKey] } })
  assert.equal((await upload(PACK))['update-fault' as 'message'], 'development')
})

test('an uploaded newer version is a flag of the system status until it is installed', async () => {
  const { id } = await upload(PACK)
  assert.equal(await code(admin), SYSTEM_STATUS_BITS.newVersion)
  const { 'online-status': online } = await admin.send(updateStatus, {})
  assert.deepEqual(online, {
    'update-result': 0,
    address: '',
    date: 0,
    'check-result': 0,
    enable: false,
    'enable-expr': false,
    'is-newest': false,
    'newest-version': '1.0.0',
    versions: { start: 0, total: 0, list: [] }
  })
  await admin.send(startUpdate, { id })
  assert.equal((await code(admin)) & SYSTEM_STATUS_BITS.newVersion, 0)
})

test('the state of the update service is part of the status code, also when no key is trusted', async () => {
  await replaceHub({ dist })
  assert.equal(await code(admin), UPDATE_STATE.unavailable)
})

test('the change feed reports each step', async () => {
  const rev = () => hub.parts.store.changes.revs().status
  let before = rev()
  const assertRevisionChanged = (step: string) => {
    assert.ok(rev() > before, step)
    before = rev()
  }
  const { id } = await upload(PACK)
  assertRevisionChanged('upload')
  await admin.send(startUpdate, { id })
  assertRevisionChanged('install')
  await admin.send(confirmUpdate, { script: 'app-11111111.js' })
  assertRevisionChanged('confirm')
})

test('a console that is not confirmed is reverted, and the status has the reason', async () => {
  const data = join(folder, 'data')
  const hubWithTimeout = await startHub({
    data,
    dist,
    consoleUpdater: { trusted: [DEVELOPMENT_KEY], confirmTimeout: 100 }
  })
  try {
    const admin = hubWithTimeout.clientAs()
    const { id } = await upload(PACK, {}, admin)
    await admin.send(startUpdate, { id })
    await until(() => hubWithTimeout.parts.consoleUpdater.stateBits() === UPDATE_STATE.failed, 'the update has failed')
    assert.ok((await (await admin.raw('GET', '/')).text()).endsWith('0'))
    const { message } = await admin.send(updateStatus, {})
    assert.match(message ?? '', /^No browser confirmed in time/)
    const { list } = await admin.send(listLog, { type: 'system' })
    assert.equal(list[0]?.text, 'Console 1.0.0 rolled back: No browser confirmed in time that the new console works')
  } finally {
    await hubWithTimeout.close()
  }
})

test.run()
