import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_PERMITTED, UNKNOWN_ERROR } from '../../../../contract/codes.ts'
import { LOG_WARNING } from '../../../../contract/log.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  selectOption,
  visibleText,
  waitForEffects,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('log')

hubForEach(test)

/** The lines on the page, without their times. */
const lines = () =>
  [...document.querySelectorAll('tbody tr[data-row]')].map((row) =>
    [...row.children].slice(1).map((cell) => visibleText(cell))
  )

const openLog = (query = '', user = 'Admin') => openConsole(hub, { at: `/settings/logs${query}`, user })

/** Adds lines to the operation log, oldest first. */
function addOperations(count: number, from = 1): void {
  const { store } = hub.parts
  store.database.transaction(() => {
    for (let n = from; n < from + count; n++)
      store.logs.addOperation({
        time: Date.UTC(2026, 0, 1) + n * 60_000,
        user: n % 2 ? 'Ann' : 'Bob',
        ip: '10.0.0.9',
        event: '/channel/set',
        detail: `Studio ${n}`,
        code: n % 5 ? 0 : 31
      })
  })
  store.changes.markChanged('log')
}

test('what a program did with a token is shown with the token and its owner, in both languages', async () => {
  const { store } = hub.parts
  const line = { time: Date.now(), user: 'Ann', ip: '10.0.0.9', event: '/channel/add', code: 0 }
  store.logs.addOperation({ ...line, detail: 'Hall' })
  store.logs.addOperation({ ...line, token: 'Playout', detail: 'Hall' })
  store.changes.markChanged('log')
  await openLog()
  await waitForText('Token “Playout” of Ann')
  assert.deepEqual(
    lines().map(([user]) => user),
    ['Token “Playout” of Ann', 'Ann']
  )
  await setLanguage('zh')
  await waitForText('Ann 的令牌“Playout”')
})

test('operations are shown as sentences, refused ones with the reason, newest first and at once', async () => {
  await openLog()
  await other.send(addChannel, { name: 'Hall' })
  await waitForText('Add channel: Hall')
  await other.send(addChannel, { name: 'hall' })
  await until(() => lines().length === 2, 'both lines are there')
  assert.deepEqual(lines(), [
    ['Admin', 'Add channel: hall – field “name”', 'The name already exists', '127.0.0.1'],
    ['Admin', 'Add channel: Hall', 'Done', '127.0.0.1']
  ])
  setLanguage('zh')
  await waitForText('添加频道：Hall')
})

test('a phone shows the user below the operation', async () => {
  document.documentElement.style.setProperty('--size', 'xxs')
  try {
    await openLog()
    await other.send(addChannel, { name: 'Hall' })
    await waitForText('Add channel: Hall')
    assert.equal(lines()[0]?.[0], 'Add channel: Hall Admin')
  } finally {
    document.documentElement.style.removeProperty('--size')
  }
})

test('an operation that failed for some devices is shown as partly failed, and names them with the reason', async () => {
  const [first = '', second = ''] = registerDevices(hub, 2)
  const { store } = hub.parts
  const event = { event: '/device/reboot', detail: `${first}, ${second}: 12`, code: 0 }
  store.database.transaction(() =>
    store.logs.addOperation({ ...event, time: Date.now(), user: 'Admin', ip: '127.0.0.1' })
  )
  await openLog()
  await waitForText('Reboot devices: Hall 1, Hall 2: The device is offline')
  assert.equal(lines()[0]?.[2], 'Partly done: 1 failed')
})

test('each log has its own URL, and an empty state', async () => {
  const page = await openLog()
  await waitForText('No entries yet.')
  await click(await findByRole('link', 'System', await findByRole('navigation', 'Logs')))
  assert.equal(page.currentPath(), linkTo('logs', { tab: 'system' }))
  await waitForText(/Hub \d+\.\d+\.\d+ started/)
  hub.parts.store.logEvent({ event: 'device-offline', detail: 'Cam 1', sn: 'B1', level: LOG_WARNING })
  await click(await findByRole('link', 'Devices', await findByRole('navigation', 'Logs')))
  await waitForText('Offline: Cam 1')
  assert.deepEqual(lines(), [['Warning', 'Offline: Cam 1']])
})

