import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT } from '../../../../contract/access/permissions.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addInput, listInputs } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { selectFile } from '../../../kit/console/select-file.ts'
import { downloadExport, sealedExport } from '../../../kit/hub/backup/import-export.ts'
import { addUser } from '../../../kit/hub/hub.ts'

const test = suite('import settings')

hubForEach(test)

const addUdpInput = (name: string) => other.send(addInput, { name, config: { type: 1, url: 'udp://239.1.2.3:5004' } })

test('an export is chosen, its differences are shown, and it is imported after a confirmation', async () => {
  await addUdpInput('Kept')
  const bytes = await downloadExport(other)
  await addUdpInput('Later')
  await openConsole(hub, { at: ROUTES.importSettings })
  await waitForText(/Nothing changes before you have seen the differences/)
  await selectFile(bytes, 'export.tar')
  await waitForText('Signature Signed by this hub Secrets Not included')
  await click(await findByRole('button', 'Show differences'))
  await waitForText(/Inputs, outputs and channels: Removed 1/)
  await waitForText('Removed Input Later')
  await click(await findByRole('button', 'Import'))
  await click(await findByRole('button', 'Import', await findByRole('dialog', 'Import?')))
  await waitForText(/The hub restarts; this page continues by itself/)
  const { list } = await other.send(listInputs, {})
  assert.deepEqual(
    list.map(({ name }) => name),
    ['Kept']
  )
})

const part = (name: string) => findByRole<HTMLInputElement>('checkbox', new RegExp(`^${name}\\b`))

test('differences are shown only for the chosen parts and the passphrase with which they were computed', async () => {
  const bytes = await sealedExport(hub, 'a long passphrase')
  await addUdpInput('Later')
  await openConsole(hub, { at: ROUTES.importSettings })
  await selectFile(bytes, 'export.tar')
  await click(await findByRole('button', 'Show differences'))
  await waitForText('Removed Input Later')
  await click(await part('Devices'))
  await waitForNone('button', 'Import')
  await click(await findByRole('button', 'Show differences'))
  await findByRole('button', 'Import')
  await fill(await findByRole('textbox', 'Passphrase'), 'a long passphrase')
  await waitForNone('button', 'Import')
  await click(await findByRole('button', 'Show differences'))
  await click(await findByRole('button', 'Import'))
  assert.match(
    visibleText(await findByRole('dialog', 'Import?')),
    /Replaces these parts: Users, groups and access tokens; Inputs, outputs and channels; NDI; Settings of the hub\. /
  )
})

test('the chosen parts and their differences are still there when the user comes back', async () => {
  const bytes = await downloadExport(other)
  await addUdpInput('Later')
  await openConsole(hub, { at: ROUTES.importSettings })
  await selectFile(bytes, 'export.tar')
  await click(await part('Users'))
  await click(await findByRole('button', 'Show differences'))
  await waitForText('Removed Input Later')
  navigate(ROUTES.profile)
  await waitForNone('button', 'Import')
  navigate(ROUTES.importSettings)
  await waitForText('Removed Input Later')
  assert.deepEqual([(await part('Users')).checked, (await part('Inputs')).checked], [false, true])
})

test('a wrong passphrase is shown at its field, with the remaining attempts', async () => {
  await openConsole(hub, { at: ROUTES.importSettings })
  await selectFile(await sealedExport(hub, 'a long passphrase'), 'export.tar')
  await fill(await findByRole('textbox', 'Passphrase'), 'wrong')
  await click(await findByRole('button', 'Show differences'))
  await waitForText(/Wrong passphrase. Attempts left: 4/)
  await fill(await findByRole('textbox', 'Passphrase'), 'a long passphrase')
  await click(await findByRole('button', 'Show differences'))
  await waitForText('The file and this hub are the same. Nothing would change.')
})

test('settings are shown with their titles', async () => {
  const bytes = await downloadExport(other)
  await other.send(setSettings, { 'expired-time': 60 })
  await openConsole(hub, { at: ROUTES.importSettings })
  await selectFile(bytes, 'export.tar')
  await click(await findByRole('button', 'Show differences'))
  await waitForText('Setting Session expiry')
})

test('another file is refused with the reason', async () => {
  await openConsole(hub, { at: ROUTES.importSettings })
  await selectFile(Buffer.from('hello'), 'export.tar')
  await waitForText(/The file is not an export of a hub/)
})

test('only the Admin group imports', async () => {
  await addUser(hub, 'operator', SYSTEM_CONFIG_EDIT | CHANNEL_VIEW)
  await openConsole(hub, { at: ROUTES.importSettings, user: 'operator' })
  await waitForText(/Admin account permission required/)
})

test.run()
