import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { linkTo, loginLink, matchRoute, REDIRECTS, ROUTES, returnPath } from '../../src/paths.ts'

const test = suite('paths')

test('the paths that users may have bookmarked stay', () => {
  const paths: readonly string[] = Object.values(ROUTES)
  const stored = [
    '/dashboard',
    '/device/detail/:sn/:catalog',
    '/devices/all',
    '/devices/favorite',
    '/devices/group-:catalog',
    '/devices/pending',
    '/devices/rejected',
    '/devices/warning',
    '/follow',
    '/import-settings',
    '/login',
    '/ndi-router',
    '/ndi-router/:matrixId',
    '/ndi-router/panel/:matrixId/:destination',
    '/portforward',
    '/problems',
    '/profile',
    '/reboot',
    '/reset-all-settings',
    '/search',
    '/settings/access-tokens',
    '/settings/authorized',
    '/settings/backup',
    '/settings/certificate',
    '/settings/firewall',
    '/settings/firmware',
    '/settings/general',
    '/settings/logs',
    '/settings/ndi',
    '/settings/network',
    '/settings/upgrade',
    '/settings/user',
    '/settings/user-group/:groupId',
    '/settings/user/:userId',
    '/stream/calendar',
    '/stream/channel/detail/:channelId',
    '/stream/channels',
    '/stream/input',
    '/stream/ndi',
    '/stream/output',
    '/wall',
    '/watch/:channelId'
  ]
  assert.deepEqual(
    stored.filter((path) => !paths.includes(path)),
    []
  )
  assert.equal(new Set(paths).size, paths.length)
  assert.deepEqual(REDIRECTS, { '/': 'dashboard', '/devices': 'allDevices' })
})

test('a link contains its query, without undefined and empty values', () => {
  assert.equal(linkTo('dashboard'), '/dashboard')
  assert.equal(linkTo('allDevices', { view: 'view', key: '' }), '/devices/all?view=view')
  assert.equal(linkTo('allDevices', { key: 'Hall 1 & 2', view: undefined }), '/devices/all?key=Hall+1+%26+2')
  assert.equal(linkTo('channels', { 'search-navigation': 'dashboard' }), '/stream/channels?search-navigation=dashboard')
})

test('a parameter is put into the path, also after a prefix, and is found there', () => {
  assert.equal(linkTo('groupDevices', { catalog: '30001', key: 'x' }), '/devices/group-30001?key=x')
  assert.deepEqual(matchRoute('/devices/group-30001'), { routeName: 'groupDevices', params: { catalog: '30001' } })
  for (const path of ['/devices/group-', '/devices/group', '/devices/other-1']) assert.deepEqual(matchRoute(path), {})
  assert.equal(linkTo('userGroup', { groupId: '8' }), '/settings/user-group/8')
  assert.deepEqual(matchRoute('/settings/user-group/new'), { routeName: 'userGroup', params: { groupId: 'new' } })
  const detail = linkTo('deviceDetail', { sn: 'B313-1_2', catalog: '0' })
  assert.equal(detail, '/device/detail/B313-1_2/0')
  assert.deepEqual(matchRoute(detail), { routeName: 'deviceDetail', params: { sn: 'B313-1_2', catalog: '0' } })
  for (const path of [
    '/device/detail/B313',
    '/settings/user-group',
    '/settings/user-group/',
    '/settings/user-group/8/9',
    '/settings/user-group/a b'
  ])
    assert.deepEqual(matchRoute(path), {})
  assert.equal(returnPath('/settings/user-group/8'), '/settings/user-group/8')
})

test('the login page returns to any route with its query', () => {
  for (const routeName of ['dashboard', 'channels', 'allDevices', 'pendingDevices'] as const) {
    const from = linkTo(routeName, { 'search-navigation': 'channels' })
    const query = loginLink(from).replace('/login?', '')
    assert.equal(returnPath(new URLSearchParams(query).get('return_url')), from)
  }
  const odd = linkTo('allDevices', { key: '%2F?#&=ü //x' })
  assert.equal(returnPath(new URLSearchParams(loginLink(odd).slice(7)).get('return_url')), odd)
})

test('without a return URL the dashboard opens', () => {
  for (const returnUrl of [null, undefined, '', '/']) assert.equal(returnPath(returnUrl), '/dashboard')
})

test('the login page does not return to itself', () => {
  assert.equal(returnPath('/login'), '/dashboard')
  assert.equal(returnPath('/login?return_url=/login'), '/dashboard')
})

test('a return URL outside of the console opens the dashboard', () => {
  const untrusted = [
    'https://untrusted.test/',
    'https://untrusted.test/dashboard',
    '//untrusted.test',
    '//untrusted.test/dashboard',
    '///dashboard',
    '/\\untrusted.test',
    '\\\\untrusted.test',
    '\\dashboard',
    '/\t/untrusted.test',
    '/\n/untrusted.test',
    ' //untrusted.test',
    '/dashboard\n',
    '/dashboard\0',
    '/dashboard@untrusted.test',
    '/dashboard.untrusted.test',
    '/dashboard/../../untrusted',
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
    '/dashboard#//untrusted.test',
    '/dashboard?x#y',
    '?/dashboard',
    '/dashboard?a=\n//untrusted.test',
    '/dashboard?a=\\\\untrusted.test',
    '/nowhere',
    '/constructor',
    '__proto__',
    '/__proto__',
    '/\u2028/untrusted.test',
    '/\uff0fevil.test'
  ]
  for (const returnUrl of untrusted) assert.equal(returnPath(returnUrl), '/dashboard', JSON.stringify(returnUrl))
})

test('any return URL resolves to a path of this console', () => {
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
    'untrusted.test',
    '=',
    '&'
  ]
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 20_000; round++) {
    const returnUrl = Array.from({ length: next(7) }, () => pieces[next(pieces.length)]).join('')
    const path = returnPath(returnUrl)
    const url = new URL(path, 'https://hub.test')
    assert.equal(url.origin, 'https://hub.test', returnUrl)
    assert.ok(Object.values<string>(ROUTES).includes(url.pathname) && url.pathname !== '/login', returnUrl)
  }
})

test.run()
