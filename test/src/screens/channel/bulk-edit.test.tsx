import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_EDIT, CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannelOutputs, type ChannelConfig, setChannel } from '../../../../contract/stream/channel.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import {
  addNamedChannel,
  addSrtOutput,
  listedChannels,
  openChannelList,
  startLiveChannel,
  storedOutputs
} from '../../../kit/console/channel-list.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('editing many channels')
hubForEach(test)

const YOUTUBE = 'rtmps://a.rtmps.youtube.com/live2'

/** Selects all channels of the list, and opens the dialog. */
async function openBulkEdit(count: number) {
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', `Edit ${count} items`, await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', `Edit ${count} items`)
  const press = async (name: string) => click(await findByRole('button', name, dialog))
  return {
    dialog,
    press,
    field: (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog),
    list: (name: string) => findByRole<HTMLSelectElement>('combobox', name, dialog),
    preview: () => press('Preview changes'),
    apply: async () => {
      await press('Apply changes')
      await waitForNone('dialog')
    }
  }
}

const outputsOf = async () =>
  (await listedChannels()).map(({ name, outputs }) => [name, outputs.list.map((output) => output.name)])

test('a YouTube destination is added to several channels, each with its own stream key, and the toast undoes it', async () => {
  for (const name of ['Chapel', 'News', 'Sport']) await addNamedChannel(name)
  await openChannelList()
  await findRow('Sport')
  const { press, field, preview, apply, dialog } = await openBulkEdit(3)
  await press('YouTube')
  await preview()
  await waitForFieldMessage(await field('Sport'), 'Required')
  for (const name of ['Chapel', 'News', 'Sport']) await fill(await field(name), `key-${name}`)
  await preview()
  await waitForText('3 of 3 channels change.', dialog)
  await waitForText(`+ News YouTube (${YOUTUBE})`, dialog)
  assert.deepEqual(storedOutputs(), [], 'the preview writes nothing')
  await apply()
  await waitForText('Chapel, News, and Sport saved')
  assert.deepEqual(
    storedOutputs().map(({ name, config }) => [name, (config as { key?: string }).key]),
    ['Chapel', 'News', 'Sport'].map((name) => [`${name} YouTube`, `key-${name}`])
  )
  assert.deepEqual(await outputsOf(), [
    ['Chapel', ['Chapel YouTube']],
    ['News', ['News YouTube']],
    ['Sport', ['Sport YouTube']]
  ])
  await click(await findByRole('button', 'Undo'))
  await until(() => storedOutputs().length === 0, 'the outputs to be deleted')
})

test('what a channel cannot get is named before anything is written, and the others get it', async () => {
  const [news = 0] = [await addNamedChannel('News'), await addNamedChannel('Sport')]
  const config = { url: YOUTUBE, key: 'same' }
  const { id } = await other.send(addOutput, { name: 'News YouTube', protocol: RTMP, config })
  await other.send(addChannelOutputs, { id: news, outputs: [id] })
  for (let port = 9100; port < 9115; port++) await addSrtOutput(news, `News ${port}`, port)
  await openChannelList()
  await findRow('Sport')
  const { press, field, preview, apply, dialog } = await openBulkEdit(2)
  await press('YouTube')
  await fill(await field('News'), 'other')
  await fill(await field('Sport'), 'same')
  await preview()
  await waitForText('0 of 2 channels change.', dialog)
  await waitForText(/News A channel has at most 16 outputs.*Sport Output “News YouTube”/, dialog)
  await press('Back')
  assert.equal((await field('News')).value, 'other', 'the form keeps its values')
  await fill(await field('Sport'), 'another')
  await preview()
  await waitForText('1 of 2 channels change.', dialog)
  await apply()
  await waitForText('Sport saved')
  assert.deepEqual((await outputsOf())[1], ['Sport', ['Sport YouTube']])
})

test('ports count up over those in use, and a placeholder keeps addresses apart', async () => {
  for (const name of ['Chapel', 'Main hall']) await addNamedChannel(name)
  const old = await addNamedChannel('Old')
  await addSrtOutput(old, 'Chapel SRT', 9002)
  await openChannelList()
  await findRow('Old')
  const bulk = await openBulkEdit(3)
  await fill(await bulk.field('Port'), '9001')
  await bulk.preview()
  await waitForText('+ Chapel SRT 2 (:9001)', bulk.dialog)
  await waitForText('+ Main hall SRT (:9003)', bulk.dialog)
  await waitForText('+ Old SRT (:9004)', bulk.dialog)
  await bulk.press('Back')
  await bulk.press('UDP')
  await fill(await bulk.field('Address'), '239.1.1.{n}')
  await fill(await bulk.field('Port'), '5000')
  await bulk.preview()
  await waitForText('+ Main hall UDP (239.1.1.2:5000)', bulk.dialog)
  await bulk.press('Back')
  await fill(await bulk.field('Address'), '239.1.1.1')
  await bulk.preview()
  await waitForText('+ Old UDP (239.1.1.1:5002)', bulk.dialog)
  await bulk.press('Back')
  await bulk.press('RTMP')
  await fill(await bulk.field('Address'), 'rtmp://live.example.com/app/{name}')
  for (const name of ['Chapel', 'Main hall', 'Old']) await fill(await bulk.field(name), 'key')
  await bulk.preview()
  await waitForText('rtmp://live.example.com/app/Main-hall', bulk.dialog)
  await bulk.press('Back')
  await fill(await bulk.field('Address'), 'rtmp://live.example.com/app')
  await bulk.preview()
  await waitForText('1 of 3 channels change.', bulk.dialog)
  await bulk.apply()
  await waitForText('Chapel saved')
})

