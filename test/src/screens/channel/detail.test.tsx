import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/permissions.ts'
import { setSettings } from '../../../../contract/settings.ts'
import {
  addChannelOutputs,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { channelHistory } from '../../../../contract/stream/channel-history.ts'
import {
  CONNECTION_STATE,
  HTTP,
  INPUT_PUBLISHER,
  OUTPUT_PLAYER,
  RTMP,
  SOURCE_STATE,
  SRT
} from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import {
  addedInput,
  addedOutput,
  card,
  channel,
  channelForEach,
  id,
  measured,
  open
} from '../../../kit/channel-page.ts'
import { closeConsole, openConsole } from '../../../kit/console.ts'
import { addUser } from '../../../kit/hub.ts'
import { hub, other } from '../../../kit/hub-for-each.ts'
import { CARRIES } from '../../../kit/measured.ts'
import { all, choose, click, clipboard, nameOf, none, one, says, words } from '../../../kit/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel detail')

channelForEach(test)

test('the page shows the name of a channel, its state, its input and its outputs', async () => {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
  const output = await addedOutput('Foyer', 9001)
  await other.send(enableChannel, { id, enable: true })
  measured(CARRIES, { [output]: CARRIES })
  await open()
  const input = await card('Input')
  for (const word of ['Studio', 'RTMP', 'rtmp://192.0.2.20:1935/live/****', '4.2 Mbps', '1 h 2 min'])
    await says(word, input)
  const outputs = await card('Outputs')
  for (const word of ['Foyer', 'srt://hub.test:9001', 'Running', '4.2 Mbps']) await says(word, outputs)
})

test('a failure is shown with its cause in the language of the user', async () => {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
  await other.send(enableChannel, { id, enable: true })
  measured({
    ...CARRIES,
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.notAuthorized,
    reason: 'wrong-passphrase'
  })
  const reason = (await channel()).input?.reason ?? ''
  assert.ok(reason)
  await open()
  await says('Authorization failed')
  await says(reason)
  setLanguage('zh')
  await says('认证失败')
  await until(() => !words().includes(reason), 'the other language')
})

test('a channel is started and stopped, its input is changed, and an output is added', async () => {
  await addedInput('Studio')
  await open()
  await click(await one('button', 'Start'))
  await one('button', 'Stop')
  assert.equal((await channel()).config.enable, true)
  await click(await one('button', 'Stop'))
  await one('button', 'Start')
  await click(await one('button', 'More'))
  await click(await one('menuitem', 'Change input'))
  await choose(await one('combobox', 'Device or source'), 'RTMP · Studio')
  await click(await one('button', 'Change input', await one('dialog')))
  await none('dialog')
  await says('Studio', await card('Input'))
  await click(await one('button', 'Add output'))
  const dialog = await one('dialog', 'Add output: News')
  await choose(await one('combobox', 'Protocol', dialog), 'HLS')
  await click(await one('button', 'Add output', dialog))
  await none('dialog')
  await says('News 1', await card('Outputs'))
})

test('an existing output is added to a channel, and removed without being deleted', async () => {
  const config = { mode: 'listener', 'bind-port': 9001 } as const
  await other.send(addOutput, { name: 'Foyer', protocol: SRT, config })
  await open()
  const outputs = await card('Outputs')
  await click(await one('button', 'Existing output', outputs))
  await click(await one('menuitem', 'Foyer'))
  await says('srt://hub.test:9001', outputs)
  await none('button', 'Existing output', outputs)
  assert.deepEqual(
    (await channel()).outputs.list.map(({ name }) => name),
    ['Foyer']
  )
  await click(await one('button', 'Remove: Foyer', outputs))
  await one('button', 'Existing output', outputs)
  assert.equal((await channel()).outputs.total, 0)
  assert.equal(hub.context.store.sources.outputs().length, 1)
})

test('the URL of an output is copied with its key, which is not shown', async () => {
  const output = await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'hall-key' } })
  await other.send(addChannelOutputs, { id, outputs: [output.id] })
  await open()
  const outputs = await card('Outputs')
  await says('/hls/****/index.m3u8', outputs)
  const copied = clipboard()
  await until(() => {
    all('button', 'Copy', outputs)[0]?.click()
    return copied.at(-1) === `${location.origin}/hls/hall-key/index.m3u8`
  }, 'its key')
  assert.ok(!document.body.innerHTML.includes('hall-key'))
})

