import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import {
  addChannel,
  type Channel,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedLeg } from '../../../../engine/interfaces/channel.ts'
import { linkTo } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  fetchChannel,
  openChannelPage,
  setObserved
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  blur,
  click,
  fieldMessage,
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
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel settings')

channelForEach(test)

async function saveConfig(config: Channel['config'] | object): Promise<void> {
  assert.equal((await other.send(setChannel, { id: channelId, name: 'News', config })).result, SUCCESS)
}
async function openSettings() {
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Settings'))
  const dialog = await findByRole('dialog', 'Settings: News')
  return {
    dialog,
    field: (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog),
    tick: (name: string) => findByRole<HTMLInputElement>('checkbox', name, dialog),
    press: async (name: string) => click(await findByRole('button', name, dialog)),
    save: async () => click(await findByRole('button', 'Save', dialog))
  }
}

const FAILED_LEG: ObservedLeg = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.nameNotFound,
  kbps: 0,
  livingTimeS: 0
}

test('the settings of a channel are shown, and changes are saved by the hub', async () => {
  const before = (await fetchChannel()).config
  await openChannelPage()
  const { field, tick, save } = await openSettings()
  assert.equal((await field('Name')).value, 'News')
  assert.equal((await field('Fail over after (s)')).value, '3')
  assert.equal((await field('Return to main after (s)')).value, '30')
  assert.equal((await field('Ingest key')).value, before['push-key'])
  assert.equal((await field('Ingest key')).type, 'password')
  assert.deepEqual([(await tick('Playback: RTMP')).checked, (await tick('Playback: SRT')).checked], [true, true])
  await fill(await field('Name'), 'Evening news')
  await fill(await field('Fail over after (s)'), '5')
  await fill(await field('Return to main after (s)'), '')
  await click(await tick('Show slate when input is lost'))
  await click(await tick('Playback: RTMP'))
  await click(await tick('NDI output'))
  await click(await tick('A new publisher replaces the current one'))
  await fill(await field('Playback key'), 'hall-key')
  await fill(await field('Allowed addresses'), '192.0.2.7 10.0.0.0/8,')
  await save()
  await waitForNone('dialog')
  await until(() => document.querySelector('h1')?.textContent === 'Evening news', 'the new name')
  const { name, config } = await fetchChannel()
  assert.equal(name, 'Evening news')
  assert.deepEqual(config, {
    ...before,
    switch: { 'after-s': 5, back: 'never', 'back-after-s': 30 },
    slate: true,
    ndi: { enable: true },
    protocol: { rtmp: false, srt: true },
    'play-key': 'hall-key',
    'allow-ip': ['192.0.2.7', '10.0.0.0/8'],
    'replace-publisher': true
  })
  assert.ok(!document.body.innerHTML.includes('hall-key'))
})

test('a schedule that takes the channel off air is saved after a question that names it and its receivers', async () => {
  const input = await addRtmpInput('Studio')
  await other.send(setChannelInput, { id: channelId, input })
  const output = await addSrtOutput('Decoder', 9021)
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG, { [output]: CARRYING_LEG })
  await openChannelPage()
  const { dialog, field, press, save } = await openSettings()
  await press('Add time slot')
  // One day that is neither today nor near it in any time zone.
  const day = (new Date().getDay() + 3) % 7
  for (const [index, name] of ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].entries())
    if (index !== day) await click(await findByRole('button', name, dialog))
  await fill(await field('Start'), '08:00')
  await fill(await field('Stop'), '09:00')
  await save()
  const question = await findByRole('dialog', 'Channels go off air')
  await waitForText('News goes off air. Outputs: Decoder.', question)
  await click(await findByRole('button', 'Cancel', question))
  await until(() => !dialog.querySelector('[aria-busy]'), 'the form can be saved again')
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [])
  await save()
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog', 'Channels go off air')))
  await waitForNone('dialog')
  const { config } = await fetchChannel()
  assert.deepEqual([config.enable, config.schedule?.rules.length], [false, 1])
})

test('the hub generates a new key if a key is cleared', async () => {
  const before = (await fetchChannel()).config
  await openChannelPage()
  const { field, save } = await openSettings()
  await fill(await field('Ingest key'), '')
  await save()
  await waitForNone('dialog')
  const { config } = await fetchChannel()
  assert.match(config['push-key'] ?? '', /^PUSH-/)
  assert.notEqual(config['push-key'], before['push-key'])
  assert.equal(config['play-key'], before['play-key'])
})

