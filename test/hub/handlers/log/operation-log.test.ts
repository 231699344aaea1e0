// Every attempted change has one entry in the operation log, whatever its result, and no entry has a secret.

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS, DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { changePassword, login, logout, logoutByGet } from '../../../../contract/access/session.ts'
import { addToken } from '../../../../contract/access/token.ts'
import { addUser as addUserCall } from '../../../../contract/access/user.ts'
import type { Call } from '../../../../contract/call.ts'
import { schemaOf } from '../../../../contract/calls.schema.ts'
import { INVALID_ARG, NOT_EXIST, NOT_LOGGED_IN, NOT_PERMITTED, STATE_CHANGED } from '../../../../contract/codes.ts'
import { acceptDevices, deleteDevices, queryDevice, rejectDevices } from '../../../../contract/device/device.ts'
import { exportLog, listLog } from '../../../../contract/log.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel, deleteChannels, queryChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, setInput, setOutput } from '../../../../contract/stream/source.ts'
import { listDeclaredCalls } from '../../../../make/wire/declared-calls.ts'
import { ANONYMOUS_RATE } from '../../../../web-server/anonymous-rate.ts'
import { BODY_LIMIT } from '../../../../web-server/request-fields.ts'
import { addUser, md5 } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { recordProcessLog } from '../../../kit/hub/process-log.ts'
import { READS_BY_POST } from '../../../kit/hub/read-calls.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('operation log')
hubForEach(test)

const JSON_TYPE = { 'content-type': 'application/json' }

/** The calls that change something and that the hub handles. */
async function listChanges(): Promise<Call[]> {
  const stranger = hub.client('192.0.2.1')
  const registeredCalls: Call[] = []
  for (const call of listDeclaredCalls()) {
    if ((call.method === 'GET' && call !== (logoutByGet as Call)) || READS_BY_POST.includes(call)) continue
    if ((await stranger.raw(call.method, `/api${call.path}`)).status !== 404) registeredCalls.push(call)
  }
  assert.ok(registeredCalls.length > 25)
  return registeredCalls
}

const newestEntries = (count: number) => hub.parts.store.logs.list({ type: 'operation' }, 0, count).list

/** The entries that `work` adds to the log, as [event, code, detail]. */
async function loggedBy(work: () => Promise<unknown>): Promise<[string, number, string][]> {
  const before = newestEntries(1)[0]?.id ?? 0
  await work()
  return newestEntries(300)
    .filter(({ id }) => id > before)
    .map(({ event, code = 0, detail }) => [event, code, detail])
}

const processLogOf = async (work: () => Promise<void>): Promise<string> => (await recordProcessLog(work)).join('\n')

test('a change that is not permitted or malformed is logged once, with its code', async () => {
  const calls = await listChanges()
  const withoutPermissions = await addUser(hub, 'nil', 0)
  let address = 0
  for (const { method, path, access } of calls) {
    const apiPath = `/api${path}`
    const singleEntry = (code: number) => [[path, code]]
    const loggedCodes = async (work: () => Promise<unknown>) =>
      (await loggedBy(work)).map(([event, code]) => [event, code])
    const headers = method === 'POST' ? JSON_TYPE : undefined
    const big = { body: JSON.stringify({ x: 'x'.repeat(BODY_LIMIT.size) }), headers: JSON_TYPE }
    if (access !== 'public')
      assert.deepEqual(
        await loggedCodes(() => hub.client(`10.0.0.${++address}`).raw(method, apiPath)),
        singleEntry(NOT_LOGGED_IN),
        path
      )
    if (access !== 'public' && access !== 'session')
      assert.deepEqual(
        await loggedCodes(() => withoutPermissions.raw(method, apiPath, { headers })),
        singleEntry(NOT_PERMITTED),
        path
      )
    const otherOrigin = { headers: { origin: 'http://evil.example' } }
    assert.deepEqual(await loggedCodes(() => admin.raw(method, apiPath, otherOrigin)), singleEntry(NOT_PERMITTED), path)
    if (method === 'GET') continue
    assert.deepEqual(
      await loggedCodes(() => admin.raw(method, apiPath, { body: '{"id":1}' })),
      singleEntry(INVALID_ARG),
      `${path}: text`
    )
    assert.deepEqual(
      await loggedCodes(() => admin.raw(method, apiPath, { body: '{"id":', headers: JSON_TYPE })),
      singleEntry(INVALID_ARG),
      `${path}: not JSON`
    )
    assert.deepEqual(
      await loggedCodes(() => admin.raw(method, apiPath, big)),
      singleEntry(INVALID_ARG),
      `${path}: too large`
    )
  }
})

