import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { addPreset, listPresets } from '../../../../contract/stream/preset.ts'
import { RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, rowNames } from '../../../kit/console/table-rows.ts'
import { addUser } from '../../../kit/hub/hub.ts'

const test = suite('destinations')

hubForEach(test)

const presetsAtHub = async () => (await other.send(listPresets, {})).list
const addSite = () => other.send(addPreset, { name: 'Site', protocol: RTMP, config: { url: 'rtmp://192.0.2.9/live' } })

test('the public services and the presets of the hub are listed; a service cannot be changed', async () => {
  await addSite()
  await openConsole(hub, { at: linkTo('destinations') })
  await waitForText('rtmp://192.0.2.9/live', await findByRole('row', /Site/))
  assert.deepEqual(rowNames(), ['Facebook Live', 'Site', 'Twitch', 'YouTube'])
  assert.equal(queryAllByRole('button', /^Delete/).length, 1)
  assert.equal(queryAllByRole('button', /^Edit/).length, 1)
})

test('an output is added to a destination, with its settings filled in', async () => {
  await addSite()
  await openConsole(hub, { at: linkTo('destinations') })
  await click(await buttonInRow('Site', 'Add output: Site'))
  const dialog = await findByRole('dialog', 'Add output')
  assert.equal(queryAllByRole('textbox', 'Address', dialog).length, 0, 'the preset has it')
  await findByRole('heading', 'Outputs')
})

test('a destination is added and edited, without keys', async () => {
  await openConsole(hub, { at: linkTo('destinations') })
  await click(await findByRole('button', 'Add destination'))
  const dialog = await findByRole('dialog', 'Add destination')
  await fill(await findByRole('textbox', 'Name', dialog), 'Church')
  await selectOption(await findByRole('combobox', 'Protocol', dialog), 'SRT caller')
  await fill(await findByRole('textbox', 'Address', dialog), '192.0.2.7')
  await fill(await findByRole('textbox', 'Port', dialog), '9000')
  assert.equal(queryAllByRole('textbox', /Stream ID|Passphrase/, dialog).length, 0)
  await click(await findByRole('button', 'Add destination', dialog))
  await waitForText('192.0.2.7:9000', await findByRole('row', /Church/))
  await click(await buttonInRow('Church', 'Edit: Church'))
  const edit = await findByRole('dialog', 'Edit Church')
  await fill(await findByRole('textbox', 'Port', edit), '9001')
  await click(await findByRole('button', 'Save', edit))
  await waitForText('192.0.2.7:9001', await findByRole('row', /Church/))
  const [preset] = await presetsAtHub()
  assert.equal(preset?.protocol, SRT)
  assert.equal(preset?.config.mode, 'caller')
  assert.equal(preset?.config['dst-port'], 9001)
})

test('a deletion can be undone', async () => {
  await addSite()
  await openConsole(hub, { at: linkTo('destinations') })
  await click(await buttonInRow('Site', 'Delete: Site'))
  await waitForNone('row', /Site/)
  assert.deepEqual(await presetsAtHub(), [])
  await click(await findByRole('button', 'Undo'))
  await findByRole('row', /Site/)
})

test('a user who may only look has no actions', async () => {
  await addSite()
  await addUser(hub, 'viewer', INPUT_OUTPUT_VIEW)
  await openConsole(hub, { at: linkTo('destinations'), user: 'viewer' })
  await findByRole('row', /Site/)
  assert.equal(queryAllByRole('button', /Add output|Add destination|Edit|Delete/).length, 0)
})

test.run()
