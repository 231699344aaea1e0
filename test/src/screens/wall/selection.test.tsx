// The channels of the wall display: their selection, the pages that turn, and what is not shown to a room.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDisplay } from '../../../../contract/access/display.ts'
import { addChannel, deleteChannels, enableChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { TURN_INTERVAL } from '../../../../src/screens/wall/grid.ts'
import { navigate } from '../../../../src/state/location.ts'
import { $clockOffset, $now } from '../../../../src/ui/clock.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { addStartedChannel, FAILED, IDLE } from '../../../kit/hub/started-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channels of the wall display')

hubForEach(test)

const addNews = (name: string) => addStartedChannel(hub, name, CARRYING_LEG, [CARRYING_LEG, CARRYING_LEG])
const addLate = (name: string) => addStartedChannel(hub, name, FAILED, [IDLE, IDLE])
const names = () => [...document.querySelectorAll('.wall-tiles strong')].map((element) => element.textContent)
const waitForNames = (expected: string) =>
  until(
    () => names().join() === expected,
    () => `${expected} are shown; there are ${names().join()}`
  )

test('the address selects the channels, also those that are stopped, and problems of others are left out', async () => {
  const first = await addNews('News 1')
  await addLate('Late')
  const { id: off } = await other.send(addChannel, { name: 'Off' })
  await openConsole(hub, { at: linkTo('wall', { channels: `${first},${off}` }) })
  await waitForNames('News 1,Off')
  const problems = await findByRole('region', 'Problems')
  assert.ok(!visibleText(problems).includes('Late'))
  navigate(linkTo('wall'))
  await waitForNames('Late,News 1')
  await waitForText(/Late/, problems)
})

test('a selection whose channels are deleted says so', async () => {
  const first = await addNews('News 1')
  await openConsole(hub, { at: linkTo('wall', { channels: String(first) }) })
  await waitForNames('News 1')
  await other.send(enableChannel, { id: first, enable: false })
  await other.send(deleteChannels, { id: first })
  await waitForText('None of the selected channels exists')
})

test('channels are chosen in a dialog by name, all found at once, and the address keeps them', async () => {
  const ids = [await addNews('Hall 1'), await addNews('Hall 2')]
  await addNews('Chapel')
  const console = await openConsole(hub, { at: linkTo('wall') })
  await waitForNames('Chapel,Hall 1,Hall 2')
  await click(await findByRole('button', 'Choose channels'))
  const dialog = await findByRole('dialog', 'Choose channels')
  await waitForText('None selected: all started channels are shown.', dialog)
  await fill(dialog.querySelector('input[type=search]') as HTMLInputElement, 'hall')
  await waitForNone('checkbox', 'Chapel')
  await click(await findByRole('checkbox', 'All found', dialog))
  await waitForText('2 selected.', dialog)
  await click(await findByRole('button', 'Show', dialog))
  await waitForNames('Hall 1,Hall 2')
  assert.equal(console.currentPath(), `/wall?${new URLSearchParams({ channels: ids.join() })}`)
  await click(await findByRole('button', 'Choose channels'))
  await click(await findByRole('checkbox', 'Hall 2'))
  await click(await findByRole('button', 'Show'))
  await waitForNames('Hall 1')
})

test('a display link with a selection keeps it, and a display can choose, too', async () => {
  const id = await addNews('News')
  await addNews('Sports')
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  const console = await openConsole(hub, { user: null, at: linkTo('wall', { code, channels: String(id) }) })
  await waitForNames('News')
  assert.equal(console.currentPath(), linkTo('wall', { channels: String(id) }))
  await findByRole('button', 'Choose channels')
})

test('pages turn by the clock of the hub, never away from a channel that is down, and can be held', async () => {
  // Room for six tiles in a row.
  Object.assign(globalThis, { innerWidth: 768, innerHeight: 100 })
  await addLate('Late')
  for (const name of 'ABCDEFGH') await addNews(name)
  const console = await openConsole(hub, { at: linkTo('wall') })
  await until(() => names().length > 0, 'the tiles')
  // The clock of the page stands between two beats of its timer, which the time of the hub is added to.
  const turnTo = (page: number) => $clockOffset.set((page + 0.5) * TURN_INTERVAL - $now.get())
  turnTo(0)
  await waitForNames('Late,A,B,C,D')
  turnTo(1)
  await waitForNames('Late,E,F,G,H')
  await waitForText('Page 2 of 2')
  await click(await findByRole('button', 'Next page'))
  assert.equal(console.currentPath(), linkTo('wall', { page: '1' }))
  turnTo(1)
  await waitForNames('Late,A,B,C,D')
  const hold = await findByRole('button', 'Hold page')
  assert.equal(hold.getAttribute('aria-pressed'), 'true')
  await click(hold)
  assert.equal(console.currentPath(), linkTo('wall'))
  await waitForNames('Late,E,F,G,H')
})

test('a browser that does not keep the screen on says so once, and what to do', async () => {
  await openConsole(hub, { at: linkTo('wall') })
  const note = await findByRole('status', /The screen may go dark: over plain HTTP/)
  await waitForText('Open the wall over HTTPS, or switch off the power saving of this machine.', note)
  await click(await findByRole('button', 'Close', note))
  await waitForNone('status', /The screen may go dark/)
  navigate(linkTo('dashboard'))
  await findByRole('region', 'Channels')
  navigate(linkTo('wall'))
  await findByRole('region', 'Problems')
  assert.equal(queryAllByRole('status', /The screen may go dark/).length, 0)
})

test('over HTTPS the screen is kept on, and no notice is shown', async () => {
  const requests: string[] = []
  Object.assign(window, { isSecureContext: true })
  Object.defineProperty(navigator, 'wakeLock', {
    value: { request: async (type: string) => requests.push(type) },
    configurable: true
  })
  await openConsole(hub, { at: linkTo('wall') })
  await until(() => requests.join() === 'screen', 'the request')
  assert.equal(queryAllByRole('status', /The screen may go dark/).length, 0)
})

test.run()
