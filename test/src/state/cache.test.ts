import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { LoginUser } from '../../../contract/session.ts'
import { clearLogin, readLogin, writeExpiry, writeLogin } from '../../../src/state/cache.ts'
import { openDocument } from '../../kit/document.ts'

const test = suite('login cache')

test.after(openDocument())

const NAMES = ['user', 'type', 'permission', 'id', 'check']
const user: LoginUser = { name: 'oper_1', type: 8, permission: 1348, id: 16, 'group-name': 'Operators' }
const kept = { ...user, 'group-name': '' }

function cookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(`headend-${name}=`))
    ?.slice(name.length + 9)
}
function set(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as a user's hand would
  document.cookie = `headend-${name}=${value}; path=/`
}

test('there is none at first', () => assert.equal(readLogin(), null))

test('what was written is read', () => {
  writeLogin(user)
  assert.deepEqual(readLogin(), kept)
  assert.deepEqual(NAMES.map(cookie).slice(0, 4), ['oper_1', '8', '1348', '16'])
  assert.match(cookie('check') ?? '', /^[0-9a-f]{32}$/)
})

test('names beyond ASCII and with the signs of cookies survive', () => {
  for (const name of ['管理员', 'a;b=c, d', '%41', ' ', '"x"']) {
    writeLogin({ ...user, name })
    assert.equal(readLogin()?.name, name)
  }
})

test('a mask of all rights stays unsigned', () => {
  writeLogin({ ...user, permission: 4294967295 })
  assert.equal(readLogin()?.permission, 4294967295)
})

test('any value changed by hand makes it none', () => {
  const other: Record<string, string> = {
    user: 'Admin',
    type: '1',
    permission: '4294967295',
    id: '1',
    check: 'd41d8cd98f00b204e9800998ecf8427e'
  }
  for (const name of NAMES) {
    writeLogin(user)
    set(name, other[name] ?? '')
    assert.equal(readLogin(), null, name)
    set(name, '')
    assert.equal(readLogin(), null, `${name} emptied`)
    set(name, '%')
    assert.equal(readLogin(), null, `${name} garbled`)
  }
  writeLogin(user)
  assert.deepEqual(readLogin(), kept)
})

test('a value moved from one cookie to the next makes it none', () => {
  writeLogin(user)
  set('type', '81348')
  set('permission', '')
  assert.equal(readLogin(), null)
})

/** What is written to `document.cookie`, which does not tell a lifetime back. */
function written(act: () => void): string[] {
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
  act()
  Object.defineProperty(globalThis, 'document', { value: document, configurable: true })
  return lines
}

test('it lives as long as a session of the hub, and never ends where those never do', () => {
  const lifetimes = () => new Set(written(() => writeLogin(user)).map((line) => /max-age=(\d+)$/.exec(line)?.[1]))
  assert.deepEqual(lifetimes(), new Set(['1800']), 'before the hub told its expiry')
  writeExpiry(1440)
  assert.equal(localStorage.getItem('headend-expired-time'), '86400')
  assert.deepEqual(lifetimes(), new Set(['86400']))
  writeExpiry(-1)
  assert.equal(localStorage.getItem('headend-expired-time'), '-1')
  assert.deepEqual(lifetimes(), new Set(['31536000']))
})

test('clearing ends every cookie', () => {
  writeLogin(user)
  clearLogin()
  assert.equal(readLogin(), null)
  assert.ok(NAMES.every((name) => !cookie(name)))
  assert.deepEqual(
    written(clearLogin).map((line) => line.replace(/; .*; /, ' ')),
    NAMES.map((name) => `headend-${name}= max-age=0`)
  )
})

test('its cookies are for this site alone', () => {
  for (const line of written(() => writeLogin(user))) assert.match(line, /; path=\/; SameSite=Strict; /)
})

test.run()
