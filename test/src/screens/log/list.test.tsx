import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LOG_WARNING } from '../../../../contract/log.ts'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/permissions.ts'
import { getSettings } from '../../../../contract/settings.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console.ts'
import { addUser } from '../../../kit/hub.ts'
import { hub, hubForEach, other } from '../../../kit/hub-for-each.ts'
import { choose, click, fill, none, one, says, settled, words } from '../../../kit/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('log')

hubForEach(test)

/** The lines on the page, without their times. */
const lines = () =>
  [...document.querySelectorAll('tbody tr[data-row]')].map((row) =>
    [...row.children].slice(1).map((cell) => words(cell))
  )

const openLog = (query = '', user = 'Admin') => openConsole(hub, { at: `/settings/logs${query}`, user })

/** Adds lines to the operation log, oldest first. */
function addOperations(count: number, from = 1): void {
  const { store } = hub.context
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

test('operations are shown as sentences, refused ones with the reason, newest first and at once', async () => {
  await openLog()
  await other.send(addChannel, { name: 'Hall' })
  await says('Add channel: Hall')
  await other.send(addChannel, { name: 'hall' })
  await until(() => lines().length === 2, 'both lines are there')
  assert.deepEqual(lines(), [
    ['Admin', 'Add channel: hall – field “name”', 'The name already exists', '127.0.0.1'],
    ['Admin', 'Add channel: Hall', 'Done', '127.0.0.1']
  ])
  setLanguage('zh')
  await says('添加频道：Hall')
})

test('each log has its own URL, and an empty state', async () => {
  const page = await openLog()
  await says('No entries yet.')
  await click(await one('link', 'System', await one('navigation', 'Logs')))
  assert.equal(page.place(), linkTo('logs', { tab: 'system' }))
  await says(/Hub \d+\.\d+\.\d+ started/)
  hub.context.store.logEvent({ event: 'device-offline', detail: 'Cam 1', sn: 'B1', level: LOG_WARNING })
  await click(await one('link', 'Devices', await one('navigation', 'Logs')))
  await says('Offline: Cam 1')
  assert.deepEqual(lines(), [['Warning', 'Offline: Cam 1']])
})

test('filters are kept in the URL, narrow the log, and can be removed', async () => {
  addOperations(20)
  const page = await openLog()
  await until(() => lines().length === 20, 'all lines')
  await choose(await one('combobox', 'Result'), 'Refused')
  await until(() => lines().length === 4, 'the refused operations')
  await fill(await one('textbox', 'User'), 'Ann')
  await until(() => lines().length === 2, 'the operations of one user')
  assert.match(page.place(), /\?result=failed&user=Ann$/)
  await fill(await one('textbox', 'Search'), 'sTUDIO 5')
  await until(() => lines().length === 1, 'one line')
  await fill(await one('textbox', 'Search'), 'nowhere')
  await says('Nothing found')
  await click(await one('button', 'Remove filter'))
  await until(() => lines().length === 20, 'all lines')
  assert.equal(page.place(), linkTo('logs'))
})

test('the search also matches the sentences in the language of the user', async () => {
  addOperations(3)
  await other.send(addChannel, { name: 'Hall' })
  await openLog('?key=add%20chan')
  await says('Add channel: Hall')
  assert.equal(lines().length, 1)
})

test('times filter a log in the time zone of the browser', async () => {
  addOperations(20)
  const at = (n: number) => {
    const time = new Date(Date.UTC(2026, 0, 1) + n * 60_000)
    return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }
  await openLog(`?from=${at(5)}&to=${at(8)}`)
  await until(() => lines().length === 3, 'the lines of three minutes')
  assert.deepEqual(
    lines().map((line) => line[1]),
    ['Edit channel: Studio 7', 'Edit channel: Studio 6', 'Edit channel: Studio 5']
  )
})

test('a later page does not shift while lines are added; the first page shows them', async () => {
  addOperations(250)
  const page = await openLog()
  await says('1-100 of 250')
  await click(await one('button', 'Next page'))
  await says('101-200 of 250')
  await until(() => lines()[0]?.[1] === 'Edit channel: Studio 150', 'the second page')
  const before = lines()
  let requests = 0
  page.instead = (path) => {
    if (path.startsWith('/api/log/list')) requests++
    return undefined
  }
  addOperations(7, 251)
  await until(() => requests > 0, 'a new request')
  await settled()
  assert.deepEqual(lines(), before)
  await says('101-200 of 250')
  await click(await one('button', 'Previous page'))
  await says('1-100 of 257')
  await says('Studio 257')
})

test('the export is a plain link with the same filter', async () => {
  await openLog('?result=failed&key=x&start=100&upto=5')
  const file = (await one('link', 'Export CSV')) as HTMLAnchorElement
  assert.ok(file.hasAttribute('download'))
  const url = new URL(file.getAttribute('href') ?? '', 'http://hub.test')
  assert.equal(url.pathname, '/api/log/export')
  const { events, ...query } = Object.fromEntries(url.searchParams)
  assert.deepEqual(query, { type: 'operation', outcome: 'failed', key: 'x', format: 'csv' })
})

test('clearing asks for confirmation, and logs itself', async () => {
  addOperations(3)
  await openLog()
  await until(() => lines().length === 3, 'all lines')
  await click(await one('button', 'Clear log'))
  await click(await one('button', 'Clear log', await one('dialog', 'Clear log')))
  await says('Clear log: Operations')
  assert.equal(lines().length, 1)
})

test('a user who may only view cannot clear the log or change the retention, with the reason', async () => {
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await openLog('', 'looker')
  for (const name of ['Clear log', 'Retention'])
    assert.equal((await one('button', name)).getAttribute('aria-disabled'), 'true', name)
  await addUser(hub, 'stranger', 0)
  await closeConsole()
  await openLog('', 'stranger')
  await says('You do not have access permission')
})

test('the retention is set in a dialog that shows the limits', async () => {
  await addUser(hub, 'keeper', SYSTEM_CONFIG_VIEW + SYSTEM_CONFIG_EDIT)
  await openLog('', 'keeper')
  await click(await one('button', 'Retention'))
  const field = await one<HTMLInputElement>('textbox', 'Lines')
  assert.equal(field.value, '100000')
  await fill(field, '999')
  await click(await one('button', 'Save'))
  await says('1000')
  await fill(field, '5000')
  await fill(await one('textbox', 'Days'), '30')
  await click(await one('button', 'Save'))
  await none('dialog')
  const { settings } = await other.send(getSettings, {})
  assert.deepEqual(settings.log, { 'max-lines': 5000, 'max-days': 30 })
})

test('a log that cannot be loaded shows the reason, and can be retried', async () => {
  const page = await openConsole(hub)
  page.instead = (path) => (path.startsWith('/api/log/list') ? Response.json({ result: 6 }) : undefined)
  location.hash = '#/settings/logs?tab=device'
  await says('Could not be loaded')
  page.instead = () => undefined
  await click(await one('button', 'Retry'))
  await says('No entries yet.')
})

test.run()
