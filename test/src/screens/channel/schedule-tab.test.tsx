// The schedule of a channel, in its tab.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { addChannel, enableChannel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import type { Schedule } from '../../../../contract/stream/schedule.ts'
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
  press,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForEffects,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
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
  const question = await findByRole('dialog', 'Channels are interrupted')
  await waitForText('News goes off air. Outputs: Decoder.', question)
  await click(await findByRole('button', 'Cancel', question))
  await until(() => !form.querySelector('[aria-busy]'), 'the form can be saved again')
  assert.deepEqual((await fetchChannel()).config.schedule, always)
  await save()
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', 'Channels are interrupted')))
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

const blockTexts = () => blocks().map((block) => visibleText(block))
const waitForBlocks = (...texts: string[]) => until(() => blockTexts().join() === texts.join(), texts.join(', '))
const firstBlock = () => blocks()[0] as HTMLElement

const store = (schedule: Schedule) => other.send(setChannel, { id: channelId, name: 'News', config: { schedule } })

test('an entry of the week opens a dialog with its days and times, which are stored with the schedule', async () => {
  const rules = [{ days: 1, start: '22:00', stop: '02:00' }]
  await store({ zone: 'Asia/Tokyo', rules })
  const { form, save } = await openSchedule()
  await waitForText('Times in Asia/Tokyo', form)
  // Across midnight it is on both days, placed by percents of the height of the column.
  await waitForBlocks('22:00–02:00', '22:00–02:00')
  assert.deepEqual(
    blocks().map(({ parentElement }) => parentElement?.style.top),
    [`${(22 / 24) * 100}%`, '0%']
  )
  await click(firstBlock())
  const dialog = await findByRole('dialog', 'Schedule')
  await waitForFocus('Start')
  const apply = async () => click(await findByRole('button', 'Apply', dialog))
  const stop = dialog.querySelector('[name="stop"]') as HTMLElement
  await fill(stop, '')
  await apply()
  await waitForFieldMessage(stop, 'Required')
  await fill(stop, '23:00')
  await click(await findByRole('button', 'Tue', dialog))
  await apply()
  await waitForBlocks('22:00–23:00', '22:00–23:00')
  assert.equal(document.activeElement, firstBlock())
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, rules, 'nothing is stored yet')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [{ days: 3, start: '22:00', stop: '23:00' }])
  await click(firstBlock())
  await click(await findByRole('button', 'Delete', await findByRole('dialog', 'Schedule')))
  await waitForBlocks()
  assert.equal(document.activeElement?.className, 'week')
})

test('each entry is beside all that it overlaps', async () => {
  const times = [
    ['08:00', '10:00'],
    ['09:00', '13:00'],
    ['11:00', '12:00'],
    ['13:00', '14:00']
  ] as const
  await store({ zone: 'UTC', rules: times.map(([start, stop]) => ({ days: 1, start, stop })) })
  await openSchedule()
  await until(() => blocks().length === 4, 'four entries')
  assert.deepEqual(
    blocks().map(({ parentElement }) => parentElement?.style.insetInlineStart),
    ['0%', '20%', '40%', '0%']
  )
})

test('the arrow keys move an entry, with Shift its end, and what they change is announced', async () => {
  await store({ zone: 'UTC', rules: [{ days: 1, start: '09:07', stop: '10:07' }] })
  const { form, save } = await openSchedule()
  await waitForBlocks('09:07–10:07')
  firstBlock().focus()
  const status = async (text: string) => {
    await waitForText(text, form)
    assert.equal(document.activeElement, firstBlock())
  }
  await press(firstBlock(), 'ArrowRight')
  await status('Tue 09:07–10:07')
  await press(firstBlock(), 'ArrowDown')
  await status('Tue 09:15–10:15')
  await press(firstBlock(), 'ArrowUp', { altKey: true })
  await status('Tue 09:10–10:10')
  await press(firstBlock(), 'ArrowDown', { shiftKey: true })
  await status('Tue 09:10–10:30')
  assert.deepEqual((await fetchChannel()).config.schedule?.rules[0]?.start, '09:07')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [{ days: 2, start: '09:10', stop: '10:30' }])
})

test('a single date that the arrow keys move out of the week takes the week with it', async () => {
  await store({ zone: 'UTC', rules: [], events: [{ start: '2099-06-01T22:00', stop: '2099-06-02T02:00' }] })
  await openSchedule()
  navigate(`${pagePath('schedule')}&week=2099-06-05`)
  await until(() => blocks().length === 2, 'both days of the date')
  await press(firstBlock(), 'ArrowLeft')
  await waitForText('2099-05-31 22:00–2099-06-01 02:00')
  await waitForBlocks('22:00–02:00')
  assert.match(location.hash, /week=2099-06-05/, 'a part of it is left in the week')
  await press(firstBlock(), 'ArrowLeft')
  await waitForText('2099-05-30 22:00–2099-05-31 02:00')
  assert.match(location.hash, /week=2099-05-30/)
  await until(() => blocks().length === 2, 'both days of the date')
  assert.equal(document.activeElement, firstBlock())
})

/** Gives each column of the week 100 x 240 pixels: a day is 100 pixels wide, an hour 10 pixels high. */
function layOutWeek(): void {
  for (const [index, column] of document.querySelectorAll<HTMLElement>('.week ol').entries())
    column.getBoundingClientRect = () => new DOMRect(index * 100, 0, 100, 240)
}

function pointer(type: string, target: EventTarget, x: number, y: number, init: PointerEventInit = {}): void {
  const options = { bubbles: true, clientX: x, clientY: y, pointerType: 'mouse', ...init }
  target.dispatchEvent(Object.assign(new MouseEvent(type, options), { pointerType: options.pointerType }))
}

