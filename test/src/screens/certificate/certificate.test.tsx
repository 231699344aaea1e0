import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { getSettings } from '../../../../contract/settings.ts'
import type { WebSettings } from '../../../../contract/web/settings.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findEntry, findMenu } from '../../../kit/console/menu.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForRender,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { makePair } from '../../../kit/tls/certificates.ts'
import { until } from '../../../kit/until.ts'

const test = suite('certificate')

hubForEach(test)

const mainPart = () => document.querySelector('main') as HTMLElement

async function selectFile(input: HTMLInputElement | undefined, text: string): Promise<void> {
  assert.ok(input)
  // Its text is there without reading it, so that the form has it after the next render.
  const file = Object.assign(new File([text], 'file.pem'), { text: async () => text })
  Object.defineProperty(input, 'files', { configurable: true, value: [file] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await waitForRender()
}

const entry = (name: string) => findEntry('Settings', name)

test('the menu leads to the page, which says that HTTPS is off', async () => {
  const { port } = await hub.listen(0, 0)
  const console = await openConsole(hub)
  const link = await entry('Certificate')
  assert.equal(link.hash, `#${ROUTES.certificate}`)
  await click(link)
  await waitForText('This hub serves HTTP only. Turn HTTPS on here')
  assert.equal(console.currentPath(), ROUTES.certificate)
  const main = mainPart()
  await waitForText(`HTTPS of the hub Disabled HTTP port ${port}`, main)
  await waitForText('This page HTTP: not encrypted', main)
  assert.doesNotMatch(visibleText(main), /HTTPS port|Private key|Valid/)
})

test('HTTPS is turned on, its certificate is shown, and it is turned off after a confirmation', async () => {
  await hub.listen(0, 0)
  hub.parts.store.database.transaction(() =>
    hub.parts.store.settings.set('web', {
      ...hub.parts.store.settings.get('web'),
      ports: hub.parts.webPorts.withPort('https', 0)
    })
  )
  await openConsole(hub, { at: ROUTES.certificate })
  await click(await findByRole('checkbox', 'Serve HTTPS'))
  await waitForText('Not saved: HTTPS access')
  assert.equal((await other.send(getSettings, {})).settings.web?.['enable-https'], false)
  await clickWhenFree('Save')
  await waitForText('Enabled, self-signed certificate')
  await waitForText(/Browsers warn about the certificate/)
  const fingerprint = hub.parts.certificates.describe()?.fingerprint ?? ''
  await waitForText(fingerprint)
  const link = (await findByRole('link', 'Open over HTTPS')) as HTMLAnchorElement
  assert.equal(link.port, String(hub.parts.webPorts.portOf('https')))
  // Over HTTP nobody can redirect to a port that may not be reachable.
  assert.ok((await findByRole('checkbox', 'Redirect HTTP to HTTPS')).closest('fieldset')?.disabled)
  await click(await findByRole('checkbox', 'Serve HTTPS'))
  await clickWhenFree('Save')
  await click(await findByRole('button', 'Turn HTTPS off', await findByRole('dialog', 'Turn HTTPS off?')))
  await waitForText('This hub serves HTTP only')
})

test('a certificate is installed from two files, and a wrong one is refused at its field', async () => {
  await hub.listen(0, 0, { https: 0 })
  await openConsole(hub, { at: ROUTES.certificate })
  await click(await findByRole('button', 'Install certificate'))
  const dialog = await findByRole('dialog', 'Install certificate')
  const [leaf, other] = [makePair(), makePair()]
  const [certificateInput, keyInput] = dialog.querySelectorAll('input')
  await selectFile(certificateInput, leaf.cert)
  await selectFile(keyInput, other.key)
  const submit = await findByRole('button', 'Install certificate', dialog)
  await click(submit)
  await waitForText(/The private key does not belong to the certificate/, dialog)
  await selectFile(keyInput, leaf.key)
  await click(submit)
  await waitForText('Valid for hub.test')
  assert.deepEqual(hub.parts.certificates.describe()?.names, ['hub.test'])
  await click(await findByRole('button', 'Use self-signed certificate'))
  const question = await findByRole('dialog', 'Use self-signed certificate?')
  await click(await findByRole('button', 'Use self-signed certificate', question))
  await waitForText('Enabled, self-signed certificate')
})

test('the console asks for the password when the last proof is old, and then installs the certificate', async () => {
  await hub.listen(0, 0, { https: 0 })
  await openConsole(hub, { at: ROUTES.certificate })
  await click(await findByRole('button', 'Install certificate'))
  const dialog = await findByRole('dialog', 'Install certificate')
  const leaf = makePair()
  const [certificateInput, keyInput] = dialog.querySelectorAll('input')
  await selectFile(certificateInput, leaf.cert)
  await selectFile(keyInput, leaf.key)
  hub.parts.store.database.run('UPDATE session SET authenticated = 1')
  const submit = await findByRole('button', 'Install certificate', dialog)
  await click(submit)
  const question = await findByRole('dialog', 'Confirm your password')
  await click(await findByRole('button', 'Cancel', question))
  await until(() => !submit.hasAttribute('aria-busy'), 'the end of the attempt')
  assert.equal(hub.parts.certificates.describe()?.['self-signed'], true)
  await click(submit)
  await fill(await findByRole('textbox', 'Password'), 'Admin')
  await click(await findByRole('button', 'Continue'))
  await waitForText('Valid for hub.test')
  assert.deepEqual(hub.parts.certificates.describe()?.names, ['hub.test'])
})

test('a user with edit permission sees HTTPS and its certificate, and cannot change them', async () => {
  await hub.listen(0, 0, { https: 0 })
  await addUser(hub, 'keeper', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  await openConsole(hub, { at: ROUTES.certificate, user: 'keeper' })
  const card = (await findByRole('checkbox', 'Serve HTTPS')).closest('.card') as HTMLElement
  assert.ok((await findByRole('checkbox', 'Serve HTTPS')).closest('fieldset')?.disabled)
  await waitForText('To change them, ask an administrator', card)
  await waitForText('SHA-256 fingerprint')
  assert.equal(queryAllByRole('button', 'Install certificate').length, 0)
})

test('a page that crosses the network without encryption has a warning, one of the machine itself has none', async () => {
  const warning = 'Passwords and sessions on this connection can be read by others on the network.'
  for (const [isSecure, count] of [
    [false, 1],
    [true, 0]
  ] as const) {
    Object.defineProperty(window, 'isSecureContext', { configurable: true, value: isSecure })
    await openConsole(hub, { at: ROUTES.certificate })
    await waitForText('This page HTTP: not encrypted')
    assert.equal(visibleText(mainPart()).includes(warning), count === 1)
    await closeConsole()
  }
  Reflect.deleteProperty(window, 'isSecureContext')
})

test('a hub with HTTPS of its own is shown with its ports, its certificate and its key', async () => {
  const console = await openConsole(hub, { at: ROUTES.profile })
  const web: WebSettings = {
    'http-port': 80,
    'enable-https': true,
    'https-port': 443,
    'is-cert-valid': true,
    'is-cert-key-valid': false
  }
  console.intercept = (path) =>
    path.includes(getSettings.path) ? Response.json({ result: SUCCESS, settings: { web } }) : undefined
  await click(await entry('Certificate'))
  const main = mainPart()
  await waitForText('HTTPS of the hub Enabled HTTP port 80 HTTPS port 443 Certificate Valid Private key Invalid', main)
  assert.doesNotMatch(visibleText(main), /reverse proxy/)
})

test('HSTS is offered only where the hub reports that it can be switched on', async () => {
  await hub.listen(0, 0, { https: 0 })
  const certificate = hub.parts.certificates.describe()
  assert.ok(certificate)
  for (const isOffered of [false, true]) {
    const web: WebSettings = {
      'enable-https': true,
      'https-state': 'enabled',
      hsts: false,
      'can-hsts': isOffered,
      certificate: { ...certificate, trusted: true }
    }
    const console = await openConsole(hub, { at: ROUTES.profile })
    console.intercept = (path) =>
      path.includes(getSettings.path) ? Response.json({ result: SUCCESS, settings: { web } }) : undefined
    await click(await entry('Certificate'))
    await findByRole('checkbox', 'Redirect HTTP to HTTPS')
    assert.equal(queryAllByRole('checkbox', 'HSTS: browsers use HTTPS only').length, isOffered ? 1 : 0)
    await closeConsole()
  }
})

test('a hub that reports no web server shows only how the page was loaded', async () => {
  for (const reply of [{ result: SUCCESS, settings: {} }, { result: SUCCESS }]) {
    const console = await openConsole(hub, { at: ROUTES.profile })
    console.intercept = (path) => (path.includes(getSettings.path) ? Response.json(reply) : undefined)
    await click(await entry('Certificate'))
    const main = mainPart()
    await waitForText('This page HTTP: not encrypted', main)
    assert.doesNotMatch(visibleText(main), /HTTPS of the hub|reverse proxy/)
    await closeConsole()
  }
})

test('the entry needs the permission to view the system configuration; the profile is for everybody', async () => {
  await addUser(hub, 'viewer', 0)
  await openConsole(hub, { user: 'viewer' })
  await click(await entry('Profile'))
  assert.equal(queryAllByRole('link', 'Certificate', await findMenu()).length, 0)
  await findByRole('heading', 'viewer')
  await closeConsole()
  await addUser(hub, 'operator', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { user: 'operator' })
  await entry('Certificate')
})

test.run()