test('a change with an invalid field is logged once, with the name of the field', async () => {
  for (const call of await listChanges()) {
    // A call without required fields accepts an empty request.
    const issue = schemaOf(call)?.request.safeParse({}).error?.issues[0]
    if (!issue || call.method === 'GET') continue
    const field = issue.path.filter((part) => typeof part === 'string').join('.')
    const lines = await loggedBy(() => admin.raw('POST', `/api${call.path}`, { body: '{}', headers: JSON_TYPE }))
    assert.deepEqual(lines, [[call.path, INVALID_ARG, field && `#field=${field}`]], call.path)
  }
})

test('a change that fails inside the hub is logged once, and reads are not logged', async () => {
  hub.parts.store.channels.byName = () => {
    throw new Error('the disk is on fire')
  }
  const lines: unknown[] = []
  const output = await processLogOf(async () => {
    lines.push(...(await loggedBy(() => admin.send(addChannel, { name: 'Hall' }))))
  })
  assert.deepEqual(lines, [['/channel/add', 6, 'Hall']])
  assert.match(output, /the disk is on fire/)
  const reads = listDeclaredCalls().filter(({ method, path }) => method === 'GET' && path !== logoutByGet.path)
  for (const { path } of reads.filter(({ path: at }) => at !== '/preview/open'))
    assert.deepEqual(await loggedBy(() => admin.raw('GET', `/api${path}`)), [], path)
  assert.deepEqual(await loggedBy(() => hub.client().raw('GET', '/api/channel/dashboard')), [])
})

test('logout by either method is logged once', async () => {
  assert.deepEqual(await loggedBy(() => hub.clientAs().send(logout, {})), [['/logout', 0, '']])
  assert.deepEqual(await loggedBy(() => hub.clientAs().send(logoutByGet, {})), [['/logout', 0, '']])
})

test('guessed passwords are logged up to a limit per minute, which does not affect other entries', async () => {
  const guesser = hub.client('203.0.113.9')
  const lines = await loggedBy(async () => {
    for (let n = 0; n < 200; n++) await guesser.send(login, { id: 'Admin', pass: md5(`guess ${n}`) })
  })
  // The minute of the rate limit may have ended meanwhile.
  assert.ok(lines.length >= ANONYMOUS_RATE.each && lines.length <= 2 * ANONYMOUS_RATE.each, String(lines.length))
  assert.ok(lines.some(([, , detail]) => detail === 'Admin #more'))
  assert.equal((await loggedBy(() => admin.send(addChannel, { name: 'Hall' }))).length, 1)
  assert.equal((await loggedBy(() => hub.client('203.0.113.8').raw('POST', '/api/channel/add'))).length, 1)
})

test('an error about a missing or changed object names the user who deleted or changed it', async () => {
  await addUser(hub, 'ann', ALL_PERMISSIONS, 1)
  const ann = hub.clientAs('ann')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const { id: remainingId } = await admin.send(addChannel, { name: 'Kept' })
  const startTime = Date.now()
  await ann.send(deleteChannels, { id })
  for (const reply of [
    await admin.send(setChannel, { id, name: 'New' }),
    await admin.send(queryChannel, { id }),
    await admin.send(deleteChannels, { id: [remainingId, id] })
  ]) {
    assert.equal(reply.result, NOT_EXIST)
    assert.deepEqual([reply.by?.name, reply.by?.event], ['ann', '/channel/del'])
    assert.ok(Math.abs((reply.by?.time ?? 0) - startTime) < 5000)
  }
  assert.equal((await admin.send(queryChannel, { id: 77 })).by, undefined, 'an object that never existed')
  const [sn = ''] = registerDevices(hub, 1)
  await ann.send(acceptDevices, { sn: [sn] })
  const conflict = await admin.send(rejectDevices, { sn: [sn] })
  assert.deepEqual([conflict.result, conflict.by?.name, conflict.by?.event], [STATE_CHANGED, 'ann', '/device/accept'])
})