test('outputs of a kind are removed after the preview has named what goes off air, and can be added again', async () => {
  const { id, output } = await startLiveChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: CARRYING_LEG })
  await addNamedChannel('Sport')
  await openChannelList()
  await findRow('Sport')
  const { press, list, preview, apply, dialog } = await openBulkEdit(2)
  await press('Remove outputs')
  await selectOption(await list('Outputs to remove'), 'SRT (1)')
  await preview()
  await waitForText(/Outputs: 1 → 0.*− Hall screen.*receivers are disconnected.*Sport.*No change/, dialog)
  await apply()
  await waitForText('News saved')
  assert.deepEqual(await outputsOf(), [
    ['News', []],
    ['Sport', []]
  ])
  await click(await findByRole('button', 'Undo'))
  await until(async () => (await listedChannels())[0]?.outputs.total === 1, 'the output to be back')
})

test('failover settings are changed where they differ, a backup is added, and the rest of each channel stays', async () => {
  const url = 'srt://192.0.2.20:9000'
  const { id: backup } = await other.send(addInput, { name: 'Backup line', config: { type: 1, url } })
  const news = await addNamedChannel('News')
  await addNamedChannel('Sport')
  const rule = { 'after-s': 9, back: 'never', 'back-after-s': 30 } as const
  const config = { 'hold-both': true, slate: true, backups: [backup], switch: rule } as ChannelConfig
  await other.send(setChannel, { id: news, name: 'News', config })
  await openChannelList()
  await findRow('Sport')
  const { press, list, field, preview, apply, dialog } = await openBulkEdit(2)
  await press('Failover')
  await selectOption(await list('Device or input'), 'SRT · Backup line')
  await selectOption(await list('Fail over without lost pictures'), 'On')
  await fill(await field('Return to main after (s)'), '3')
  await preview()
  await waitForFieldMessage(await field('Return to main after (s)'), 'Must be between 5 and 3600')
  await fill(await field('Return to main after (s)'), '60')
  await preview()
  await waitForText(/News Return to main after \(s\): – → 60 Sport/, dialog)
  await waitForText(/Backups: 0 → 1 \+ Backup line .*without lost pictures: Off → On/, dialog)
  await apply()
  await waitForText('News and Sport saved')
  const settings = async () =>
    (await listedChannels()).map(({ config: stored }) => [
      stored.backups,
      stored['hold-both'],
      stored.slate,
      stored.switch
    ])
  const saved = { back: 'first', 'back-after-s': 60 }
  assert.deepEqual(await settings(), [
    [[backup], true, true, { ...saved, 'after-s': 9 }],
    [[backup], true, false, { ...saved, 'after-s': 3 }]
  ])
  await click(await findByRole('button', 'Undo'))
  await until(async () => (await listedChannels())[1]?.config.backups?.length === 0, 'the settings to be back')
  assert.deepEqual((await listedChannels())[0]?.config.switch?.back, 'never')
})

test('the same weekly schedule is put on channels that have another one or none', async () => {
  const news = await addNamedChannel('News')
  await addNamedChannel('Sport')
  const schedule = { zone: 'Europe/Berlin', rules: [{ days: 64, start: '10:00', stop: '11:00' }] }
  await other.send(setChannel, { id: news, name: 'News', config: { schedule } as ChannelConfig })
  await openChannelList()
  await findRow('Sport')
  const { press, preview, apply, dialog } = await openBulkEdit(2)
  await press('Schedule')
  await press('Add time slot')
  await press('Mon')
  await fill(dialog.querySelector('input[name=start]') as HTMLInputElement, '08:00')
  await preview()
  await waitForText('Required', dialog)
  await fill(dialog.querySelector('input[name=stop]') as HTMLInputElement, '09:30')
  await preview()
  await waitForText('Schedule: Sun 10:00–11:00 (Europe/Berlin) → Mon 08:00–09:30 (', dialog)
  await waitForText('Schedule: None → Mon 08:00–09:30 (', dialog)
  // Another user changes a channel after the preview.
  const changed = { ...schedule, zone: 'UTC' }
  await other.send(setChannel, { id: news, name: 'News', config: { schedule: changed } as ChannelConfig })
  await apply()
  const progress = await findByRole('dialog', 'Schedule')
  await waitForText(/1 of 2 done, 1 failed/, progress)
  await click(queryAllByRole('button', 'Close', progress).at(-1) as HTMLElement)
  await waitForNone('dialog')
  assert.deepEqual(
    (await listedChannels()).map(({ config }) => config.schedule?.rules),
    [schedule.rules, [{ days: 1, start: '08:00', stop: '09:30' }]]
  )
  await click(await findByRole('button', 'Undo'))
  await until(async () => !(await listedChannels())[1]?.config.schedule?.rules.length, 'the schedule to be gone')
})

test('a user without the permission for outputs is not offered to add them', async () => {
  await addNamedChannel('News')
  await addUser(hub, 'editor', CHANNEL_VIEW | CHANNEL_EDIT)
  await openConsole(hub, { user: 'editor', at: ROUTES.channels })
  await findRow('News')
  await click(await findByRole('checkbox', 'Select all'))
  await click(await findByRole('button', 'Edit', await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', 'Edit News')
  await findByRole('combobox', 'Outputs to remove', dialog)
  assert.equal(queryAllByRole('button', 'Add output', dialog).length, 0)
})

test.run()
