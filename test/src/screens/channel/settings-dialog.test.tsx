import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { CHANNEL_VIEW } from '../../../../contract/permissions.ts'
import { addChannel, type Channel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import type { ObservedChannel, ObservedLeg } from '../../../../engine/interfaces/channel.ts'
import { addedInput, channel, channelForEach, id, open } from '../../../kit/channel-page.ts'
import { addUser } from '../../../kit/hub.ts'
import { hub, other } from '../../../kit/hub-for-each.ts'
import { CARRIES } from '../../../kit/measured.ts'
import { all, choose, click, fill, focuses, leave, none, one, says, saysOf, words } from '../../../kit/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel settings')

channelForEach(test)

async function saveConfig(config: Channel['config'] | object): Promise<void> {
  assert.equal((await other.send(setChannel, { id, name: 'News', config })).result, SUCCESS)
}
async function openSettings() {
  await click(await one('button', 'More'))
  await click(await one('menuitem', 'Settings'))
  const dialog = await one('dialog', 'Settings: News')
  return {
    dialog,
    field: (name: string) => one<HTMLInputElement>('textbox', name, dialog),
    tick: (name: string) => one<HTMLInputElement>('checkbox', name, dialog),
    press: async (name: string) => click(await one('button', name, dialog)),
    save: async () => click(await one('button', 'Save', dialog))
  }
}

const FAILED_LEG: ObservedLeg = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.nameNotFound,
  kbps: 0,
  livingTimeS: 0
}

test('the settings of a channel are shown, and changes are saved by the hub', async () => {
  const before = (await channel()).config
  await open()
  const { field, tick, save } = await openSettings()
  assert.equal((await field('Name')).value, 'News')
  assert.equal((await field('Switch after (s)')).value, '3')
  assert.equal((await field('Switch back after (s)')).value, '30')
  assert.equal((await field('Push: Key')).value, before['push-key'])
  assert.equal((await field('Push: Key')).type, 'password')
  assert.deepEqual([(await tick('Play: RTMP')).checked, (await tick('Play: SRT')).checked], [true, true])
  await fill(await field('Name'), 'Evening news')
  await fill(await field('Switch after (s)'), '5')
  await fill(await field('Switch back after (s)'), '')
  await click(await tick('Still picture without input'))
  await click(await tick('Play: RTMP'))
  await click(await tick('NDI output'))
  await fill(await field('Play: Key'), 'hall-key')
  await fill(await field('Allowed addresses'), '192.0.2.7 10.0.0.0/8,')
  await save()
  await none('dialog')
  await one('heading', 'Evening news')
  const { name, config } = await channel()
  assert.equal(name, 'Evening news')
  assert.deepEqual(config, {
    ...before,
    switch: { 'after-s': 5, back: 'never', 'back-after-s': 30 },
    slate: true,
    ndi: { enable: true },
    protocol: { rtmp: false, srt: true },
    'play-key': 'hall-key',
    'allow-ip': ['192.0.2.7', '10.0.0.0/8']
  })
  assert.ok(!document.body.innerHTML.includes('hall-key'))
})

test('an emptied key is generated anew by the hub', async () => {
  const before = (await channel()).config
  await open()
  const { field, save } = await openSettings()
  await fill(await field('Push: Key'), '')
  await save()
  await none('dialog')
  const { config } = await channel()
  assert.match(config['push-key'] ?? '', /^PUSH-/)
  assert.notEqual(config['push-key'], before['push-key'])
  assert.equal(config['play-key'], before['play-key'])
})

test('errors are shown at their fields: numbers at once; keys, addresses and names by the hub', async () => {
  await other.send(addChannel, { name: 'Old', config: { 'push-key': 'taken' } })
  await open()
  const { field, save } = await openSettings()
  const after = await field('Switch after (s)')
  const back = await field('Switch back after (s)')
  await fill(after, '61')
  await leave(after)
  await saysOf(after, 'Must be between 1 and 60')
  await fill(back, '4')
  await leave(back)
  await saysOf(back, 'Must be between 5 and 3600')
  await fill(after, '60')
  await fill(back, '5')
  await fill(await field('Push: Key'), 'taken')
  await save()
  await saysOf(await field('Push: Key'), 'The push key already exists')
  await focuses('Push: Key')
  await fill(await field('Push: Key'), 'free')
  await fill(await field('Play: Key'), 'two words')
  await save()
  await saysOf(await field('Play: Key'), 'Cannot contain any space')
  await fill(await field('Play: Key'), 'taken')
  await save()
  await saysOf(await field('Play: Key'), 'The pull key already exists')
  await fill(await field('Play: Key'), 'own')
  await fill(await field('Allowed addresses'), '192.0.2.7, 10.0.0.0/33')
  await save()
  await saysOf(await field('Allowed addresses'), 'Invalid entry')
  await fill(await field('Allowed addresses'), '10.0.0.0/8')
  await fill(await field('Name'), 'Old')
  await save()
  await saysOf(await field('Name'), 'The name already exists')
  await fill(await field('Name'), 'New')
  await save()
  await none('dialog')
  const { name, config } = await channel()
  assert.deepEqual([name, config['push-key'], config['play-key']], ['New', 'free', 'own'])
})

