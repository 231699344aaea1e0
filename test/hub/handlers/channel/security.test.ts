import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  CHANNEL_CONTROL,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  GROUP_USER,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { deleteGroup } from '../../../../contract/access/user.ts'
import { ALL_GROUPS, type ObjectSecurity } from '../../../../contract/access/visibility.ts'
import type { Call } from '../../../../contract/call.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannels,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { UDP } from '../../../../contract/stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs
} from '../../../../contract/stream/source.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { createPreviewAccess } from '../../../../hub/auth/preview-access.ts'
import { removeUserFromMasks } from '../../../../hub/store/visibility.ts'
import { listDeclaredCalls } from '../../../../make/wire/declared-calls.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { HARMLESS_REQUESTS, UNKNOWN_ID } from '../../every-call-requests.ts'

const test = suite('visibility of channels')
const EVERYONE = { 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
const HIDDEN = { 'group-mask': 1, 'usr-mask': 0 }
let vera: Client
let bitsOfVera: { id: number; group: number }
let news = 0
let sport = 0
hubForEach(test)
test.before.each(async () => {
  const edit = CHANNEL_VIEW | CHANNEL_CONTROL | CHANNEL_EDIT | INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT
  vera = addSignedInUser(hub, 'vera', edit | SYSTEM_CONFIG_VIEW)
  const { id } = (await vera.send(getSession, {})).user
  bitsOfVera = { id, group: hub.parts.store.users.byId(id)?.group_id ?? 0 }
  news = (await admin.send(addChannel, { name: 'News' })).id
  sport = (await admin.send(addChannel, { name: 'Sport' })).id
})

const setSecurity = (id: number | number[], security: ObjectSecurity) =>
  admin.send(setChannelSecurity, { id, security })
const hide = (...id: number[]) => setSecurity(id, { 'is-inherit': 0, ...HIDDEN })

const namesOf = async (client: Client) =>
  (await client.send(channelDashboard, { sort: 'name' })).list.map(({ name }) => name)

const securityOf = async (id: number) => {
  const { channel } = await admin.send(queryChannel, { id })
  return [channel['is-inherit'], channel['group-mask'], channel['usr-mask']]
}

test('a channel is visible only to the selected groups and users and to administrators', async () => {
  const cases: [ObjectSecurity, boolean][] = [
    [{ 'is-inherit': 0, 'group-mask': bitsOfVera.group, 'usr-mask': 0 }, true],
    [{ 'is-inherit': false, 'group-mask': 0, 'usr-mask': bitsOfVera.id }, true],
    [{ 'is-inherit': 0, ...EVERYONE }, true],
    [{ 'is-inherit': 0, 'group-mask': 2 + 4, 'usr-mask': 1 }, false],
    [{ 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }, false],
    [{ 'is-inherit': 1 }, true],
    [{ 'is-inherit': true, ...HIDDEN }, true]
  ]
  for (const [security, seen] of cases) {
    const text = JSON.stringify(security)
    assert.deepEqual((await setSecurity(news, security)).details, [{ id: news, result: SUCCESS }], text)
    assert.deepEqual(await namesOf(vera), seen ? ['News', 'Sport'] : ['Sport'], text)
    assert.deepEqual(await namesOf(admin), ['News', 'Sport'], text)
    assert.equal((await vera.send(queryChannel, { id: news })).result, seen ? 0 : NOT_EXIST, text)
  }
  await setSecurity(news, { 'is-inherit': 1 })
  assert.deepEqual(await securityOf(news), [1, 1, 0], 'the stored masks stay')
})

test('channels inherit the global default, and new ones include the user who adds them', async () => {
  assert.deepEqual((await admin.send(getGlobalChannel, {})).security, EVERYONE)
  assert.deepEqual(await securityOf(news), [1, ALL_GROUPS, 0])
  assert.equal((await admin.send(setGlobalChannel, { security: HIDDEN })).result, SUCCESS)
  assert.deepEqual(await namesOf(vera), [])
  const own = await vera.send(addChannel, { name: 'Own' })
  assert.deepEqual(await namesOf(vera), ['Own'])
  assert.deepEqual(await securityOf(own.id), [0, HIDDEN['group-mask'], bitsOfVera.id])
  await setSecurity(sport, { 'is-inherit': 0, 'group-mask': bitsOfVera.group, 'usr-mask': 0 })
  assert.deepEqual(await namesOf(vera), ['Own', 'Sport'])
  await admin.send(setGlobalChannel, { security: EVERYONE })
  const inheriting = await vera.send(addChannel, { name: 'Weather' })
  assert.deepEqual(await securityOf(inheriting.id), [1, ALL_GROUPS, 0])
})

test('every call answers a user without access to a channel as if the channel did not exist', async () => {
  await hide(news)
  const calls = listDeclaredCalls().filter(({ path, access }) => path.startsWith('/channel/') && access !== 'admin')
  let tried = 0
  for (const call of calls)
    for (const request of HARMLESS_REQUESTS.get(call) ?? []) {
      if ((request as { id?: number }).id !== UNKNOWN_ID) continue
      tried++
      const answer = async (id: number) => {
        const response = await (call.method === 'GET'
          ? vera.raw('GET', `/api${call.path}?${new URLSearchParams({ ...request, id: String(id) })}`)
          : vera.raw('POST', `/api${call.path}`, {
              body: JSON.stringify({ ...request, id }),
              headers: { 'content-type': 'application/json' }
            }))
        return await response.json()
      }
      const hidden = await answer(news)
      assert.equal(hidden.result, NOT_EXIST, call.path)
      assert.deepEqual(hidden, await answer(UNKNOWN_ID), call.path)
    }
  assert.ok(tried >= 12, `${tried} calls`)
  assert.equal((await admin.send(queryChannel, { id: news })).result, SUCCESS)
})

test('several channels are set in one call, and each has its result', async () => {
  const { details } = await hide(news, UNKNOWN_ID)
  assert.deepEqual(details, [
    { id: news, result: SUCCESS },
    { id: UNKNOWN_ID, result: NOT_EXIST }
  ])
  assert.equal((await hide(UNKNOWN_ID)).result, NOT_EXIST)
  assert.deepEqual(await namesOf(vera), ['Sport'])
})

test('a console that watches learns that a channel has become invisible', async () => {
  const before = await vera.send(channelDashboard, {})
  await hide(news)
  const whole = await vera.send(channelDashboard, { since: before.rev })
  assert.deepEqual([whole.partial, whole.list.map(({ name }) => name), whole.total], [undefined, ['Sport'], 1])
  await admin.send(enableChannel, { id: news, enable: true })
  const delta = await vera.send(channelDashboard, { since: whole.rev })
  assert.deepEqual([delta.partial, delta.list, delta.gone, delta.total], [true, [], [news], 1])
})

test('counts, totals and lists of other objects do not reveal an invisible channel', async () => {
  const input = await admin.send(addInput, { name: 'Feed', config: { type: 1, url: 'udp://127.0.0.1:5999' } })
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': 5998 }
  const output = await admin.send(addOutput, { name: 'Target', protocol: UDP, config })
  await admin.send(setChannelInput, { id: news, input: input.id })
  await admin.send(addChannelOutputs, { id: news, outputs: [output.id] })
  await admin.send(enableChannel, { id: news, enable: true })
  const counts = async () => (await vera.send(systemStatus, {})).status.system
  assert.deepEqual((await counts()).channel, { 'num-all': 2, 'num-enabled': 1, 'num-live': 0 })
  assert.deepEqual((await vera.send(listInputs, {})).list[0]?.['owner-i'], ['News'])
  await hide(news)
  assert.deepEqual((await counts()).channel, { 'num-all': 1, 'num-enabled': 0, 'num-live': 0 })
  const dashboard = await vera.send(channelDashboard, { history: 1 })
  assert.deepEqual([dashboard['enable-num'], dashboard['used-num'], dashboard.total], [0, 1, 1])
  for (const field of ['mbps-s', 'mbps-m', 'output-num', 'srt-num']) assert.ok(!(field in dashboard), field)
  assert.deepEqual((await vera.send(listOutputs, {})).list, [], 'an output belongs to one channel')
  await admin.send(setChannelInput, { id: sport, input: input.id })
  const [listedInput] = (await vera.send(listInputs, {})).list
  assert.deepEqual(
    [listedInput?.['owner-i'], listedInput?.['owner-i-d'], listedInput?.['owner-hidden']],
    [['Sport'], [sport], true]
  )
  const busy = [
    await vera.send(deleteInputs, { id: input.id }),
    await vera.send(addInput, { name: 'Feed', config: { type: 1, url: 'udp://127.0.0.1:5997' } })
  ]
  assert.deepEqual(
    busy.map((reply) => reply['owner-hidden']),
    [true, true]
  )
  assert.equal((await vera.send(deleteOutputs, { id: output.id })).result, NOT_EXIST)
  assert.ok(!JSON.stringify([dashboard, listedInput, busy]).includes('News'))
})

test('previews of an invisible channel are refused', async () => {
  const canSee = () =>
    createPreviewAccess(hub.parts.store, hub.parts.gate, () => [])(sessionOfVera())(`CHANNEL-${news}`)
  const sessionOfVera = () =>
    hub.parts.store.users.sessions({ createdSince: 0, seenSince: 0, now: 0 }).find(({ user }) => user === 'vera')
      ?.hash ?? ''
  assert.equal(canSee(), true)
  await hide(news)
  assert.equal(canSee(), false)
})

test('both logs leave out lines about an invisible channel, also after it was deleted', async () => {
  const { store } = hub.parts
  const lines = async (client: Client) => {
    const operations = await client.send(listLog, { type: 'operation' })
    const events = await client.send(listLog, { type: 'system' })
    return JSON.stringify([operations.list, events.list])
  }
  for (const id of [news, sport]) {
    await admin.send(enableChannel, { id, enable: true })
    const { name = '' } = store.channels.byId(id) ?? {}
    store.logEvent({ event: 'channel-started', detail: name, channel: id })
  }
  await admin.send(enableChannel, { id: news, enable: false })
  const before = await lines(vera)
  assert.ok(before.includes('News') && before.includes('Sport'))
  await hide(news)
  const check = async (text: string) => {
    const after = await lines(vera)
    assert.ok(!after.includes('News'), text)
    assert.ok(after.includes('"channel-started"') && after.includes('Sport'), text)
    assert.ok((await lines(admin)).includes('News'), text)
  }
  await check('hidden by its own masks')
  await admin.send(deleteChannels, { id: news })
  await check('deleted')
  await admin.send(setGlobalChannel, { security: HIDDEN })
  await setSecurity(sport, { 'is-inherit': 0, 'group-mask': bitsOfVera.group, 'usr-mask': 0 })
  await check('hidden by the default')
})

test('lines of earlier versions about channels are for users who see every channel', async () => {
  const { store } = hub.parts
  store.logEvent({ event: 'channel-started', detail: 'Old channel', channel: -1 })
  const seesLine = async () => JSON.stringify(await vera.send(listLog, { type: 'system' })).includes('Old channel')
  assert.equal(await seesLine(), true)
  await hide(news)
  assert.equal(await seesLine(), false)
})

test('masks with unknown bits are refused, and a deleted user or group leaves no bit behind', async () => {
  const { store } = hub.parts
  for (const [masks, field] of [
    [{ 'group-mask': bitsOfVera.group * 2, 'usr-mask': 0 }, 'group-mask'],
    [{ 'group-mask': 1, 'usr-mask': bitsOfVera.id * 2 }, 'usr-mask']
  ] as const)
    for (const reply of [
      await setSecurity(news, { 'is-inherit': 0, ...masks }),
      await admin.send(setGlobalChannel, { security: masks })
    ])
      assert.deepEqual([reply.result, reply.field], [INVALID_ARG, `security.${field}`])
  const masks = { 'group-mask': bitsOfVera.group, 'usr-mask': bitsOfVera.id }
  await setSecurity(news, { 'is-inherit': 0, ...masks })
  await setSecurity(sport, { 'is-inherit': 0, ...EVERYONE })
  await admin.send(setGlobalChannel, { security: masks })
  await admin.send(deleteGroup, { id: bitsOfVera.group })
  removeUserFromMasks(store, bitsOfVera.id)
  assert.deepEqual(
    [await securityOf(news), await securityOf(sport), store.settings.get('channel-security')],
    [[0, 0, 0], [0, ALL_GROUPS, 0], { 'group-mask': 0, 'usr-mask': 0 }]
  )
})

test('only the Admin group sets and reads the masks of channels', async () => {
  const user = addSignedInUser(hub, 'uwe', USER_PERMISSIONS, GROUP_USER)
  const editor = addSignedInUser(hub, 'ines', ALL_PERMISSIONS)
  for (const client of [user, editor, vera]) {
    const security = { 'is-inherit': 1 } as const
    assert.equal((await client.send(setChannelSecurity, { id: news, security })).result, NOT_PERMITTED)
    assert.equal((await client.send(setGlobalChannel, { security: EVERYONE })).result, NOT_PERMITTED)
    const { channel } = await client.send(queryChannel, { id: news })
    const [listed] = (await client.send(channelDashboard, {})).list
    for (const field of ['is-inherit', 'group-mask', 'usr-mask'])
      assert.ok(!(field in channel) && listed && !(field in listed), field)
  }
  const refused = addSignedInUser(hub, 'otto', CHANNEL_VIEW)
  assert.equal((await refused.send(getGlobalChannel as Call, {} as never)).result, NOT_PERMITTED)
})

test.run()
