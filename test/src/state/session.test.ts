import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { MISMATCH, NOT_LOGGED_IN } from '../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import { DEVICE_VIEW, VIEWER_PERMISSIONS } from '../../../contract/permissions.ts'
import { login, logout, whoAmI } from '../../../contract/session.ts'
import { getSettings } from '../../../contract/settings.ts'
import { watch } from '../../../src/link/change-feed.ts'
import { NO_CONNECTION } from '../../../src/link/failure.ts'
import { door, setDoor } from '../../../src/link/fetch-json.ts'
import { send } from '../../../src/link/send.ts'
import { writeLogin } from '../../../src/state/cache.ts'
import {
  $may,
  $password,
  $session,
  changePassword,
  may,
  noteExpiry,
  onClear,
  signIn,
  signOut,
  startSession
} from '../../../src/state/session.ts'
import { openDocument } from '../../kit/document.ts'
import { addUser, type Client, startHub, type TestHub } from '../../kit/hub.ts'
import { until } from '../../kit/until.ts'
import { openVoice, type Voice } from './keep-alive.ts'

const test = suite('session')

test.after(openDocument())

let hub: TestHub
/** The browser: it keeps the hub's own cookies, which the console cannot read. */
let browser: Client
let voice: Voice
let online: boolean
let cleared: number
let forgetHook = () => {}
let stopSession = () => {}

test.before.each(async () => {
  hub = await startHub()
  browser = hub.client()
  voice = openVoice()
  online = true
  cleared = 0
  setDoor({
    base: '',
    socket: voice.socket.bind(voice),
    async fetch(url, init = {}) {
      if (!online) throw new TypeError('fetch failed')
      const response = await browser.raw(init.method ?? 'GET', String(url), {
        body: init.body as string | undefined,
        headers: init.headers as Record<string, string>
      })
      init.signal?.throwIfAborted()
      return response
    }
  })
  forgetHook = onClear(() => cleared++)
  stopSession = startSession()
})

test.after.each(async () => {
  $session.set(null)
  stopSession()
  forgetHook()
  await hub.close()
})

/** The console as newly loaded: nothing in memory, the cookies as they are. */
function load(): void {
  stopSession()
  $session.set(null)
  stopSession = startSession()
}

const consoleCookies = () => document.cookie.split('; ').filter((cookie) => /^headend-[a-z]+=./.test(cookie))

test('nobody is signed in at first', () => {
  assert.equal($session.get(), null)
  assert.equal(may(login), true)
  assert.equal(may(whoAmI), false)
})

test('signing in makes the user known and fills the login cache', async () => {
  assert.deepEqual(await signIn('Admin', 'Admin'), { result: 0, lockedS: undefined })
  assert.equal($session.get()?.name, 'Admin')
  assert.equal($session.get()?.permission, 4294967295)
  assert.deepEqual(
    consoleCookies()
      .map((cookie) => cookie.split('=')[0])
      .sort(),
    ['headend-check', 'headend-id', 'headend-permission', 'headend-type', 'headend-user']
  )
  assert.ok(!document.cookie.includes('mwcloud-sid'), 'the session itself is not for scripts')
})

test('a wrong password signs nobody in, and many lock the door for a time that is told', async () => {
  assert.deepEqual(await signIn('Admin', 'wrong'), { result: MISMATCH, lockedS: undefined })
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  let lockedS: number | undefined
  for (let attempt = 0; attempt < 20 && !lockedS; attempt++) ({ lockedS } = await signIn('Admin', 'wrong'))
  assert.ok(lockedS && lockedS > 0)
})

test('a hub that cannot be reached signs nobody in', async () => {
  online = false
  assert.equal((await signIn('Admin', 'Admin')).result, NO_CONNECTION)
  assert.equal($session.get(), null)
})

