// The charts of a channel's history on its page.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS, UNKNOWN_ERROR } from '../../../../contract/codes.ts'
import { type ChannelSeries, channelSeries } from '../../../../contract/stream/channel-series.ts'
import { channelForEach, channelId, findCard, pagePath } from '../../../kit/console/channel-page.ts'
import { openConsole, type TestConsole } from '../../../kit/console/console.ts'
import { hub } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  press,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('history of a channel on its page')
channelForEach(test)

const NOON = Date.UTC(2026, 2, 1, 12)

/** Four intervals of a minute: on air, a gap, half a minute down, on air. */
const SERIES: ChannelSeries = {
  start: NOON,
  step: 60_000,
  columns: {
    'kbps-in': [4000, null, 2000, 4200],
    'kbps-in-min': [3900, null, 0, 4100],
    'kbps-in-max': [4100, null, 4000, 4300],
    lost: [0, null, 12, 0],
    viewers: [0, null, 3, 1],
    observed: [60, null, 60, 60],
    'on-air': [60, null, 30, 60],
    degraded: [0, null, 0, 0],
    down: [0, null, 30, 0],
    stopped: [0, null, 0, 0]
  }
}

const history = (query = '') => `${pagePath()}?tab=history${query}`

/** Opens the history, for which the hub answers with these values. @returns the requests for them */
async function openHistory(
  query = '',
  answer: object = { result: SUCCESS, ...SERIES }
): Promise<{ console: TestConsole; requests: string[]; card: HTMLElement }> {
  const requests: string[] = []
  const console = await openConsole(hub, { at: pagePath() })
  console.intercept = (path) => {
    if (!path.includes(channelSeries.path)) return undefined
    requests.push(path)
    return Response.json(answer)
  }
  location.hash = `#${history(query)}`
  return { console, requests, card: await findCard('Measured values') }
}

test('the states, bit rates and losses of the period are listed as text', async () => {
  const { card } = await openHistory()
  for (const fact of [
    'On air 83.3 % (2 min 30 s)',
    'Down 16.6 % (30 s)',
    'Not recorded 1 min',
    'Input lowest 0 kbps, mean 3.4 Mbps, highest 4.3 Mbps',
    'Lost packets 12',
    'Most viewers 3'
  ])
    await waitForText(fact, card)
  assert.doesNotMatch(visibleText(card), /Stopped|Degraded|Continuity errors/)
})

test('a gap is a gap in the curve, in the area of lowest and highest values, and in the band of states', async () => {
  const { card } = await openHistory()
  const chart = await findByRole<HTMLElement>('img', 'Bit rate and state', card)
  assert.equal(chart.querySelector('.curve')?.getAttribute('d'), 'M0 -4000h0M2 -2000L3 -4200')
  assert.equal(chart.querySelector('.area[data-series="0"]')?.getAttribute('d'), 'M2 -4000L3 -4300L3 -4100L2 0Z')
  const rects = [...card.querySelectorAll('.band rect')].map((rect) => [
    rect.getAttribute('data-tone'),
    rect.getAttribute('x'),
    rect.getAttribute('width'),
    rect.getAttribute('height')
  ])
  // Half of the third interval is down: as high as its share, over the state of the other half.
  assert.deepEqual(rects, [
    ['good', '0', '1', '0.5'],
    ['good', '2', '2', '0.5'],
    ['bad', '2', '1', '0.5']
  ])
})

test('the keys select an interval, with its values, state, time and what happened then', async () => {
  const { store } = hub.parts
  store.database.transaction(() =>
    store.timeline.add({ channel: channelId, time: NOON + 125_000, event: 'output-failed', facts: { name: 'Foyer' } })
  )
  const { card } = await openHistory(`&until=${new Date(NOON + 240_000).toISOString()}`)
  const chart = await findByRole<HTMLElement>('img', 'Bit rate and state', card)
  await until(
    () => chart.querySelector('.mark[data-tone=bad]')?.getAttribute('d')?.startsWith('M2 ') ?? false,
    'a mark'
  )
  await press(chart, 'End')
  await waitForText(/Input 4\.2 Mbps .*On air/, card)
  await press(chart, 'ArrowLeft')
  await waitForText(/Input 2 Mbps .*Down for 30 s of 1 min ?Output “Foyer” failed\./, card)
  await press(chart, 'Home')
  await press(chart, 'ArrowRight')
  await waitForText(/Input – .*Not recorded/, card)
})

test('the period is in the URL, and can be moved to earlier times and back', async () => {
  const { console, requests, card } = await openHistory('&period=week')
  await until(() => requests.at(-1)?.includes('span=604800') ?? false, 'a week')
  const periods = await findByRole('group', 'Period', card)
  await click(await findByRole('button', 'Hour', periods))
  await until(() => requests.at(-1)?.includes('span=3600&points=480') ?? false, 'an hour')
  assert.match(console.currentPath(), /period=hour/)
  assert.equal(queryAllByRole('button', 'Later', card).length, 0)
  await click(await findByRole('button', 'Earlier', card))
  await until(() => /&to=\d+$/.test(requests.at(-1) ?? ''), 'the hour before')
  const to = Number(requests.at(-1)?.split('to=')[1])
  assert.ok(Math.abs(Date.now() - 3_600_000 - to) < 60_000)
  const file = await findByRole<HTMLAnchorElement>('link', 'CSV', card)
  assert.match(file.href, new RegExp(`/channel/series/file\\?id=${channelId}&span=3600&to=${to}$`))
  await click(await findByRole('button', 'Now', card))
  await until(() => !requests.at(-1)?.includes('to='), 'the last hour')
  assert.doesNotMatch(console.currentPath(), /until/)
})

test('a period without values, a paused recording, and a failure say so', async () => {
  const empty = await openHistory('', { result: SUCCESS, start: NOON, step: 60_000, columns: {}, pause: 'disk-full' })
  await waitForText('Nothing was recorded in this period.', empty.card)
  await waitForText('Recording is paused: the disk of the hub is full. Free some space.', empty.card)
})

test('a fault that is short for its period is named, and a sample that was late is not', async () => {
  const observed = [86_400, 86_400, 86_380, 86_400]
  const columns = {
    observed,
    'on-air': observed.map((seconds, index) => (index === 1 ? seconds - 20 : seconds)),
    down: [0, 20, 0, 0]
  }
  const { card } = await openHistory('&period=year', { result: SUCCESS, ...SERIES, step: 86_400_000, columns })
  await waitForText('Down < 0.1 % (20 s)', card)
  await waitForText(/On air 99\.9 %/, card)
  assert.doesNotMatch(visibleText(card), /Not recorded/)
})

test('a request that fails can be repeated', async () => {
  const { card } = await openHistory('', { result: UNKNOWN_ERROR })
  await findByRole('button', 'Retry', card)
})

test('the hub records the channel, and the page shows it', async () => {
  await openConsole(hub, { at: history('&period=hour') })
  await waitForText(/Stopped 100 % \(/, await findCard('Measured values'))
})

test('a hub without the call shows no charts', async () => {
  await openConsole(hub, { at: history(), hasDocumentedCallsOnly: true })
  await findByRole('link', 'History')
  await waitForNone('article', 'Measured values')
})

test.run()
