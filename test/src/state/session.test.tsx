import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW, VIEWER_PERMISSIONS } from '../../../contract/access/permissions.ts'
import { getSession, login, logout } from '../../../contract/access/session.ts'
import { MISMATCH, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import { getSettings } from '../../../contract/settings.ts'
import { watchTopic } from '../../../src/link/change-feed.ts'
import { NO_CONNECTION } from '../../../src/link/failure.ts'
import { setTransport, transport } from '../../../src/link/fetch-json.ts'
import { send } from '../../../src/link/send.ts'
import { writeLoginCache } from '../../../src/state/login-cache.ts'
import {
  $isAllowed,
  $passwordNotice,
  $session,
  changePassword,
  extendSession,
  isAllowed,
  onSessionClear,
  signIn,
  signOut,
  startSession
} from '../../../src/state/session.ts'
import { addUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'
import { type FakeFeed, openFakeFeed } from './fake-feed.ts'

const test = suite('session')

let hub: TestHub
/** Holds the hub's own cookies, which the console cannot read. */
let browser: Client
let feed: FakeFeed
let isOnline: boolean
let clearCount: number
let removeListener = () => {}
let stopSession = () => {}

test.before.each(async () => {
  hub = await startHub()
  browser = hub.client()
  feed = openFakeFeed()
  isOnline = true
  clearCount = 0
  setTransport({
    base: '',
    socket: feed.socket.bind(feed),
    async fetch(url, init = {}) {
      if (!isOnline) throw new TypeError('fetch failed')
      const response = await browser.raw(init.method ?? 'GET', String(url), {
        body: init.body as string | undefined,
        headers: init.headers as Record<string, string>
      })
      init.signal?.throwIfAborted()
      return response
    }
  })
  removeListener = onSessionClear(() => clearCount++)
  stopSession = startSession()
})

test.after.each(async () => {
  $session.set(null)
  stopSession()
  removeListener()
  await hub.close()
})

/** Reloads the page: the memory is empty, the cookies are unchanged. */
function reloadPage(): void {
  stopSession()
  $session.set(null)
  stopSession = startSession()
}

const consoleCookies = () => document.cookie.split('; ').filter((cookie) => /^headend-[a-z]+=./.test(cookie))

test('no user is signed in at first', () => {
  assert.equal($session.get(), null)
  assert.equal(isAllowed(login), true)
  assert.equal(isAllowed(getSession), false)
})

test('signing in sets the user and fills the login cache', async () => {
  assert.equal((await signIn('Admin', 'Admin')).result, SUCCESS)
  assert.equal($session.get()?.name, 'Admin')
  assert.equal($session.get()?.permission, 4294967295)
  assert.deepEqual(
    consoleCookies()
      .map((cookie) => cookie.split('=')[0])
      .sort(),
    ['headend-check', 'headend-id', 'headend-permission', 'headend-type', 'headend-user']
  )
  assert.ok(!document.cookie.includes('mwcloud-sid'), 'scripts cannot read the session cookie')
})

test('a wrong password does not sign in, and repeated wrong passwords lock the user out for a reported time', async () => {
  assert.deepEqual(await signIn('Admin', 'wrong'), { result: MISMATCH })
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  let lockedSeconds: number | undefined
  for (let attempt = 0; attempt < 20 && !lockedSeconds; attempt++)
    ({ 'locked-s': lockedSeconds } = await signIn('Admin', 'wrong'))
  assert.ok(lockedSeconds && lockedSeconds > 0)
})

test('signing in fails while the hub is unreachable', async () => {
  isOnline = false
  assert.equal((await signIn('Admin', 'Admin')).result, NO_CONNECTION)
  assert.equal($session.get(), null)
})

test('a user is allowed a call when they have the permission it requires', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  assert.equal(isAllowed(listDevices), true)
  assert.equal(isAllowed(acceptDevices), false)
  assert.equal(isAllowed(getSettings), false)
  assert.equal(isAllowed(getSession), true)
  assert.equal(isAllowed({ access: 'admin' }), false)
  assert.equal($isAllowed.get()({ access: DEVICE_VIEW }), true)
  for (const call of [listDevices, acceptDevices, getSettings]) {
    const { result } = await send(call as typeof listDevices, { sn: ['x'] } as object)
    assert.equal(result !== NOT_PERMITTED, isAllowed(call), `the hub agrees on ${call.path}`)
  }
})

test('after a reload the cache provides the user at once, and the hub confirms it', async () => {
  await signIn('Admin', 'Admin')
  reloadPage()
  assert.equal($session.get()?.name, 'Admin')
  assert.equal($session.get()?.['group-name'], '', 'the cache does not contain it')
  await until(() => Boolean($session.get()?.['group-name']), 'the response of the hub')
  assert.equal($passwordNotice.get(), 'default')
})

test('the hub corrects the cache', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  const user = $session.get()
  assert.ok(user)
  writeLoginCache({ ...user, permission: 4294967295 })
  reloadPage()
  assert.equal($session.get()?.permission, 4294967295)
  await until(() => $session.get()?.permission === VIEWER_PERMISSIONS, 'the response of the hub')
})

