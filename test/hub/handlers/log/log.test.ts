import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  GROUP_USER,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW,
  USER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { addToken, NEVER_EXPIRES } from '../../../../contract/access/token.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { INVALID_ARG, NAME_EXISTS, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { clearLog, exportLog, type LogEntry, type LogFilter, listLog } from '../../../../contract/log.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { LANGUAGE_COOKIE } from '../../../../contract/text/language.ts'
import { csvCell } from '../../../../hub/handlers/log/log-file.ts'
import { addSignedInUser, addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { OTHER_DAYS } from '../../../kit/other-days.ts'

const test = suite('log handlers')
hubForEach(test)

function addEntries(details: readonly string[], user = 'Ann'): void {
  const { store } = hub.parts
  store.database.transaction(() => {
    for (const detail of details)
      store.logs.addOperation({
        time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
        user,
        ip: '10.0.0.9',
        event: '/x',
        detail,
        code: 0
      })
  })
  store.changes.markChanged('log')
}

async function file(query: string, client = admin): Promise<{ text: string; headers: Headers }> {
  const response = await client.raw('GET', `/api${exportLog.path}?${query}`)
  // `text()` would drop the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  return { text, headers: response.headers }
}

test('a list has the total, one page, and no entries if nothing has changed', async () => {
  addEntries(Array.from({ length: 30 }, (_, n) => `line ${n}`))
  const page = await admin.send(listLog, { type: 'operation', start: 10, count: 5 })
  assert.deepEqual(
    [page.start, page.total, page.list.map(({ detail }) => detail)],
    [10, 30, ['line 19', 'line 18', 'line 17', 'line 16', 'line 15']]
  )
  const unchangedPage = await admin.send(listLog, { type: 'operation', since: page.rev })
  assert.deepEqual([unchangedPage.partial, unchangedPage.total, unchangedPage.list], [true, 30, []])
  addEntries(['newer'])
  const next = await admin.send(listLog, { type: 'operation', count: 1, since: page.rev })
  assert.deepEqual([next.partial, next.total, next.list[0]?.detail], [undefined, 31, 'newer'])
})

test('pages of one snapshot stay the same while entries are added', async () => {
  addEntries(['a', 'b', 'c'])
  const { list } = await admin.send(listLog, { type: 'operation', count: 1 })
  addEntries(['d'])
  const page = await admin.send(listLog, { type: 'operation', start: 1, count: 1, upto: list[0]?.id })
  assert.deepEqual([page.total, page.list[0]?.detail], [3, 'b'])
})

test('a filter out of range is refused with its name', async () => {
  const cases: [string, string][] = [
    ['type=x', 'type'],
    ['type=operation&from=-1', 'from'],
    ['type=operation&to=1e3', 'to'],
    ['type=system&level=4', 'level'],
    ['type=system&channel=0', 'channel'],
    ['type=device&channel=x', 'channel'],
    ['type=operation&outcome=maybe', 'outcome'],
    [`type=operation&key=${'x'.repeat(257)}`, 'key'],
    ['type=operation&key=%00', 'key'],
    ['type=device&sn=a%20b', 'sn'],
    ['', 'type']
  ]
  for (const [query, field] of cases) {
    const reply = await (await admin.raw('GET', `/api${listLog.path}?${query}`)).json()
    assert.deepEqual([reply.result, reply.field], [INVALID_ARG, field], query)
  }
})

test('a file has its date in its name, a header row, times in UTC, and a UTF-8 mark', async () => {
  addEntries(['演播室 1'])
  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  const { text, headers } = await file('type=operation&format=csv')
  const [header, first, end] = text.split('\r\n')
  assert.equal(header, '\ufefftime,user,ip,text,event,detail,code,outcome,token')
  assert.equal(first, '2026-01-02T03:04:05.006Z,Ann,10.0.0.9,/x: 演播室 1,/x,演播室 1,0,Operation succeeded,')
  assert.equal(end, '')
  const nameOn = (day: string) => `attachment; filename="operation-log-${day}.csv"`
  assert.ok([before, today()].map(nameOn).includes(headers.get('content-disposition') ?? ''))
  assert.equal(headers.get('content-type'), 'text/csv;charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  const { text: system } = await file('type=system&format=csv')
  assert.match(system, /^\ufefftime,level,text,event,detail\r\n/)
  assert.match(system, /\r\n[^,]+Z,information,Hub [\d.]+ started,hub-started,/)
})

test('each entry has a sentence in the language of the caller, can be found by it, and has it in the file', async () => {
  const { store } = hub.parts
  const line = {
    time: Date.now(),
    user: 'Ann',
    ip: '10.0.0.9',
    event: '/channel/add',
    detail: 'Hall #field=name',
    code: NAME_EXISTS
  }
  store.database.transaction(() => store.logs.addOperation(line))
  const getTexts = async (language: string, query: string) => {
    const headers = { cookie: `${admin.cookie}; ${LANGUAGE_COOKIE}=${language}` }
    return (await admin.raw('GET', `/api${query}`, { headers })).text()
  }
  const list = async (language: string, key: string) => {
    const reply = await getTexts(language, `${listLog.path}?type=operation&key=${encodeURIComponent(key)}`)
    return (JSON.parse(reply).list as LogEntry[]).map(({ text, outcome }) => [text, outcome])
  }
  const english = ['Add channel: Hall – field “name”', 'The name already exists']
  const chinese = ['添加频道：Hall – 字段“名称”', '名称已存在']
  assert.deepEqual(await list('en', 'ADD CHAN'), [english])
  assert.deepEqual(await list('zh', '添加频道'), [chinese])
  assert.deepEqual(await list('zh', 'add chan'), [])
  assert.deepEqual(await list('zh', 'Hall'), [chinese])
  const csv = await getTexts('zh', `${exportLog.path}?type=operation&format=csv&key=${encodeURIComponent('添加频道')}`)
  for (const text of chinese) assert.ok(csv.includes(text), csv)
  const json = JSON.parse(await getTexts('en', `${exportLog.path}?type=operation&format=json`)) as LogEntry[]
  assert.deepEqual([json[0]?.text, json[0]?.outcome], english)
})

test('who changed the schedule of a channel is found by the channel, and by the name of the field in both languages', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const { id: other } = await admin.send(addChannel, { name: 'Studio' })
  const schedule = { zone: 'UTC', rules: [{ days: OTHER_DAYS, start: '08:00', stop: '09:00' }] }
  for (const each of [id, other])
    assert.equal((await admin.send(setChannel, { id: each, name: `C${each}`, config: { schedule } })).result, SUCCESS)
  const find = async (language: string, filter: string) => {
    const headers = { cookie: `${admin.cookie}; ${LANGUAGE_COOKIE}=${language}` }
    const reply = await admin.raw('GET', `/api${listLog.path}?type=operation&${filter}`, { headers })
    return ((await reply.json()) as { list: LogEntry[] }).list.map(({ user, text }) => `${user}: ${text}`)
  }
  const entry = `Admin: Edit channel: Hall → C${id} – schedule`
  assert.deepEqual(await find('en', `channel=${id}`), [entry, 'Admin: Add channel: Hall'])
  assert.deepEqual(await find('en', `channel=${id}&key=schedule`), [entry])
  assert.equal((await find('zh', `channel=${id}&key=${encodeURIComponent('定时计划')}`)).length, 1)
  assert.equal((await find('zh', `key=${encodeURIComponent('定时计划')}`)).length, 2)
})

test('no cell is read as a formula, and none breaks its row', () => {
  const cases: [string | number, string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['＝1+1', "'＝1+1"],
    ['hall;=1+1', "hall;'=1+1"],
    ['hall\t@x', "hall\t'@x"],
    ['a; b', 'a; b'],
    ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['plain = text', 'plain = text'],
    [-20, '-20'],
    ['', '']
  ]
  for (const [value, cell] of cases) assert.equal(csvCell(value), cell)
})

test('a JSON file has the same entries as the list with the same filter; an empty one is an empty array', async () => {
  addEntries(['a', 'b', 'ab'])
  const { text } = await file('type=operation&format=json&key=B')
  const { list } = await admin.send(listLog, { type: 'operation', key: 'B' })
  assert.deepEqual(JSON.parse(text), list)
  assert.equal(list.length, 2)
  assert.deepEqual(JSON.parse((await file('type=device&format=json')).text), [])
  assert.deepEqual((await file('type=device&format=csv')).text.split('\r\n').length, 2)
})

test('a large file is complete, and has the entries that existed when it was started', async () => {
  addEntries(Array.from({ length: 2500 }, (_, n) => `line ${n}`))
  const response = await admin.raw('GET', `/api${exportLog.path}?type=operation&format=json`)
  addEntries(['later'])
  const lines = JSON.parse(await response.text()) as LogEntry[]
  const details = new Set(lines.map(({ detail }) => detail))
  assert.ok(details.has('line 0') && details.has('line 2499') && !details.has('later'))
  assert.equal(lines.length, details.size)
})

test('a client that disconnects ends the file', async () => {
  addEntries(Array.from({ length: 5000 }, (_, n) => `line ${n}`))
  const response = await admin.raw('GET', `/api${exportLog.path}?type=operation&format=csv`)
  await response.body?.cancel()
  assert.equal((await admin.send(listLog, { type: 'operation', count: 0 })).total, 5000)
})

test('entries about hidden devices are in neither the list nor the file', async () => {
  const [visibleSerial = '', hiddenSerial = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [visibleSerial] })
  await admin.send(acceptDevices, { sn: [hiddenSerial] })
  const row = hub.parts.store.devices.bySerial(hiddenSerial)
  hub.parts.store.devices.setVisibility(row?.id ?? 0, false, { 'group-mask': 0, 'usr-mask': 0 })
  await addUser(hub, 'carl', SYSTEM_CONFIG_VIEW)
  const carl = hub.clientAs('carl')
  for (const filter of [
    { type: 'device' },
    { type: 'operation' },
    { type: 'device', sn: hiddenSerial }
  ] as LogFilter[]) {
    const all = JSON.stringify((await admin.send(listLog, filter)).list)
    assert.ok(all.includes(hiddenSerial), 'an administrator sees them')
    const query = new URLSearchParams({ ...filter, format: 'csv' } as never)
    const visibleText = JSON.stringify((await carl.send(listLog, filter)).list) + (await file(String(query), carl)).text
    assert.ok(!visibleText.includes(hiddenSerial), JSON.stringify(filter))
    assert.equal(visibleText.includes(visibleSerial), filter.sn === undefined)
  }
})

