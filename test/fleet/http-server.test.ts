import * as assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { createHttpDoor, type HttpDoor } from '../../fleet/http-server.ts'
import { applianceOf } from '../kit/appliance.ts'

const test = suite('http door')
const servers: Server[] = []
test.after.each(() => {
  for (const server of servers.splice(0)) server.close()
})

const hash = (algorithm: string, word: string) => createHash(algorithm).update(word).digest('hex')

async function open(model: Parameters<typeof applianceOf>[0]) {
  const door: HttpDoor = createHttpDoor({ appliance: applianceOf(model), user: () => 'Admin', password: () => 'pw' })
  const server = createServer(door.listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let cookie = ''
  return {
    door,
    async ask(path: string, body?: object) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { cookie, connection: 'close' },
        ...(body && { method: 'POST', body: JSON.stringify(body) })
      })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const text = await response.text()
      return { status: response.status, json: response.status === 200 ? JSON.parse(text) : undefined, cookie }
    }
  }
}

test('an Ultra answers a ping, and all else only who signed in with the MD5 of the password', async () => {
  const { ask, door } = await open('encodeAio')
  assert.equal((await ask('/usapi?method=ping')).json.result, 0)
  assert.equal((await ask('/usapi?method=get-info')).json.result, -17)
  assert.equal((await ask('/usapi?method=login&id=Admin&pass=pw')).json.result, -1)
  assert.equal((await ask(`/usapi?method=login&id=Admin&pass=${hash('md5', 'pw')}`)).json.result, 0)
  assert.equal((await ask('/usapi?method=get-info')).json.product.sn, 'B313210600123')
  door.signOut()
  assert.equal((await ask('/usapi?method=get-info')).json.result, -17)
})

test('a Pro Convert speaks in status, and a newer device wants SHA-256 and names its cookie by its serial', async () => {
  const decoder = await open('ndiToHdmi')
  assert.equal((await decoder.ask('/mwapi?method=get-summary-info')).json.status, 37)
  assert.equal((await decoder.ask('/mwapi?method=login&id=Admin&pass=x')).json.status, 36)
  assert.match((await decoder.ask(`/mwapi?method=login&id=Admin&pass=${hash('md5', 'pw')}`)).cookie, /^sid=/)
  assert.equal((await decoder.ask('/mwapi?method=get-summary-info')).json.status, 0)
  const director = await open('directorMini')
  const login = (password: string) => director.ask('/api/user/login', { username: 'Admin', password })
  assert.equal((await login(hash('md5', 'pw'))).json.status, 36)
  assert.match((await login(hash('sha256', 'pw'))).cookie, /^sid-B313210600123=/)
  assert.equal((await director.ask('/api/system/device-info')).json['product-name'], 'Director Mini')
})

test('another generation’s calls are not found, and what has no API has no door', async () => {
  const { ask } = await open('encodeAio')
  for (const path of ['/', '/mwapi?method=ping', '/api/system/device-info']) assert.equal((await ask(path)).status, 404)
  assert.throws(() => createHttpDoor({ appliance: applianceOf('ptzCamera'), user: () => '', password: () => '' }))
})

test.run()