test('repeated entries are one line with their number, and the button that clears the log is not a prominent one', async () => {
  for (const port of [51234, 51301, 40022])
    hub.parts.store.logEvent({
      event: 'caller-refused',
      detail: `SRT, 10.0.0.3:${port}`,
      level: LOG_WARNING
    })
  await openLog('?tab=system')
  await waitForText(/×3 since .*: Connection rejected: SRT, 10\.0\.0\.3:40022/)
  assert.equal(lines().filter(([, text]) => text?.includes('Connection rejected')).length, 1)
  assert.doesNotMatch((await findByRole('button', 'Clear log')).className, /danger|main/)
})

test('filters are kept in the URL, narrow the log, and can be removed', async () => {
  addOperations(20)
  const page = await openLog()
  await until(() => lines().length === 20, 'all lines')
  await selectOption(await findByRole('combobox', 'Result'), 'Refused')
  await until(() => lines().length === 4, 'the refused operations')
  await fill(await findByRole('textbox', 'User'), 'Ann')
  await until(() => lines().length === 2, 'the operations of one user')
  assert.match(page.currentPath(), /\?result=failed&user=Ann$/)
  await fill(await findByRole('textbox', 'Search'), 'sTUDIO 5')
  await until(() => lines().length === 1, 'one line')
  await fill(await findByRole('textbox', 'Search'), 'nowhere')
  await waitForText('Nothing found')
  await click(await findByRole('button', 'Clear filter'))
  await until(() => lines().length === 20, 'all lines')
  assert.equal(page.currentPath(), linkTo('logs'))
})

test('on a phone a button shows the filters and the actions', async () => {
  addOperations(5)
  document.documentElement.style.setProperty('--size', 'xxs')
  try {
    await openLog()
    await until(() => lines().length === 5, 'all lines')
    await findByRole('textbox', 'Search')
    await waitForNone('combobox', 'Result')
    await click(await findByRole('button', 'Filters and actions'))
    await findByRole('button', 'Export CSV')
    await selectOption(await findByRole('combobox', 'Result'), 'Refused')
    await until(() => lines().length === 1, 'the refused operation')
  } finally {
    document.documentElement.style.removeProperty('--size')
  }
})

test('the search also matches the sentences in the language of the user', async () => {
  addOperations(3)
  await other.send(addChannel, { name: 'Hall' })
  await openLog('?key=add%20chan')
  await waitForText('Add channel: Hall')
  assert.equal(lines().length, 1)
})

test('times filter a log in the time zone of the browser', async () => {
  addOperations(20)
  const entryAt = (n: number) => {
    const time = new Date(Date.UTC(2026, 0, 1) + n * 60_000)
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }
  await openLog(`?from=${entryAt(5)}&to=${entryAt(8)}`)
  await until(() => lines().length === 3, 'the lines of three minutes')
  assert.deepEqual(
    lines().map((line) => line[1]),
    ['Edit channel: Studio 7', 'Edit channel: Studio 6', 'Edit channel: Studio 5']
  )
})

test('a later page does not shift while lines are added; the first page shows them', async () => {
  addOperations(250)
  const page = await openLog()
  await waitForText('1-100 of 250')
  await click(await findByRole('button', 'Next page'))
  await waitForText('101-200 of 250')
  await until(() => lines()[0]?.[1] === 'Edit channel: Studio 150', 'the second page')
  const before = lines()
  let requests = 0
  page.intercept = (path) => {
    if (path.startsWith('/api/log/list')) requests++
    return undefined
  }
  addOperations(7, 251)
  await until(() => requests > 0, 'a new request')
  await waitForEffects()
  assert.deepEqual(lines(), before)
  await waitForText('101-200 of 250')
  await click(await findByRole('button', 'Previous page'))
  await waitForText('1-100 of 257')
  await waitForText('Studio 257')
})