test('the chart and the counters belong to the leg in the URL', async () => {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
  const backup = await addedInput('Van')
  await other.send(setChannel, { id, name: 'News', config: { backups: [backup] } })
  const output = await addedOutput('Foyer', 9001)
  const console = await open()
  const requests: string[] = []
  console.instead = (path) => {
    if (!path.includes(channelHistory.path)) return undefined
    requests.push(path)
    const kbps = [null, null, 1000, null, 3000]
    return Response.json({ result: 0, start: Date.now() - 25_000, step: 5000, columns: { kbps } })
  }
  const figures = await card('Bit rate')
  const legs = await one('group', 'Bit rate', figures)
  assert.deepEqual(all('button', undefined, legs).map(nameOf), ['Input', 'Van', 'Foyer'])
  await says('Input 3 Mbps', figures)
  await click(await one('button', 'Foyer', legs))
  await says('Foyer 3 Mbps', figures)
  assert.equal(console.place(), `/stream/channel/detail/${id}?leg=${output}`)
  assert.ok(requests.some((path) => path.includes(`leg=${output}`)))
  assert.ok(requests.every((path) => path.includes('span=300&points=300')))
  await click(await one('button', 'Past 60 minutes', await one('group', 'Period', figures)))
  await until(() => requests.at(-1)?.includes('span=3600') ?? false, 'the whole hour')
  const file = await one<HTMLAnchorElement>('link', 'CSV', figures)
  assert.match(file.href, new RegExp(`/channel/history/file\\?id=${id}&leg=${output}$`))
})

test('counters are shown if the leg has them, and are reset on request', async () => {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
  const report = { since: Date.now(), kbps: 1, 'kbps-avg': 900, 'kbps-peak': 1200, bytes: 1, 'pkt-loss-total': 7 }
  const console = await open()
  const posted: string[] = []
  const now = await channel()
  console.instead = (path) => {
    if (path.includes('/channel/baseline')) posted.push(path)
    const input = now.input && { ...now.input, report }
    return path.includes('/channel/query') ? Response.json({ result: 0, channel: { ...now, input } }) : undefined
  }
  const figures = await card('Bit rate')
  for (const line of ['Average 900 kbps', 'Peak 1.2 Mbps', 'Lost 7']) await says(line, figures)
  assert.ok(!words(figures).includes('Round trip'))
  await click(await one('button', 'Reset', figures))
  await until(() => posted.length === 1, 'the baseline')
})

test('the keys can be copied alone and in the URLs of both protocols, and are not shown', async () => {
  const { 'push-key': push = '', 'play-key': play = '' } = (await channel()).config
  const { engine } = hub.context
  engine.ports = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await open()
  const keysCard = await card('Ingest and playback')
  await says('Push: RTMP rtmp://hub.test:1935/live/****', keysCard)
  const copied = clipboard()
  for (const button of all('button', 'Copy', keysCard)) await click(button)
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
  hub.context.engine.ports = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  const { 'push-key': push = '' } = (await channel()).config
  await open()
  const copied = clipboard()
  const keysCard = await card('Ingest and playback')
  await says('Push: SRT srt://hub.test:8000?streamid=publish.srt/live/****', keysCard)
  for (const button of all('button', 'Copy', keysCard).slice(0, 2)) await click(button)
  assert.deepEqual(copied, [
    `rtmp://hub.test:1935/live/${push}`,
    `srt://hub.test:8000?streamid=publish.srt/live/${push}&passphrase=hush%20%26%20hush`
  ])
  assert.ok(!document.body.innerHTML.includes('hush'))
})

test('a key with special characters is percent-encoded in the SRT URL and unchanged in the RTMP URL', async () => {
  await other.send(setChannel, { id, name: 'News', config: { 'push-key': 'a&b' } })
  hub.context.engine.ports = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await open()
  const copied = clipboard()
  for (const button of all('button', 'Copy', await card('Ingest and playback')).slice(0, 2)) await click(button)
  assert.deepEqual(copied, ['rtmp://hub.test:1935/live/a&b', 'srt://hub.test:8000?streamid=publish.srt/live/a%26b'])
})

