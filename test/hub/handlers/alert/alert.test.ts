// Destinations, rules and maintenance, as the group Admin sets them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import {
  addDestination,
  DESTINATIONS_MAX,
  deleteDestination,
  listDeliveries,
  listDestinations,
  setDestination,
  testDestination
} from '../../../../contract/alert/destination.ts'
import {
  endMaintenance,
  listMaintenance,
  MAINTENANCE_MAX,
  startMaintenance
} from '../../../../contract/alert/maintenance.ts'
import { addRule, deleteRule, listRules, RULES_MAX, setRule, testRule } from '../../../../contract/alert/rule.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NO_RESPONSE,
  NOT_EXIST,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { listProblems } from '../../../../contract/problem.ts'
import {
  addChannel,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { addTag } from '../../../../contract/tag.ts'
import { startWebhookReceiver } from '../../../kit/hub/alerts/webhook-receiver.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { REFUSED_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { recordProcessLog } from '../../../kit/hub/process-log.ts'
import { until } from '../../../kit/until.ts'

const test = suite('notifications')
/** Milliseconds by which the clock of the hub is ahead, so that no test waits for its periods. */
let ahead = 0
hubForEach(test, { clock: () => Date.now() + ahead })

const SECRET = 'zSecretHush'

const addWebhook = async (url: string, name = 'Desk', config = {}) =>
  (await admin.send(addDestination, { name, type: 'webhook', config: { url, secret: SECRET, ...config } })).id

/** A channel that is down. @returns its ID */
async function startFailingChannel(config = {}): Promise<number> {
  hub.parts.startTime.shift(-60_000)
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannel, { id, name: 'Hall', config })
  await admin.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, REFUSED_LEG)
  return id
}

/** Waits for a condition, while the clock of the hub runs ahead and its problems are checked. */
const untilLater = (condition: () => unknown, what: string) =>
  until(() => {
    ahead += 1000
    hub.parts.problems.refresh()
    return condition()
  }, what)

test('a problem reaches a web server that checks the signature, and then its end', async () => {
  const receiver = await startWebhookReceiver({ secret: SECRET })
  const destination = await addWebhook(receiver.url)
  await admin.send(addRule, { name: 'Channels', severity: 'warning', destinations: [destination], 'after-s': 1 })
  const id = await startFailingChannel()
  await untilLater(() => receiver.received.length > 0, 'the problem is received')
  const [problem] = receiver.received
  assert.equal(problem?.isSigned, true)
  assert.deepEqual(problem?.message.concerns, [{ kind: 'channel', id: `channel-${id}`, name: 'Hall' }])
  assert.match(String(problem?.message.title), /^Hall: /)
  await admin.send(enableChannel, { id, enable: false })
  await untilLater(() => receiver.received.length > 1, 'the recovery is received')
  const states = receiver.received.map(({ message }) => message.state)
  assert.deepEqual(states, ['problem', 'recovered'])
  // The receiver has a message before the hub has the answer.
  const { alertDeliveries } = hub.parts.store
  await until(() => alertDeliveries.countWaiting(destination) === 0, 'the answer is stored')
  const { total, list } = await admin.send(listDeliveries, { destination, start: 0, count: 1 })
  assert.deepEqual([total, list.length, list[0]?.state, list[0]?.answer], [2, 1, 'sent', '200 OK ok'])
  assert.deepEqual([list[0]?.rule, list[0]?.destination, list[0]?.title], ['Channels', 'Desk', 'Recovered: Hall'])
  await receiver.close()
})

test('a test says what the other end answered, and the delivery log keeps it', async () => {
  const receiver = await startWebhookReceiver({
    secret: SECRET,
    respond: ({ headers }) => (headers['x-refuse'] ? undefined : { status: 200, body: 'welcome' })
  })
  const id = await addWebhook(receiver.url)
  assert.equal((await admin.send(testDestination, { id })).answer, '200 OK welcome')
  assert.deepEqual(
    receiver.received.map(({ message, isSigned }) => [message.state, isSigned]),
    [['test', true]]
  )
  await receiver.close()
  const { result, message } = await admin.send(testDestination, { id })
  assert.deepEqual([result, message], [NO_RESPONSE, 'No program listens on this port of the server.'])
  const { list } = await admin.send(listDeliveries, {})
  assert.deepEqual(
    list.map(({ state, answer }) => [state, answer]),
    [
      ['failed', 'No program listens on this port of the server.'],
      ['sent', '200 OK welcome']
    ]
  )
  assert.equal((await admin.send(listDestinations, {})).list[0]?.last?.state, 'failed')
  assert.equal((await admin.send(testDestination, { id: 999 })).result, NOT_EXIST)
})

