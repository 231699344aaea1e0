// The timeline on the page of a channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TIMELINE_MAX } from '../../../../contract/stream/channel-timeline.ts'
import type { NewTimelineEntry } from '../../../../hub/store/timeline.ts'
import { channelForEach, channelId, findCard, openChannelPage, pagePath } from '../../../kit/console/channel-page.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  recordClipboard,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'

const test = suite('timeline of a channel on its page')
channelForEach(test)

const NOON = Date.UTC(2026, 2, 1, 12)

/** Adds an entry at `seconds` after noon on the first of March 2026. */
function add(seconds: number, entry: Omit<NewTimelineEntry, 'channel' | 'time'>): void {
  const { store } = hub.parts
  store.database.transaction(() => store.timeline.add({ channel: channelId, time: NOON + seconds * 1000, ...entry }))
  store.changes.markChanged('timeline', channelId)
}

const lines = (card: HTMLElement) => [...card.querySelectorAll('.timeline li')].map((line) => visibleText(line))

test('entries appear without a reload, newest first, with repetitions', async () => {
  await openChannelPage(undefined, 'history')
  const card = await findCard('Timeline')
  await waitForText(/Channel added by /, card)
  const now = (Date.now() - NOON) / 1000
  for (let i = 0; i < 10; i++) add(now + i, { event: 'output-failed', subject: '1', facts: { name: 'Foyer' } })
  await waitForText(/Output “Foyer” failed\. 8 times since /, card)
  assert.match(lines(card)[0] ?? '', /^\d\d:\d\d:\d\d ?Output ?Output “Foyer” failed\. ?8 times since /)
  // The zone of the times is stated.
  assert.match(visibleText(card), /Times in \S+ \([+-]\d\d:\d\d\)/)
})

test('a link with kinds and a range shows these entries alone, and the filter can be cleared', async () => {
  add(0, { event: 'on-air' })
  add(60, { event: 'hub-started', facts: { version: '7' } })
  add(7200, { event: 'off-air' })
  const range = 'from=2026-03-01T11:00:00.000Z&to=2026-03-01T13:00:00.000Z'
  await openConsole(hub, { at: `${pagePath()}?kinds=state&${range}` })
  const card = await findCard('Timeline')
  await waitForText('On air.', card)
  assert.equal(lines(card).length, 1)
  assert.equal(queryAllByRole('button', 'State', card)[0]?.getAttribute('aria-pressed'), 'true')
  await click(await findByRole('button', 'Hub', card))
  await waitForText('Hub 7 started.', card)
  assert.match(location.hash, /kinds=state%2Csystem/)
  await click(await findByRole('button', 'Clear filters', card))
  await waitForText('Off air: stopped.', card)
  await waitForNone('button', 'Clear filters', card)
  assert.match(location.hash, /\?tab=history$/)
})

test('a filter without matches says so', async () => {
  await openConsole(hub, { at: `${pagePath()}?kinds=viewer` })
  await waitForText('No entries match this filter.', await findCard('Timeline'))
})

test('the entries shown can be copied as text with their zone, and as a link that shows the same later', async () => {
  add(0, { event: 'on-air' })
  add(60, { event: 'off-air' })
  await openConsole(hub, { at: `${pagePath()}?kinds=state` })
  const card = await findCard('Timeline')
  await waitForText('On air.', card)
  const copied = recordClipboard()
  await click(await findByRole('button', 'Copy text', card))
  const text = copied.at(-1)?.split('\n') ?? []
  assert.deepEqual([text[0], text.length], ['Timeline of News', 5])
  assert.match(text[3] ?? '', / [+-]\d\d:\d\d {2}State {2}On air\.$/)
  assert.match(text[4] ?? '', / [+-]\d\d:\d\d {2}State {2}Off air: stopped\.$/)
  await click(await findByRole('button', 'Copy link', card))
  const link = new URL(copied.at(-1) ?? '')
  const query = new URLSearchParams(link.hash.replace(/^[^?]*/, ''))
  assert.deepEqual(
    ['tab', 'kinds', 'from'].map((name) => query.get(name)),
    ['history', 'state', new Date(NOON).toISOString()]
  )
  assert.ok(Date.parse(query.get('to') ?? '') >= NOON + 60_000)
  const file = queryAllByRole('link', 'CSV', card)[0]?.getAttribute('href') ?? ''
  assert.match(file, /channel\/timeline\/file\?id=\d+&kinds=state&zone=[\w%+/-]+&format=csv$/)
})

test('older entries are shown on demand, and it is said from when on entries are missing', async () => {
  const { store } = hub.parts
  store.database.transaction(() => {
    for (let i = 0; i < TIMELINE_MAX.channel + 3; i++)
      store.timeline.add({ channel: channelId, time: NOON + i * 3_600_000, event: 'watched', subject: String(i) })
  })
  await openConsole(hub, { at: `${pagePath()}?kinds=viewer` })
  const card = await findCard('Timeline')
  await waitForText('Watched by a user in the console.', card)
  assert.equal(lines(card).length, 30)
  await waitForText(/Entries are kept for 90 days\. Entries before .* were removed/, card)
  await click(await findByRole('button', 'Show older entries', card))
  await waitForText(/(Watched[^W]*){60}/, card)
})

test.run()