test('a port that could not be opened shows the reason instead of a URL', async () => {
  const { engine } = hub.context
  engine.ports = () => ({ srt: { reason: 'said Port 8000 is taken' }, rtmp: {} })
  await open()
  const keysCard = await card('Ingest and playback')
  await says(/Push: SRT .*Port 8000 is taken/, keysCard)
  assert.equal(all('button', 'Copy', keysCard).length, 2)
})

test('a key is renewed after a confirmation, and the other key is kept', async () => {
  const { config } = await channel()
  await open()
  const keysCard = await card('Ingest and playback')
  await click(await one('button', 'New key: Play', keysCard))
  await click(await one('button', 'Cancel', await one('dialog', 'New key?')))
  await none('dialog')
  assert.deepEqual((await channel()).config, config)
  await click(await one('button', 'New key: Play', keysCard))
  await says('Open connections are closed.', await one('dialog'))
  await click(await one('button', 'New key', await one('dialog')))
  await says('Operation succeeded')
  assert.match((await channel()).config['play-key'] ?? '', /^PULL-/)
  assert.notEqual((await channel()).config['play-key'], config['play-key'])
  assert.equal((await channel()).config['push-key'], config['push-key'])
})

test('connected clients are listed with protocol, address and rate, and can be disconnected', async () => {
  await other.send(enableChannel, { id, enable: true })
  const clients = [
    { id: 7, type: INPUT_PUBLISHER, protocol: SRT, addr: '192.0.2.7:4000', 'living-time-s': 61, kbps: 4200 },
    { id: 8, type: OUTPUT_PLAYER, protocol: HTTP, addr: '192.0.2.8', output: 1, 'living-time-s': 6, kbps: 4000 },
    { id: 9, type: OUTPUT_PLAYER, protocol: RTMP, addr: '192.0.2.9', 'living-time-s': 5, kbps: 4100 }
  ]
  const console = await open()
  const requests: unknown[] = []
  const now = await channel()
  console.instead = (path, body) => {
    if (path.includes('/client/drop')) {
      requests.push(JSON.parse(String(body)))
      clients.pop()
      return Response.json({ result: 0 })
    }
    const list = { start: 0, total: clients.length, list: clients }
    return path.includes('/channel/query')
      ? Response.json({ result: 0, channel: { ...now, clients: list } })
      : undefined
  }
  const connected = await card('Connected')
  for (const word of [
    '192.0.2.7:4000',
    'Push',
    'SRT',
    '4.2 Mbps',
    '1 min',
    '192.0.2.8',
    'HLS',
    '192.0.2.9',
    'Play',
    'RTMP'
  ])
    await says(word, connected)
  await click(await one('button', 'Disconnect: 192.0.2.9', connected))
  await none('button', 'Disconnect: 192.0.2.9')
  assert.deepEqual(requests, [{ id, clients: [9] }])
})

test('all clients are listed, also beyond the default count of the hub', async () => {
  await other.send(enableChannel, { id, enable: true })
  const { observe } = hub.context.engine
  const clients = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    isPublisher: false,
    protocol: SRT,
    address: `192.0.2.${index}:9`,
    kbps: 1,
    livingTimeS: 1
  }))
  hub.context.engine.observe = (channelId) => ({ ...observe(channelId), clients })
  await open()
  const connected = await card('Connected')
  await one('button', 'Disconnect: 192.0.2.29:9', connected)
})

test('a user who may not edit channels sees no keys', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await open('viewer')
  await card('Outputs')
  await none('article', 'Ingest and playback')
})

test('log lines with the channel name are shown to users who may view the log', async () => {
  await other.send(enableChannel, { id, enable: true })
  await other.send(enableChannel, { id, enable: false })
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await open()
  await says(/News/, await card('Logs'))
  await closeConsole()
  await open('viewer')
  await card('Outputs')
  await none('article', 'Logs')
})

test('a deleted or unknown channel shows a notice', async () => {
  await open()
  await other.send(deleteChannels, { id })
  await says('This configuration has been deleted by another user.')
})

test('the list links to the page, and the page links back', async () => {
  const console = await openConsole(hub, { at: '/stream/channels' })
  const to = await one<HTMLAnchorElement>('link', 'News')
  assert.equal(to.hash, `#/stream/channel/detail/${id}`)
  await closeConsole()
  await open()
  assert.equal((await one<HTMLAnchorElement>('link', 'Back')).hash, '#/stream/channels')
  assert.ok(console)
})

test.run()