test('errors are shown at their fields: numbers at once; keys, addresses and names by the hub', async () => {
  await other.send(addChannel, { name: 'Old', config: { 'push-key': 'taken' } })
  await openChannelPage()
  const { field, save } = await openSettings()
  const after = await field('Fail over after (s)')
  const back = await field('Return to main after (s)')
  await fill(after, '61')
  await blur(after)
  await waitForFieldMessage(after, 'Must be between 1 and 60')
  await fill(back, '4')
  await blur(back)
  await waitForFieldMessage(back, 'Must be between 5 and 3600')
  await fill(after, '60')
  await fill(back, '5')
  await fill(await field('Ingest key'), 'taken')
  await save()
  await waitForFieldMessage(await field('Ingest key'), 'The ingest key already exists')
  await waitForFocus('Ingest key')
  await fill(await field('Ingest key'), 'free')
  await fill(await field('Playback key'), 'two words')
  await save()
  await waitForFieldMessage(await field('Playback key'), 'Cannot contain any space')
  await fill(await field('Playback key'), 'taken')
  await save()
  await waitForFieldMessage(await field('Playback key'), 'The playback key already exists')
  await fill(await field('Playback key'), 'own')
  await fill(await field('Allowed addresses'), '192.0.2.7, 10.0.0.0/33')
  await save()
  await waitForFieldMessage(await field('Allowed addresses'), 'Invalid entry')
  await fill(await field('Allowed addresses'), '10.0.0.0/8')
  await fill(await field('Name'), 'Old')
  await save()
  await waitForFieldMessage(await field('Name'), 'The name already exists')
  await fill(await field('Name'), 'New')
  await save()
  await waitForNone('dialog')
  const { name, config } = await fetchChannel()
  assert.deepEqual([name, config['push-key'], config['play-key']], ['New', 'free', 'own'])
})