test('an edited cache is ignored', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  // biome-ignore lint/suspicious/noDocumentCookie: as a user's hand would
  document.cookie = 'headend-permission=4294967295; path=/'
  reloadPage()
  assert.equal($session.get(), null)
})

test('a session that has ended on the hub clears the cache', async () => {
  await signIn('Admin', 'Admin')
  browser.cookie = ''
  reloadPage()
  assert.equal($session.get()?.name, 'Admin')
  await until(() => $session.get() === null, 'the end of the session')
  assert.deepEqual(consoleCookies(), [])
  assert.equal(clearCount, 1)
})

test('result 37 of any call clears the cache', async () => {
  await signIn('Admin', 'Admin')
  browser.cookie = ''
  assert.equal((await send(listDevices, {})).result, NOT_LOGGED_IN)
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  assert.equal($passwordNotice.get(), '')
})

test('after result 37 no cookie of the hub is left', async () => {
  await signIn('Admin', 'Admin')
  // biome-ignore lint/suspicious/noDocumentCookie: as the hub sets it
  document.cookie = 'mwcloud-uid=Admin; path=/'
  const other = hub.client()
  other.cookie = browser.cookie
  await other.send(logout, {})
  assert.match(browser.cookie, /mwcloud-sid=./)
  assert.equal((await send(listDevices, {})).result, NOT_LOGGED_IN)
  assert.doesNotMatch(document.cookie, /mwcloud-\w+=[^;]/)
  await until(() => !/mwcloud-\w+=./.test(browser.cookie), 'the hub deletes the cookie that scripts do not see')
})

test('result 37 of a request sent before the sign-in does not end the session', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const real = transport.fetch
  setTransport({
    fetch: async (...args) => {
      const response = await real(...args)
      if (String(args[0]).includes('/device/list')) await released
      return response
    }
  })
  const early = send(listDevices, {})
  await signIn('Admin', 'Admin')
  release()
  assert.equal((await early).result, NOT_LOGGED_IN)
  assert.equal($session.get()?.name, 'Admin')
})

test('the cache is valid until the hub denies it', async () => {
  await signIn('Admin', 'Admin')
  for (const answer of [
    () => Promise.reject(new TypeError('fetch failed')),
    () => Promise.resolve(new Response('Not found', { status: 404 }))
  ]) {
    let asked = 0
    setTransport({
      fetch() {
        asked++
        return answer()
      }
    })
    reloadPage()
    await until(() => asked > 0, 'the hub is asked')
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal($session.get()?.name, 'Admin')
  }
  assert.equal($session.get()?.name, 'Admin', 'a hub without that call')
})

test('signing out ends the session at the hub and empties the cache', async () => {
  await signIn('Admin', 'Admin')
  assert.equal(await signOut(), 0)
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  assert.equal((await send(getSession, {})).result, NOT_LOGGED_IN)
})

test('signing out of a session that has already ended succeeds', async () => {
  await signIn('Admin', 'Admin')
  const other = hub.client()
  other.cookie = browser.cookie
  await other.send(logout, {})
  assert.equal(await signOut(), 0)
  assert.equal($session.get(), null)
})

test('when the hub does not respond to a sign-out, the user stays signed in', async () => {
  await signIn('Admin', 'Admin')
  isOnline = false
  assert.equal(await signOut(), NO_CONNECTION)
  assert.equal($session.get()?.name, 'Admin')
})

