import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { md5Of } from '../../accounts/passwords.ts'
import { getSession, login, logout, reauthenticate } from '../../contract/access/session.ts'
import { addUser } from '../../contract/access/user.ts'
import { deleteHubs, openHub } from '../../contract/cloud/calls.ts'
import type { CloudSettings } from '../../contract/cloud-registration.ts'
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  INVALID_ARG,
  MISMATCH,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SUCCESS
} from '../../contract/codes.ts'
import { listLog } from '../../contract/log.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { addChannel, channelDashboard } from '../../contract/stream/channel.ts'
import { enter, type OpenedHub, requestAs, withOpenedHub } from '../kit/cloud/opened-hub.ts'
import { set, untilOnline, withFolder } from '../kit/cloud/registered-hub.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('relay of a hub')

const resultOf = (text: string): number => JSON.parse(text).result

const serverOf = ({ parts }: OpenedHub['hub']) => {
  const { host, port } = parts.cloudLink.settings.stored
  return { host, port }
}

async function setRole({ admin, hub }: Pick<OpenedHub, 'admin' | 'hub'>, role: CloudSettings['role']): Promise<void> {
  await set(admin, { ...serverOf(hub), role })
  await untilOnline(admin)
}

test('a user of the cloud makes calls of the hub under his name', () =>
  withOpenedHub(async ({ open, admin }) => {
    const visitor = await open()
    const { result, user } = await visitor.send(getSession, {})
    assert.equal(result, SUCCESS)
    assert.equal(user.name, 'Admin@headend')
    assert.equal((await visitor.send(setDeviceName, { name: 'Hall' })).result, SUCCESS)
    const { list } = await admin.send(listLog, { type: 'operation' })
    assert.equal(list.find(({ event }) => event === setDeviceName.path)?.user, 'Admin@headend')
  }))

test('the change feed of a hub arrives through the cloud, and carries calls', () =>
  withOpenedHub(async ({ open, webPort, sn }) => {
    const visitor = await open()
    const socket = new WebSocket(`ws://127.0.0.1:${webPort}/socket/sub_socket?client-id=${sn}`, {
      headers: { host: visitor.host, cookie: visitor.cookie }
    })
    const messages: { reply?: { result: number } }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    await once(socket, 'open')
    socket.send(JSON.stringify({ topics: ['channel'] }))
    socket.send(JSON.stringify({ turn: 1, path: '/session' }))
    await until(() => messages.some(({ reply }) => reply?.result === SUCCESS), 'the call is answered')
    socket.terminate()
  }))

test('without a session of this hub nothing is relayed', () =>
  withOpenedHub(async ({ open, user, sn, webPort }) => {
    const { host, cookie } = await open()
    const path = `/socket/api/session?client-id=${sn}`
    for (const sent of ['', user.cookie, 'mwcloud-sid=headend.x', cookie.replace('=headend.', '=other.')])
      assert.equal(resultOf((await requestAs(webPort, host, path, { headers: { cookie: sent } })).text), NOT_LOGGED_IN)
    // The session of a hub opens neither another hub nor the cloud.
    const other = await requestAs(webPort, `other.localhost:${webPort}`, path, { headers: { cookie } })
    assert.equal(resultOf(other.text), NOT_LOGGED_IN)
    const cloud = await requestAs(webPort, `localhost:${webPort}`, '/api/session', { headers: { cookie } })
    assert.equal(resultOf(cloud.text), NOT_LOGGED_IN)
  }))

test('a request below /socket names the hub, and reaches no other one', () =>
  withOpenedHub(async ({ open, sn }) => {
    const { visit } = await open()
    assert.equal(resultOf((await visit('/socket/api/session')).text), INVALID_ARG)
    assert.equal(resultOf((await visit('/socket/api/session?client-id=HUB-OTHER')).text), CLIENT_NOT_EXIST)
    assert.equal(resultOf((await visit(`/socket/api/session?client-id=${sn}&client-id=X`)).text), INVALID_ARG)
    assert.equal(resultOf((await visit(`/socket/api/session?client-id=${sn}`)).text), SUCCESS)
    const device = await visit(`/socket/usapi?method=get-info&sc-client-id=NONE&client-id=${sn}`)
    assert.equal(resultOf(device.text), CLIENT_NOT_EXIST)
  }))