test('a file is downloaded by a ticket for the log with the same filter', async () => {
  addOperations(2)
  await openLog('?result=ok&key=Studio&start=100&upto=5')
  const links: string[] = []
  const follow = (event: Event) => {
    const link = (event.target as Element).closest('a[download]')
    if (!link) return
    event.preventDefault()
    links.push((link as HTMLAnchorElement).href)
  }
  document.addEventListener('click', follow)
  try {
    await click(await findByRole('button', 'Export CSV'))
    await until(() => links.length === 1, 'the download starts')
  } finally {
    document.removeEventListener('click', follow)
  }
  const { pathname, search } = new URL(links[0] ?? '')
  assert.equal(pathname, '/api/file/get')
  const file = await other.raw('GET', pathname + search)
  assert.match(file.headers.get('content-disposition') ?? '', /operation-log-.*\.csv/)
  const rows = (await file.text()).trim().split('\r\n')
  assert.equal(rows.length, 3)
  assert.ok(rows.slice(1).every((row) => row.includes('Studio')))
})

test('a download that is refused says why', async () => {
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  const page = await openConsole(hub, { at: '/settings/logs', user: 'looker' })
  page.intercept = (path) =>
    path.startsWith('/api/file/ticket') ? Response.json({ result: NOT_PERMITTED }) : undefined
  await click(await findByRole('button', 'Export JSON'))
  await waitForText('No permission')
})

test('clearing asks for confirmation and for the password, and logs itself', async () => {
  addOperations(3)
  await openLog()
  await until(() => lines().length === 3, 'all lines')
  await click(await findByRole('button', 'Clear log'))
  hub.parts.store.database.run('UPDATE session SET authenticated = 1')
  const question = await findByRole('dialog', 'Clear log')
  await waitForText('The operation log keeps an entry', question)
  await click(await findByRole('button', 'Clear log', question))
  await fill(await findByRole('textbox', 'Password'), 'Admin')
  await click(await findByRole('button', 'Continue'))
  await waitForText('Clear log: Operations')
  assert.equal(lines().length, 1)
})

test('users with only the permission to view the log do not see a button that clears it', async () => {
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await openLog('', 'looker')
  await waitForText('Operations')
  await waitForNone('button', 'Clear log')
  await addUser(hub, 'stranger', 0)
  await closeConsole()
  await openLog('', 'stranger')
  await waitForText('You do not have access permission')
})

test('a log that cannot be loaded shows the reason, and can be retried', async () => {
  const page = await openConsole(hub)
  page.intercept = (path) => (path.startsWith('/api/log/list') ? Response.json({ result: UNKNOWN_ERROR }) : undefined)
  location.hash = '#/settings/logs?tab=device'
  await waitForText('Failed to load')
  page.intercept = () => undefined
  await click(await findByRole('button', 'Retry'))
  await waitForText('No entries yet.')
})

test('a refused device is in the device log with its address and the reason, in English and in Chinese', async () => {
  await other.send(setSettings, { security: { 'enable-code': true, 'code-value': '0815' } })
  hub.parts.registry.register(helloOf(1, { code: '4711' }), '192.0.2.10')
  hub.parts.registry.reportIllegalDevice('192.0.2.11')
  await openLog('?tab=device')
  await waitForText('Hall 1 192.0.2.10 refused: wrong invitation code')
  setLanguage('zh')
  await waitForText('Hall 1 192.0.2.10 被拒绝接入：邀请码错误')
  await closeConsole()
  setLanguage('en')
  await openLog('?tab=system')
  await waitForText('192.0.2.11 refused: not a valid device')
})

test('the address of a channel or device shows its entries alone, until another choice', async () => {
  const { store } = hub.parts
  const { id } = await other.send(addChannel, { name: 'Hall' })
  store.logEvent({ event: 'input-up', detail: 'Hall: Camera', channel: id })
  store.logEvent({ event: 'input-up', detail: 'Annex: Camera', channel: id + 1 })
  await openConsole(hub, { at: linkTo('logs', { tab: 'system', channel: String(id) }) })
  const channel = await findByRole<HTMLSelectElement>('combobox', 'Channel')
  await until(() => channel.value === String(id), 'the channel')
  await waitForText('Hall: Camera')
  assert.ok(!visibleText().includes('Annex: Camera'))
  await selectOption(channel, 'All')
  await waitForText('Annex: Camera')
  assert.match(location.hash, /#\/settings\/logs\?tab=system$/)
})

test.run()