test('a test of a rule sends to each of its destinations, and counts what matches now', async () => {
  const receiver = await startWebhookReceiver()
  const [desk, away] = [await addWebhook(receiver.url), await addWebhook('http://127.0.0.1:9/', 'Away')]
  const escalation = [{ 'after-s': 60, destinations: [away, desk] }]
  const { id } = await admin.send(addRule, { name: 'All', destinations: [desk], escalation })
  const { results, problems } = await admin.send(testRule, { id })
  assert.deepEqual(
    results.map(({ destination, sent }) => [destination, sent]),
    [
      ['Desk', true],
      ['Away', false]
    ]
  )
  assert.equal(problems, 0)
  await receiver.close()
})

test('secrets are in no answer, log or file, and stay when other fields change', async () => {
  const receiver = await startWebhookReceiver({ secret: SECRET })
  const path = '/services/zTokenHush'
  const id = await addWebhook(receiver.url + path)
  await admin.send(setDestination, { id, name: 'Night', config: { template: 'json' }, language: 'zh' })
  const { list } = await admin.send(listDestinations, {})
  assert.deepEqual(
    { ...list[0], last: undefined },
    {
      ...{ id, name: 'Night', type: 'webhook', enable: true, language: 'zh', waiting: 0, last: undefined },
      ...{ config: { template: 'json' }, secrets: { url: true, secret: true }, target: receiver.url }
    }
  )
  await admin.send(testDestination, { id })
  assert.deepEqual(
    receiver.received.map((each) => [each.isSigned, each.path]),
    [[true, path]]
  )
  assert.match(String(receiver.received[0]?.message.title), /测试消息/)
  const answers = [
    await admin.send(listDestinations, {}),
    await admin.send(listDeliveries, {}),
    await admin.send(listLog, { type: 'operation', count: 100 }),
    await admin.send(listLog, { type: 'system', count: 100 })
  ]
  const { database } = hub.parts.store
  const rows = ['alert_destination', 'alert_delivery', 'operation_log', 'event_log'].map((table) =>
    database.all(`SELECT * FROM ${table}`)
  )
  assert.doesNotMatch(JSON.stringify([answers, rows]), /Hush/)
  await admin.send(setDestination, { id, config: { secret: '' } })
  assert.deepEqual((await admin.send(listDestinations, {})).list[0]?.secrets, { url: true })
  await receiver.close()
})

test('a destination that cannot work is refused with its field', async () => {
  const faultOf = async (config: Record<string, string>, name = 'Desk') => {
    const { result, field } = await admin.send(addDestination, { name, type: 'webhook', config })
    return [result, field]
  }
  assert.deepEqual(await faultOf({}), [INVALID_ARG, 'config.url'])
  assert.deepEqual(await faultOf({ url: 'http://169.254.169.254/latest' }), [INVALID_ARG, 'config.url'])
  assert.deepEqual(await faultOf({ url: 'http://a.example.com:99999' }), [INVALID_ARG, 'config.url'])
  assert.deepEqual(await faultOf({ url: 'http://a.example.com', template: 'fax' }), [INVALID_ARG, 'config.template'])
  assert.deepEqual(await faultOf({ url: 'http://a.example.com', template: 'telegram' }), [INVALID_ARG, 'config.chat'])
  const nested = '['.repeat(50_000) + ']'.repeat(50_000)
  const body = `{ "name": "Desk", "type": "webhook", "config": { "url": "http://a.example.com", "more": ${nested} } }`
  const response = await admin.post('/api/alert/destination/add', body, { 'content-type': 'application/json' })
  assert.equal((await response.json()).result, INVALID_ARG)
  const id = await addWebhook('http://127.0.0.1:9/')
  assert.deepEqual(await faultOf({ url: 'http://127.0.0.1:9/' }, 'desk'), [NAME_EXISTS, 'name'])
  const { result, field } = await admin.send(setDestination, { id, config: { url: 'ftp://a.example.com' } })
  assert.deepEqual([result, field], [INVALID_ARG, 'config.url'])
})

test('destinations and rules have limits', async () => {
  const { alertDestinations, alertRules } = hub.parts.store
  const destination = { type: 'webhook', enable: true, language: 'en', config: {}, secrets: {} } as const
  for (let index = 0; index < DESTINATIONS_MAX; index++) alertDestinations.add({ name: `d${index}`, ...destination })
  const more = { name: 'More', type: 'webhook', config: { url: 'http://127.0.0.1:9/' } } as const
  assert.equal((await admin.send(addDestination, more)).result, TOO_MANY)
  await admin.send(addRule, { name: 'First', destinations: [] })
  const [{ id: _, name: __, ...options } = assert.fail()] = alertRules.all()
  for (let index = 1; index < RULES_MAX; index++) alertRules.add(`r${index}`, options)
  assert.equal((await admin.send(addRule, { name: 'More', destinations: [] })).result, TOO_MANY)
})

