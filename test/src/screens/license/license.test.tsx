import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import { GROUP_VIEWER } from '../../../../contract/access/permissions.ts'
import { FREE_LIMITS, LICENSE_STATE } from '../../../../contract/license/license.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { type LicenseStatement, signStatement } from '../../../../license/statement.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { findPlace } from '../../../kit/console/menu.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const DAY = 24 * 60 * 60 * 1000
const MACHINE = 'a'.repeat(32)
const issuer = generateKeyPairSync('ed25519')

const test = suite('license page')
hubForEach(test, { license: { trusted: [issuer.publicKey], machine: MACHINE } })

const openLicenseScreen = (user?: string) => openConsole(hub, { at: ROUTES.license, user })

/** Stores a licence, whether or not it is in force. */
function storeLicense(
  fields: Partial<LicenseStatement> = {},
  serverState?: number,
  key = issuer.privateKey,
  at = Date.now()
): void {
  const statement: LicenseStatement = {
    title: 'Diocese',
    sn: 'ABC123',
    machine: MACHINE,
    permissions: 3,
    limits: { ...FREE_LIMITS, 'max-channel-count': 500, 'max-dev-count': 20 },
    issued: Date.now() - DAY,
    expires: Date.now() + 100 * DAY,
    'support-end': 0,
    ...fields
  }
  hub.parts.license.store({
    signed: signStatement(statement, key),
    ...(serverState !== undefined && { server: { state: serverState, at } })
  })
}

test('a hub without a licence says so, shows its limits, and names the machine', async () => {
  await openLicenseScreen()
  await waitForText('No license')
  await waitForText(MACHINE)
  await waitForText('At the limit, no further channel can be added.')
  assert.match(visibleText(), /Channels[^0-9]*0\s*256/)
  const card = (await findByRole('heading', 'Not set up')).closest('section') as HTMLElement
  await waitForText('No license server is configured on this hub. Use a license file.', card)
  await waitForNone('button', 'Activate')
})

test('a licence in force is shown whole', async () => {
  storeLicense()
  await openLicenseScreen()
  await waitForText('The license is valid')
  for (const text of ['Diocese', 'ABC123', 'Never', 'Use without license server · Move to another machine'])
    await waitForText(text)
  assert.match(visibleText(), /Registered devices[^0-9]*0\s*20/)
  assert.doesNotMatch(visibleText(), /renew/)
})

test('the end of a licence is announced to every user, and as a warning from 15 days on', async () => {
  storeLicense({ expires: Date.now() + 20.5 * DAY })
  await addUser(hub, 'viewer1', GROUP_VIEWER)
  await openConsole(hub, { at: ROUTES.dashboard, user: 'viewer1' })
  await waitForText(/The license expires in 20 days/)
  assert.equal(document.querySelector('.banner[data-tone=off]')?.getAttribute('role'), null)
  storeLicense({ expires: Date.now() + 14.5 * DAY })
  await waitForText(/The license expires in 14 days/)
  assert.equal(document.querySelector('.banner[data-tone=warn]')?.getAttribute('role'), 'alert')
  storeLicense({ expires: Date.now() - DAY })
  await waitForText('License subscription is expired, please renew it.')
  assert.ok(document.querySelector('.banner[data-tone=bad]'))
})

test('the announcement can be put off for a day, but not in the last three days, and not afterwards', async () => {
  storeLicense({ expires: Date.now() + 2.5 * DAY })
  await addUser(hub, 'viewer1', GROUP_VIEWER)
  await openConsole(hub, { at: ROUTES.dashboard, user: 'viewer1' })
  await waitForText(/The license expires in 2 days/)
  const putOff = () => queryAllByRole('button', 'Hide for a day')
  assert.deepEqual(putOff(), [])
  storeLicense({ expires: Date.now() - DAY })
  await waitForText('License subscription is expired, please renew it.')
  assert.deepEqual(putOff(), [])
  storeLicense({ expires: Date.now() + 20.5 * DAY })
  await waitForText(/The license expires in 20 days/)
  await click(putOff()[0] as HTMLElement)
  await until(() => !/The license expires/.test(visibleText()), 'the banner is gone')
  storeLicense({ expires: Date.now() + 1.5 * DAY })
  await waitForText(/The license expires on/)
})

for (const [name, fields, state, sentence] of [
  ['copied', { machine: 'b'.repeat(32) }, undefined, /The license belongs to another machine/],
  ['occupied', {}, LICENSE_STATE.occupied, /activated by another user/],
  ['disabled', {}, LICENSE_STATE.disabled, /Certificate disabled/]
] as const)
  test(`a licence that is ${name} says so, and that nothing stops`, async () => {
    storeLicense(fields, state)
    await openLicenseScreen()
    await waitForText(sentence)
    await waitForText('Running channels and accepted devices continue.')
  })

test('the day before its end, a licence is announced without a number of days; 31 days before, it is not', async () => {
  storeLicense({ expires: Date.now() + 30 * DAY + 60_000 })
  await openConsole(hub, { at: ROUTES.dashboard })
  await findByRole('region', 'Machine, network, devices')
  assert.doesNotMatch(visibleText(), /expires/)
  storeLicense({ expires: Date.now() + 30 * DAY - 60_000 })
  await waitForText(/The license expires in 29 days/)
  storeLicense({ expires: Date.now() + 1.5 * DAY })
  await waitForText(/The license expires on .*Please renew it/)
})

test('a licence that is not in force is named in the notice, and can be removed if it cannot be read', async () => {
  const stranger = generateKeyPairSync('ed25519')
  storeLicense({}, undefined, stranger.privateKey)
  await openLicenseScreen()
  await waitForText('License not in force: The key of the license does not match its certificate')
  await click(await findByRole('button', 'Deactivate'))
  await click(await findByRole('button', 'Deactivate', await findByRole('dialog', 'Deactivate?')))
  await waitForText('No license')
})

test('the silence of the licence server is noted before the licence ends by it', async () => {
  storeLicense({ permissions: 0 }, LICENSE_STATE.valid, undefined, Date.now() - 3 * DAY)
  await openLicenseScreen()
  await waitForText(/The license server is not responding. The license stays in force until/)
  assert.match(visibleText(), /Permissions\s*–/)
})

test('the menu says that maintenance support ends, and that a limit is exceeded', async () => {
  storeLicense({ 'support-end': Date.now() + 10.5 * DAY, limits: { ...FREE_LIMITS, 'max-channel-count': 1 } })
  hub.parts.store.settings.set('license-limits', FREE_LIMITS)
  for (const name of ['A', 'B']) await hub.clientAs().send(addChannel, { name })
  hub.parts.license.store(hub.parts.store.settings.get('license') ?? undefined)
  await openLicenseScreen()
  const tips = () => [...document.querySelectorAll('.side [data-tip]')].map((link) => link.getAttribute('data-tip'))
  await waitForText('Maintenance support until')
  assert.ok(tips().includes('Maintenance support expires in 10 days'), String(tips()))
  await click(await findPlace('Channels'))
  assert.ok(tips().includes('Channels: 2, the license allows 1'), String(tips()))
})

test.run()