test('the default password is reported, from another machine as one that must be changed', async () => {
  await signIn('Admin', 'Admin')
  assert.equal($passwordNotice.get(), 'default')
  await signOut()
  assert.equal($passwordNotice.get(), '')
  browser = hub.client('192.0.2.7')
  await signIn('Admin', 'Admin')
  assert.equal($passwordNotice.get(), 'must-change')
  assert.equal((await changePassword({ oldPassword: 'wrong', newPassword: 'better-1' })).result, MISMATCH)
  assert.equal($passwordNotice.get(), 'must-change')
  assert.equal((await changePassword({ oldPassword: 'Admin', newPassword: 'better-1' })).result, SUCCESS)
  assert.equal($passwordNotice.get(), '')
  assert.equal((await send(listDevices, {})).result, SUCCESS)
  assert.equal((await signIn('Admin', 'better-1')).result, SUCCESS)
})

test('an administrator changes another user’s password without the old one', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('Admin', 'Admin')
  assert.equal((await changePassword({ name: 'viewer', newPassword: 'changed-1' })).result, SUCCESS)
  assert.equal($passwordNotice.get(), 'default', 'the own password is unchanged')
  assert.equal((await signIn('viewer', 'changed-1')).result, SUCCESS)
})

test('a change of the topic session fetches the permissions again', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  await until(() => feed.lastMessage.includes('session'), 'the subscription')
  feed.sendMessage({ changed: { session: 1 } })
  const { database } = hub.parts.store
  database.transaction(() => database.run('UPDATE user_group SET permission = 4 WHERE name = ?', 'group of viewer'))
  feed.sendMessage({ changed: { session: 2 } })
  await until(() => $session.get()?.permission === 4, 'the new permissions')
})

test('possibly missed messages count as a change, also if they are the first', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  const { fetch } = transport
  // Otherwise the responses to polling would be the first revisions.
  setTransport({
    fetch: (url, init) => (String(url).includes('/changes') ? Promise.reject(new TypeError()) : fetch(url, init))
  })
  const stop = watchTopic('device', () => {})
  await until(() => feed.lastMessage.includes('device'), 'the feed')
  feed.sendMessage({ changed: { device: 1 } })
  feed.setAvailable(false)
  feed.lastMessage = ''
  feed.setAvailable(true)
  await signIn('viewer', 'viewer')
  await until(() => feed.lastMessage.includes('session'), 'the feed to reconnect')
  feed.sendMessage({ changed: { session: 1 } })
  const { database } = hub.parts.store
  database.transaction(() => database.run('UPDATE user_group SET permission = 4 WHERE name = ?', 'group of viewer'))
  feed.sendMessage({ changed: { session: 2 } })
  await until(() => $session.get()?.permission === 4, 'the new permissions')
  stop()
})

test('the end of the session over the feed clears the cache', async () => {
  await signIn('Admin', 'Admin')
  await until(() => feed.lastMessage !== '', 'the subscription')
  feed.sendMessage({ over: true })
  assert.equal($session.get(), null)
})

function showTab(): void {
  document.dispatchEvent(new Event('visibilitychange'))
}

test('a sign-in in another tab is applied when this tab becomes visible', async () => {
  await hub.signIn().then(({ cookie }) => {
    browser.cookie = cookie
  })
  writeLoginCache({ name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' })
  showTab()
  assert.equal($session.get()?.name, 'Admin')
})

test('a sign-out in another tab is applied when this tab becomes visible, and the user’s data is cleared', async () => {
  await signIn('Admin', 'Admin')
  const before = clearCount
  // biome-ignore lint/suspicious/noDocumentCookie: as the other tab does
  document.cookie = 'headend-user=; path=/; max-age=0'
  showTab()
  assert.equal($session.get(), null)
  assert.equal(clearCount, before + 1)
})

test('another user signed in in another tab replaces this one, whose data is cleared', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('Admin', 'Admin')
  const before = clearCount
  browser = await hub.signIn('viewer', 'viewer')
  writeLoginCache({ name: 'viewer', type: 8, permission: VIEWER_PERMISSIONS, id: 32, 'group-name': '' })
  showTab()
  assert.equal($session.get()?.name, 'viewer')
  assert.equal(clearCount, before + 1)
  assert.equal(isAllowed(acceptDevices), false)
})

test('a tab that becomes visible with the same user changes nothing', async () => {
  await signIn('Admin', 'Admin')
  const before = clearCount
  const user = $session.get()
  showTab()
  assert.equal($session.get(), user)
  assert.equal(clearCount, before)
})

test('the session expiry is stored in seconds', async () => {
  extendSession(30)
  assert.equal(localStorage.getItem('headend-expired-time'), null, 'no user is signed in')
  await signIn('Admin', 'Admin')
  extendSession(30)
  assert.equal(localStorage.getItem('headend-expired-time'), '1800')
})

test.run()
