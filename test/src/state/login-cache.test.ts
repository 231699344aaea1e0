import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { LoginUser } from '../../../contract/access/session.ts'
import { clearLoginCache, readLoginCache, writeLoginCache, writeSessionExpiry } from '../../../src/state/login-cache.ts'
import { openDocument } from '../../kit/runner/document.ts'

const test = suite('login cache')

test.after(openDocument())

const NAMES = ['user', 'type', 'permission', 'id', 'check']
const user: LoginUser = { name: 'oper_1', type: 8, permission: 1348, id: 16, 'group-name': 'Operators' }
const cachedUser = { ...user, 'group-name': '' }

function getCookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`headend-${name}=`))
    ?.slice(name.length + 9)
}
function setCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: simulates a user who edits cookies
  document.cookie = `headend-${name}=${value}; path=/`
}

test('there is no cached user at first', () => assert.equal(readLoginCache(), null))

test('a written user is read', () => {
  writeLoginCache(user)
  assert.deepEqual(readLoginCache(), cachedUser)
  assert.deepEqual(NAMES.map(getCookie).slice(0, 4), ['oper_1', '8', '1348', '16'])
  assert.match(getCookie('check') ?? '', /^[0-9a-f]{32}$/)
})

test('names outside of ASCII and with separators of cookies are preserved', () => {
  for (const name of ['管理员', 'a;b=c, d', '%41', ' ', '"x"']) {
    writeLoginCache({ ...user, name })
    assert.equal(readLoginCache()?.name, name)
  }
})

test('a mask of all permissions stays unsigned', () => {
  writeLoginCache({ ...user, permission: 4294967295 })
  assert.equal(readLoginCache()?.permission, 4294967295)
})

test('editing any value invalidates the cache', () => {
  const other: Record<string, string> = {
    user: 'Admin',
    type: '1',
    permission: '4294967295',
    id: '1',
    check: 'd41d8cd98f00b204e9800998ecf8427e'
  }
  for (const name of NAMES) {
    writeLoginCache(user)
    setCookie(name, other[name] ?? '')
    assert.equal(readLoginCache(), null, name)
    setCookie(name, '')
    assert.equal(readLoginCache(), null, `${name} emptied`)
    setCookie(name, '%')
    assert.equal(readLoginCache(), null, `${name} garbled`)
  }
  writeLoginCache(user)
  assert.deepEqual(readLoginCache(), cachedUser)
})

test('a value moved from one cookie to the next invalidates the cache', () => {
  writeLoginCache(user)
  setCookie('type', '81348')
  setCookie('permission', '')
  assert.equal(readLoginCache(), null)
})

/** Records assignments to `document.cookie`, because reading it does not return life times. */
function cookiesWrittenBy(write: () => void): string[] {
  const lines: string[] = []
  const { document } = globalThis
  Object.defineProperty(globalThis, 'document', {
    value: {
      set cookie(line: string) {
        lines.push(line)
      }
    },
    configurable: true
  })
  write()
  Object.defineProperty(globalThis, 'document', { value: document, configurable: true })
  return lines
}

test('the cache has the life time of a session, also when sessions do not expire', () => {
  const lifetimes = () =>
    new Set(cookiesWrittenBy(() => writeLoginCache(user)).map((line) => /max-age=(\d+)$/.exec(line)?.[1]))
  assert.deepEqual(lifetimes(), new Set(['1800']), 'before the hub has sent its expiry')
  writeSessionExpiry(1440)
  assert.equal(localStorage.getItem('headend-expired-time'), '86400')
  assert.deepEqual(lifetimes(), new Set(['86400']))
  writeSessionExpiry(-1)
  assert.equal(localStorage.getItem('headend-expired-time'), '-1')
  assert.deepEqual(lifetimes(), new Set(['31536000']))
})

test('clearing deletes every cookie', () => {
  writeLoginCache(user)
  clearLoginCache()
  assert.equal(readLoginCache(), null)
  assert.ok(NAMES.every((name) => !getCookie(name)))
  assert.deepEqual(
    cookiesWrittenBy(clearLoginCache).map((line) => line.replace(/; .*; /, ' ')),
    NAMES.map((name) => `headend-${name}= max-age=0`)
  )
})

test('the cookies are limited to this site', () => {
  for (const line of cookiesWrittenBy(() => writeLoginCache(user))) assert.match(line, /; path=\/; SameSite=Strict; /)
})

test.run()
