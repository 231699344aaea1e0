import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { setSettings } from '../../../../contract/settings.ts'
import {
  addChannelOutputs,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import {
  CONNECTION_STATE,
  HTTP,
  INPUT_PUBLISHER,
  OUTPUT_PLAYER,
  RTMP,
  SOURCE_STATE,
  SRT
} from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, setInput } from '../../../../contract/stream/source.ts'
import { linkTo } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  fetchChannel,
  findCard,
  openChannelPage,
  setObserved
} from '../../../kit/console/channel-page.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  recordClipboard,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel detail')

channelForEach(test)

test('the page shows the name of a channel, its state, its input and its outputs', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  const output = await addSrtOutput('Foyer', 9001)
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG, { [output]: CARRYING_LEG })
  await openChannelPage()
  await waitForText(/On air for \d+ s/)
  const inputs = await findCard('Inputs')
  for (const word of ['Studio', 'On air', 'Main · RTMP · rtmp://192.0.2.20:1935/live/****', '4.2 Mbps'])
    await waitForText(word, inputs)
  const outputs = await findCard('Outputs')
  for (const word of ['1 of 1 on air', 'Foyer', 'srt://hub.test:9001', 'On air', '4.2 Mbps'])
    await waitForText(word, outputs)
})

test('a failure is shown with its cause in the language of the user', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved({
    ...CARRYING_LEG,
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.notAuthorized,
    reason: 'wrong-passphrase'
  })
  const [reason = ''] = (await fetchChannel()).input?.health?.message?.split('\n') ?? []
  assert.ok(reason)
  await openChannelPage()
  await waitForText('Down')
  await waitForText(reason, await findCard('Inputs'))
  setLanguage('zh')
  await waitForText('中断')
  await until(() => !visibleText().includes(reason), 'the other language')
})

test('while all outputs have failed, the input is not called on air', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  const output = await addSrtOutput('Foyer', 9001)
  await other.send(enableChannel, { id: channelId, enable: true })
  const failed = { ...CARRYING_LEG, state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused }
  setObserved(CARRYING_LEG, { [output]: failed })
  await openChannelPage()
  await waitForText('Off air')
  const inputs = await findCard('Inputs')
  await waitForText('Receiving', inputs)
  assert.doesNotMatch(visibleText(inputs), /On air/)
})

test('the dialog of the first backup warns of no interruption, because there is none, while the channel is on air', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  await openChannelPage()
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG)
  await waitForText(/On air for \d+ s/)
  await click(await findByRole('button', 'Add backup'))
  assert.doesNotMatch(visibleText(await findByRole('dialog')), /interrupt|restart/)
})

test('what arrives is shown, and the parts that differ from the configuration', async () => {
  const config = { type: 1, url: 'udp://:5004', program: 2 } as const
  const { id } = await other.send(addInput, { name: 'Mux', config })
  await other.send(setChannelInput, { id: channelId, input: id })
  await other.send(enableChannel, { id: channelId, enable: true })
  const video = { codec: 'H.264', profile: 'High', width: 1280, height: 720, fps: 25 }
  setObserved({ ...CARRYING_LEG, format: { video, audio: [], program: 1, programs: 3 } })
  await openChannelPage()
  await waitForText('H.264 High, 720p25 Differs. Configured: program 2', await findCard('Inputs'))
  await other.send(setInput, { id, name: 'Mux', config: { ...config, program: 1 } })
  await until(() => !visibleText().includes('Differs'), 'no difference')
})

test('a channel is started and stopped, its input is changed, and an output is added', async () => {
  await addRtmpInput('Studio')
  await openChannelPage()
  await click(await findByRole('button', 'Start'))
  await findByRole('button', 'Stop')
  assert.equal((await fetchChannel()).config.enable, true)
  await click(await findByRole('button', 'Stop'))
  await findByRole('button', 'Start')
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Change input'))
  await selectOption(await findByRole('combobox', 'Device or input'), 'RTMP · Studio')
  await click(await findByRole('button', 'Change input', await findByRole('dialog')))
  await waitForNone('dialog')
  await waitForText('Studio', await findCard('Inputs'))
  await click(await findByRole('button', 'Add output'))
  const dialog = await findByRole('dialog', 'Add output: News')
  await selectOption(await findByRole('combobox', 'Protocol', dialog), 'HLS')
  await click(await findByRole('button', 'Add output', dialog))
  await waitForNone('dialog')
  await waitForText('News 1', await findCard('Outputs'))
})

