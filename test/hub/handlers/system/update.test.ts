// The calls of the update over a hub: who may, what is served when, and what is said and written down of it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Envelope } from '../../../../contract/call.ts'
import { listLog } from '../../../../contract/log.ts'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/permissions.ts'
import { STATUS, systemStatus } from '../../../../contract/system.ts'
import {
  cancelUpdate,
  confirmUpdate,
  revertUpdate,
  startUpdate,
  UPDATE_STATE,
  type UploadedUpdate,
  updateStatus
} from '../../../../contract/update.ts'
import { addGroup, addUser } from '../../../../contract/user.ts'
import { DEVELOPMENT_KEY } from '../../../../pack/keys.ts'
import { type Client, md5, startHub } from '../../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'
import { makeTestPack, updateForm, writeConsole } from '../../../kit/pack.ts'
import { until } from '../../../kit/until.ts'

const test = suite('update')

const folder = mkdtempSync(join(tmpdir(), 'headend-update-'))
const dist = join(folder, 'dist')
writeConsole('0', dist)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const ONE = makeTestPack('1')

hubForEach(test, { dist, upgrade: { trusted: [DEVELOPMENT_KEY] } })

async function upload(
  bytes: Uint8Array,
  headers: Record<string, string> = {},
  by = admin
): Promise<Envelope & UploadedUpdate> {
  const response = await by.post('/api/update/upload', updateForm(bytes), headers)
  return (await response.json()) as Envelope & UploadedUpdate
}

/** A console on the wire: the page, and whether the script of `mark` is there. */
async function served(mark: string): Promise<[page: string, script: number]> {
  const page = await (await admin.raw('GET', '/')).text()
  const { status } = await admin.raw('GET', `/assets/app-${mark.repeat(8)}.js`)
  return [page.slice(-1), status]
}

const code = async (who: Client) => (await who.send(systemStatus, {})).status.system.status['status-code']
const trialOf = async (who: Client) => (await who.send(systemStatus, {})).status.system.info['console-trial']

test('an uploaded console is served at once, confirmed by its script, and every step is written down', async () => {
  const { result, id, version } = await upload(ONE)
  assert.deepEqual([result, version], [0, '1.0.0'])
  assert.deepEqual(await served('0'), ['0', 200])
  assert.equal((await admin.send(startUpdate, { id })).result, 0)
  // A page that was on its way still finds its own script.
  assert.deepEqual(
    [await served('1'), await served('0')],
    [
      ['1', 200],
      ['1', 200]
    ]
  )
  assert.equal(await code(admin), UPDATE_STATE.restarting | STATUS.updating)
  const script = await trialOf(admin)
  assert.equal(script, 'app-11111111.js')
  assert.equal((await admin.send(confirmUpdate, { script: 'app-00000000.js' })).result, 38)
  assert.equal((await admin.send(confirmUpdate, { script: script ?? '' })).result, 0)
  assert.deepEqual([await code(admin), await trialOf(admin)], [0, undefined])
  assert.equal((await admin.send(revertUpdate, {})).result, 0)
  assert.deepEqual(await served('0'), ['0', 200])

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
  const said = system.map(({ text }) => text).reverse()
  assert.ok(said.includes('Console 1.0.0 installed, on trial') && said.includes('Console 1.0.0 works and stays'))
})

test('a refusal says what is wrong in the language of who asks, and so does the status after it', async () => {
  const bad = Buffer.from(ONE)
  bad.writeUInt8(bad.readUInt8(600) ^ 1, 600)
  const en = await upload(bad)
  assert.deepEqual([en.result, en.message?.split('\n')[0]], [40, 'The update was changed after it was signed'])
  const zh = await upload(bad, { 'accept-language': 'zh' })
  assert.match(zh.message ?? '', /更新在签名后被修改/)
  const status = await admin.send(updateStatus, {})
  assert.deepEqual(
    [status.result, status.state, status['update-fault'], status.message === en.message],
    [0, UPDATE_STATE.failed, 'tampered', true]
  )
  assert.equal(await code(admin), UPDATE_STATE.failed)
  assert.equal((await admin.send(cancelUpdate, {})).result, 0)
  assert.equal(await code(admin), 0)
})

