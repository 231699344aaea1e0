import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { setDeviceSecurity } from '../../../../contract/device/device.ts'
import { enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import {
  addDevices,
  addNamedChannel,
  addSrtOutput,
  chooseFromMenu,
  findForm,
  listedChannels,
  openAddInput,
  openChannelList,
  startLiveChannel,
  storedOutputs
} from '../../../kit/console/channel-list.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow, rowNames } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { IDLE } from '../../../kit/hub/started-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel list')

hubForEach(test)

test('the empty list explains channels and has an add button', async () => {
  await openChannelList()
  await waitForText('No channels yet')
  await waitForText(/one input to many outputs/)
  assert.equal(queryAllByRole('button', 'Add channel').length, 2)
  await click(queryAllByRole('button', 'Add channel')[1] as HTMLElement)
  const { dialog } = await findForm('Add channel', 'Add channel')
  await waitForFocus('Name')
  await click(await findByRole('button', 'Cancel', dialog))
  await waitForNone('dialog')
  assert.deepEqual(await listedChannels(), [])
})

test('a channel is started and stopped; without clients there is no confirmation', async () => {
  await addNamedChannel('News')
  await openChannelList()
  await click(await buttonInRow('News', /^Start/))
  await waitForText('Waiting for incoming stream', await findRow('News'))
  await buttonInRow('News', /^Stop/)
  assert.equal((await listedChannels())[0]?.config.enable, true)
  await waitForText('1/256 channels, 1/64 started, 0 with media')
  await click(await buttonInRow('News', /^Stop/))
  await waitForText('Stopped', await findRow('News'))
  assert.equal(queryAllByRole('dialog').length, 0)
  assert.equal((await listedChannels())[0]?.config.enable, false)
})

test('a live channel shows its rate and for how long it has been on air; a stopped one shows neither', async () => {
  const { id, output } = await startLiveChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: CARRYING_LEG })
  await openChannelList()
  for (const word of ['On air', 'Hall 1', '4.20 Mbps', '1 of 1 on air']) await waitForText(word, await findRow('News'))
  await waitForText(/\d s\b/, await findRow('News'))
  // The media of the input is older than the time on air.
  assert.doesNotMatch(visibleText(await findRow('News')), /1 h 2 min/)
  await waitForText('1/256 channels, 1/64 started, 1 with media')
  await other.send(enableChannel, { id, enable: false })
  await waitForText('Stopped', await findRow('News'))
  await until(() => !visibleText().includes('bps'), 'no rate')
  await waitForText('0 of 1 on air', await findRow('News'))
  assert.ok(!/\d (h|min|s)\b/.test(visibleText(await findRow('News'))), visibleText(await findRow('News')))
  await waitForText('1/256 channels, 0/64 started, 0 with media')
})

test('stopping asks for confirmation only if the channel is on air', async () => {
  const { id, output } = await startLiveChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: CARRYING_LEG })
  await openChannelList()
  await waitForText('1 of 1 on air', await findRow('News'))
  await click(await buttonInRow('News', /^Stop/))
  const question = await findByRole('dialog', 'Channels are interrupted')
  await waitForText('News goes off air. Outputs: Hall screen.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.equal((await listedChannels())[0]?.config.enable, true)
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: IDLE })
  await waitForText('0 of 1 on air', await findRow('News'))
  await click(await buttonInRow('News', /^Stop/))
  await waitForText('Stopped', await findRow('News'))
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('a failed input is shown with its reason', async () => {
  const { id, output } = await startLiveChannel()
  const reason = 'said the address is taken'
  setObservedChannel(
    hub,
    id,
    { ...IDLE, state: SOURCE_STATE.failed, connState: CONNECTION_STATE.notAuthorized, reason: 'wrong-passphrase' },
    { [output]: { ...IDLE, state: SOURCE_STATE.failed, connState: CONNECTION_STATE.creationFailed, reason } }
  )
  await openChannelList()
  await waitForText('Down', await findRow('News'))
  await waitForText('wrong passphrase', await findRow('News'))
  assert.ok(!visibleText(await findRow('News')).includes('bps'))
  await click(await buttonInRow('News', 'Details: News'))
  await waitForText('The address is taken')
  setLanguage('zh')
  await waitForText('流程序提示：the address is taken')
})