test('a ticket opens a page of the console, and nothing else', () =>
  withOpenedHub(async ({ user, sn, webPort }) => {
    const open = async (at: string) => {
      const { url, ticket } = await user.send(openHub, { sn })
      const address = url.replace('localhost/', `localhost:${webPort}/`)
      const { text } = await enter(webPort, address, ticket, `http://localhost:${webPort}`, at)
      return /content="0;url=([^"]*)"/.exec(text)?.[1]
    }
    assert.equal(await open('/stream/channel/detail/3'), '/#/stream/channel/detail/3')
    assert.equal(await open('//evil.test'), '/#//evil.test')
    for (const at of ['', 'https://evil.test', '/"><script>', '/a b', 'javascript:alert(1)', `/${'x'.repeat(301)}`])
      assert.equal(await open(at), '/', at)
  }))

test('a ticket opens one hub once, from a page of the cloud', () =>
  withOpenedHub(async ({ user, sn, webPort }) => {
    const open = async () => {
      const { url, ticket } = await user.send(openHub, { sn })
      return { url: url.replace('localhost/', `localhost:${webPort}/`), ticket }
    }
    const first = await open()
    const foreign = await enter(webPort, first.url, first.ticket, 'http://evil.test')
    assert.equal(foreign.status, 403)
    const ofHub = await enter(webPort, first.url, first.ticket, `http://other.localhost:${webPort}`)
    assert.equal(ofHub.status, 403)
    const elsewhere = await enter(webPort, first.url.replace(sn.toLowerCase(), 'other'), first.ticket)
    assert.equal(elsewhere.headers['set-cookie'], undefined)
    assert.match(String((await enter(webPort, first.url, first.ticket)).headers['set-cookie']), /HttpOnly/)
    assert.equal((await enter(webPort, first.url, first.ticket)).status, 401)
    // A ticket is no session.
    const second = await open()
    const cookie = `mwcloud-sid=${second.ticket}`
    const { text } = await requestAs(webPort, new URL(second.url).host, '/api/session', { headers: { cookie } })
    assert.equal(resultOf(text), NOT_LOGGED_IN)
  }))

test('the cloud has the rights of its role and no more', () =>
  withOpenedHub(async (fixture) => {
    const visitor = await fixture.open()
    const add = async () => (await visitor.send(addChannel, { name: 'A' })).result
    assert.equal(await add(), SUCCESS)
    await setRole(fixture, 'view')
    assert.equal(await add(), NOT_PERMITTED)
    assert.equal((await visitor.send(channelDashboard, {})).result, SUCCESS)
    assert.equal((await visitor.send(setDeviceName, { name: 'B' })).result, NOT_PERMITTED)
  }))

test('the permissions that a user has in the cloud limit the role', () =>
  withOpenedHub(async ({ open, cloud }) => {
    const visitor = await open(await cloud.signInAs('Viewer'))
    const { user } = await visitor.send(getSession, {})
    assert.equal((await visitor.send(addChannel, { name: 'A' })).result, NOT_PERMITTED)
    assert.notEqual(user.type, 1)
  }))

test('no password is tried and no session opened over the relay', () =>
  withOpenedHub(async ({ open, admin }) => {
    const visitor = await open()
    const { result } = await visitor.send(login, { id: 'Admin', pass: md5Of('Admin') })
    assert.equal(result, NOT_PERMITTED)
    assert.equal((await admin.send(getSession, {})).result, SUCCESS)
  }))

