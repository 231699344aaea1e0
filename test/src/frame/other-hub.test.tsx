// The menu and its pages at a hub that has only the calls which the vendor documents.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import { DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { CALL_SCHEMAS } from '../../../contract/calls.schema.ts'
import { DOCUMENTED_CALLS, USABLE_CALLS } from '../../../src/link/other-hub.ts'
import { ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { $otherHub } from '../../../src/state/other-hub.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findEntry, findMenu, readMenu } from '../../kit/console/menu.ts'
import { visibleText, waitForText } from '../../kit/console/page.ts'
import { isDocumentedCall } from '../../kit/hub/documented-calls.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('menu of another hub')

hubForEach(test, { features: FEATURE_BITS.ndiRouter })

const NOTE = 'Pages and functions that this hub does not support are hidden.'
const HIDDEN = [
  'ndiSources',
  'portForward',
  'ndiRouter',
  'backup',
  'ndiSettings',
  'network',
  'firmware',
  'logs'
] as const

const openOtherHub = (at?: string, user?: string) => openConsole(hub, { at, user, hasDocumentedCallsOnly: true })

test('the list of documented calls agrees with the declarations', () => {
  const declared = Object.keys(CALL_SCHEMAS).filter(isDocumentedCall)
  assert.deepEqual([...DOCUMENTED_CALLS].sort(), [...new Set(declared.map((name) => name.split(' ')[1] ?? ''))].sort())
  for (const path of USABLE_CALLS)
    assert.ok(
      Object.keys(CALL_SCHEMAS).some((name) => name.endsWith(` ${path}`)),
      path
    )
})

test('entries whose pages the hub does not support are hidden, and one line says so', async () => {
  await openOtherHub()
  await waitForText(NOTE, await findMenu())
  assert.deepEqual(await readMenu(), {
    Live: ['Dashboard', 'Wall display'],
    Channels: ['Channels', 'Inputs', 'Outputs'],
    Devices: ['Pending approval', 'Rejected', 'All', 'Warnings', 'Favorites'],
    Events: ['Problems'],
    Settings: ['General', 'License', 'Certificate', 'User management', 'Profile', 'Upgrade']
  })
  assert.equal(visibleText(await findMenu()).split(NOTE).length, 2)
  setLanguage('zh')
  await waitForText('已隐藏此中控不支持的页面和功能。', document.querySelector('nav') as HTMLElement)
})

test('a user without permission for any hidden page sees no line about them', async () => {
  await addUser(hub, 'watcher', DEVICE_VIEW)
  await openOtherHub(undefined, 'watcher')
  await until(() => $otherHub.get() !== undefined, 'the console knows which calls the hub has')
  assert.ok(!visibleText(await findMenu()).includes(NOTE))
})

test('the address of such a page says once that the hub does not support it', async () => {
  await openOtherHub(ROUTES.logs)
  const sentence = 'This hub does not support this page.'
  for (const name of [...HIDDEN, 'accessTokens', 'firewall', 'importSettings'] as const) {
    navigate(ROUTES[name])
    await waitForText(sentence)
    const text = visibleText(document.querySelector('main') as HTMLElement)
    assert.equal(text.split(sentence).length, 2, name)
    assert.doesNotMatch(text, /Not yet supported|not available/, name)
  }
  setLanguage('zh')
  await waitForText('此中控不支持此页面。')
})

test('a hub with a change feed keeps its whole menu, also after another one', async () => {
  await openOtherHub()
  await waitForText(NOTE, await findMenu())
  await closeConsole()
  await openConsole(hub)
  await findEntry('Events', 'Logs')
  assert.ok(!visibleText(await findMenu()).includes(NOTE))
})

test('parts of pages and buttons whose calls the hub does not have are not shown', async () => {
  await openOtherHub(ROUTES.dashboard)
  await waitForText(NOTE, await findMenu())
  for (const name of ['dashboard', 'problems', 'general', 'certificate', 'users', 'profile', 'outputs'] as const) {
    navigate(ROUTES[name])
    await until(() => !document.querySelector('main [role=status].skeleton'), `${name} is loaded`)
    const text = visibleText(document.querySelector('main') as HTMLElement)
    assert.doesNotMatch(text, /Not yet supported|Add output|Add user|Sessions \d/, name)
  }
})

test.run()
