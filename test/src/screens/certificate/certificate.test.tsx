import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { getSettings } from '../../../../contract/settings.ts'
import type { WebSettings } from '../../../../contract/web/settings.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'

const test = suite('certificate')

hubForEach(test)

const mainPart = () => document.querySelector('main') as HTMLElement
const entry = async (name: string) => findByRole('link', name, await findByRole('navigation', 'Main menu'))

test('the menu leads to the page, which says that the hub serves HTTP only and where certificates are managed', async () => {
  const { port } = await hub.listen(0, 0)
  const console = await openConsole(hub)
  const link = (await entry('Certificate')) as HTMLAnchorElement
  assert.equal(link.hash, `#${ROUTES.certificate}`)
  await click(link)
  await waitForText('This hub serves HTTP only. Install the certificate on a reverse proxy')
  assert.equal(console.currentPath(), ROUTES.certificate)
  const main = mainPart()
  await waitForText(`HTTPS of the hub Disabled HTTP port ${port}`, main)
  await waitForText('This page HTTP: not encrypted', main)
  assert.doesNotMatch(visibleText(main), /HTTPS port|Private key|Valid/)
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
    path.includes(getSettings.path) ? Response.json({ result: 0, settings: { web } }) : undefined
  await click(await entry('Certificate'))
  const main = mainPart()
  await waitForText('HTTPS of the hub Enabled HTTP port 80 HTTPS port 443 Certificate Valid Private key Invalid', main)
  assert.doesNotMatch(visibleText(main), /reverse proxy/)
})

test('a hub that reports no web server shows only how the page was loaded', async () => {
  for (const reply of [{ result: 0, settings: {} }, { result: 0 }]) {
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
  const menu = await findByRole('navigation', 'Main menu')
  assert.equal(queryAllByRole('link', 'Certificate', menu).length, 0)
  await click(await entry('Profile'))
  await findByRole('heading', 'viewer')
  await closeConsole()
  await addUser(hub, 'operator', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { user: 'operator' })
  await entry('Certificate')
})

test.run()
