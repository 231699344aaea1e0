import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { listInputs } from '../../../../contract/stream/source.ts'
import { createFakeNdi } from '../../../engine/ndi/fake-ndi.ts'
import { closeConsole } from '../../../kit/console/console.ts'
import { hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import {
  blur,
  click,
  findByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addNamedInput, findForm, openAddDialog, openSourceList, storedUrls } from '../../../kit/console/source-list.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { until } from '../../../kit/until.ts'

const test = suite('input form')

hubForEach(test)

test('each kind of input has its fields, and its URL is the one that the hub stores', async () => {
  await openSourceList()
  await waitForText('No inputs yet')
  const cases: [kind: string, values: Record<string, string>, url: string][] = [
    [
      'SRT caller',
      { Address: 'cam.example.com', Port: '9000', 'Stream ID': 'a/b&c', Passphrase: 'long & enough+1' },
      'srt://cam.example.com:9000?mode=caller&latency=120&streamid=a%2Fb%26c&passphrase=long%20%26%20enough%2B1&pbkeylen=32'
    ],
    ['SRT listener', { Port: '9100', 'Latency (ms)': '80' }, 'srt://0.0.0.0:9100?mode=listener&latency=80'],
    ['UDP', { Port: '5000' }, 'udp://0.0.0.0:5000'],
    [
      'RTP',
      { Address: '239.0.0.1', Port: '5004', 'Network interface': 'eth0', 'Sender address': '192.0.2.7' },
      'rtp://239.0.0.1:5004?iface=eth0&source=192.0.2.7'
    ],
    [
      'RTMP',
      { Address: '192.0.2.20', Path: 'live/x?y=1', 'Buffer (ms)': '800' },
      'rtmp://192.0.2.20:1935/live/x?y=1&mw-buffer-duration=800'
    ],
    [
      'RTSP',
      { Address: '192.0.2.20', Path: '/one?track=2', 'User name': 'me@x', Password: 'p:w/', 'Buffer (ms)': '2000' },
      'rtsp://me%40x:p%3Aw%2F@192.0.2.20:554/one?track=2&mw-tcp-first=1&mw-buffer-duration=2000'
    ],
    ['HTTPS', { Address: 'a.example.com', Path: 'x/index.m3u8?t=1' }, 'https://a.example.com:443/x/index.m3u8?t=1'],
    [
      'NDI',
      { 'NDI name': 'STUDIO (Cam 1)', Address: '192.0.2.9:5961', 'Buffer (ms)': '40' },
      'ntkndi://ndi?name=STUDIO%20(Cam%201)&url=192.0.2.9:5961&mw-buffer-duration=40'
    ]
  ]
  for (const [kind, values, url] of cases) {
    const { list, write, send } = await openAddDialog('Add input')
    await selectOption(await list('Protocol'), kind)
    if (kind === 'RTSP') await selectOption(await list('Transport'), 'TCP first')
    if (kind === 'SRT caller') await selectOption(await list('Encryption'), 'AES-256')
    await write({ Name: kind, ...values })
    await send()
    await waitForNone('dialog')
    assert.deepEqual((await storedUrls()).find(([name]) => name === kind)?.[1], url)
    await waitForText(kind, await findRow(kind))
  }
  assert.ok(!visibleText().includes('enough'), 'no secret is shown')
  // The stored URL fills the same fields again.
  for (const [kind, values, url] of cases) {
    await click(await buttonInRow(kind, /^Edit/))
    const { field, list, send } = await findForm(`Edit ${kind}`, 'Save')
    assert.equal((await list('Protocol')).selectedOptions[0]?.textContent, kind)
    for (const [name, value] of Object.entries({ Name: kind, ...values }))
      assert.ok((await field(name)).value.endsWith(value), `${kind}: ${name}`)
    await send()
    await waitForNone('dialog')
    assert.deepEqual((await storedUrls()).find(([name]) => name === kind)?.[1], url)
  }
})

test('a kind shows only its own fields', async () => {
  await openSourceList()
  const { list, fields } = await openAddDialog('Add input')
  const fieldNames = async (kind: string) => {
    await selectOption(await list('Protocol'), kind)
    return fields().filter((name) => name !== 'Paste a URL')
  }
  const srt = ['Stream ID', 'Latency (ms)', 'Program']
  assert.deepEqual(await fieldNames('SRT caller'), ['Name', 'Address', 'Port', ...srt])
  assert.deepEqual(await fieldNames('SRT listener'), ['Name', 'Port', ...srt])
  assert.deepEqual(await fieldNames('UDP'), [
    'Name',
    'Address',
    'Port',
    'Network interface',
    'Sender address',
    'Program'
  ])
  assert.deepEqual(await fieldNames('RTMP'), [
    'Name',
    'Address',
    'Port',
    'Path',
    'User name',
    'Password',
    'Buffer (ms)'
  ])
  assert.ok(!(await fieldNames('HTTPS')).includes('Buffer (ms)'), 'MPEG-TS over HTTP passes unchanged')
})

test('a pasted URL fills the fields', async () => {
  await openSourceList()
  const { field, list, write, send } = await openAddDialog('Add input')
  await write({ Name: 'Gate', Address: 'rtsp://me:secret@192.0.2.20:8554/one?track=2&mw-tcp-first=1' })
  assert.equal((await list('Protocol')).value, 'rtsp')
  assert.equal((await list('Transport')).value, '1')
  assert.equal((await field('Address')).value, '192.0.2.20')
  assert.equal((await field('Port')).value, '8554')
  assert.equal((await field('Path')).value, '/one?track=2')
  assert.equal((await field('Password')).value, 'secret')
  await send()
  await waitForNone('dialog')
  assert.deepEqual(await storedUrls(), [['Gate', 'rtsp://me:secret@192.0.2.20:8554/one?track=2&mw-tcp-first=1']])
})

test('an input that is no longer encrypted keeps no passphrase', async () => {
  await addNamedInput('Van', 'srt://192.0.2.20:9000?passphrase=long%20enough%20for%20it&pbkeylen=24')
  await addNamedInput('Other', 'srt://192.0.2.21:9000?passphrase=long%20enough%20for%20it')
  await openSourceList()
  await click(await buttonInRow('Other', /^Edit/))
  assert.equal((await (await findForm('Edit Other', 'Save')).list('Encryption')).value, '16')
  await click(await findByRole('button', 'Cancel'))
  await click(await buttonInRow('Van', /^Edit/))
  const { field, fields, list, send } = await findForm('Edit Van', 'Save')
  assert.equal((await list('Encryption')).selectedOptions[0]?.textContent, 'AES-192')
  assert.equal((await field('Passphrase')).value, 'long enough for it')
  await selectOption(await list('Encryption'), 'Disabled')
  assert.ok(!fields().includes('Passphrase'))
  await send()
  await waitForNone('dialog')
  assert.deepEqual((await storedUrls())[1], ['Van', 'srt://192.0.2.20:9000?mode=caller&latency=120'])
})

test('a live URL without rtmp:// is pasted, or completed when it was typed', async () => {
  await openSourceList()
  const { field, list, write } = await openAddDialog('Add input')
  await write({ 'Paste a URL': 'live.example.com/app/key' })
  assert.deepEqual(
    [(await list('Protocol')).value, (await field('Address')).value, (await field('Path')).value],
    ['rtmp', 'live.example.com', '/app/key']
  )
  await selectOption(await list('Protocol'), 'UDP')
  for (const typed of ['192.0', '192.0.2', '192.0.2.9/', '192.0.2.9/a', '192.0.2.9/a/b'])
    await write({ 'Paste a URL': typed })
  assert.equal((await list('Protocol')).value, 'udp', 'not before it is complete')
  await blur(await field('Paste a URL'))
  assert.deepEqual([(await list('Protocol')).value, (await field('Path')).value], ['rtmp', '/a/b'])
})

test('one program of several can be chosen', async () => {
  await openSourceList()
  const { write, send } = await openAddDialog('Add input')
  const config = { type: 1, url: 'srt://192.0.2.20:9000?mode=caller&latency=120' }
  await write({ Name: 'Mux', Address: '192.0.2.20', Port: '9000', Program: '2' })
  await send()
  await waitForNone('dialog')
  assert.deepEqual((await other.send(listInputs, {})).list[0]?.config, { ...config, program: 2 })
  await click(await buttonInRow('Mux', /^Edit/))
  const form = await findForm('Edit Mux', 'Save')
  assert.equal((await form.field('Program')).value, '2')
  await form.write({ Program: '' })
  await form.send()
  await waitForNone('dialog')
  assert.deepEqual((await other.send(listInputs, {})).list[0]?.config, config)
})

test('errors are shown at their fields', async () => {
  await openSourceList()
  const { field, list, write, send } = await openAddDialog('Add input')
  await selectOption(await list('Encryption'), 'AES-128')
  await write({ Name: 'x', Address: 'not an address', Port: '70000', 'Latency (ms)': '8001' })
  await send()
  await waitForFieldMessage(await field('Address'), 'Invalid entry')
  await waitForFieldMessage(await field('Port'), 'Must be between 1 and 65535')
  await waitForFieldMessage(await field('Latency (ms)'), 'Must be between 20 and 8000')
  await waitForFieldMessage(await field('Passphrase'), 'Required')
  await write({ Passphrase: 'short' })
  await waitForFieldMessage(await field('Passphrase'), 'Must be 10 to 79 characters long')
  await selectOption(await list('Protocol'), 'NDI')
  await write({ 'Buffer (ms)': '2001' })
  await send()
  await waitForFieldMessage(await field('NDI name'), 'Required')
  await waitForFieldMessage(await field('Buffer (ms)'), 'Must be between 1 and 2000')
  assert.deepEqual(await storedUrls(), [])
})

test('discovered NDI sources are suggested; without an NDI runtime the reason is shown', async () => {
  const network = createFakeNdi('libndi.so.6')
  await replaceHub({ ndi: { folders: [network.folder] } })
  try {
    network.announce(['STUDIO (Cam 1)', '10.0.0.9:5961'])
    await openSourceList()
    const { list, field } = await openAddDialog('Add input')
    await selectOption(await list('Protocol'), 'NDI')
    await until(() => document.querySelector('option[value="STUDIO (Cam 1)"]') !== null, 'the source')
    assert.equal((await field('NDI name')).getAttribute('list'), document.querySelector('datalist')?.id)
    await closeConsole()
    rmSync(network.library)
    await replaceHub({ ndi: { folders: [network.folder] } })
    await openSourceList()
    await selectOption(await (await openAddDialog('Add input')).list('Protocol'), 'NDI')
    await waitForText(/NDI runtime/)
  } finally {
    network.remove()
  }
})

test.run()