test('a rule has what was set, and refuses objects that do not exist', async () => {
  const destination = await addWebhook('http://127.0.0.1:9/')
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  const { id: tag } = await admin.send(addTag, { name: 'Client A', color: 'teal' })
  const request = {
    ...{ name: 'Night', severity: 'critical', destinations: [destination], 'after-s': 30, tags: [tag] },
    ...{ channels: [channel], when: { days: ['mon', 'fri'], from: '18:00', to: '06:00' } }
  } as const
  const { id } = await admin.send(addRule, request as never)
  await admin.send(setRule, { id, 'repeat-s': 600 })
  const [rule] = (await admin.send(listRules, {})).list
  const rest = { id, enable: true, kinds: [], devices: [], quiet: {}, escalation: [], recovery: true, actions: [] }
  assert.deepEqual(rule, { ...request, ...rest, 'repeat-s': 600, 'destination-names': ['Desk'] })
  const fieldOf = async (change: object) => {
    const { result, field } = await admin.send(setRule, { id, ...change })
    return [result, field]
  }
  for (const [field, change] of [
    ['destinations', { destinations: [999] }],
    ['escalation', { escalation: [{ 'after-s': 1, destinations: [999] }] }],
    ['tags', { tags: [999] }],
    ['channels', { channels: [1] }],
    ['devices', { devices: ['none'] }],
    ['actions', { actions: [{ type: 'salvo', matrix: 1, salvo: 1 }] }],
    ['actions', { actions: [{ type: 'switch', channel, input: 999 }] }],
    ['when.from', { when: { from: '25:00' } }],
    ['repeat-s', { 'repeat-s': 59 }],
    ['after-s', { 'after-s': 86_401 }]
  ] as const)
    assert.deepEqual(await fieldOf(change), [INVALID_ARG, field])
  await admin.send(deleteDestination, { id: destination })
  assert.deepEqual((await admin.send(listRules, {})).list[0]?.destinations, [])
  assert.equal((await admin.send(deleteRule, { id })).result, SUCCESS)
  const { list } = await admin.send(listLog, { type: 'operation', count: 3 })
  assert.deepEqual(list.map(({ text }) => text).slice(0, 2), [
    'Delete notification rule: Night',
    'Delete notification destination: Desk'
  ])
})

test('a rule can be edited after its channel was deleted, and keeps it for when that is restored', async () => {
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  const { id: input } = await admin.send(addInput, { name: 'Pulpit', config: { type: 1, url: 'srt://192.0.2.1:9000' } })
  await admin.send(setChannelInput, { id: channel, input })
  const actions = [{ type: 'switch', channel, input }] as const
  const rule = { name: 'Night', destinations: [], channels: [channel], actions: [...actions] }
  const { id } = await admin.send(addRule, rule)
  await admin.send(deleteChannels, { id: channel })
  assert.equal((await admin.send(setRule, { id, ...rule, 'after-s': 5 })).result, SUCCESS)
  const [stored] = (await admin.send(listRules, {})).list
  assert.deepEqual([stored?.channels, stored?.actions, stored?.['after-s']], [[channel], actions, 5])
  assert.equal((await admin.send(setRule, { id, channels: [channel, channel + 99] })).result, INVALID_ARG)
  assert.equal((await admin.send(addRule, { ...rule, name: 'Other' })).result, INVALID_ARG)
})

test('maintenance ends by itself, or when somebody ends it', async () => {
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  const begun = Date.now()
  const { id } = await admin.send(startMaintenance, { channel, hours: 2, note: 'New encoder' })
  assert.equal((await admin.send(startMaintenance, { channel, hours: 3 })).id, id)
  const [row, ...others] = (await admin.send(listMaintenance, {})).list
  assert.deepEqual([row?.channel, row?.name, row?.by, others.length], [channel, 'Hall', 'Admin', 0])
  assert.ok((row?.until ?? 0) - begun >= 3 * 3_600_000)
  assert.deepEqual(hub.parts.store.alertRules.maintained(row?.until ?? 0), [])
  assert.equal((await admin.send(startMaintenance, { hours: 1 })).result, INVALID_ARG)
  assert.equal((await admin.send(startMaintenance, { sn: 'none', hours: 1 })).result, NOT_EXIST)
  await admin.send(endMaintenance, { id })
  assert.deepEqual((await admin.send(listMaintenance, {})).list, [])
  assert.equal((await admin.send(endMaintenance, { id })).result, NOT_EXIST)
})