test('several channels are started, stopped and deleted at once', async () => {
  for (const name of ['A', 'B', 'C']) await addNamedChannel(name)
  await openChannelList()
  await findRow('C')
  const tick = async (name: string) => click(await findByRole('checkbox', `Select ${name}`))
  const act = async (verb: string) => click(await findByRole('button', verb, await findByRole('toolbar', 'Actions')))
  await tick('A')
  await tick('B')
  await act('Start 2 items')
  await waitForNone('toolbar')
  await waitForText('3/256 channels, 2/64 started, 0 with media')
  await click(await findByRole('checkbox', 'Select all'))
  await act('Stop 3 items')
  await waitForNone('toolbar')
  await waitForText('3/256 channels, 0/64 started, 0 with media')
  await tick('A')
  await tick('C')
  await act('Delete 2 items')
  await until(() => rowNames().join() === 'B', 'one channel')
  assert.deepEqual(
    (await listedChannels()).map(({ name }) => name),
    ['B']
  )
})

test('counts are shown with the limits of the licence; at a limit the buttons give the reason', async () => {
  const used = await addNamedChannel('News')
  await addSrtOutput(used, 'Hall screen', 9001)
  await addNamedChannel('Sport')
  await other.send(enableChannel, { id: used, enable: true })
  const { settings } = hub.parts.store
  settings.set('license-limits', {
    ...settings.get('license-limits'),
    'max-channel-count': 4,
    'max-live-count': 1,
    'max-output-count': 3,
    'max-srt-count': 2
  })
  await openChannelList()
  await waitForText('2/4 channels, 1/1 started, 0 with media, 1/3 outputs on, 1/2 SRT servers')
  const start = await buttonInRow('Sport', /^Start/)
  const add = await findByRole('button', 'Add channel')
  await until(() => start.dataset.tip === 'Streaming channels: 1, the license allows 1', 'the reason')
  assert.deepEqual([start.getAttribute('aria-disabled'), add.dataset.tip], ['true', undefined])
  await addNamedChannel('Choir')
  await addNamedChannel('Organ')
  await until(() => add.dataset.tip === 'Channels: 4, the license allows 4', 'the reason')
})

test('tiles are ordered by name, show state and rate, and can be selected and started', async () => {
  const [device = 0] = await addDevices(1)
  const id = await addNamedChannel('News')
  await addNamedChannel('Choir')
  await other.send(setChannelInput, { id, input: device })
  await other.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG)
  const console = await openChannelList()
  await click(await findByRole('button', 'Pictures'))
  assert.equal(console.currentPath(), '/stream/channels?view=view')
  const tiles = () => queryAllByRole('listitem').filter((item) => item.querySelector('.caption'))
  await until(() => tiles().length === 2, 'two tiles')
  const [choir, news] = tiles() as [HTMLElement, HTMLElement]
  for (const word of ['Choir', 'Stopped']) await waitForText(word, choir)
  for (const word of ['News', 'On air', '4.2 Mbps · No outputs']) await waitForText(word, news)
  assert.equal((await findByRole<HTMLAnchorElement>('link', 'News', news)).hash, `#/stream/channel/detail/${id}`)
  await click(await findByRole('checkbox', 'Select Choir'))
  await click(await findByRole('button', 'Start', await findByRole('toolbar', 'Actions')))
  await waitForText('Waiting for incoming stream', choir)
  await click(await findByRole('button', 'Pictures'))
  await findRow('Choir')
})