test('an existing output is added to a channel, and removed without being deleted', async () => {
  const config = { mode: 'listener', 'bind-port': 9001 } as const
  await other.send(addOutput, { name: 'Foyer', protocol: SRT, config })
  await openChannelPage()
  const outputs = await findCard('Outputs')
  await click(await findByRole('button', 'Saved output', outputs))
  await click(await findByRole('menuitem', 'Foyer'))
  await waitForText('srt://hub.test:9001', outputs)
  await waitForNone('button', 'Saved output', outputs)
  assert.deepEqual(
    (await fetchChannel()).outputs.list.map(({ name }) => name),
    ['Foyer']
  )
  await click(await findByRole('button', 'Remove: Foyer', outputs))
  await findByRole('button', 'Saved output', outputs)
  assert.equal((await fetchChannel()).outputs.total, 0)
  assert.equal(hub.parts.store.sources.outputs().length, 1)
})

test('the URL of an output is copied with its key, which is not shown', async () => {
  const output = await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'hall-key' } })
  await other.send(addChannelOutputs, { id: channelId, outputs: [output.id] })
  await openChannelPage()
  const outputs = await findCard('Outputs')
  await waitForText('/hls/****/index.m3u8', outputs)
  const copied = recordClipboard()
  await until(() => {
    queryAllByRole('button', /^Copy/, outputs)[0]?.click()
    return copied.at(-1) === `${location.origin}/hls/hall-key/index.m3u8`
  }, 'its key')
  assert.ok(!document.body.innerHTML.includes('hall-key'))
})

test('the keys can be copied alone and in the URLs of both protocols, and are not shown', async () => {
  const { 'push-key': push = '', 'play-key': play = '' } = (await fetchChannel()).config
  const { engine } = hub.parts
  engine.observePorts = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await openChannelPage()
  const keysCard = await findCard('Ingest and playback')
  await waitForText('Ingest: RTMP rtmp://hub.test:1935/live/****', keysCard)
  const copied = recordClipboard()
  for (const button of queryAllByRole('button', /^Copy/, keysCard)) await click(button)
  assert.deepEqual(copied, [
    `rtmp://hub.test:1935/live/${push}`,
    `srt://hub.test:8000?streamid=publish.srt/live/${push}`,
    push,
    `rtmp://hub.test:1935/live/${play}`,
    `srt://hub.test:8000?streamid=play.srt/live/${play}`,
    play
  ])
  assert.ok(!document.body.innerHTML.includes(push) && !document.body.innerHTML.includes(play))
})

test('the copied SRT URLs contain the passphrase of the SRT port', async () => {
  await other.send(setSettings, { srt: { port: 8000, 'pb-key-len': 16, passphrase: 'hush & hush' } })
  hub.parts.engine.observePorts = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  const { 'push-key': push = '' } = (await fetchChannel()).config
  await openChannelPage()
  const copied = recordClipboard()
  const keysCard = await findCard('Ingest and playback')
  await waitForText('Ingest: SRT srt://hub.test:8000?streamid=publish.srt/live/****', keysCard)
  for (const button of queryAllByRole('button', /^Copy/, keysCard).slice(0, 2)) await click(button)
  assert.deepEqual(copied, [
    `rtmp://hub.test:1935/live/${push}`,
    `srt://hub.test:8000?streamid=publish.srt/live/${push}&passphrase=hush%20%26%20hush`
  ])
  assert.ok(!document.body.innerHTML.includes('hush'))
})

test('a key with special characters is percent-encoded in the SRT URL and unchanged in the RTMP URL', async () => {
  await other.send(setChannel, { id: channelId, name: 'News', config: { 'push-key': 'a&b' } })
  hub.parts.engine.observePorts = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await openChannelPage()
  const copied = recordClipboard()
  for (const button of queryAllByRole('button', /^Copy/, await findCard('Ingest and playback')).slice(0, 2))
    await click(button)
  assert.deepEqual(copied, ['rtmp://hub.test:1935/live/a&b', 'srt://hub.test:8000?streamid=publish.srt/live/a%26b'])
})

test('a port that could not be opened shows the reason instead of a URL', async () => {
  const { engine } = hub.parts
  engine.observePorts = () => ({ srt: { reason: 'said Port 8000 is taken' }, rtmp: {} })
  await openChannelPage()
  const keysCard = await findCard('Ingest and playback')
  await waitForText(/Ingest: SRT .*Port 8000 is taken/, keysCard)
  assert.equal(queryAllByRole('button', /^Copy/, keysCard).length, 2)
})

