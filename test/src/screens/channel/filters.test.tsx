import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { enableChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { currentLink, navigate } from '../../../../src/state/location.ts'
import { addNamedChannel, openChannelList } from '../../../kit/console/channel-list.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, nameOf, press, queryAllByRole, waitForText } from '../../../kit/console/page.ts'
import { findRow, rowNames } from '../../../kit/console/table-rows.ts'
import { until } from '../../../kit/until.ts'

const test = suite('filters of the channel list')

hubForEach(test)

const chips = async () => queryAllByRole('button', undefined, await findByRole('group', 'State')).map(nameOf)

test('channels are filtered by state, with the counts of the others, and the URL keeps the choice', async () => {
  for (const name of ['Studio 10', 'Studio 2', 'Hall']) await addNamedChannel(name)
  const id = await addNamedChannel('News')
  await other.send(enableChannel, { id, enable: true })
  await openChannelList()
  await findRow('News')
  assert.deepEqual(await chips(), ['All 4', 'Down 0', 'Degraded 0', 'Waiting 1', 'On air 0', 'Stopped 3'])
  const group = await findByRole('group', 'State')
  await click(await findByRole('button', 'Stopped 3', group))
  await until(() => rowNames().length === 3, 'the stopped channels')
  assert.deepEqual(rowNames(), ['Hall', 'Studio 2', 'Studio 10'])
  assert.equal(currentLink(), linkTo('channels', { state: 'stopped' }))
  const box = await findByRole('textbox', 'Search')
  await fill(box, 'studio')
  await press(box, 'Enter')
  await until(() => rowNames().length === 2, 'the stopped channels that match')
  assert.deepEqual(await chips(), ['All 2', 'Down 0', 'Degraded 0', 'Waiting 0', 'On air 0', 'Stopped 2'])
  navigate(linkTo('channels', { state: 'waiting' }))
  await until(() => rowNames().join() === 'News', 'the channel that waits')
  assert.equal((await findByRole('button', 'Waiting 1')).getAttribute('aria-pressed'), 'true')
  await click(await findByRole('button', 'Waiting 1'))
  await until(() => rowNames().length === 4, 'all channels')
  assert.equal(currentLink(), linkTo('channels'))
})

test('a filter that no channel matches says so', async () => {
  await addNamedChannel('News')
  await openConsole(hub, { at: linkTo('channels', { state: 'down' }) })
  await waitForText('Nothing found')
  await click(await findByRole('button', 'All 1'))
  await findRow('News')
})

test.run()