test('rows are compact if the user chooses it, by the address or the last choice of the browser', async () => {
  await addNamedChannel('Choir')
  const console = await openChannelList()
  const isCompact = async () => (await findRow('Choir')).closest('table')?.hasAttribute('data-compact')
  assert.equal(await isCompact(), false)
  await click(await findByRole('button', 'Compact rows'))
  assert.equal(console.currentPath(), '/stream/channels?view=compact')
  assert.equal(await isCompact(), true)
  assert.equal((await findByRole('button', 'Compact rows')).getAttribute('aria-pressed'), 'true')
  await closeConsole()
  await openChannelList()
  assert.equal(await isCompact(), true, 'the browser remembers it')
  navigate('/stream/channels?view=list')
  await until(async () => !(await isCompact()), 'the address decides')
})

test('on a phone channels are tiles until the user chooses the table', async () => {
  await addNamedChannel('Choir')
  document.documentElement.style.setProperty('--size', 'xxs')
  try {
    await openChannelList()
    await click(await findByRole('button', 'Filters and actions'))
    assert.equal((await findByRole('button', 'Pictures')).getAttribute('aria-pressed'), 'true')
    await findByRole('button', 'Start: Choir')
    await click(await findByRole('button', 'Pictures'))
    await findRow('Choir')
  } finally {
    document.documentElement.style.removeProperty('--size')
  }
})

test('a channel that is not on air is deleted without a question; its input and outputs are kept', async () => {
  const id = await addNamedChannel('News')
  const source = await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  await other.send(setChannelInput, { id, input: source.id })
  await addSrtOutput(id, 'Hall screen', 9001)
  await openChannelList()
  await click(await buttonInRow('News', 'Actions: News'))
  await click(await findByRole('menuitem', 'Delete'))
  await waitForText('No channels yet')
  assert.deepEqual(await listedChannels(), [])
  assert.equal((await other.send(listInputs, {})).list.length, 1)
  assert.equal(storedOutputs().length, 1)
})

test('the settings of a channel in the list open the tab on its page', async () => {
  const id = await addNamedChannel('News')
  const console = await openChannelList()
  await chooseFromMenu('News', 'Settings')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Name')).value, 'News')
  assert.equal(console.currentPath(), linkTo('channelDetail', { channelId: String(id), tab: 'settings' }))
})

test('the input is changed to another device, to a new URL, and to none', async () => {
  const [first = 0, second = 0] = await addDevices(2)
  const id = await addNamedChannel('News')
  await other.send(setChannelInput, { id, input: first })
  await openChannelList()
  const change = async () => {
    await chooseFromMenu('News', 'Change input')
    return findForm('Change input: News', 'Change input')
  }
  let { list, send } = await change()
  const devices = await list('Device or input')
  await findByRole('option', /Hall 2/, devices)
  assert.equal(devices.value, String(first), 'the present one is chosen')
  await selectOption(devices, /Hall 2/)
  await send()
  await waitForNone('dialog')
  await waitForText('Hall 2', await findRow('News'))
  assert.equal((await listedChannels())[0]?.input?.id, second)

  await other.send(addInput, { name: 'Studio', config: { type: 1, url: 'rtmp://192.0.2.20/live/x' } })
  ;({ send } = await change())
  const input = await openAddInput()
  await fill(await input.field('Name'), 'Studio')
  await fill(await input.field('Address'), 'rtsp://192.0.2.20/one')
  await input.send()
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'The name already exists')))
  await waitForFieldMessage(await input.field('Name'), 'The name already exists')
  await fill(await input.field('Name'), 'Studio 2')
  await input.send()
  await waitForNone('dialog', 'Add input')
  await send()
  await waitForNone('dialog')
  await waitForText('Studio 2', await findRow('News'))
  assert.equal((await listedChannels())[0]?.input?.addr, 'rtsp://192.0.2.20:554/****')

  await other.send(addInput, { name: 'Foyer', config: { type: 1, url: 'ntkndi://ndi?name=FOYER' } })
  ;({ list, send } = await change())
  await selectOption(await list('Device or input'), 'NDI · Foyer')
  await send()
  await waitForNone('dialog')
  await waitForText('Foyer', await findRow('News'))

  ;({ list, send } = await change())
  await selectOption(await list('Device or input'), 'None')
  await send()
  await waitForNone('dialog')
  await waitForText('None', await findRow('News'))
  assert.equal((await listedChannels())[0]?.input, null)
})

