// The page of NDI sources, with a fake NDI runtime.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { NDI_SOURCE_ONLINE } from '../../../../contract/codes.ts'
import { addNdiPreset, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { addChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { listNdiSources } from '../../../../contract/stream/ndi.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { $inputs } from '../../../../src/state/sources.ts'
import { createFakeNdi, type FakeNdi, silenceMachine } from '../../../engine/ndi/fake-ndi.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI sources')
hubForEach(test)

/** A machine that does not answer in one test, and one that does. */
const SILENT = '127.0.0.3'
const ANSWERING = '127.0.0.2'

let network: FakeNdi
/** At which machines are asked. */
let machinePort: number
test.after.each(() => network?.remove())

async function start(library?: string): Promise<void> {
  network = createFakeNdi(library)
  machinePort = await freeUdpPort()
  network.announce(
    ['STUDIO (Cam 1)', `${ANSWERING}:5961`],
    ['STUDIO (Cam 2)', `${SILENT}:5961`],
    ['FOYER', `${ANSWERING}:5962`]
  )
  await replaceHub({ ndi: { folders: [network.folder], machinePort } })
}

const open = (user?: string) => openConsole(hub, { at: ROUTES.ndiSources, ...(user && { user }) })

test('sources are shown by machine, and one that is saved and not found with its possible causes', async () => {
  await start('libndi.so.6')
  await other.send(addNdiPreset, { name: 'Stage', ndi: { name: 'STUDIO (Cam 3)' } })
  await open()
  await findByRole('heading', 'STUDIO')
  await findByRole('heading', 'FOYER')
  await until(async () => {
    const { list } = await other.send(listNdiSources, {})
    return list.every(({ state }) => state === NDI_SOURCE_ONLINE)
  }, 'all machines answer')
  assert.ok(!visibleText().includes('Announced, does not answer'))
  const answerAgain = await silenceMachine(SILENT, machinePort)
  await waitForText('Announced, does not answer')
  await answerAgain()
  const text = visibleText()
  for (const part of [
    '2 sources',
    'Cam 1',
    `${SILENT}:5961`,
    'Format not known until a channel receives it',
    'Not used',
    'Saved or routed, but not found'
  ])
    assert.ok(text.includes(part), part)
  assert.match(text, /STUDIO \(Cam 3\).*the source was stopped or renamed/s)
  assert.match(text, /a group in which the hub does not search.*The hub searches in: Public\./s)
  assert.match(text, /a discovery server that the hub does not use\. The hub uses none\./)
  assert.ok(!text.includes('requires the NDI runtime'))
  await fill(await findByRole('textbox', 'Search'), 'cam 2')
  await waitForNone('heading', 'FOYER')
  await waitForText('1 source')
})

test('a source is saved as a preset with a proposed alias, and the hub stores its settings', async () => {
  await start('libndi.so.6')
  await other.send(addInput, { name: 'cam 1', config: { type: 1, url: 'srt://10.0.0.1:9000' } })
  await open()
  await until(() => $inputs.get().phase === 'ready', 'the names of the inputs')
  await click(await findByRole('button', 'Save STUDIO (Cam 1) as a preset'))
  const dialog = await findByRole('dialog', 'Save as preset')
  const field = (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog)
  assert.equal((await field('Name')).value, 'STUDIO (Cam 1)', 'an input has the shorter name')
  assert.equal((await field('NDI name')).value, 'STUDIO (Cam 1)')
  await selectOption(await findByRole('combobox', 'Transport', dialog), 'UDP multicast')
  await fill(await field('Name'), 'Pulpit')
  await fill(await field('Groups'), 'public,Stage 2')
  await fill(await field('Extra addresses'), '10.0.1.7,10.0.1.8')
  await fill(await field('Discovery server'), '10.0.0.8:5959')
  await fill(await field('Multicast address'), '239.1.2.3')
  await selectOption(await findByRole('combobox', 'Picture', dialog), 'Preview with low bandwidth')
  await click(await findByRole('button', 'Save as preset', dialog))
  await waitForNone('dialog')
  const { list } = await other.send(listNdiPresets, {})
  assert.deepEqual(
    list.map(({ name, ndi }) => [name, ndi]),
    [
      [
        'Pulpit',
        {
          name: 'STUDIO (Cam 1)',
          group: 'public,Stage 2',
          'transport-mode': 1,
          'mcast-ip': '239.1.2.3',
          'extra-ips': ['10.0.1.7', '10.0.1.8'],
          'low-bw': true,
          'discovery-server': ['10.0.0.8:5959']
        }
      ]
    ]
  )
})

test('a source becomes a preset and the input of a channel in one step', async () => {
  await start('libndi.so.6')
  const { id } = await other.send(addChannel, { name: 'Hall' })
  await open()
  await click(await findByRole('button', 'Use STUDIO (Cam 2) in a channel'))
  const dialog = await findByRole('dialog', 'Use STUDIO (Cam 2) in a channel')
  await selectOption(await findByRole('combobox', 'Channel', dialog), 'Hall')
  await waitForText('It has no input yet.', dialog)
  await click(await findByRole('button', 'Use in channel', dialog))
  await waitForNone('dialog')
  const [preset] = (await other.send(listNdiPresets, {})).list
  assert.deepEqual([preset?.name, preset?.ndi.name], ['Cam 2', 'STUDIO (Cam 2)'])
  const { channel } = await other.send(queryChannel, { id })
  assert.equal(channel.input?.id, preset?.id)
  await findByRole('link', 'Hall')
})

test('without the NDI runtime the page names the runtime, and explains the empty list', async () => {
  await start()
  await open()
  await waitForText('No NDI sources found')
  const text = visibleText()
  for (const part of ['requires the NDI runtime', 'ndi.video', 'UDP 5353']) assert.ok(text.includes(part), part)
})

test('presets are listed with their state, edited, overridden by name after a question, and deleted', async () => {
  await start('libndi.so.6')
  const { id } = await other.send(addNdiPreset, { name: 'Pulpit', ndi: { name: 'STUDIO (Cam 1)' } })
  await other.send(addNdiPreset, { name: 'Stage', ndi: { name: 'STUDIO (Cam 3)' } })
  await other.send(setChannelInput, { id: (await other.send(addChannel, { name: 'Hall' })).id, input: id })
  await openConsole(hub, { at: linkTo('ndiSources', { tab: 'presets' }) })
  await waitForText('Found', await findRow('Pulpit'))
  await waitForText('Hall', await findRow('Pulpit'))
  await waitForText('Not found', await findRow('Stage'))
  await click(await buttonInRow('Stage', 'Edit: Stage'))
  const edit = await findByRole('dialog', 'Edit Stage')
  await fill(await findByRole('textbox', 'NDI name', edit), 'STUDIO (Cam 2)')
  await click(await findByRole('button', 'Save', edit))
  await waitForNone('dialog')
  await waitForText('STUDIO (Cam 2)', await findRow('Stage'))
  await click(queryAllByRole('button', 'Add preset')[0] as HTMLElement)
  const add = await findByRole('dialog', 'Add preset')
  await fill(await findByRole('textbox', 'Name', add), 'Pulpit')
  await fill(await findByRole('textbox', 'NDI name', add), 'FOYER')
  await click(await findByRole('button', 'Add preset', add))
  await click(await findByRole('button', 'Proceed anyway'))
  await waitForNone('dialog')
  await waitForText('FOYER', await findRow('Pulpit'))
  assert.equal((await other.send(listNdiPresets, { key: 'Pulpit' })).list[0]?.id, id)
  await click(await buttonInRow('Stage', 'Delete: Stage'))
  await waitForNone('row', /Stage/)
})

test('a user who may only view sees no buttons, and one without the permission sees why the page is empty', async () => {
  await start('libndi.so.6')
  await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  await addUser(hub, 'carl', CHANNEL_VIEW)
  await open('vera')
  await findByRole('heading', 'STUDIO')
  assert.deepEqual(queryAllByRole('button', /^(Save|Use|Add)/), [])
  await closeConsole()
  await open('carl')
  await waitForText('Ask an administrator for it.')
})

test.run()
