import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FIRMWARE_VIEW } from '../../../contract/access/permissions.ts'
import { FILE_EXISTS, IN_PROGRESS, NOT_EXIST, NOT_PERMITTED, SUCCESS, WRONG_STATE } from '../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../contract/device/device.ts'
import {
  cancelDownload,
  checkOnlineFirmware,
  deleteFirmware,
  downloadFirmware,
  listFirmware,
  listOnlineFirmware
} from '../../../contract/firmware.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { setSettings } from '../../../contract/settings.ts'
import {
  downloadEnd,
  type FirmwareServer,
  setFirmwareServer,
  startFirmwareServer,
  TRUSTING
} from '../../kit/hub/firmware-server.ts'
import { addSignedInUser } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach, replaceHub } from '../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('online firmware')
hubForEach(test, TRUSTING)

let server: FirmwareServer
let sn: string
test.before.each(async () => {
  server = await startFirmwareServer()
  await prepareHub()
})
test.after.each(() => server.close())

async function prepareHub(): Promise<void> {
  const serials = registerDevices(hub, 1)
  sn = serials[0] ?? ''
  await admin.send(acceptDevices, { sn: serials })
  await setFirmwareServer(admin, server.address)
}

const list = async () => admin.send(listOnlineFirmware, {})
const check = async () => (await admin.send(checkOnlineFirmware, {})).result
const idOf = async (version: string) => (await list()).list.find((each) => each.version === version)?.id ?? ''
const download = async (version: string) => admin.send(downloadFirmware, { id: await idOf(version) })

test('without a server there is no check, and the list says so', async () => {
  await setFirmwareServer(admin, '')
  assert.equal(await check(), WRONG_STATE)
  const { address, date, fault, list: releases } = await list()
  assert.deepEqual([address, date, releases], ['', 0, []])
  assert.equal(fault?.reason, 'No server with releases is set up')
})

test('releases of the families of devices are listed with their notes in the language of the request', async () => {
  server.publish(['1.5.0', '1.5.1'])
  assert.equal(await check(), SUCCESS)
  const { list: releases, date, fault } = await list()
  assert.ok(date > 0)
  assert.equal(fault, undefined)
  assert.deepEqual(
    releases.map(({ version }) => version),
    ['1.5.1', '1.5.0']
  )
  const [release] = releases
  assert.deepEqual(
    [release?.['product-name'], release?.['hardware-ver'], release?.state, release?.notes, release?.text],
    ['Ultra Encode AIO', 'A', INSTALLATION_STATE.idle, 'Better.', 'Not downloaded']
  )
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['stable', 'pre-release'].flatMap((channel) =>
      channel === 'stable'
        ? [`/ultra_encode-${channel}.json`, `/ultra_encode-${channel}.json.sig`]
        : [`/ultra_encode-${channel}.json`]
    )
  )
})

test('a release is downloaded, added to the files, and offered to devices', async () => {
  server.publish(['1.5.0'])
  await check()
  assert.equal((await download('1.5.0')).result, SUCCESS)
  const done = await downloadEnd(admin, '1.5.0')
  assert.equal(done.state, INSTALLATION_STATE.done)
  const { list: files } = await admin.send(listFirmware, { sn })
  assert.deepEqual(
    files.map(({ id, sha256 }) => [id, sha256]),
    [[done['firmware-id'], done.id]]
  )
  assert.equal((await admin.send(queryDevice, { sn })).dev['firmware-update'], '1.5.0')
  const again = await download('1.5.0')
  assert.deepEqual([again.result, (again as { id?: number }).id], [FILE_EXISTS, done['firmware-id']])
  await admin.send(deleteFirmware, { id: done['firmware-id'] ?? 0 })
  assert.equal((await list()).list[0]?.state, INSTALLATION_STATE.idle)
})

test('a pre-release counts as a test build, which is not offered to devices', async () => {
  server.publish(['1.5.0'], { channel: 'pre-release', change: { 'pre-release': true } })
  await check()
  assert.equal((await list()).list[0]?.['pre-release'], true)
  await download('1.5.0')
  await downloadEnd(admin, '1.5.0')
  assert.equal((await admin.send(listFirmware, {})).list[0]?.['firmware-id'], 1)
  assert.equal((await admin.send(queryDevice, { sn })).dev['firmware-update'], undefined)
})

/** Lets the server answer with a half of the file, and then with nothing. */
function stallDownload(): void {
  server.answer = ({ url = '' }, response) => {
    const bytes = server.files.get(url)
    if (!bytes || !url.startsWith('/firmware/')) return false
    response.writeHead(200, { etag: '"1"', 'content-length': bytes.length }).write(bytes.subarray(0, bytes.length / 2))
    return true
  }
}