test('the names of device groups without access are not in the log', async () => {
  const masks = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  const { id: hidden } = await admin.send(addCatalog, { id: 0, name: 'Vestry' })
  await admin.send(addCatalog, { id: 0, name: 'Choir' })
  await admin.send(setCatalog, { id: hidden, security: masks })
  await addUser(hub, 'carl', SYSTEM_CONFIG_VIEW)
  const text = async (client: Client) => JSON.stringify((await client.send(listLog, { type: 'operation' })).list)
  assert.match(await text(admin), /Vestry/)
  assert.match(await text(hub.clientAs('carl')), /Choir/)
  assert.doesNotMatch(await text(hub.clientAs('carl')), /Vestry/)
})

test('the lines about a channel include those of the device log whose device the caller may see', async () => {
  const [visibleSerial = '', hiddenSerial = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [visibleSerial, hiddenSerial] })
  const { store } = hub.parts
  store.devices.setVisibility(store.devices.bySerial(hiddenSerial)?.id ?? 0, false, { 'group-mask': 0, 'usr-mask': 0 })
  const { id = 0 } = await admin.send(addChannel, { name: 'Hall' })
  store.logEvent({ event: 'output-down', detail: 'Foyer', channel: id })
  store.logEvent({ event: 'input-down', detail: 'Camera', channel: id, sn: visibleSerial })
  store.logEvent({ event: 'input-down', detail: 'Secret', channel: id, sn: hiddenSerial })
  store.logEvent({ event: 'output-down', detail: 'Hall', channel: id + 1 })
  await addUser(hub, 'carl', SYSTEM_CONFIG_VIEW)
  const carl = hub.clientAs('carl')
  const list = async (filter: LogFilter, client = admin) =>
    (await client.send(listLog, filter)).list.map(({ detail }) => detail)
  assert.deepEqual(await list({ type: 'system', channel: id }), ['Secret', 'Camera', 'Foyer'])
  assert.deepEqual(await list({ type: 'system', channel: id }, carl), ['Camera', 'Foyer'])
  assert.deepEqual(await list({ type: 'device', channel: id }), ['Secret', 'Camera'])
  assert.deepEqual(await list({ type: 'device', channel: id }, carl), ['Camera'])
  assert.ok(!(await list({ type: 'system' })).includes('Camera'), 'the system log alone has no lines of devices')
})