test('nothing is disclosed about hidden or deleted devices', async () => {
  const [a = '', b = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [a, b] })
  await addUser(hub, 'carl', DEVICE_VIEW | DEVICE_ADV_CONTROL)
  const carl = hub.clientAs('carl')
  const { store } = hub.parts
  const conflict = await carl.send(rejectDevices, { sn: [a] })
  assert.deepEqual([conflict.result, conflict.by?.name], [STATE_CHANGED, 'Admin'])
  store.settings.set('device-security', { 'group-mask': 0, 'usr-mask': 0 })
  const hidden = await carl.send(queryDevice, { sn: a })
  assert.deepEqual([hidden.result, hidden.by], [NOT_EXIST, undefined])
  await admin.send(deleteDevices, { sn: [b] })
  assert.equal((await carl.send(queryDevice, { sn: b })).by, undefined)
  assert.equal((await admin.send(queryDevice, { sn: b })).by?.name, 'Admin')
})

test('a relayed call is logged once, however it fails, unless it only reads', async () => {
  const [sn = '', waiting = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [sn] })
  const viewer = await addUser(hub, 'carl', DEVICE_VIEW)
  const usapi = (query: string, serial = sn) => `/socket/usapi?${query}&sc-client-id=${serial}`
  const otherOrigin = { headers: { origin: 'http://evil.example' } }
  const cases: [string, () => Promise<unknown>, code: number, detail: string][] = [
    ['nobody', () => hub.client().raw('GET', usapi('method=reboot')), NOT_LOGGED_IN, `${sn} reboot`],
    ['another site', () => admin.raw('GET', usapi('method=reboot'), otherOrigin), NOT_PERMITTED, `${sn} reboot`],
    ['without the permission', () => viewer.raw('GET', usapi('method=reboot')), NOT_PERMITTED, `${sn} reboot`],
    ['an unknown method', () => admin.raw('GET', usapi('method=format-disk')), NOT_PERMITTED, sn],
    ['a pending device', () => admin.raw('GET', usapi('method=reboot', waiting)), 10006, `${waiting} reboot`],
    ['no serial number', () => admin.raw('GET', usapi('method=reboot', '%00')), 10006, 'reboot'],
    ['a bad name', () => admin.raw('GET', usapi('method=set-name&name=')), INVALID_ARG, `${sn} set-name #field=name`],
    ['offline', () => admin.raw('GET', usapi('method=set-name&name=Hall')), 10007, `${sn} set-name Hall`],
    [
      'not JSON',
      () => admin.raw('POST', `/socket/api/reboot?sc-client-id=${sn}`, { body: '[' }),
      INVALID_ARG,
      `${sn} /reboot`
    ]
  ]
  for (const [description, work, code, detail] of cases)
    assert.deepEqual(await loggedBy(work), [['/socket', code, detail]], description)
  for (const client of [admin, viewer, hub.client()])
    assert.deepEqual(await loggedBy(() => client.raw('GET', usapi('method=get-status'))), [])
})

/** A text that no log entry contains by chance. */
const SECRET = 'zXq7Secret'
const HASH = '5ec4e7005ec4e7005ec4e7005ec4e700'

