import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { suite } from 'uvu'
import { getSession } from '../../contract/access/session.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { listDevices } from '../../contract/device/device.ts'
import { getSettings, setSettings } from '../../contract/settings.ts'
import { HostAllowList } from '../../web-server/host-allow-list.ts'
import { openFeed } from '../kit/hub/feed-listener.ts'
import { addSignedInUser } from '../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../kit/hub/hub-for-each.ts'
import { sendRaw } from '../kit/net/raw-http.ts'

const test = suite('host allow list')
let port: number
hubForEach(test, { hosts: ['console.example'] })
test.before.each(async () => {
  port = (await hub.listen(0, 0)).port
})

async function send(host: string, path: string, cookie = ''): Promise<{ status: number; text: string }> {
  const [response] = await once(request({ port, host: '127.0.0.1', path, headers: { host, cookie } }).end(), 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text }
}

function createList(names: string[] = []) {
  const address = (value: string) => ({ address: value }) as never
  return new HostAllowList({
    listenHost: '0.0.0.0',
    configuredNames: () => names,
    machine: {
      hostname: () => 'Studio-1.example.org',
      networkInterfaces: () => ({ eth0: [address('192.0.2.10'), address('2001:db8::0:a'), address('fe80::1%eth0')] })
    }
  })
}

test('the hub answers under the addresses and the name of its machine, with any port', () => {
  const list = createList()
  for (const host of [
    'localhost',
    'localhost.',
    'LOCALHOST:3000',
    '127.0.0.1',
    '127.8.9.1:80',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    '192.0.2.10',
    '192.0.2.10:443',
    '[2001:db8::a]',
    '[2001:DB8:0::000a]:3000',
    'studio-1',
    'studio-1.local:3000',
    'studio-1.example.org'
  ])
    assert.ok(list.allows(host), host)
})

test('it does not answer under other names, or without a well-formed one', () => {
  const list = createList()
  for (const host of [
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.11',
    '2130706433',
    '[2001:db8::b]',
    '[::ffff:7f00:1]',
    '2001:db8::a',
    'localhost@evil.example',
    'localhost, evil.example',
    'localhost:3000:1',
    'localhost/evil',
    ' localhost',
    'x'.repeat(300)
  ])
    assert.ok(!list.allows(host), host)
})

test('configured names are allowed, whatever their case, and take effect at once', () => {
  const names = ['Console.Example', '2001:db8::ff', '198.51.100.7']
  const list = createList(names)
  for (const host of ['console.example:8443', 'CONSOLE.EXAMPLE.', '[2001:db8:0:0::ff]', '198.51.100.7'])
    assert.ok(list.allows(host), host)
  names.pop()
  list.namesChanged()
  assert.ok(!list.allows('198.51.100.7'))
})

test('requests with another Host header get 421 and a sentence: pages, files, calls, streams, relayed calls', async () => {
  for (const path of [
    '/',
    '/nothing',
    '/hls/key/index.m3u8',
    '/api/session',
    '/api/preview/open',
    '/socket/usapi?method=get-status',
    '/socket/sc-remote/B1/',
    '/healthz',
    '/metrics'
  ]) {
    const { status, text } = await send('evil.example', path, admin.cookie)
    assert.equal(status, 421, path)
    assert.match(text, /IP address.*HOSTS=name.*环境变量/s, path)
    assert.doesNotMatch(text, /evil/)
  }
  assert.equal((await send('evil.example', '/api/session')).text.includes('"result":31'), true)
  await assert.rejects(openFeed(port, { cookie: admin.cookie, host: 'evil.example' }), /\b421$/)
  for (const host of [`127.0.0.1:${port}`, 'localhost', 'console.example'])
    assert.equal((await send(host, '/api/session', admin.cookie)).status, 200, host)
})

test('a request without a Host header, with two names or with a URL of another host is refused', async () => {
  const statusOf = async (text: string) => (await sendRaw(port, [text])).statuses[0]
  assert.equal(await statusOf('GET / HTTP/1.1\r\n\r\n'), 400)
  assert.equal(await statusOf('GET / HTTP/1.0\r\n\r\n'), 400)
  assert.equal(await statusOf('GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n'), 400)
  assert.equal(await statusOf('GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n'), 421)
  assert.equal(await statusOf('GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'), 200)
  for (const [first, second] of [
    ['evil.example', 'localhost'],
    ['localhost', 'evil.example'],
    ['localhost', 'localhost']
  ]) {
    const headers = `Host: ${first}\r\nhost: ${second}\r\n`
    assert.equal(await statusOf(`GET /healthz HTTP/1.1\r\n${headers}\r\n`), 400, headers)
    const upgrade = `${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n`
    assert.equal(await statusOf(`GET /api/subscribe HTTP/1.1\r\n${upgrade}\r\n`), 400, upgrade)
  }
})

test('the default password is accepted without a change only under a loopback name', async () => {
  const mustChange = async (host: string) => {
    const { text } = await send(host, `/api${getSession.path}`, admin.cookie)
    return JSON.parse(text)['must-change-password'] === true
  }
  assert.equal(await mustChange('localhost'), false)
  assert.equal(await mustChange('127.0.0.1'), false)
  assert.equal(await mustChange('console.example'), true)
  const { text } = await send('console.example', `/api${listDevices.path}`, admin.cookie)
  assert.equal(JSON.parse(text).result, NOT_PERMITTED)
  await assert.rejects(openFeed(port, { cookie: admin.cookie, host: 'console.example' }), /\b401$/)
})

test('an administrator adds names, and cannot remove the one in use', async () => {
  hub.parts.store.database.run('UPDATE user SET is_default_password = 0')
  const set = async (names: string[], host = 'localhost') => {
    const response = await admin.raw('POST', `/api${setSettings.path}`, {
      body: JSON.stringify({ hosts: { names } }),
      headers: { 'content-type': 'application/json', host }
    })
    return (await response.json()) as { result: number; field?: string; fault?: string }
  }
  assert.equal((await set(['A.example', 'b.example'])).result, SUCCESS)
  assert.deepEqual((await admin.send(getSettings, {})).settings.hosts, { names: ['a.example', 'b.example'] })
  assert.equal((await send('a.example', '/api/session', admin.cookie)).status, 200)
  assert.deepEqual(await set(['a.example'], 'b.example'), {
    result: INVALID_ARG,
    field: 'hosts.names',
    fault: 'required'
  })
  assert.equal((await set(['b.example'], 'b.example')).result, SUCCESS)
  assert.equal((await send('a.example', '/api/session', admin.cookie)).status, 421)
  assert.equal((await set([], 'console.example')).result, SUCCESS, 'names of the environment stay')
  for (const name of ['', 'a b', 'http://a.example', 'a.example:80', '-a', 'x'.repeat(254), 'a/b'])
    assert.equal((await set([name])).result, INVALID_ARG, name)
  assert.equal((await set(Array.from({ length: 33 }, (_, n) => `n${n}.example`))).result, INVALID_ARG)
})

test('only the Admin group may set the names', async () => {
  const editor = addSignedInUser(hub, 'editor', 0xffffffff)
  assert.equal((await editor.send(setSettings, { hosts: { names: ['evil.example'] } })).result, NOT_PERMITTED)
  assert.equal((await send('evil.example', '/')).status, 421)
})

test('the machine’s own addresses are allowed', async () => {
  const [address] = Object.values(networkInterfaces())
    .flat()
    .flatMap((found) => (found?.family === 'IPv4' && !found.internal ? found.address : []))
  if (address) assert.equal((await send(`${address}:${port}`, '/api/session', admin.cookie)).status, 200)
})

test.run()