test('the password that a hub asks for again is the one of the cloud', () =>
  withOpenedHub(async ({ open, cloud }) => {
    const admin = await cloud.clientAs()
    const visitor = await open(admin)
    const longAgo = Date.now() - 86_400_000
    await cloud.store.within('headend', async (scope) => {
      await scope.update('sessions').set({ authenticated: longAgo }).execute()
      await scope.update('users').set({ default_password: 0 }).execute()
    })
    const add = () => visitor.send(addUser, { name: 'Anna', passwd: md5Of('Secret-1'), 'group-id': 2 } as never)
    await until(async () => (await add()).result === REAUTHENTICATION_REQUIRED, 'the password is asked for')
    assert.equal((await visitor.send(reauthenticate, { pass: md5Of('wrong') })).result, MISMATCH)
    assert.equal((await add()).result, REAUTHENTICATION_REQUIRED)
    assert.equal((await visitor.send(reauthenticate, { pass: md5Of('Admin') })).result, SUCCESS)
    assert.notEqual((await add()).result, REAUTHENTICATION_REQUIRED)
  }))

test('the end of the session of the cloud closes what it has open at hubs', () =>
  withOpenedHub(async ({ open, cloud, webPort, sn }) => {
    const user = await cloud.clientAs()
    const visitor = await open(user)
    const socket = new WebSocket(`ws://127.0.0.1:${webPort}/socket/sub_socket?client-id=${sn}`, {
      headers: { host: visitor.host, cookie: visitor.cookie }
    })
    await once(socket, 'open')
    const closed = once(socket, 'close')
    assert.equal((await user.send(logout, {})).result, SUCCESS)
    await closed
    assert.equal((await visitor.send(getSession, {})).result, NOT_LOGGED_IN)
  }))

test('signing out at a hub ends its session there, and that of the cloud stays', () =>
  withOpenedHub(async ({ open, user }) => {
    const visitor = await open()
    assert.equal((await visitor.send(logout, {})).result, SUCCESS)
    assert.equal((await visitor.send(getSession, {})).result, NOT_LOGGED_IN)
    assert.equal((await (await user.raw('GET', '/api/session')).json()).result, SUCCESS)
  }))

test('a hub without a link, and one that was deleted, are said', () =>
  withOpenedHub(async ({ open, user, hub, sn, admin }) => {
    const visitor = await open()
    await set(admin, { ...serverOf(hub), enable: false })
    await until(async () => resultOf((await visitor.visit('/api/session')).text) === CLIENT_OFFLINE, 'offline')
    const page = await visitor.visit('/', { headers: { 'sec-fetch-mode': 'navigate', 'accept-language': 'zh' } })
    assert.equal(page.status, 502)
    assert.match(page.text, /中控未连接到云/)
    await user.send(deleteHubs, { sn: [sn] })
    await until(async () => (await visitor.send(getSession, {})).result === NOT_LOGGED_IN, 'the session has ended')
    assert.equal((await user.send(openHub, { sn })).result, CLIENT_NOT_EXIST)
  }))

test('the page of the console says for which hub it is relayed', () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><title>Console</title>')
    await withOpenedHub(async ({ open, sn }) => {
      const { visit } = await open()
      const { status, text, headers } = await visit('/')
      assert.equal(status, 200)
      assert.match(text, new RegExp(`<html data-hub="${sn}" lang="en">`))
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
    }, folder)
  }))

test('no cookie of the cloud reaches the hub, and none of the hub the browser', () =>
  withOpenedHub(async ({ open }) => {
    const { visit, cookie } = await open()
    const { headers, status } = await visit('/api/session', { headers: { cookie: `${cookie}; headend-lang=zh` } })
    assert.equal(status, 200)
    assert.equal(headers['set-cookie'], undefined)
    const worker = await visit('/assets/x.js', { headers: { 'service-worker': 'script' } })
    assert.equal(resultOf(worker.text), NOT_PERMITTED)
  }))

test.run()