test('a maintenance can be prolonged while as many objects as possible are in maintenance', async () => {
  const { id: channel } = await admin.send(addChannel, { name: 'Hall' })
  const { id: other } = await admin.send(addChannel, { name: 'Yard' })
  const { alertRules } = hub.parts.store
  const period = { since: Date.now(), until: Date.now() + 3_600_000, note: '', by_user: 'Admin' }
  for (let index = 1; index < MAINTENANCE_MAX; index++)
    alertRules.maintain({ kind: 'device', object: `D${index}`, ...period })
  const { id } = await admin.send(startMaintenance, { channel, hours: 1 })
  assert.equal((await admin.send(startMaintenance, { channel, hours: 2 })).id, id)
  assert.equal((await admin.send(startMaintenance, { channel: other, hours: 1 })).result, TOO_MANY)
  assert.equal((await admin.send(startMaintenance, { channel, sn: 'D1', hours: 1 })).result, INVALID_ARG)
})

test('a problem says that it is in maintenance', async () => {
  const id = await startFailingChannel()
  const problemOf = async () => (await admin.send(listProblems, {})).list.find(({ channel }) => channel === id)
  const before = (await problemOf())?.message ?? 'Input lost.'
  await admin.send(startMaintenance, { channel: id, hours: 1 })
  const [row] = (await admin.send(listMaintenance, {})).list
  const { maintenance, message = '' } = (await problemOf()) ?? assert.fail()
  assert.equal(maintenance, row?.until)
  assert.equal(message.split('\n').at(-1), 'In maintenance: no notifications are sent.')
  assert.ok(message.startsWith(before.split('\n')[0] ?? ''), message)
  await admin.send(endMaintenance, { id: row?.id ?? 0 })
  assert.equal((await problemOf())?.maintenance, undefined)
})

test('a fault of the notifications is logged, and the hub checks its problems all the same', async () => {
  await admin.send(addRule, { name: 'All', destinations: [] })
  const { store, problems } = hub.parts
  const lines = await recordProcessLog(async () => {
    store.alertRules.maintained = () => {
      throw new Error('broken')
    }
    problems.refresh()
  })
  assert.match(JSON.stringify(lines), /The rules of notifications could not be checked/)
})

test('only the group Admin sees and changes notifications', async () => {
  const user = await addSignedInUser(hub, 'olga', ALL_PERMISSIONS)
  assert.equal((await user.send(listDestinations, {})).result, NOT_PERMITTED)
  assert.equal((await user.send(addRule, { name: 'Mine', destinations: [] })).result, NOT_PERMITTED)
})

test('a rule puts the slate of a channel on air', async () => {
  const id = await startFailingChannel({ slate: true })
  const action = { type: 'switch', channel: id, input: 'slate' } as const
  await admin.send(addRule, { name: 'Slate', destinations: [], channels: [id], actions: [action] })
  const { channels } = hub.parts.store
  await untilLater(() => channels.byId(id)?.hold, 'the slate is on air')
  assert.match(channels.byId(id)?.hold ?? '', /"input":"slate"/)
})

test('a rule records a channel', async () => {
  const id = await startFailingChannel()
  const begun: unknown[] = []
  // The hub of this test keeps its data in memory, and so has no disk to record to.
  const { recordings } = hub.parts
  Object.defineProperty(recordings, 'isAvailable', { value: true })
  recordings.begin = (...recording) => begun.push(recording)
  await admin.send(addRule, {
    name: 'Keep',
    destinations: [],
    channels: [id],
    actions: [{ type: 'record', channel: id }]
  })
  await untilLater(() => begun.length > 0, 'the channel is recorded')
  assert.deepEqual(begun, [[id, 'Keep']])
})

test('an action that is not possible is logged with its rule', async () => {
  const id = await startFailingChannel()
  const action = { type: 'switch', channel: id, input: 'slate' } as const
  await admin.send(addRule, { name: 'Slate', destinations: [], channels: [id], actions: [action] })
  const isLogged = () => hub.parts.store.database.get("SELECT 1 FROM event_log WHERE event = 'alert-action-failed'")
  await untilLater(isLogged, 'the failure is logged')
  const [line] = (await admin.send(listLog, { type: 'system' })).list
  assert.match(line?.text ?? '', /^Action of a notification rule failed: Slate: /)
})

test.run()