test('a key is renewed after a confirmation, and the other key is kept', async () => {
  const { config } = await fetchChannel()
  await openChannelPage()
  const keysCard = await findCard('Ingest and playback')
  await click(await findByRole('button', 'New key: Playback key', keysCard))
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'New key?')))
  await waitForNone('dialog')
  assert.deepEqual((await fetchChannel()).config, config)
  await click(await findByRole('button', 'New key: Playback key', keysCard))
  await waitForText('Current connections will be dropped.', await findByRole('dialog'))
  await click(await findByRole('button', 'New key', await findByRole('dialog')))
  await waitForText('News saved Open')
  assert.match((await fetchChannel()).config['play-key'] ?? '', /^PULL-/)
  assert.notEqual((await fetchChannel()).config['play-key'], config['play-key'])
  assert.equal((await fetchChannel()).config['push-key'], config['push-key'])
})

test('connected clients are listed with protocol, address and rate, and can be disconnected', async () => {
  await other.send(enableChannel, { id: channelId, enable: true })
  const clients = [
    { id: 7, type: INPUT_PUBLISHER, protocol: SRT, addr: '192.0.2.7:4000', 'living-time-s': 61, kbps: 4200 },
    { id: 8, type: OUTPUT_PLAYER, protocol: HTTP, addr: '192.0.2.8', output: 1, 'living-time-s': 6, kbps: 4000 },
    { id: 9, type: OUTPUT_PLAYER, protocol: RTMP, addr: '192.0.2.9', 'living-time-s': 5, kbps: 4100 }
  ]
  const console = await openChannelPage()
  const requests: unknown[] = []
  const now = await fetchChannel()
  console.intercept = (path, body) => {
    if (path.includes('/client/drop')) {
      requests.push(JSON.parse(String(body)))
      clients.pop()
      return Response.json({ result: SUCCESS })
    }
    const list = { start: 0, total: clients.length, list: clients }
    return path.includes('/channel/query')
      ? Response.json({ result: SUCCESS, channel: { ...now, clients: list } })
      : undefined
  }
  const connected = await findCard('Connected')
  for (const word of [
    '192.0.2.7:4000',
    'Ingest',
    'SRT',
    '4.2 Mbps',
    '1 min',
    '192.0.2.8',
    'HLS',
    '192.0.2.9',
    'Playback',
    'RTMP'
  ])
    await waitForText(word, connected)
  await click(await findByRole('button', 'Disconnect: 192.0.2.9', connected))
  await waitForNone('button', 'Disconnect: 192.0.2.9')
  assert.deepEqual(requests, [{ id: channelId, clients: [9], 'dry-run': 'if-off-air' }])
})

test('all clients are listed, also beyond the default count of the hub', async () => {
  await other.send(enableChannel, { id: channelId, enable: true })
  const { observe } = hub.parts.engine
  const clients = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    isPublisher: false,
    protocol: SRT,
    address: `192.0.2.${index}:9`,
    kbps: 1,
    livingTimeS: 1
  }))
  hub.parts.engine.observe = (channelId) => ({ ...observe(channelId), clients })
  await openChannelPage()
  const connected = await findCard('Connected')
  await findByRole('button', 'Disconnect: 192.0.2.29:9', connected)
})

test('a user without permission to edit channels sees no keys', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage('viewer')
  await findCard('Outputs')
  await waitForNone('article', 'Ingest and playback')
})

test('log lines with the channel name are shown to users with permission to view the log', async () => {
  await other.send(enableChannel, { id: channelId, enable: true })
  await other.send(enableChannel, { id: channelId, enable: false })
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage(undefined, 'history')
  await waitForText(/News/, await findCard('Logs'))
  await closeConsole()
  await openChannelPage('viewer', 'history')
  await findCard('Timeline')
  await waitForNone('article', 'Logs')
})

test('a deleted or unknown channel shows a notice', async () => {
  await openChannelPage()
  await findByRole('heading', 'News')
  await other.send(deleteChannels, { id: channelId })
  await waitForText('This configuration has been deleted by another user.')
  await closeConsole()
  await openConsole(hub, { at: linkTo('channelDetail', { channelId: String(channelId) }) })
  await waitForText('This channel does not exist, or you have no access to it.')
})

test('the list links to the page, and the page links back', async () => {
  const console = await openConsole(hub, { at: '/stream/channels' })
  const to = await findByRole<HTMLAnchorElement>('link', 'News')
  assert.equal(to.hash, `#/stream/channel/detail/${channelId}`)
  await closeConsole()
  await openChannelPage()
  assert.equal((await findByRole<HTMLAnchorElement>('link', 'Back')).hash, '#/stream/channels')
  assert.ok(console)
})

test.run()
