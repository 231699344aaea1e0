import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../../contract/stream/source.ts'
import {
  addNamedChannel,
  addSrtOutput,
  chooseFromMenu,
  findForm,
  listedChannels,
  openChannelList,
  startLiveChannel,
  storedOutputs
} from '../../../kit/console/channel-list.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { IDLE } from '../../../kit/hub/started-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('output dialog')

hubForEach(test)

test('an SRT listener is added, with encryption', async () => {
  await addNamedChannel('News')
  await addSrtOutput(await addNamedChannel('Old'), 'Old SRT', 9001)
  await openChannelList()
  await chooseFromMenu('News', 'Add output')
  const { field, list, send } = await findForm('Add output: News', 'Add output', 'Port')
  assert.equal((await field('Name')).value, 'News 1')
  const port = await field('Port')
  await until(() => Number(port.value) > 9001, 'a proposed port')
  assert.equal((await field('Latency (ms)')).value, '120')
  await fill(await field('Port'), '9001')
  await send()
  await waitForFieldMessage(await field('Port'), 'Port 9001 occupied by output Old SRT')
  await fill(await field('Port'), '9003')
  await fill(await field('Latency (ms)'), '19')
  await selectOption(await list('Encryption'), 'AES-256')
  await fill(await field('Passphrase'), 'short')
  await send()
  await waitForFieldMessage(await field('Latency (ms)'), 'Must be between 20 and 8000')
  await waitForFieldMessage(await field('Passphrase'), 'Must be 10 to 79 characters long')
  assert.equal((await field('Passphrase')).type, 'password')
  await waitForFocus('Latency (ms)')
  await fill(await field('Latency (ms)'), '250')
  await fill(await field('Passphrase'), 'long enough for it')
  await send()
  await waitForNone('dialog')
  await waitForText('0 of 1 on air', await findRow('News'))
  const config: SrtOutput = {
    mode: 'listener',
    'bind-port': 9003,
    'max-client-num': 8,
    latency: 250,
    bandwidth: 25,
    enc: 'aes-256'
  }
  assert.deepEqual(storedOutputs().at(-1), {
    name: 'News 1',
    protocol: SRT,
    config: { ...config, passphrase: 'long enough for it' }
  })
  await click(await buttonInRow('News', 'Details: News'))
  await waitForText('srt://hub.test:9003')
  assert.ok(!visibleText().includes('long enough'))
})

test('an SRT caller is added', async () => {
  await addNamedChannel('News')
  await openChannelList()
  await chooseFromMenu('News', 'Add output')
  const { field, list, send } = await findForm('Add output: News', 'Add output', 'Port')
  await selectOption(await list('Protocol'), 'SRT caller')
  await fill(await field('Port'), '')
  await send()
  await waitForFieldMessage(await field('Address'), 'Required')
  await waitForFieldMessage(await field('Port'), 'Required')
  await waitForFocus('Address')
  await fill(await field('Address'), 'not an address')
  await waitForFieldMessage(await field('Address'), 'Invalid entry')
  await fill(await field('Address'), 'live.example.com')
  await fill(await field('Port'), '7001')
  await fill(await field('Stream ID'), 'publish/news')
  await send()
  await waitForNone('dialog')
  assert.deepEqual(storedOutputs(), [
    {
      name: 'News 1',
      protocol: SRT,
      config: {
        mode: 'caller',
        'dst-ip': 'live.example.com',
        'dst-port': 7001,
        'stream-id': 'publish/news',
        latency: 120,
        bandwidth: 25,
        enc: 'disable'
      }
    }
  ])
  await click(await buttonInRow('News', 'Details: News'))
  await waitForText('srt://live.example.com:7001')
})

test('an RTMP push is added, and its key is never shown', async () => {
  await addNamedChannel('News')
  await openChannelList()
  await click(await buttonInRow('News', 'Details: News'))
  await click(await findByRole('button', 'Add output'))
  const { field, list, send, dialog } = await findForm('Add output: News', 'Add output', 'Port')
  await selectOption(await list('Protocol'), 'RTMP')
  assert.equal(queryAllByRole('combobox', 'Encryption', dialog).length, 0)
  await send()
  await waitForFieldMessage(await field('Address'), 'Required')
  await waitForFieldMessage(await field('Stream key'), 'Required')
  await fill(await field('Address'), 'ftp://192.0.2.20:9000')
  await waitForFieldMessage(await field('Address'), 'Use rtmp, srt, udp, rtp, rtsp or http')
  await fill(await field('Address'), 'rtmp://live.example.com/app')
  await fill(await field('Stream key'), 'very-secret')
  await fill(await field('Name'), 'Platform')
  await send()
  await waitForNone('dialog')
  assert.deepEqual(storedOutputs(), [
    { name: 'Platform', protocol: RTMP, config: { url: 'rtmp://live.example.com:1935/app', key: 'very-secret' } }
  ])
  await waitForText('RTMP rtmp://live.example.com:1935/app')
  assert.ok(!document.body.innerHTML.includes('very-secret'))
})

test('a duplicate output name is an error at its field, and no output is left over', async () => {
  const id = await addNamedChannel('News')
  await addSrtOutput(id, 'News 2', 9001)
  await openChannelList()
  await chooseFromMenu('News', 'Add output')
  const { field, send } = await findForm('Add output: News', 'Add output', 'Port')
  assert.equal((await field('Name')).value, 'News 2')
  await send()
  await waitForFieldMessage(await field('Name'), 'The name already exists')
  await fill(await field('Name'), 'News 3')
  assert.equal(storedOutputs().length, 1)
  await send()
  await waitForNone('dialog')
  assert.deepEqual(
    storedOutputs().map(({ name }) => name),
    ['News 2', 'News 3']
  )
})

test('an output is removed and kept; an output with clients only after a confirmation', async () => {
  const { id, output: first } = await startLiveChannel()
  const second = await addSrtOutput(id, 'Foyer', 9002)
  setObservedChannel(hub, id, CARRYING_LEG, { [first]: CARRYING_LEG, [second]: IDLE })
  await openChannelList()
  await click(await buttonInRow('News', 'Details: News'))
  await click(await findByRole('button', 'Remove: Foyer'))
  await waitForNone('button', 'Remove: Foyer')
  assert.equal(queryAllByRole('dialog').length, 0)
  await click(await findByRole('button', 'Remove: Hall screen'))
  const question = await findByRole('dialog', 'Channels are interrupted')
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.equal((await listedChannels())[0]?.outputs.total, 1)
  await click(await findByRole('button', 'Remove: Hall screen'))
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog')))
  await waitForText('No outputs', await findRow('News'))
  assert.deepEqual(
    storedOutputs().map(({ name }) => name),
    ['Hall screen', 'Foyer']
  )
  assert.equal((await listedChannels())[0]?.outputs.total, 0)
})

test.run()