test('no log, log file or console output has a secret', async () => {
  const secretUrl = `srt://10.0.0.1:9000?passphrase=${SECRET}-phrase&streamid=${SECRET}`
  const rtmp = { url: `rtmp://bob:${SECRET}@10.0.0.2/live`, key: SECRET, 'enable-auth': true, username: 'bob' }
  const output = await processLogOf(async () => {
    const { id: input } = await admin.send(addInput, { name: 'Cam', config: { type: 1, url: secretUrl } })
    await admin.send(setInput, { id: input, name: 'Cam', config: { type: 1, url: `rtsp://u:${SECRET}@10.0.0.3/x` } })
    await admin.send(addInput, { name: 'Cam', config: { type: 1, url: secretUrl } })
    const config = { ...rtmp, password: SECRET }
    const { id: output } = await admin.send(addOutput, { name: 'Push', protocol: RTMP, config })
    await admin.send(setOutput, { id: output, name: 'Push', protocol: RTMP, config: { ...config, username: '' } })
    await admin.send(setOutput, { id: 999, name: 'Push', protocol: RTMP, config })
    const srt = { mode: 'listener', 'bind-port': 9100, enc: 'aes-128', passphrase: `${SECRET}-phrase` } as const
    await admin.send(addOutput, { name: 'Listen', protocol: SRT, config: srt })
    await admin.send(addOutput, { name: 'Listen', protocol: SRT, config: srt })
    const keys = { 'play-key': `${SECRET}-a`, 'push-key': `${SECRET}-b` }
    await admin.send(addChannel, { name: 'Hall', config: keys })
    await admin.send(addChannel, { name: 'Other', config: keys })
    await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '8372' } })
    await hub.client().send(login, { id: 'Admin', pass: HASH })
    await admin.send(changePassword, { name: 'Admin', 'old-passwd': HASH, passwd: HASH, password: SECRET } as never)
    await admin.send(addUserCall, { name: 'eva', passwd: HASH, password: SECRET })
    const token = SECRET.repeat(7).slice(0, 64)
    await admin.send(addToken, { name: 'robot', 'expired-time': -1, token } as never)
    await hub.client().raw('POST', '/api/channel/add', { headers: { authorization: `Bearer ${token}` } })
    // Every call with a secret in all fields: as text, in arrays, in objects, and as the name of a field.
    for (const call of await listChanges()) {
      const names =
        `name id pass passwd password old-passwd token owner nick desc key sn config security url catalog code-value
        passphrase events type users devices path enable input outputs protocol user time level log ${SECRET}`.split(
          /\s+/
        )
      const bodies = [
        Object.fromEntries(names.map((name) => [name, SECRET])),
        Object.fromEntries(names.map((name) => [name, [SECRET]])),
        Object.fromEntries(names.map((name) => [name, { [SECRET]: SECRET, url: SECRET, key: SECRET }]))
      ]
      // Names are not secrets, and the log contains them.
      for (const body of bodies.map(({ name: _, id: __, nick: ___, owner: ____, sn: _____, ...rest }) => rest))
        await hub.clientAs().raw(call.method, `/api${call.path}`, {
          ...(call.method === 'POST' && { body: JSON.stringify(body), headers: JSON_TYPE })
        })
      await hub.clientAs().raw(call.method, `/api${call.path}?pass=${SECRET}`, {
        ...(call.method === 'POST' && { body: `{"pass":"${SECRET}"`, headers: JSON_TYPE })
      })
    }
  })
  const texts = [output]
  for (const type of ['operation', 'system', 'device'] as const) {
    texts.push(JSON.stringify(await hub.clientAs().send(listLog, { type, count: 10_000 })))
    for (const format of ['csv', 'json'])
      texts.push(await (await hub.clientAs().raw('GET', `/api${exportLog.path}?type=${type}&format=${format}`)).text())
  }
  const all = texts.join('\n')
  assert.match(all, /Cam srt:/, 'the log has the changes')
  const session = admin.cookie.split('=')[1] ?? ''
  for (const secret of [SECRET, HASH, '8372', session]) {
    // A time in milliseconds may have the digits of the code.
    const at = all.search(new RegExp(`(?<!\\d)${secret}(?!\\d)`))
    assert.ok(at < 0, `${secret} near ${all.slice(Math.max(0, at - 150), at + 150)}`)
  }
})

test.run()
