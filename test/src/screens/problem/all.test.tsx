// Problems, timelines and logs in one list, with filters that the address keeps.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { LOG_WARNING } from '../../../../contract/log.ts'
import { addChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { OTHER_DAYS } from '../../../kit/other-days.ts'
import { until } from '../../../kit/until.ts'

const test = suite('all events')
hubForEach(test)

/** The rows on the page, without their times. */
const rows = () =>
  [...document.querySelectorAll('tbody tr[data-row]')].map((row) =>
    [...row.children].slice(1).map((cell) => visibleText(cell))
  )
const texts = () => rows().map(([, text]) => text)

const openAll = (query: object = {}, user = 'Admin') =>
  openConsole(hub, { at: linkTo('problems', { tab: 'all', ...query }), user })

test('open problems stand above what happened and the logs, which follow by themselves', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  await other.send(addChannel, { name: 'Hall' })
  await openAll()
  await waitForText(/Offline/, document.querySelector('.problems') as HTMLElement)
  await until(() => texts().includes('Add channel: Hall'), 'the operation')
  hub.parts.store.logEvent({ event: 'device-offline', detail: 'Cam 1', sn: 'B1', level: LOG_WARNING })
  await until(() => rows().some(([kind, text]) => kind === 'Devices' && text === 'Offline: Cam 1'), 'the new event')
  await fill(await findByRole('textbox', 'Search'), 'nowhere')
  await waitForText('No entries match this filter.')
  assert.equal(document.querySelector('.problems'), null)
})

test('who changed the schedule is found by channel and text; other views keep the filters that they have', async () => {
  const { id } = await other.send(addChannel, { name: 'Hall' })
  await other.send(addChannel, { name: 'Studio' })
  const schedule = { zone: 'UTC', rules: [{ days: OTHER_DAYS, start: '08:00', stop: '09:00' }] }
  await other.send(setChannel, { id, name: 'Hall', config: { schedule } })
  const console = await openAll()
  await selectOption(await findByRole('combobox', 'Channel'), 'Hall')
  await fill(await findByRole('textbox', 'Search'), 'schedule')
  await until(() => rows().length === 1, 'one entry')
  assert.deepEqual(rows()[0], ['Operations', 'Edit channel: Hall – schedule', 'Admin'])
  assert.equal(console.currentPath(), linkTo('problems', { tab: 'all', channel: String(id), key: 'schedule' }))
  const file = (await findByRole('link', 'Export CSV')).getAttribute('href')
  assert.match(file ?? '', new RegExp(`/api/event/file\\?key=schedule&channel=${id}$`))
  await click(await findByRole('link', 'Operations', await findByRole('navigation', 'Events')))
  await waitForText('Edit channel: Hall – schedule')
  await until(() => rows().length === 1, 'one line of the log')
  assert.equal(console.currentPath(), linkTo('logs', { key: 'schedule', channel: String(id) }))
  await click(await findByRole('link', 'Timeline', await findByRole('navigation', 'Logs')))
  await waitForText(/Settings changed by Admin: schedule/)
  assert.equal(console.currentPath(), linkTo('problems', { tab: 'timeline', channel: String(id) }))
})

test('why a channel was dark in the night is found by channel and period', async () => {
  const { id } = await other.send(addChannel, { name: 'Hall' })
  const night = Date.now() - 6 * 3_600_000
  const { store } = hub.parts
  store.database.transaction(() => {
    const facts = { health: { verdict: 'down', reason: 'no-input' } }
    store.timeline.add({ channel: id, time: night, event: 'lost', facts })
  })
  const console = await openAll({ channel: String(id) })
  await selectOption(await findByRole('combobox', 'Period'), 'Last 12 h')
  await selectOption(await findByRole('combobox', 'Level'), 'Error')
  await until(() => rows().length === 1, 'one entry')
  assert.deepEqual(rows()[0]?.slice(0, 2), ['State', 'Hall Off air. No input.'])
  assert.match(console.currentPath(), /from=\d{4}-\d\d-\d\dT/)
  await click(await findByRole('button', 'Clear filter'))
  await until(() => console.currentPath() === linkTo('problems', { tab: 'all' }), 'no filter')
})

test('a user without the logs gets the timelines, and reads what is missing', async () => {
  await other.send(addChannel, { name: 'Hall' })
  addSignedInUser(hub, 'viewer', CHANNEL_VIEW)
  await openAll({}, 'viewer')
  await waitForText(/Without the logs/)
  await until(() => texts().includes('Hall Channel added by a user.'), 'the timeline')
  await waitForNone('link', 'Operations')
})

test('of two thousand events only those in view are rendered, and older ones are shown on demand', async () => {
  const { store } = hub.parts
  const line = { user: 'Ann', ip: '10.0.0.9', event: '/channel/set', code: 0 }
  store.database.transaction(() => {
    for (let n = 0; n < 2000; n++)
      store.logs.addOperation({ ...line, time: Date.UTC(2026, 0, 1) + n * 1000, detail: `Studio ${n}` })
  })
  store.changes.markChanged('log')
  await openAll({ user: 'Ann' })
  const rowCount = () => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) - 1
  for (const count of [100, 200, 400, 800, 1600]) {
    await until(() => rowCount() === count, `${count} rows`)
    await click(await findByRole('button', 'Show older entries'))
  }
  await until(() => rowCount() === 2000, 'all rows')
  await waitForNone('button', 'Show older entries')
})

test.run()