test('a schedule has days, times and the time zone of the browser, and can be removed', async () => {
  await open()
  let { dialog, field, press, save } = await openSettings()
  assert.equal(all('combobox', 'Time zone', dialog).length, 0, 'without times there is no zone')
  await press('Add times')
  const zone = await one<HTMLSelectElement>('combobox', 'Time zone', dialog)
  assert.equal(zone.value, Intl.DateTimeFormat().resolvedOptions().timeZone)
  await press('Sat')
  await press('Sun')
  assert.equal((await one('button', 'Sun', dialog)).getAttribute('aria-pressed'), 'false')
  await save()
  await says('Required', dialog)
  await fill(await field('Start'), '08:00')
  await fill(await field('Stop'), '17:30')
  await choose(zone, 'Asia/Tokyo')
  await save()
  await none('dialog')
  assert.deepEqual((await channel()).config.schedule, {
    zone: 'Asia/Tokyo',
    rules: [{ days: 31, start: '08:00', stop: '17:30' }]
  })
  await says((await channel())['next-edge']?.enable ? /Start: \w+ \d+, \d{4}/ : /Stop: \w+ \d+, \d{4}/)
  ;({ dialog, field, press, save } = await openSettings())
  await says('A manual start or stop holds until then.', dialog)
  await press('Add times')
  const [first] = all('button', 'Delete', dialog)
  await click(first as HTMLElement)
  await until(() => all('button', 'Delete', dialog).length === 1, 'one remaining row')
  assert.equal((await field('Start')).value, '', 'the other one is left')
  await press('Delete')
  await save()
  await none('dialog')
  assert.deepEqual((await channel()).config.schedule?.rules, [])
  assert.equal((await channel())['next-edge'], undefined)
})

test('a user who may not edit channels sees the settings read-only and without keys', async () => {
  await saveConfig({ slate: true, 'allow-ip': ['192.0.2.7'], backups: [await addedInput('Spare')] })
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await open('viewer')
  const { dialog, field, tick } = await openSettings()
  assert.equal((await field('Allowed addresses')).value, '192.0.2.7')
  assert.equal((await tick('Still picture without input')).checked, true)
  assert.ok(dialog.querySelector<HTMLFieldSetElement>('fieldset')?.disabled)
  await none('button', 'Save', dialog)
  await none('textbox', /Key/, dialog)
  await click(await one('button', 'Cancel', dialog))
  const backups = await one('article', 'Backup')
  for (const name of ['Remove: Spare', 'Add backup'])
    assert.equal((await one('button', name, backups)).getAttribute('aria-disabled'), 'true')
})

test('backup inputs are added, moved up and removed', async () => {
  const [studio, one1, two] = [await addedInput('Studio'), await addedInput('One'), await addedInput('Two')]
  await other.send(setChannelInput, { id, input: studio })
  await open()
  const card = await one('article', 'Backup')
  const add = async (name: string) => {
    await click(await one('button', 'Add backup', card))
    const dialog = await one('dialog', 'Add backup: News')
    await choose(await one('combobox', 'Device or source', dialog), name)
    await click(await one('button', 'Add backup', dialog))
    return dialog
  }
  const ids = async () => (await channel()).config.backups
  await add('None')
  await saysOf(await one('combobox', 'Device or source'), 'Required')
  await click(await one('button', 'Cancel'))
  await add('RTMP · One')
  await none('dialog')
  await add('RTMP · Two')
  await none('dialog')
  assert.deepEqual(await ids(), [one1, two])
  await none('button', 'Move up: One', card)
  await click(await one('button', 'Move up: Two', card))
  await none('button', 'Move up: Two', card)
  assert.deepEqual(await ids(), [two, one1])
  await add('RTMP · Studio')
  await saysOf(await one('combobox', 'Device or source'), 'Must differ from the other entry')
  await click(await one('button', 'Cancel'))
  await click(await one('button', 'Remove: Two', card))
  await until(() => !words(card).includes('Two'), 'it is gone')
  assert.deepEqual(await ids(), [one1])
})

test('each input shows its state, and the input on air also the reason', async () => {
  const [studio, spare] = [await addedInput('Studio'), await addedInput('Spare')]
  await other.send(setChannelInput, { id, input: studio })
  await saveConfig({ backups: [spare] })
  const { engine, store } = hub.context
  const seen: ObservedChannel = {
    ...CARRIES,
    input: { ...FAILED_LEG, reason: 'name-unknown 192.0.2.20' },
    backups: new Map([[spare, CARRIES]]),
    onAir: { inputId: spare, slate: false, reason: 'on-air-backup 1' },
    outputs: new Map()
  }
  engine.observe = () => seen
  store.channels.setEnable(id, true)
  store.changes.markChanged('channel', id)
  const { 'on-air': onAir, input } = await channel()
  await open()
  const first = await one('article', 'Input')
  for (const word of ['Domain name not found', onAir?.why, input?.reason, input?.['next-step']])
    await says(word ?? '?', first)
  assert.ok(!words(first).includes('bps'), 'it carries nothing')
  const backup = await one('article', 'Backup')
  for (const word of ['Spare', 'On air', 'RTMP', '4.2 Mbps']) await says(word, backup)
})

test.run()