test('what a user may is what the call demands', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  assert.equal(may(listDevices), true)
  assert.equal(may(acceptDevices), false)
  assert.equal(may(getSettings), false)
  assert.equal(may(whoAmI), true)
  assert.equal(may({ who: 'admin' }), false)
  assert.equal($may.get()({ who: DEVICE_VIEW }), true)
  for (const call of [listDevices, acceptDevices, getSettings]) {
    const { result } = await send(call as typeof listDevices, { sn: ['x'] } as object)
    assert.equal(result !== 31, may(call), `the hub agrees on ${call.path}`)
  }
})

test('after loading anew the cache says who it is at once, and the hub confirms it', async () => {
  await signIn('Admin', 'Admin')
  load()
  assert.equal($session.get()?.name, 'Admin')
  assert.equal($session.get()?.['group-name'], '', 'the cache does not hold it')
  await until(() => Boolean($session.get()?.['group-name']), 'the hub’s word')
  assert.equal($password.get(), 'default')
})

test('the hub corrects what the cache holds', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  const user = $session.get()
  assert.ok(user)
  writeLogin({ ...user, permission: 4294967295 })
  load()
  assert.equal($session.get()?.permission, 4294967295)
  await until(() => $session.get()?.permission === VIEWER_PERMISSIONS, 'the hub’s word')
})

test('a cache that was edited by hand is none', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  // biome-ignore lint/suspicious/noDocumentCookie: as a user's hand would
  document.cookie = 'headend-permission=4294967295; path=/'
  load()
  assert.equal($session.get(), null)
})

test('a session that the hub no longer knows clears the cache', async () => {
  await signIn('Admin', 'Admin')
  browser.cookie = ''
  load()
  assert.equal($session.get()?.name, 'Admin')
  await until(() => $session.get() === null, 'the refusal')
  assert.deepEqual(consoleCookies(), [])
  assert.equal(cleared, 1)
})

test('any call that is answered with 37 clears the cache', async () => {
  await signIn('Admin', 'Admin')
  browser.cookie = ''
  assert.equal((await send(listDevices, {})).result, NOT_LOGGED_IN)
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  assert.equal($password.get(), '')
})

test('a refusal of what was asked before the sign-in does not end the session', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const real = door.fetch
  setDoor({
    fetch: async (...asked) => {
      const response = await real(...asked)
      if (String(asked[0]).includes('/device/list')) await held
      return response
    }
  })
  const early = send(listDevices, {})
  await signIn('Admin', 'Admin')
  release()
  assert.equal((await early).result, NOT_LOGGED_IN)
  assert.equal($session.get()?.name, 'Admin')
})

test('as long as the hub does not deny it the cache stands', async () => {
  await signIn('Admin', 'Admin')
  online = false
  load()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal($session.get()?.name, 'Admin')
  setDoor({ fetch: async () => new Response('Not found', { status: 404 }) })
  load()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal($session.get()?.name, 'Admin', 'a hub without that call')
})

test('signing out ends the session at the hub and empties the cache', async () => {
  await signIn('Admin', 'Admin')
  assert.equal(await signOut(), 0)
  assert.equal($session.get(), null)
  assert.deepEqual(consoleCookies(), [])
  assert.equal((await send(whoAmI, {})).result, NOT_LOGGED_IN)
})

test('signing out of a session that is over already succeeds', async () => {
  await signIn('Admin', 'Admin')
  const other = hub.client()
  other.cookie = browser.cookie
  await other.send(logout, {})
  assert.equal(await signOut(), 0)
  assert.equal($session.get(), null)
})

test('a hub that does not answer keeps one signed in, as it keeps the session', async () => {
  await signIn('Admin', 'Admin')
  online = false
  assert.equal(await signOut(), NO_CONNECTION)
  assert.equal($session.get()?.name, 'Admin')
})

test('the first password is told, from another machine as one that must be changed', async () => {
  await signIn('Admin', 'Admin')
  assert.equal($password.get(), 'default')
  await signOut()
  assert.equal($password.get(), '')
  browser = hub.client('192.0.2.7')
  await signIn('Admin', 'Admin')
  assert.equal($password.get(), 'must-change')
  assert.equal((await changePassword({ old: 'wrong', next: 'better' })).result, MISMATCH)
  assert.equal($password.get(), 'must-change')
  assert.equal((await changePassword({ old: 'Admin', next: 'better' })).result, 0)
  assert.equal($password.get(), '')
  assert.equal((await send(listDevices, {})).result, 0)
  assert.equal((await signIn('Admin', 'better')).result, 0)
})

