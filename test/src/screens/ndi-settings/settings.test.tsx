import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { NDI_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { getNdiStatus } from '../../../../contract/ndi/status.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { RTSP } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import { openFromMenu } from '../../../kit/console/menu.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI settings page')

hubForEach(test)
test.before.each(() =>
  replaceHub({ ndi: { folders: [], accountFolder: '/nonexistent', serverPrograms: ['/nonexistent'] } })
)

const mainPart = () => document.querySelector('main') as HTMLElement
const field = (name: string) => findByRole<HTMLInputElement>('textbox', name)
const save = () => clickWhenFree('Save')
const stored = async () => (await other.send(getSettings, {})).settings

test('the menu leads to the page, which names the missing runtime and the next step', async () => {
  const console = await openConsole(hub)
  await openFromMenu('Settings', 'NDI')
  assert.equal(console.currentPath(), ROUTES.ndiSettings)
  const card = (await findByRole('heading', 'Not set up')).closest('section') as HTMLElement
  await waitForText('requires the NDI runtime', card)
  await waitForText('Install it on the hub from ndi.video.', card)
  await waitForText('sudo cp libndi.so.6 /usr/local/lib/', card)
  await findByRole('button', 'Copy', card)
  await waitForText(`Announced as ${hostname().toUpperCase()}`, mainPart())
  await waitForText('All running connections use these settings')
  await waitForText('State Not enabled')
})

test('discovery settings accept spaces after commas, and the form shows the stored values', async () => {
  await openConsole(hub, { at: ROUTES.ndiSettings })
  await click(await findByRole('checkbox', 'Use discovery servers'))
  await save()
  await waitForText('Required')
  await fill(await field('Server 1'), '192.0.2.5:6000')
  await fill(await field('Further machines'), '192.0.2.6, cam.invalid')
  await fill(await field('Groups of the sources of this hub'), 'Public, 演播室')
  await fill(await field('Machine name'), 'Studio 1')
  await fill(await field('Network interfaces'), 'nic99')
  await save()
  await until(async () => (await stored())['ndi-discovery']?.enable === true, 'it is stored')
  assert.deepEqual((await stored())['ndi-discovery'], {
    enable: true,
    servers: [{ address: '192.0.2.5', port: 6000 }],
    'send-groups': 'Public,演播室',
    'recv-groups': '',
    'extra-ips': ['192.0.2.6', 'cam.invalid'],
    'machine-name': 'Studio 1',
    ifaces: ['nic99']
  })
  await waitForText('Announced as STUDIO 1')
  await waitForText('Not used: unknown, forbidden or missing')
  await waitForText('nic99', mainPart())
})

test('invalid entries are shown at their fields, also those that only the hub finds', async () => {
  await other.send(setSettings, {
    'ndi-discovery': {
      ...{ enable: false, servers: [], 'send-groups': '', 'recv-groups': '' },
      ...{ 'extra-ips': [], 'machine-name': '', ifaces: [] }
    }
  })
  await openConsole(hub, { at: ROUTES.ndiSettings })
  await fill(await field('Further machines'), '192.0.2.6;192.0.2.7')
  await fill(await field('Machine name'), 'a (b)')
  await save()
  await waitForText('Invalid entry')
  await waitForText('Contains characters that are not allowed')
  await click(await findByRole('button', 'Discard changes'))
  await waitForNone('button', 'Save')
  await other.send(addOutput, { name: 'Monitor', protocol: RTSP, config: { port: 5998 } })
  await fill(await field('Port'), '5998')
  await click(await findByRole('checkbox', 'Run a discovery server'))
  await save()
  await waitForText('Port 5998 occupied by output Monitor')
})

test('new channels get an NDI output, and the state of the discovery server follows', async () => {
  await openConsole(hub, { at: ROUTES.ndiSettings })
  await click(await findByRole('checkbox', 'New channels have an NDI output'))
  await save()
  await until(async () => (await stored()).channel?.['ndi-enable'] === true, 'it is stored')
  await fill(await field('Port'), '5961')
  await click(await findByRole('checkbox', 'Run a discovery server'))
  await save()
  await waitForText('State Not installed')
  await waitForText('Install the NDI discovery server')
})

test('connections that run with an earlier configuration are listed', async () => {
  const console = await openConsole(hub, { at: ROUTES.profile })
  const outdated = [
    { role: 'send', name: 'Hall', text: 'Output Hall' },
    { role: 'receive', name: 'SRC (Cam 1)', text: 'Input SRC (Cam 1)' }
  ]
  const server = { state: 'retry', error: 'cannot bind', 'retry-in-s': 4 }
  const status = {
    result: SUCCESS,
    runtime: { version: 'NDI 6' },
    'machine-name': 'HUB',
    outdated,
    unusable: [],
    server
  }
  console.intercept = (path) => (path.includes(getNdiStatus.path) ? Response.json(status) : undefined)
  await openFromMenu('Settings', 'NDI')
  await waitForText('Still with the earlier configuration Output Hall Input SRC (Cam 1)', mainPart())
  await waitForText('State Waiting for retry Last message cannot bind Starts again in 4 s', mainPart())
})

test('a hub without an IPv4 address says that NDI does not work there', async () => {
  const console = await openConsole(hub, { at: ROUTES.profile })
  const status = { result: SUCCESS, runtime: { version: 'NDI 6' }, 'machine-name': 'HUB', outdated: [], unusable: [] }
  const answer = { ...status, 'ipv6-only': true, server: {} }
  console.intercept = (path) => (path.includes(getNdiStatus.path) ? Response.json(answer) : undefined)
  await click(await findByRole('link', 'NDI', await findByRole('navigation', 'Main menu')))
  await waitForText('This hub has no IPv4 address, and NDI does not use IPv6', await findByRole('alert'))
})

test('a user who may only view sees the settings without a way to change them, others do not see the page', async () => {
  await addUser(hub, 'vera', NDI_VIEW)
  await openConsole(hub, { at: ROUTES.ndiSettings, user: 'vera' })
  await waitForText('You can view these settings. To change them, ask an administrator.')
  assert.equal(queryAllByRole('button', 'Save').length, 0)
  assert.ok((await field('Machine name')).closest('fieldset')?.disabled)
  await addUser(hub, 'sven', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  await openConsole(hub, { at: ROUTES.ndiSettings, user: 'sven' })
  await waitForText('Ask an administrator for it.')
  assert.ok(!visibleText(mainPart()).includes('Discovery'))
})

test.run()