test('an entry is dragged to another day and time, Escape cancels, and a finger does not drag', async () => {
  await store({ zone: 'UTC', rules: [{ days: 3, start: '09:00', stop: '10:00' }] })
  await openSchedule()
  await waitForBlocks('09:00–10:00', '09:00–10:00')
  layOutWeek()
  const box = () => {
    firstBlock().getBoundingClientRect = () => new DOMRect(0, 90, 100, 10)
    return firstBlock()
  }
  pointer('pointerdown', box(), 50, 93)
  pointer('pointermove', document, 250, 118)
  await waitForText('Tue Wed 11:30–12:30')
  await waitForBlocks('11:30–12:30', '11:30–12:30')
  await press(document.body, 'Escape')
  await waitForBlocks('09:00–10:00', '09:00–10:00')
  pointer('pointerup', document, 250, 118)
  await waitForNone('button', 'Save')
  pointer('pointerdown', box(), 50, 93, { pointerType: 'touch' })
  pointer('pointermove', document, 250, 118)
  await waitForEffects()
  assert.deepEqual(blockTexts(), ['09:00–10:00', '09:00–10:00'])
  pointer('pointerdown', box(), 50, 93)
  pointer('pointermove', document, 250, 118)
  pointer('pointerup', document, 250, 118)
  // The click that follows a drag opens nothing.
  firstBlock().click()
  await findByRole('button', 'Save')
  await waitForBlocks('11:30–12:30', '11:30–12:30')
  await waitForNone('dialog')
  assert.deepEqual((await fetchChannel()).config.schedule?.rules[0]?.days, 3)
})

test('dragging the edge of an entry changes its end, and dragging on free space adds one', async () => {
  await store({ zone: 'UTC', rules: [{ days: 1, start: '09:00', stop: '10:00' }] })
  const { save } = await openSchedule()
  await waitForBlocks('09:00–10:00')
  layOutWeek()
  firstBlock().getBoundingClientRect = () => new DOMRect(0, 90, 100, 10)
  pointer('pointerdown', firstBlock(), 50, 99)
  pointer('pointermove', document, 50, 112, { altKey: true })
  pointer('pointerup', document, 50, 112)
  await waitForBlocks('09:00–11:20')
  const [, tuesday] = document.querySelectorAll('.week ol')
  pointer('pointerdown', tuesday as Element, 150, 100)
  pointer('pointermove', document, 150, 118)
  pointer('pointerup', document, 150, 118)
  await waitForBlocks('09:00–11:20', '10:00–12:00')
  await save()
  await waitUntilSaved()
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [
    { days: 1, start: '09:00', stop: '11:20' },
    { days: 2, start: '10:00', stop: '12:00' }
  ])
})

test('times at which another channel uses the input are named before they are saved, and so are overlaps', async () => {
  const input = await addRtmpInput('Studio')
  await other.send(setChannelInput, { id: channelId, input })
  const schedule = { zone: 'UTC', rules: [{ days: 127, start: '11:00', stop: '12:00' }] }
  const { id } = await other.send(addChannel, { name: 'Sport', config: { schedule } })
  await other.send(setChannelInput, { id, input })
  await store({ zone: 'UTC', rules: [{ days: 1, start: '09:00', stop: '10:45' }] })
  const { form } = await openSchedule()
  await waitForBlocks('09:00–10:45')
  await waitForNone('article', 'Conflicts')
  await press(firstBlock(), 'ArrowDown', { shiftKey: true })
  await waitForText('Mon 09:00–11:00', form)
  await waitForNone('article', 'Conflicts')
  await press(firstBlock(), 'ArrowDown', { shiftKey: true })
  await waitForText('Mon 09:00–11:15 Conflict', form)
  await waitForText(/Input Studio .* 11:00–11:15 Sport/, await findByRole('article', 'Conflicts'))
  const monday = form.querySelector<HTMLElement>('.week ol') as HTMLElement
  monday.getBoundingClientRect = () => new DOMRect(0, -100, 100, 240)
  await click(monday)
  await waitForBlocks('09:00–11:15 Conflict Overlap', '10:00–11:00 Overlap')
})

test('a channel that was started by hand is shown until its next start', async () => {
  const day = (new Date().getUTCDay() + 6 + 2) % 7
  await store({ zone: 'UTC', rules: [{ days: 1 << day, start: '09:00', stop: '10:00' }] })
  const input = await addRtmpInput('Studio')
  await other.send(setChannelInput, { id: channelId, input })
  assert.equal((await other.send(enableChannel, { id: channelId, enable: true })).result, SUCCESS)
  await openSchedule()
  await waitForText(/–09:00 Started by hand/)
})

test('the schedule leads to the operation log of the channel, for those who may read it', async () => {
  await openSchedule()
  await click(await findByRole('link', 'Who changed it'))
  assert.equal(location.hash, `#${linkTo('logs', { channel: String(channelId) })}`)
})

test('a click into the week adds the hour, which is stored with the others', async () => {
  const { form, save } = await openSchedule()
  const [monday] = form.querySelectorAll<HTMLElement>('.week ol')
  // Without a layout, the top of the column is the first hour.
  await click(monday as HTMLElement)
  await until(() => blocks().length === 1, 'the hour')
  assert.equal(visibleText(firstBlock()), '00:00–01:00')
  assert.equal(document.activeElement, firstBlock())
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
  assert.deepEqual(queryAllByRole('link', 'Who changed it'), [])
})

test.run()