test('only administrators can clear a log; its first entry is then the clearing', async () => {
  addEntries(['a', 'b'])
  await addUser(hub, 'keeper', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  assert.equal((await hub.clientAs('keeper').send(clearLog, { type: 'operation' })).result, NOT_PERMITTED)
  assert.ok((await admin.send(listLog, { type: 'operation' })).total > 2)
  assert.equal((await admin.send(clearLog, { type: 'operation' })).result, SUCCESS)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ user, event, detail, code }) => [user, event, detail, code]),
    [['Admin', '/log/clear', 'operation', 0]]
  )
})

test('clearing the system log leaves the others, and consoles that show the log are notified', async () => {
  await admin.send(addChannel, { name: 'Hall' })
  const { rev } = await admin.send(listLog, { type: 'system' })
  await admin.send(clearLog, { type: 'system' })
  const { total, list, partial } = await admin.send(listLog, { type: 'system', since: rev })
  assert.deepEqual([total, list, partial], [0, [], undefined])
  assert.equal((await admin.send(listLog, { type: 'operation' })).total, 2)
})

test('changed limits of the log apply to the next entry, and remove none of the last 90 days from the operation log', async () => {
  const { store } = hub.parts
  addEntries(Array.from({ length: 1500 }, () => 'old'))
  store.database.transaction(() => {
    for (let count = 0; count < 1500; count++) store.logEvent({ event: 'hub-started' })
  })
  assert.equal((await admin.send(setSettings, { log: { 'max-lines': 1000, 'max-days': 3650 } })).result, SUCCESS)
  store.logEvent({ event: 'hub-started' })
  const system = (await admin.send(listLog, { type: 'system', count: 0 })).total
  assert.ok(system <= 1001, String(system))
  const operations = (await admin.send(listLog, { type: 'operation', count: 0 })).total
  assert.ok(operations > 1500, String(operations))
})

test('only the Admin group changes the retention, which has at least 90 days: no user and no token erases the log', async () => {
  addEntries(Array.from({ length: 1500 }, () => 'old'))
  const user = addSignedInUser(hub, 'uwe', USER_PERMISSIONS, GROUP_USER)
  const editor = addSignedInUser(hub, 'vera', ALL_PERMISSIONS)
  const program = hub.client()
  program.token = (await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['settings'] })).token
  for (const client of [user, editor, program])
    assert.equal((await client.send(setSettings, { log: { 'max-lines': 1000, 'max-days': 90 } })).result, NOT_PERMITTED)
  const refusal = await admin.send(setSettings, { log: { 'max-lines': 1000, 'max-days': 89 } })
  assert.deepEqual([refusal.result, refusal.field, refusal.min], [INVALID_ARG, 'log.max-days', 90])
  assert.ok((await admin.send(listLog, { type: 'operation', count: 0 })).total >= 1500)
})

test.run()
