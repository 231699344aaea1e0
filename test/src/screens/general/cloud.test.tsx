// The card of the general settings with which the hub registers with a cloud: a real cloud on SQLite.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { acceptHubs, getInvitation } from '../../../../contract/cloud/calls.ts'
import { getCloudRegistration } from '../../../../contract/cloud-registration.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { type CloudClient, startCloud, type TestCloud } from '../../../kit/cloud/cloud.ts'
import { HOST, untilListedOnline, WRONG, wrongCodeOf } from '../../../kit/cloud/registered-hub.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('cloud card')
hubForEach(test)

let cloud: TestCloud
let user: CloudClient
let port = 0

test.before.each(async () => {
  cloud = await startCloud()
  ;({ linkPort: port } = await cloud.listen(0, 0))
  user = await cloud.signIn()
})
test.after.each(() => cloud.close())

const registration = async () => other.send(getCloudRegistration, {})
const cardOf = async () => (await findByRole('heading', 'Cloud')).closest('section') as HTMLElement
const inCard = async (name: string) => findByRole<HTMLInputElement>('textbox', name, await cardOf())

async function register(invitation: string): Promise<void> {
  const card = await cardOf()
  await click(await findByRole('checkbox', 'Register with a cloud', card))
  await fill(await inCard('Address'), HOST)
  await fill(await inCard('Registration port'), String(port))
  await fill(await inCard('Invitation of the cloud'), invitation)
  await clickWhenFree('Save')
}

test('a hub registers on the card, shows its state in words, and leaves the cloud after a question', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('State Off', await cardOf())
  const { invitation } = await user.send(getInvitation, {})
  await selectOption(await findByRole('combobox', 'The cloud may', await cardOf()), 'Operate')
  await register(invitation)
  await waitForText('State Waiting until a user of the cloud accepts this hub', await cardOf())
  await waitForText('Leave empty to keep the stored one.', await cardOf())
  assert.equal((await inCard('Invitation of the cloud')).value, '')
  const { settings, sn = '' } = await registration()
  assert.deepEqual([settings.host, settings.port, settings.ssl, settings.role], [HOST, port, true, 'operate'])
  await untilListedOnline(user)
  await user.send(acceptHubs, { sn: [sn] })
  await waitForText('State Accepted', await cardOf())
  await waitForText('Connection Online', await cardOf())
  await waitForText(`Serial number of this hub ${sn}`, await cardOf())
  await click(await findByRole('button', 'Leave the cloud'))
  await click(await findByRole('button', 'Leave the cloud', await findByRole('dialog', 'Leave the cloud?')))
  await waitForText('State Off', await cardOf())
  await waitForNone('button', 'Leave the cloud')
  const left = await registration()
  assert.deepEqual([left.settings.host, left['has-invitation']], ['', false])
})

test('a wrong invitation and a missing one are explained', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await register('')
  await waitForFieldMessage(await inCard('Invitation of the cloud'), 'Required')
  await fill(await inCard('Invitation of the cloud'), 'ABC')
  await clickWhenFree('Save')
  await waitForFieldMessage(await inCard('Invitation of the cloud'), 'Invalid entry')
  const { invitation } = await user.send(getInvitation, {})
  await fill(await inCard('Invitation of the cloud'), wrongCodeOf(invitation))
  await clickWhenFree('Save')
  await waitForText('State Wrong invitation. Enter the one that the cloud shows now.', await cardOf())
})

test('a cloud that cannot be reached is named with the reason', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await cloud.close()
  await register(WRONG)
  await waitForText(/Reason The connection is refused/, await cardOf())
  cloud = await startCloud()
})

test('others see the state, and cannot change it', async () => {
  await addUser(hub, 'vera', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.general, user: 'vera' })
  const card = await cardOf()
  await waitForText('You can view these settings.', card)
  assert.ok((await inCard('Address')).closest('fieldset')?.disabled)
  await until(() => queryAllByRole('button', 'Leave the cloud', card).length === 0, 'no way to leave')
})

test.run()
