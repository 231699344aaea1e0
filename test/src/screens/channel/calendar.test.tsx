// The calendar of all channels.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { addRtmpInput } from '../../../kit/console/channel-page.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('calendar of channels')
hubForEach(test)

const AT = linkTo('channelCalendar', { week: '2099-06-03' })

async function addScheduled(name: string, input: number, start: string, stop: string): Promise<number> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const events = [{ start: `2099-06-02T${start}`, stop: `2099-06-02T${stop}` }]
  const { id } = await other.send(addChannel, { name, config: { schedule: { zone, rules: [], events } } })
  await other.send(setChannelInput, { id, input })
  return id
}

test('the week shows all channels, names what two use at the same time, and leads to their schedules', async () => {
  const studio = await addRtmpInput('Studio')
  const news = await addScheduled('News', studio, '09:00', '11:00')
  await addScheduled('Sport', studio, '10:00', '12:00')
  await addScheduled('Film', await addRtmpInput('Player'), '09:00', '10:00')
  const console = await openConsole(hub, { at: AT })
  const entries = () => queryAllByRole('link', /^\d\d:\d\d–/).map((link) => visibleText(link))
  await until(() => entries().length === 3, 'three entries')
  assert.deepEqual(entries().toSorted(), [
    '09:00–10:00 Film',
    '09:00–11:00 News Conflict',
    '10:00–12:00 Sport Conflict'
  ])
  const conflicts = await findByRole('article', 'Conflicts')
  await waitForText(/Input Studio .*2.* 10:00–11:00 News ?Sport/, conflicts)
  await click(await findByRole('link', 'News', conflicts))
  await findByRole('heading', 'News')
  assert.equal(console.currentPath(), linkTo('channelDetail', { channelId: String(news), tab: 'schedule' }))
})

test('a change of another user appears, and an empty week says what to do', async () => {
  await openConsole(hub, { at: AT })
  await waitForText('No channel is scheduled in this week')
  await addScheduled('News', await addRtmpInput('Studio'), '09:00', '11:00')
  await waitForText('09:00–11:00 News')
  await click(await findByRole('button', 'Next week'))
  await waitForText('No channel is scheduled in this week')
  assert.match(location.hash, /week=2099-06-08/)
})

test('the list of channels links to the calendar', async () => {
  const console = await openConsole(hub, { at: linkTo('channels') })
  await click(await findByRole('link', 'Calendar'))
  await waitForText('No channel is scheduled in this week')
  assert.equal(console.currentPath(), linkTo('channelCalendar'))
  assert.equal((await findByRole<HTMLAnchorElement>('link', 'Back')).hash, '#/stream/channels')
})

test('a week with too many times says how many are not shown, and leads to its days', async () => {
  const rules = Array.from({ length: 32 }, (_, index) => ({ days: 127, start: '09:00', stop: `10:${index + 10}` }))
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  for (let index = 0; index < 5; index++)
    await other.send(addChannel, { name: `Channel ${index}`, config: { schedule: { zone, rules } } })
  await openConsole(hub, { at: AT })
  await waitForText('Further times that are not shown: 120.')
  await click(await findByRole('link', /Jun 7/))
  await until(() => queryAllByRole('link', /^09:00–/).length === 160, 'all times of the day')
  assert.match(location.hash, /day=2099-06-07/)
  await click(await findByRole('button', 'Next day'))
  assert.match(location.hash, /day=2099-06-08/)
  await click(await findByRole('button', 'This week'))
  assert.doesNotMatch(location.hash, /day=/)
})

test('a channel that was started by hand is in the calendar until its next start', async () => {
  const id = await addScheduled('News', await addRtmpInput('Studio'), '09:00', '11:00')
  await other.send(enableChannel, { id, enable: true })
  await openConsole(hub, { at: linkTo('channelCalendar') })
  await waitForText(/News Started by hand/)
})

test('without the permission to see channels the page says so', async () => {
  await addUser(hub, 'inputs', INPUT_OUTPUT_VIEW)
  await openConsole(hub, { at: AT, user: 'inputs' })
  await waitForText('You do not have access permission')
})

test.run()