test('one download runs at a time, and can be cancelled and continued', async () => {
  server.publish(['1.5.1', '1.5.0'])
  await check()
  stallDownload()
  await download('1.5.0')
  await until(async () => (await list()).list.some(({ state }) => state === INSTALLATION_STATE.download), 'half of it')
  assert.equal((await download('1.5.1')).result, IN_PROGRESS)
  assert.equal((await admin.send(cancelDownload, {})).result, SUCCESS)
  const cancelled = await downloadEnd(admin, '1.5.0')
  assert.deepEqual([cancelled.state, (await list()).fault?.reason], [INSTALLATION_STATE.idle, undefined])
  assert.equal((await admin.send(cancelDownload, {})).result, NOT_EXIST)
  server.answer = () => false
  await download('1.5.0')
  assert.equal((await downloadEnd(admin, '1.5.0')).state, INSTALLATION_STATE.done)
  assert.match(server.requests.at(-1)?.range ?? '', /^bytes=\d+-$/)
})

test('a download that fails says why, and leaves no file', async () => {
  server.publish(['1.5.0'])
  await check()
  for (const [path, bytes] of server.files)
    if (path.startsWith('/firmware/')) server.files.set(path, Buffer.from(bytes).fill(0))
  await download('1.5.0')
  assert.equal((await downloadEnd(admin, '1.5.0')).state, INSTALLATION_STATE.failed)
  assert.equal((await list()).fault?.reason, 'The downloaded file is not the one that was published')
  server.files.clear()
  await download('1.5.0')
  await downloadEnd(admin, '1.5.0')
  assert.equal((await list()).fault?.reason, 'The server answered with status 404')
  assert.equal((await admin.send(listFirmware, {})).total, 0)
})

test('a file of another model than its release says is refused', async () => {
  server.publish(['1.5.0'], { change: { model: 'Ultra Encode SDI' } })
  await check()
  await download('1.5.0')
  assert.equal((await downloadEnd(admin, '1.5.0')).state, INSTALLATION_STATE.failed)
  assert.equal((await list()).fault?.reason, 'The file does not match the model')
  assert.equal((await admin.send(listFirmware, {})).total, 0)
})

test('a check that fails says why, and keeps the releases that are known', async () => {
  server.publish(['1.5.0'], { number: 5 })
  await check()
  for (const [options, reason] of [
    [{ number: 4 }, 'The list of releases is older than the one before'],
    [{ expires: Date.now() - 1 }, 'The list of releases has expired']
  ] as const) {
    server.publish(['1.4.0'], options)
    assert.equal(await check(), SUCCESS)
    const found = await list()
    assert.equal(found.fault?.reason, reason)
    assert.deepEqual(
      found.list.map(({ version }) => version),
      ['1.5.0']
    )
  }
  server.publish(['1.6.0'], { number: 6 })
  await check()
  assert.equal((await list()).fault?.reason, undefined)
})

test('a check keeps the schedule that is stored while it waits for the server', async () => {
  server.publish(['1.5.0'])
  const answered = Promise.withResolvers<void>()
  server.answer = ({ url = '' }, response) => {
    void answered.promise.then(() => response.end(server.files.get(url)))
    return server.files.has(url)
  }
  const checked = check()
  await until(() => server.requests.length > 0, 'the server is asked')
  const { database, settings } = hub.parts.store
  const schedule = { minute: 1, last: 2 }
  database.transaction(() => settings.set('firmware-check', { ...settings.get('firmware-check'), schedule }))
  answered.resolve()
  assert.equal(await checked, SUCCESS)
  assert.deepEqual(settings.get('firmware-check').schedule, schedule)
  assert.equal((await list()).list.length, 1)
})

test('another server has releases and numbers of its own', async () => {
  server.publish(['1.5.0'], { number: 5 })
  await check()
  await setFirmwareServer(admin, `${server.address}/`)
  assert.deepEqual((await list()).list, [])
  server.publish(['1.4.0'], { number: 1 })
  await check()
  assert.equal((await list()).fault?.reason, undefined)
})

test('a hub that trusts no key accepts no list', async () => {
  await replaceHub({ firmware: { trusted: [] } })
  await prepareHub()
  server.publish(['1.5.0'])
  await check()
  assert.match((await list()).fault?.reason ?? '', /signed with a key that this hub does not trust/)
})

test('only the Admin group sets the server, and viewers of firmware see releases but cannot download', async () => {
  server.publish(['1.5.0'])
  await check()
  const client = addSignedInUser(hub, 'viewer', FIRMWARE_VIEW)
  assert.equal((await client.send(listOnlineFirmware, {})).list.length, 1)
  assert.equal((await client.send(downloadFirmware, { id: await idOf('1.5.0') })).result, NOT_PERMITTED)
  assert.equal((await client.send(setSettings, { 'firmware-server': { address: '' } })).result, NOT_PERMITTED)
  for (const address of ['http://169.254.169.254/', 'ftp://a', 'https://user:secret@a.example'])
    assert.notEqual(await setFirmwareServer(admin, address), SUCCESS)
})

test.run()
