// The channels on the dashboard: their order, and how much of each is shown.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, nameOf, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { addStartedChannel, FAILED, IDLE } from '../../../kit/hub/started-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channels on the dashboard')

hubForEach(test)

const channelSection = () => findByRole('region', 'Channels')
const tilesOf = (part: ParentNode) => [...part.querySelectorAll('.tile')].map((tile) => visibleText(tile))

test('channels are tiles with verdict, cause and traffic, the worst first, and link to themselves', async () => {
  const news = await addStartedChannel(hub, 'News', CARRYING_LEG, [CARRYING_LEG, CARRYING_LEG])
  await addStartedChannel(hub, 'Late', FAILED, [IDLE, IDLE])
  await addStartedChannel(hub, 'Half', CARRYING_LEG, [CARRYING_LEG, FAILED])
  await other.send(addChannel, { name: 'Off' })
  await openConsole(hub)
  const channels = await channelSection()
  await waitForText('All 4 Down 1 Degraded 1 Waiting 0 On air 1 Stopped 1', channels)
  await until(() => tilesOf(channels).length === 4, 'four tiles')
  const [late = '', half = '', onAir = '', off = ''] = tilesOf(channels)
  assert.match(late, /Late Down/)
  assert.match(half, /Half Degraded .*1 of 2 outputs failed.* 4\.2 Mbps · 1 of 2 outputs on air/)
  assert.match(onAir, /News On air .*4\.2 Mbps · 2 of 2 outputs on air/)
  assert.match(off, /Stopped Off Stopped/)
  const link = (await findByRole('link', 'News', channels)) as HTMLAnchorElement
  assert.equal(link.hash, `#/stream/channel/detail/${news}`)
  await other.send(enableChannel, { id: news, enable: false })
  await waitForText('All 4 Down 1 Degraded 1 Waiting 0 On air 0 Stopped 2', channels)
})

test('the order is down, degraded, waiting, on air, stopped, then names with their numbers as numbers', async () => {
  for (const name of ['Channel 10', 'Channel 2']) {
    await other.send(addChannel, { name: `Off ${name}` })
    await addStartedChannel(hub, `Air ${name}`, CARRYING_LEG, [CARRYING_LEG, CARRYING_LEG])
    await addStartedChannel(hub, `Half ${name}`, CARRYING_LEG, [CARRYING_LEG, FAILED])
    await addStartedChannel(hub, `Down ${name}`, FAILED, [IDLE, IDLE])
    await addStartedChannel(hub, `Soon ${name}`, IDLE, [IDLE, IDLE])
  }
  await openConsole(hub)
  const channels = await channelSection()
  const names = () => queryAllByRole('link', /Channel/, channels).map(nameOf)
  await until(() => names().length === 10, 'ten tiles')
  assert.deepEqual(
    names(),
    ['Down', 'Half', 'Soon', 'Air', 'Off'].flatMap((state) => [`${state} Channel 2`, `${state} Channel 10`])
  )
})

test('the density is chosen, kept in the address, and remembered', async () => {
  await addStartedChannel(hub, 'Half', CARRYING_LEG, [CARRYING_LEG, FAILED])
  await addStartedChannel(hub, 'News', CARRYING_LEG, [CARRYING_LEG, CARRYING_LEG])
  const console = await openConsole(hub)
  const density = await findByRole('group', 'Density')
  const pressed = () =>
    queryAllByRole('button', undefined, density)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map(nameOf)
  const tiles = async () => tilesOf(await channelSection())
  assert.deepEqual(pressed(), ['Tiles'])
  await until(async () => /4\.2 Mbps · 2 of 2/.test((await tiles())[1] ?? ''), 'the traffic of a tile')
  await click(await findByRole('button', 'Rows', density))
  assert.equal(console.currentPath(), '/dashboard?density=rows')
  assert.deepEqual(pressed(), ['Rows'])
  const [half = '', news = ''] = await tiles()
  assert.match(half, /^Half Degraded .*1 of 2 outputs failed/)
  assert.match(news, /^News On air/)
  assert.doesNotMatch(news, /Mbps/)
  assert.equal(queryAllByRole('meter', /Audio/).length, 0)
  navigate(linkTo('dashboard'))
  await until(() => pressed().join() === 'Rows', 'the remembered density')
  navigate(linkTo('dashboard', { density: 'small' }))
  await until(() => pressed().join() === 'Small', 'the density of the address')
  assert.match((await tiles())[0] ?? '', /Half Degraded .*1 of 2 outputs failed/)
})

test('chips show the channels of one state, and the address keeps that', async () => {
  await addStartedChannel(hub, 'Late', FAILED, [IDLE, IDLE])
  await addStartedChannel(hub, 'News', CARRYING_LEG, [CARRYING_LEG, CARRYING_LEG])
  const console = await openConsole(hub)
  const channels = await channelSection()
  const names = () => queryAllByRole('link', undefined, channels).map(nameOf)
  await until(() => names().join() === 'Late,News', 'all channels')
  await click(await findByRole('button', 'On air 1', channels))
  assert.equal(console.currentPath(), '/dashboard?state=on-air')
  assert.deepEqual(names(), ['News'])
  await click(await findByRole('button', 'Stopped 0', channels))
  await waitForText('No channel is in this state', channels)
  navigate(linkTo('dashboard', { state: 'down' }))
  await until(() => names().join() === 'Late', 'the channel that is down')
  await click(await findByRole('button', 'All 2', channels))
  assert.equal(console.currentPath(), '/dashboard')
})

for (const [count, expected] of [
  [12, 'tiles'],
  [13, 'small'],
  [60, 'small'],
  [61, 'rows']
] as const)
  test(`${count} channels are shown as ${expected} until the user chooses`, async () => {
    for (let index = 1; index <= count; index++) await other.send(addChannel, { name: `Channel ${index}` })
    await openConsole(hub)
    const list = () => document.querySelector<HTMLElement>('main .tiles')
    await until(() => list()?.children.length === count, 'the channels')
    assert.equal(list()?.dataset.density, expected)
  })

test('without channels the page says what they are, and opens the dialog that adds one', async () => {
  await openConsole(hub)
  const channels = await channelSection()
  await waitForText('No channels', channels)
  await click(await findByRole('link', 'Add channel', channels))
  await findByRole('dialog', 'Add channel')
  assert.equal(location.hash, '#/stream/channels', 'it is opened once')
})

test('a user who may not add a channel is told who can', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { user: 'viewer' })
  await waitForText('Ask an administrator to add one.', await channelSection())
  assert.equal(queryAllByRole('link', 'Add channel').length, 0)
})

test.run()
