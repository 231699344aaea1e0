import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { link, loginLink, PLACES, placeOf, REDIRECTS, returnPath } from '../../src/paths.ts'

const test = suite('paths')

test('every place of the specification that there is has its documented path', () => {
  assert.deepEqual(Object.values(PLACES).sort(), [
    '/dashboard',
    '/device/detail/:sn/:catalog',
    '/devices/all',
    '/devices/favorite',
    '/devices/group-:catalog',
    '/devices/pending',
    '/devices/rejected',
    '/devices/warning',
    '/login',
    '/portforward',
    '/search',
    '/settings/access-tokens',
    '/settings/firmware',
    '/settings/logs',
    '/settings/upgrade',
    '/settings/user',
    '/settings/user-group/:groupId',
    '/stream/channel/detail/:channelId',
    '/stream/channels',
    '/stream/input',
    '/stream/output'
  ])
  assert.deepEqual(REDIRECTS, { '/': 'dashboard', '/devices': 'allDevices' })
})

test('a link carries its query, without what is absent or empty', () => {
  assert.equal(link('dashboard'), '/dashboard')
  assert.equal(link('allDevices', { view: 'view', key: '' }), '/devices/all?view=view')
  assert.equal(link('allDevices', { key: 'Hall 1 & 2', view: undefined }), '/devices/all?key=Hall+1+%26+2')
  assert.equal(link('channels', { 'search-navigation': 'dashboard' }), '/stream/channels?search-navigation=dashboard')
})

test('a parameter stands in the path, also behind a word, and is found there', () => {
  assert.equal(link('groupDevices', { catalog: '30001', key: 'x' }), '/devices/group-30001?key=x')
  assert.deepEqual(placeOf('/devices/group-30001'), { place: 'groupDevices', params: { catalog: '30001' } })
  for (const path of ['/devices/group-', '/devices/group', '/devices/other-1']) assert.deepEqual(placeOf(path), {})
  assert.equal(link('userGroup', { groupId: '8' }), '/settings/user-group/8')
  assert.deepEqual(placeOf('/settings/user-group/new'), { place: 'userGroup', params: { groupId: 'new' } })
  const detail = link('deviceDetail', { sn: 'B313-1_2', catalog: '0' })
  assert.equal(detail, '/device/detail/B313-1_2/0')
  assert.deepEqual(placeOf(detail), { place: 'deviceDetail', params: { sn: 'B313-1_2', catalog: '0' } })
  for (const path of [
    '/device/detail/B313',
    '/settings/user-group',
    '/settings/user-group/',
    '/settings/user-group/8/9',
    '/settings/user-group/a b'
  ])
    assert.deepEqual(placeOf(path), {})
  assert.equal(returnPath('/settings/user-group/8'), '/settings/user-group/8')
})

test('the login page leads back to any place with its query', () => {
  for (const place of ['dashboard', 'channels', 'allDevices', 'pendingDevices'] as const) {
    const from = link(place, { 'search-navigation': 'channels' })
    const query = loginLink(from).replace('/login?', '')
    assert.equal(returnPath(new URLSearchParams(query).get('return_url')), from)
  }
  const odd = link('allDevices', { key: '%2F?#&=ü //x' })
  assert.equal(returnPath(new URLSearchParams(loginLink(odd).slice(7)).get('return_url')), odd)
})

test('without a wish the way leads to the dashboard', () => {
  for (const wish of [null, undefined, '', '/']) assert.equal(returnPath(wish), '/dashboard')
})

test('the login page does not lead back to itself', () => {
  assert.equal(returnPath('/login'), '/dashboard')
  assert.equal(returnPath('/login?return_url=/login'), '/dashboard')
})

test('a wish that leads out of the console leads to the dashboard', () => {
  const evil = [
    'https://evil.test/',
    'https://evil.test/dashboard',
    '//evil.test',
    '//evil.test/dashboard',
    '///dashboard',
    '/\\evil.test',
    '\\\\evil.test',
    '\\dashboard',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/dashboard\n',
    '/dashboard\0',
    '/dashboard@evil.test',
    '/dashboard.evil.test',
    '/dashboard/../../evil',
    '/../dashboard',
    '/./dashboard',
    'dashboard',
    '/Dashboard',
    '/dashboard/',
    '/%64ashboard',
    '/%2f%2fevil.test',
    '%2F%2Fevil.test',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//dashboard',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://hub.test/1',
    '#/dashboard',
    '/dashboard#//evil.test',
    '/dashboard?x#y',
    '?/dashboard',
    '/dashboard?a=\n//evil.test',
    '/dashboard?a=\\\\evil.test',
    '/nowhere',
    '/constructor',
    '__proto__',
    '/__proto__',
    '/\u2028/evil.test',
    '/\uff0fevil.test'
  ]
  for (const wish of evil) assert.equal(returnPath(wish), '/dashboard', JSON.stringify(wish))
})

test('whatever the wish, where it leads is a path of this console', () => {
  const pieces = [
    '/',
    '//',
    '\\',
    ':',
    '#',
    '?',
    'login',
    'dashboard',
    'devices',
    'all',
    '%2f',
    '\n',
    ' ',
    '@',
    'evil.test',
    '=',
    '&'
  ]
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 20_000; round++) {
    const wish = Array.from({ length: next(7) }, () => pieces[next(pieces.length)]).join('')
    const path = returnPath(wish)
    const url = new URL(path, 'https://hub.test')
    assert.equal(url.origin, 'https://hub.test', wish)
    assert.ok(Object.values<string>(PLACES).includes(url.pathname) && url.pathname !== '/login', wish)
  }
})

test.run()