test('a body that is no form, or a form without a file, is refused', async () => {
  const ask = async (body: BodyInit, headers = {}) =>
    ((await (await admin.post('/api/update/upload', body, headers)).json()) as Envelope).result
  assert.equal(await ask('x', { 'content-type': 'text/plain' }), 7)
  const empty = new FormData()
  empty.append('other', 'x')
  assert.equal(await ask(empty), 7)
})

test('an upload whose browser goes away leaves nothing, and one that is cancelled is answered', async () => {
  const { port } = await hub.listen(0, 0)
  const half = ONE.subarray(0, ONE.length >> 1)
  /** Sends half of a form over a real connection, and then nothing more. */
  function begin(signal: AbortSignal): Promise<Response> {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.update"\r\n\r\n'
    const body = new ReadableStream({
      start(stream) {
        for (const part of [Buffer.from(head), half]) stream.enqueue(new Uint8Array(part))
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
  const state = () => hub.hub.upgrade.state()
  const leave = new AbortController()
  const left = begin(leave.signal).catch(() => 'left')
  await until(() => state() === UPDATE_STATE.uploading, 'it is on its way')
  leave.abort()
  assert.equal(await left, 'left')
  await until(() => state() === UPDATE_STATE.failed, 'the hub has noticed')
  const { message } = await admin.send(updateStatus, {})
  assert.match(message ?? '', /^The update is incomplete/)

  const stay = new AbortController()
  const answered = begin(stay.signal).then((response) => response.json())
  await until(() => state() === UPDATE_STATE.uploading, 'another one is on its way')
  assert.equal((await upload(ONE)).result, 43)
  assert.equal((await admin.send(cancelUpdate, {})).result, 0)
  assert.equal(((await answered) as Envelope).result, 42)
  assert.equal(state(), UPDATE_STATE.idle)
  stay.abort()
  assert.equal((await upload(ONE)).result, 0)
})

test('who may only look sees the state, and neither uploads nor confirms', async () => {
  const { id: group } = await admin.send(addGroup, { name: 'Lookers', permissions: SYSTEM_CONFIG_VIEW })
  await admin.send(addUser, { name: 'vera', passwd: md5('vera'), 'group-id': group })
  const vera = hub.enter('vera')
  const { id } = await upload(ONE)
  await admin.send(startUpdate, { id })
  assert.equal((await vera.send(updateStatus, {})).state, UPDATE_STATE.restarting)
  assert.equal(await trialOf(vera), undefined)
  assert.equal((await upload(ONE, {}, vera)).result, 31)
  assert.equal((await vera.send(confirmUpdate, { script: 'app-11111111.js' })).result, 31)
})

test('the feed says that something changed, at each step', async () => {
  const rev = () => hub.hub.store.changes.revs().status
  let before = rev()
  const moved = (what: string) => {
    assert.ok(rev() > before, what)
    before = rev()
  }
  const { id } = await upload(ONE)
  moved('upload')
  await admin.send(startUpdate, { id })
  moved('install')
  await admin.send(confirmUpdate, { script: 'app-11111111.js' })
  moved('confirm')
})

test('a console that nobody confirms is taken back, and the hub says why', async () => {
  const data = join(folder, 'data')
  const timed = await startHub({ data, dist, upgrade: { trusted: [DEVELOPMENT_KEY], confirmWithin: 100 } })
  try {
    const one = timed.enter()
    const { id } = await upload(ONE, {}, one)
    await one.send(startUpdate, { id })
    await until(() => timed.hub.upgrade.state() === UPDATE_STATE.failed, 'it is given up')
    assert.ok((await (await one.raw('GET', '/')).text()).endsWith('0'))
    const { message } = await one.send(updateStatus, {})
    assert.match(message ?? '', /^No browser confirmed in time/)
    const { list } = await one.send(listLog, { type: 'system' })
    assert.equal(list[0]?.text, 'Console 1.0.0 did not stay: No browser confirmed in time that the new console works')
  } finally {
    await timed.close()
  }
})

test.run()
