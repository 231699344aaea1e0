// The schedule of a channel, in its tab.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { enableChannel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  fetchChannel,
  formOf,
  openChannelPage,
  pagePath,
  setObserved,
  waitUntilSaved
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fieldMessage,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForEffects,
  waitForFieldMessage,
  waitForFocus,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('schedule of a channel')

channelForEach(test)

async function openSchedule() {
  await openChannelPage(undefined, 'schedule')
  return formOf(await findByRole('button', 'Add time slot'))
}

test('a schedule that takes the channel off air is saved after a question that names it and its receivers', async () => {
  const input = await addRtmpInput('Studio')
  await other.send(setChannelInput, { id: channelId, input })
  const output = await addSrtOutput('Decoder', 9021)
  await other.send(enableChannel, { id: channelId, enable: true })
  const always = { zone: 'UTC', rules: [{ days: 127, start: '00:00', stop: '00:00' }] }
  await other.send(setChannel, { id: channelId, name: 'News', config: { schedule: always } })
  setObserved(CARRYING_LEG, { [output]: CARRYING_LEG })
  const { form, field, save } = await openSchedule()
  // One day that is neither today nor near it in any time zone.
  const day = (new Date().getDay() + 3) % 7
  for (const [index, name] of ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].entries())
    if (index !== day) await click(await findByRole('button', name, form))
  await fill(await field('Start'), '08:00')
  await fill(await field('Stop'), '09:00')
  await save()
  const question = await findByRole('dialog', 'Channels go off air')
  await waitForText('News goes off air. Outputs: Decoder.', question)
  await click(await findByRole('button', 'Cancel', question))
  await until(() => !form.querySelector('[aria-busy]'), 'the form can be saved again')
  assert.deepEqual((await fetchChannel()).config.schedule, always)
  await save()
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', 'Channels go off air')))
  await waitUntilSaved()
  const { config } = await fetchChannel()
  assert.deepEqual([config.enable, config.schedule?.rules.length], [false, 1])
})

test('a schedule has days, times and the time zone of the browser, and can be removed', async () => {
  const { form, field, press, save } = await openSchedule()
  assert.equal(queryAllByRole('combobox', 'Time zone', form).length, 0, 'without times there is no zone')
  await press('Add time slot')
  const zone = await findByRole<HTMLSelectElement>('combobox', 'Time zone', form)
  assert.equal(zone.value, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const pressedDays = () =>
    queryAllByRole('button', /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/, form)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map((button) => button.textContent)
  assert.deepEqual(pressedDays(), [])
  await press('Sat')
  await press('Sun')
  assert.deepEqual(pressedDays(), ['Sat', 'Sun'])
  await fill(await field('Start'), '08:00')
  await save()
  await waitForFieldMessage(await field('Stop'), 'Required')
  await waitForFocus('Stop')
  assert.equal(fieldMessage(await field('Start')), '')
  await fill(await field('Stop'), '08:00')
  await waitForFieldMessage(await field('Stop'), 'Runs for 24 hours')
  await fill(await field('Stop'), '07:59')
  await waitForFieldMessage(await field('Stop'), 'On the next day')
  await fill(await field('Stop'), '17:30')
  await waitForFieldMessage(await field('Stop'), '')
  await selectOption(zone, 'Asia/Tokyo')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule, {
    zone: 'Asia/Tokyo',
    rules: [{ days: 96, start: '08:00', stop: '17:30' }]
  })
  await waitForText((await fetchChannel())['next-edge']?.enable ? /Starts \w+/ : /Stops \w+/)
  await waitForText('A manual start or stop holds until the next scheduled change.', form)
  await press('Add time slot')
  const [first] = queryAllByRole('button', 'Delete', form)
  await click(first as HTMLElement)
  await until(() => queryAllByRole('button', 'Delete', form).length === 1, 'one remaining row')
  assert.equal((await field('Start')).value, '', 'the other one is left')
  await press('Delete')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [])
  assert.equal((await fetchChannel())['next-edge'], undefined)
})

test('a schedule has single dates with labelled times, and the list shows the next start', async () => {
  const { press, save, field } = await openSchedule()
  await press('Add date')
  const day = new Date(Date.now() + 86_400_000 * 20).toISOString().slice(0, 10)
  await fill(await field('Start'), `${day}T09:30`)
  await fill(await field('Stop'), `${day}T09:00`)
  await save()
  await waitForFieldMessage(await field('Stop'), 'The end must come after the start')
  await fill(await field('Stop'), `${day}T11:00`)
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.events, [{ start: `${day}T09:30`, stop: `${day}T11:00` }])
  navigate(linkTo('channels'))
  await waitForText(/Starts \w+ \d+, 09:30/)
})

const blocks = () => queryAllByRole('button', /^\d\d:\d\d–\d\d:\d\d/)

test('the week shows the times of the schedule and of what is being edited, and leads to their fields', async () => {
  const rules = [{ days: 1, start: '22:00', stop: '02:00' }]
  await other.send(setChannel, { id: channelId, name: 'News', config: { schedule: { zone: 'Asia/Tokyo', rules } } })
  const { form, field } = await openSchedule()
  await waitForText('Times in Asia/Tokyo', form)
  // The entries are placed by percents of the height of the column.
  assert.equal(document.querySelector<HTMLElement>('.week ol')?.style.height, '480px')
  // Across midnight it is on both days.
  await until(() => blocks().length === 2, 'the evening and the night')
  assert.deepEqual(
    blocks().map((block) => visibleText(block)),
    ['22:00–02:00', '22:00–02:00']
  )
  await click(blocks()[0] as HTMLElement)
  await waitForFocus('Start')
  await fill(await field('Stop'), '23:00')
  await until(
    () =>
      blocks()
        .map((block) => visibleText(block))
        .join() === '22:00–23:00',
    'the edited time'
  )
})

test('a click into the week adds the hour, which is stored with the others', async () => {
  const { form, save } = await openSchedule()
  const [monday] = form.querySelectorAll<HTMLElement>('.week ol')
  // Without a layout, the top of the column is the first hour.
  await click(monday as HTMLElement)
  await until(() => blocks().length === 1, 'the hour')
  assert.equal(visibleText(blocks()[0]), '00:00–01:00')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [{ days: 1, start: '00:00', stop: '01:00' }])
})

test('another week is shown with single dates, and changing it asks nothing and keeps what is edited', async () => {
  const events = [{ start: '2099-06-03T09:00', stop: '2099-06-03T10:00' }]
  const schedule = { zone: 'UTC', rules: [], events }
  await other.send(setChannel, { id: channelId, name: 'News', config: { schedule } })
  const { press } = await openSchedule()
  assert.deepEqual(blocks(), [])
  await press('Add time slot')
  navigate(`${pagePath('schedule')}&week=2099-06-05`)
  await until(() => blocks().length === 1, 'the date')
  await findByRole('button', 'Save')
  await press('Next week')
  await until(() => blocks().length === 0, 'the week after it')
  assert.match(location.hash, /week=2099-06-08/)
})

test('who may not edit the channel sees the week, and adds nothing by a click', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage('viewer', 'schedule')
  await waitForText('You can view these settings.')
  await click(document.querySelector('.week ol') as HTMLElement)
  await waitForEffects()
  assert.deepEqual(blocks(), [])
})

test.run()