test('a schedule has days, times and the time zone of the browser, and can be removed', async () => {
  await openChannelPage()
  let { dialog, field, press, save } = await openSettings()
  assert.equal(queryAllByRole('combobox', 'Time zone', dialog).length, 0, 'without times there is no zone')
  await press('Add time slot')
  const zone = await findByRole<HTMLSelectElement>('combobox', 'Time zone', dialog)
  assert.equal(zone.value, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const pressedDays = () =>
    queryAllByRole('button', /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/, dialog)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map((button) => button.textContent)
  assert.deepEqual(pressedDays(), [])
  await press('Sat')
  await press('Sun')
  assert.deepEqual(pressedDays(), ['Sat', 'Sun'])
  await fill(await field('Start'), '08:00')
  await save()
  await waitForFieldMessage(await field('Stop'), 'Required')
  await waitForFocus('Stop')
  assert.equal(fieldMessage(await field('Start')), '')
  await fill(await field('Stop'), '08:00')
  await waitForFieldMessage(await field('Stop'), 'Runs for 24 hours')
  await fill(await field('Stop'), '07:59')
  await waitForFieldMessage(await field('Stop'), 'On the next day')
  await fill(await field('Stop'), '17:30')
  await waitForFieldMessage(await field('Stop'), '')
  await selectOption(zone, 'Asia/Tokyo')
  await save()
  await waitForNone('dialog')
  assert.deepEqual((await fetchChannel()).config.schedule, {
    zone: 'Asia/Tokyo',
    rules: [{ days: 96, start: '08:00', stop: '17:30' }]
  })
  await waitForText((await fetchChannel())['next-edge']?.enable ? /Starts \w+/ : /Stops \w+/)
  ;({ dialog, field, press, save } = await openSettings())
  await waitForText('A manual start or stop holds until the next scheduled change.', dialog)
  await press('Add time slot')
  const [first] = queryAllByRole('button', 'Delete', dialog)
  await click(first as HTMLElement)
  await until(() => queryAllByRole('button', 'Delete', dialog).length === 1, 'one remaining row')
  assert.equal((await field('Start')).value, '', 'the other one is left')
  await press('Delete')
  await save()
  await waitForNone('dialog')
  assert.deepEqual((await fetchChannel()).config.schedule?.rules, [])
  assert.equal((await fetchChannel())['next-edge'], undefined)
})

test('a schedule has single dates with labelled times, and the list shows the next start', async () => {
  await openChannelPage()
  const { press, save, field } = await openSettings()
  await press('Add date')
  const day = new Date(Date.now() + 86_400_000 * 20).toISOString().slice(0, 10)
  await fill(await field('Start'), `${day}T09:30`)
  await fill(await field('Stop'), `${day}T09:00`)
  await save()
  await waitForFieldMessage(await field('Stop'), 'The end must come after the start')
  await fill(await field('Stop'), `${day}T11:00`)
  await save()
  await waitForNone('dialog')
  assert.deepEqual((await fetchChannel()).config.schedule?.events, [{ start: `${day}T09:30`, stop: `${day}T11:00` }])
  navigate(linkTo('channels'))
  await waitForText(/Starts \w+ \d+, 09:30/)
})

test('a user without permission to edit channels sees the settings read-only and without keys', async () => {
  await saveConfig({ slate: true, 'allow-ip': ['192.0.2.7'], backups: [await addRtmpInput('Spare')] })
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage('viewer')
  const { dialog, field, tick } = await openSettings()
  assert.equal((await field('Allowed addresses')).value, '192.0.2.7')
  assert.equal((await tick('Show slate when input is lost')).checked, true)
  assert.ok(dialog.querySelector<HTMLFieldSetElement>('fieldset')?.disabled)
  await waitForNone('button', 'Save', dialog)
  await waitForNone('textbox', /Key/, dialog)
  await click(await findByRole('button', 'Cancel', dialog))
  const backups = await findByRole('article', 'Inputs')
  for (const name of ['Remove: Spare', 'Add backup']) await waitForNone('button', name, backups)
})

test('backup inputs are added, moved up and removed', async () => {
  const [studio, one1, two] = [await addRtmpInput('Studio'), await addRtmpInput('One'), await addRtmpInput('Two')]
  await other.send(setChannelInput, { id: channelId, input: studio })
  await openChannelPage()
  const card = await findByRole('article', 'Inputs')
  const add = async (name: string, beforeSubmit?: () => Promise<unknown>) => {
    await click(await findByRole('button', 'Add backup', card))
    const dialog = await findByRole('dialog', 'Add backup: News')
    await selectOption(await findByRole('combobox', 'Device or input', dialog), name)
    await beforeSubmit?.()
    await click(await findByRole('button', 'Add backup', dialog))
    return dialog
  }
  const ids = async () => (await fetchChannel()).config.backups
  await add('None')
  await waitForFieldMessage(await findByRole('combobox', 'Device or input'), 'Required')
  await click(await findByRole('button', 'Cancel'))
  await add('RTMP · One')
  await waitForNone('dialog')
  await add('RTMP · Two')
  await waitForNone('dialog')
  assert.deepEqual(await ids(), [one1, two])
  await waitForNone('button', 'Move up: One', card)
  await click(await findByRole('button', 'Move up: Two', card))
  await waitForNone('button', 'Move up: Two', card)
  assert.deepEqual(await ids(), [two, one1])
  // Somebody else makes it the main input while the dialog is open.
  const spare = await addRtmpInput('Spare')
  await add('RTMP · Spare', () => other.send(setChannelInput, { id: channelId, input: spare }))
  await waitForFieldMessage(await findByRole('combobox', 'Device or input'), 'Must differ from the other entry')
  await click(await findByRole('button', 'Cancel'))
  await click(await findByRole('button', 'Remove: Two', card))
  await until(() => !visibleText(card).includes('Two'), 'the card is removed')
  assert.deepEqual(await ids(), [one1])
})

test('each input shows its state, and the input on air also the reason', async () => {
  const [studio, spare] = [await addRtmpInput('Studio'), await addRtmpInput('Spare')]
  await other.send(setChannelInput, { id: channelId, input: studio })
  await saveConfig({ backups: [spare] })
  const { engine, store } = hub.parts
  const observation: ObservedChannel = {
    ...CARRYING_LEG,
    input: { ...FAILED_LEG, reason: 'name-unknown 192.0.2.20' },
    backups: new Map([[spare, CARRYING_LEG]]),
    onAir: { inputId: spare, slate: false, reason: 'on-air-backup 1' },
    outputs: new Map()
  }
  engine.observe = () => observation
  await other.send(enableChannel, { id: channelId, enable: true })
  store.changes.markChanged('channel', channelId)
  const { input } = await fetchChannel()
  await openChannelPage()
  await waitForText('Running on backup 1: main input lost.')
  const nodes = () => queryAllByRole('listitem', undefined, document).filter((item) => item.matches('.node'))
  await until(() => nodes().length === 2, 'two inputs')
  const [main, backup] = nodes() as [HTMLElement, HTMLElement]
  for (const word of ['Studio', 'Down', ...(input?.health?.message?.split('\n') ?? ['?'])])
    await waitForText(word ?? '?', main)
  assert.ok(!visibleText(main).includes('bps'), 'it carries nothing')
  for (const word of ['Spare', 'On air', 'Backup 1', 'RTMP', '4.2 Mbps']) await waitForText(word, backup)
})

test.run()