test('a channel deleted by another user is reported as deleted', async () => {
  const id = await addNamedChannel('News')
  const console = await openChannelList()
  await findRow('News')
  console.muteFeed()
  hub.parts.store.channels.remove(id)
  hub.parts.applyChannel(id)
  await click(await buttonInRow('News', /^Start/))
  await findByRole('alert', /^This configuration has been deleted by another user\./)
  await waitForText('No channels yet')
})

test('a search is kept in the URL and after a reload', async () => {
  for (const name of ['Evening service', 'News', 'Late news']) await addNamedChannel(name)
  const console = await openChannelList()
  const box = await findByRole('textbox', 'Search')
  await fill(box, 'news')
  await press(box, 'Enter')
  await until(() => rowNames().join() === 'Late news,News', 'two channels')
  assert.equal(console.currentPath(), '/stream/channels?key=news')
  navigate(linkTo('channels', { key: 'service' }))
  await until(() => rowNames().join() === 'Evening service', 'one channel')
  const [, news] = await listedChannels()
  await other.send(setChannelInput, { id: news?.id ?? 0, input: (await addDevices(1))[0] ?? 0 })
  await addSrtOutput((await listedChannels())[2]?.id ?? 0, 'Hall screen', 9001)
  await fill(box, 'hall')
  await press(box, 'Enter')
  await until(() => rowNames().join() === 'Late news,News', 'the channels with that input and that output')
  await other.send(enableChannel, { id: news?.id ?? 0, enable: true })
  await fill(box, 'stopped')
  await press(box, 'Enter')
  await until(() => rowNames().join() === 'Evening service,News', 'the channels in that state')
  await fill(box, 'zzz')
  await press(box, 'Enter')
  await waitForText('Nothing found')
})

test('a user with permission only to view channels sees everything and can change nothing', async () => {
  await addSrtOutput(await addNamedChannel('News'), 'Hall screen', 9001)
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  const console = await openConsole(hub, { user: 'viewer', at: ROUTES.channels })
  await click(await buttonInRow('News', 'Details: News'))
  await waitForText('Hall screen')
  const requests: string[] = []
  console.intercept = (path) => void (/add|set|del|enable/.test(path) && requests.push(path))
  for (const name of ['Add channel', /^Start/, /^Delete: News/, 'Add output', /^Remove: Hall/])
    await waitForNone('button', name)
  await click(await buttonInRow('News', 'Actions: News'))
  const items = queryAllByRole('menuitem')
  // The settings are available read-only.
  assert.deepEqual(items.map(nameOf), ['Settings'])
  await click(items[0] as HTMLElement)
  await waitForText('You can view these settings.')
  await waitForNone('button', 'Save')
  assert.deepEqual(requests, [])
})

test('a user with permission to control channels starts and stops them, and edits nothing', async () => {
  await addNamedChannel('News')
  await addUser(hub, 'operator', CHANNEL_VIEW | CHANNEL_CONTROL)
  await openConsole(hub, { user: 'operator', at: ROUTES.channels })
  await click(await buttonInRow('News', /^Start/))
  await buttonInRow('News', /^Stop/)
  await waitForNone('button', /^Delete/)
  assert.equal((await listedChannels())[0]?.config.enable, true)
})

test('an input that the user has no access to is shown as hidden, without its name', async () => {
  const [device = 0] = await addDevices(1)
  const id = await addNamedChannel('Studio')
  await other.send(setChannelInput, { id, input: device })
  const { sn } = helloOf(1)
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.channels })
  await waitForText('Hall 1', await findRow('Studio'))
  const security = { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 }
  assert.equal((await other.send(setDeviceSecurity, { sn, security })).result, SUCCESS)
  await waitForText('Device of other users', await findRow('Studio'))
  assert.ok(!visibleText(document.body).includes('Hall 1'))
})

test.run()
