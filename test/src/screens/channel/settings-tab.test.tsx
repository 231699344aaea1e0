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
  channelForEach,
  channelId,
  fetchChannel,
  formOf,
  openChannelPage,
  setObserved,
  waitUntilSaved
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  blur,
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
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel settings')

channelForEach(test)

async function saveConfig(config: Channel['config'] | object): Promise<void> {
  assert.equal((await other.send(setChannel, { id: channelId, name: 'News', config })).result, SUCCESS)
}
async function openSettings(user?: string) {
  await openChannelPage(user, 'settings')
  return formOf(await findByRole('textbox', 'Name'))
}

const FAILED_LEG: ObservedLeg = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.nameNotFound,
  kbps: 0,
  livingTimeS: 0
}

test('the settings of a channel are shown, and changes are saved by the hub', async () => {
  const before = (await fetchChannel()).config
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
  await waitUntilSaved()
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

test('the hub generates a new key if a key is cleared', async () => {
  const before = (await fetchChannel()).config
  const { field, save } = await openSettings()
  await fill(await field('Ingest key'), '')
  await save()
  await waitUntilSaved()
  const { config } = await fetchChannel()
  assert.match(config['push-key'] ?? '', /^PUSH-/)
  assert.notEqual(config['push-key'], before['push-key'])
  assert.equal(config['play-key'], before['play-key'])
})

test('errors are shown at their fields: numbers at once; keys, addresses and names by the hub', async () => {
  await other.send(addChannel, { name: 'Old', config: { 'push-key': 'taken' } })
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
  await waitUntilSaved()
  const { name, config } = await fetchChannel()
  assert.deepEqual([name, config['push-key'], config['play-key']], ['New', 'free', 'own'])
})

test('a user without permission to edit channels sees the settings read-only and without keys', async () => {
  await saveConfig({ slate: true, 'allow-ip': ['192.0.2.7'], backups: [await addRtmpInput('Spare')] })
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  const { form, field, tick } = await openSettings('viewer')
  assert.equal((await field('Allowed addresses')).value, '192.0.2.7')
  assert.equal((await tick('Show slate when input is lost')).checked, true)
  assert.ok(form.querySelector<HTMLFieldSetElement>('fieldset')?.disabled)
  await waitForNone('button', 'Save', form)
  await waitForNone('textbox', /Key/, form)
  await click(await findByRole('link', 'Path'))
  const backups = await findByRole('article', 'Inputs')
  for (const name of ['Remove: Spare', 'Add backup']) await waitForNone('button', name, backups)
})

test('the bar names what is not saved, and the changes can be discarded', async () => {
  await openSettings()
  const { form, field, tick, press } = formOf(await findByRole('textbox', 'Name'))
  await waitForNone('button', 'Save', form)
  await fill(await field('Name'), 'Other')
  await click(await tick('Show slate when input is lost'))
  await waitForText('Not saved: Name, Show slate when input is lost', await findByRole('status', undefined, form))
  await press('Discard changes')
  await waitUntilSaved()
  assert.equal((await field('Name')).value, 'News')
})

test('leaving with unsaved changes asks; without an answer the page and the changes stay', async () => {
  const console = await openChannelPage(undefined, 'settings')
  const { field } = formOf(await findByRole('textbox', 'Name'))
  await fill(await field('Name'), 'Other')
  const settings = console.currentPath()
  await click(await findByRole('link', 'Path'))
  const question = await findByRole('dialog', 'Leave without saving?')
  await waitForText('Not saved: Name', question)
  await click(await findByRole('button', 'Cancel', question))
  assert.equal(console.currentPath(), settings)
  assert.equal((await field('Name')).value, 'Other')
  navigate(linkTo('channels'))
  await click(await findByRole('button', 'Discard changes', await findByRole('dialog', 'Leave without saving?')))
  await findByRole('heading', 'Channels')
  assert.equal(console.currentPath(), linkTo('channels'))
  navigate(settings)
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Name')).value, 'News')
})

test('what another user saves appears, except in a field that is being edited', async () => {
  const { field, tick, save } = await openSettings()
  await fill(await field('Name'), 'Other')
  await saveConfig({ slate: true, switch: { 'after-s': 7, back: 'never', 'back-after-s': 30 } })
  await until(async () => (await field('Fail over after (s)')).value === '7', 'the change of the other user')
  assert.deepEqual(
    [(await field('Name')).value, (await tick('Show slate when input is lost')).checked],
    ['Other', true]
  )
  await save()
  await waitUntilSaved()
  const { name, config } = await fetchChannel()
  assert.deepEqual([name, config.slate, config.switch?.['after-s']], ['Other', true, 7])
})

test('only what was changed is sent', async () => {
  const console = await openChannelPage(undefined, 'settings')
  const bodies: unknown[] = []
  console.intercept = (path, body) => void (path.includes('/channel/set') && bodies.push(JSON.parse(String(body))))
  const { tick, save } = formOf(await findByRole('textbox', 'Name'))
  await click(await tick('Playback: SRT'))
  await save()
  await waitUntilSaved()
  const config = { protocol: { rtmp: true, srt: false } }
  assert.deepEqual(bodies, [{ id: channelId, name: 'News', config, 'dry-run': 'if-off-air' }])
})

test('what interrupts the channel is marked while it is on air, before anything is changed', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  await openSettings()
  const marked = () =>
    [...document.querySelectorAll('.interrupting .field')].map((each) => each.querySelector('label')?.textContent)
  assert.deepEqual(marked(), [])
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG)
  await until(() => marked().length > 0, 'the marks')
  assert.deepEqual(marked(), [
    'NDI output',
    'Show slate when input is lost',
    'Ingest key',
    'Playback key',
    'Playback: RTMP',
    'Playback: SRT',
    'Allowed addresses'
  ])
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
