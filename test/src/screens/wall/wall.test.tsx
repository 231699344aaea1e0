import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDisplay, openDisplay } from '../../../../contract/access/display.ts'
import { endSessions, listSessions } from '../../../../contract/access/user.ts'
import { IN_PROGRESS } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { setTransport, transport } from '../../../../src/link/fetch-json.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { refreshLiveStores } from '../../../../src/state/live-store.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('wall display')

hubForEach(test)

async function addCarryingChannel(name: string): Promise<number> {
  const { id } = await other.send(addChannel, { name })
  await other.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG)
  return id
}

const wall = async () => {
  await until(() => document.querySelector('.wall-content') !== null, 'the wall display')
  return document.querySelector('.wall') as HTMLElement
}

test('a display link opens the wall without signing in, and the code leaves the address bar', async () => {
  await addCarryingChannel('News')
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  const console = await openConsole(hub, { user: null, at: linkTo('wall', { code }) })
  const screen = await wall()
  await findByRole('heading', 'Foyer')
  await waitForText(/1 On air/, screen)
  await waitForText(/Offline Hall 1/, screen)
  await waitForText(/News On air/, screen)
  // A display cannot open other pages.
  assert.equal(queryAllByRole('link', undefined, screen).length, 0)
  assert.equal(console.currentPath(), ROUTES.wall)
  assert.ok(!location.href.includes(code))
  assert.equal(document.querySelector('nav'), null)
})

test('the wall keeps the session of a signed-in user in use, the other pages do not by themselves', async () => {
  const isUse = (headers: RequestInit['headers']) => !new Headers(headers).has('headend-background')
  const uses: string[] = []
  await openConsole(hub, { at: linkTo('dashboard') })
  const { fetch } = transport
  setTransport({
    fetch: (url, init) => {
      if (isUse(init?.headers)) uses.push(String(url))
      return fetch(url, init)
    }
  })
  await refreshLiveStores()
  assert.equal(uses.join(), '')
  navigate(linkTo('wall'))
  await wall()
  await until(() => uses.includes('/api/session'), 'the wall has reported the use of the session')
})

test('a display stays on the wall, whatever is in its address bar', async () => {
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  const console = await openConsole(hub, { user: null, at: linkTo('wall', { code }) })
  await wall()
  navigate(ROUTES.users)
  await until(() => console.currentPath() === ROUTES.wall, 'the way back')
  await wall()
})

test('a used link says so, and what to do', async () => {
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  await openConsole(hub, { user: null, at: linkTo('wall', { code: `${code}0` }) })
  await findByRole('alert', /The display link is invalid.*Create a new link/)
})

test('a link that is opened during the trial of a release says so, and opens the wall afterwards', async () => {
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  const message = 'This release of the hub is on trial.'
  let isOnTrial = true
  const console = await openConsole(hub, { user: null })
  console.intercept = (path) =>
    isOnTrial && path === `/api${openDisplay.path}` ? Response.json({ result: IN_PROGRESS, message }) : undefined
  navigate(linkTo('wall', { code }))
  await findByRole('alert', /Opening the wall display.*This release of the hub is on trial/)
  isOnTrial = false
  await wall()
  await findByRole('heading', 'Foyer')
})

test('opening a link asks a signed-in user first, and signs out', async () => {
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  await openConsole(hub, { at: linkTo('wall', { code }) })
  await findByRole('alert', /Admin is signed in to this browser and will be signed out/)
  await click(await findByRole('button', 'Open wall display'))
  await wall()
  await findByRole('heading', 'Foyer')
  const { list } = await other.send(listSessions, {})
  assert.deepEqual(
    list.filter(({ display }) => display).map(({ display }) => display),
    ['Foyer']
  )
})

test('a user can look at the wall too, and goes back to the dashboard', async () => {
  const console = await openConsole(hub, { at: ROUTES.wall })
  await wall()
  await click(await findByRole('link', 'Go to dashboard'))
  await until(() => console.currentPath() === ROUTES.dashboard, 'the dashboard')
})

test('problems stand on top, and disappear with their cause', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  await openConsole(hub, { at: ROUTES.wall })
  const screen = await wall()
  await waitForText(/Offline Hall 1/, screen)
  const problems = screen.querySelector('.problems') as HTMLElement
  hub.parts.registry.setOnline(sn)
  await waitForText('No problems', problems)
})

test('when the hub cannot be reached the wall is loud, and nothing on it looks healthy', async () => {
  await addCarryingChannel('News')
  const console = await openConsole(hub, { at: ROUTES.wall })
  const screen = await wall()
  await waitForText(/Connected/, screen)
  await waitForText('No problems', screen)
  console.disconnect()
  await findByRole('alert', /^The hub is not responding The data shown is \d+ s old/)
  assert.ok(screen.hasAttribute('data-stale'))
  const text = visibleText(screen)
  for (const healthy of ['Connected', 'No problems']) assert.ok(!text.includes(healthy), text)
  console.reconnect()
  await waitForNone('alert')
  await waitForText(/Connected/, screen)
})

test('a display that was ended says how to open it again', async () => {
  const { code } = await other.send(addDisplay, { name: 'Foyer' })
  await openConsole(hub, { user: null, at: linkTo('wall', { code }) })
  await wall()
  const { list } = await other.send(listSessions, {})
  await other.send(endSessions, { id: list.find(({ display }) => display)?.id ?? 0 })
  await findByRole('alert', /This display is not signed in.*Create a link/)
  await findByRole('link', 'Sign in')
})

test('an administrator creates a link in the list of sessions, where the display is then listed', async () => {
  await openConsole(hub, { at: linkTo('users', { tab: 'sessions' }) })
  await click(await findByRole('button', 'Add wall display'))
  const dialog = await findByRole('dialog', 'Add wall display')
  await fill(await findByRole<HTMLInputElement>('textbox', 'Name', dialog), 'Foyer')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText(/#\/wall\?code=/)
  const result = await findByRole('dialog', 'Add wall display')
  const [, code = ''] = /code=([\w-]+)/.exec(visibleText(result)) ?? []
  await click(queryAllByRole('button', 'Close', result).at(-1) as HTMLElement)
  const display = hub.client('192.0.2.50')
  const reply = await display.raw('POST', '/api/display/open', {
    body: JSON.stringify({ code }),
    headers: { 'content-type': 'application/json' }
  })
  assert.equal(reply.status, 200)
  await until(() => queryAllByRole('row').some((row) => /Wall display: Foyer/.test(visibleText(row))), 'the display')
})

test.run()