test('an administrator changes another’s password without the old one', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('Admin', 'Admin')
  assert.equal((await changePassword({ name: 'viewer', next: 'changed' })).result, 0)
  assert.equal($password.get(), 'default', 'one’s own is as before')
  assert.equal((await signIn('viewer', 'changed')).result, 0)
})

test('a word on the session has its rights asked anew', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('viewer', 'viewer')
  await until(() => voice.wish.includes('session'), 'the wish')
  voice.say({ changed: { session: 1 } })
  const { database } = hub.hub.store
  database.transaction(() => database.run('UPDATE user_group SET permission = 4 WHERE name = ?', 'group of viewer'))
  voice.say({ changed: { session: 2 } })
  await until(() => $session.get()?.permission === 4, 'the new rights')
})

test('words that were missed count as one, also when they are the first', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  const { fetch } = door
  // Or the answers to polling would be the first words.
  setDoor({
    fetch: (url, init) => (String(url).includes('/changes') ? Promise.reject(new TypeError()) : fetch(url, init))
  })
  const stop = watch('device', () => {})
  await until(() => voice.wish.includes('device'), 'the feed')
  voice.say({ changed: { device: 1 } })
  voice.available(false)
  voice.wish = ''
  voice.available(true)
  await signIn('viewer', 'viewer')
  await until(() => voice.wish.includes('session'), 'the feed again')
  voice.say({ changed: { session: 1 } })
  const { database } = hub.hub.store
  database.transaction(() => database.run('UPDATE user_group SET permission = 4 WHERE name = ?', 'group of viewer'))
  voice.say({ changed: { session: 2 } })
  await until(() => $session.get()?.permission === 4, 'the new rights')
  stop()
})

test('the feed that says the session is over clears the cache', async () => {
  await signIn('Admin', 'Admin')
  await until(() => voice.wish !== '', 'the wish')
  voice.say({ over: true })
  assert.equal($session.get(), null)
})

function showTab(): void {
  document.dispatchEvent(new Event('visibilitychange'))
}

test('a sign-in in another tab is found on return to this one', async () => {
  await hub.signIn().then(({ cookie }) => {
    browser.cookie = cookie
  })
  writeLogin({ name: 'Admin', type: 1, permission: 4294967295, id: 1, 'group-name': '' })
  showTab()
  assert.equal($session.get()?.name, 'Admin')
})

test('a sign-out in another tab is found on return, and nothing of the user is left', async () => {
  await signIn('Admin', 'Admin')
  const before = cleared
  // biome-ignore lint/suspicious/noDocumentCookie: as the other tab does
  document.cookie = 'headend-user=; path=/; max-age=0'
  showTab()
  assert.equal($session.get(), null)
  assert.equal(cleared, before + 1)
})

test('another user in another tab takes the place of this one, and what was shown is cleared', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await signIn('Admin', 'Admin')
  const before = cleared
  browser = await hub.signIn('viewer', 'viewer')
  writeLogin({ name: 'viewer', type: 8, permission: VIEWER_PERMISSIONS, id: 32, 'group-name': '' })
  showTab()
  assert.equal($session.get()?.name, 'viewer')
  assert.equal(cleared, before + 1)
  assert.equal(may(acceptDevices), false)
})

test('a return to the tab with the same user changes nothing', async () => {
  await signIn('Admin', 'Admin')
  const before = cleared
  const user = $session.get()
  showTab()
  assert.equal($session.get(), user)
  assert.equal(cleared, before)
})

test('the expiry of sessions is kept in seconds', async () => {
  noteExpiry(30)
  assert.equal(localStorage.getItem('headend-expired-time'), null, 'nobody is signed in')
  await signIn('Admin', 'Admin')
  noteExpiry(30)
  assert.equal(localStorage.getItem('headend-expired-time'), '1800')
})

test.run()
