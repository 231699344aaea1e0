import * as assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { createDeviceHttpServer, type DeviceHttpServer } from '../../../fleet/network/http-server.ts'
import { createTestAppliance } from '../../kit/fleet/appliance.ts'

const test = suite('device HTTP server')
const servers: Server[] = []
test.after.each(() => {
  for (const server of servers.splice(0)) server.close()
})

const hexHash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

async function open(model: Parameters<typeof createTestAppliance>[0]) {
  const deviceServer: DeviceHttpServer = createDeviceHttpServer({
    appliance: createTestAppliance(model),
    user: () => 'Admin',
    password: () => 'pw'
  })
  const server = createServer(deviceServer.listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let cookie = ''
  return {
    deviceServer,
    async send(path: string, body?: object) {
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

test('an Ultra device serves requests other than a ping only after a login with the MD5 hash of the password', async () => {
  const { send, deviceServer } = await open('encodeAio')
  assert.equal((await send('/usapi?method=ping')).json.result, 0)
  assert.equal((await send('/usapi?method=get-info')).json.result, -17)
  assert.equal((await send('/usapi?method=login&id=Admin&pass=pw')).json.result, -1)
  assert.equal((await send(`/usapi?method=login&id=Admin&pass=${hexHash('md5', 'pw')}`)).json.result, 0)
  assert.equal((await send('/usapi?method=get-info')).json.product.sn, 'B313210600123')
  deviceServer.clearSessions()
  assert.equal((await send('/usapi?method=get-info')).json.result, -17)
})

test('a Pro Convert device has result codes in `status`; a newer device requires SHA-256 and names its cookie after the serial number', async () => {
  const decoder = await open('ndiToHdmi')
  assert.equal((await decoder.send('/mwapi?method=get-summary-info')).json.status, 37)
  assert.equal((await decoder.send('/mwapi?method=login&id=Admin&pass=x')).json.status, 36)
  assert.match((await decoder.send(`/mwapi?method=login&id=Admin&pass=${hexHash('md5', 'pw')}`)).cookie, /^sid=/)
  assert.equal((await decoder.send('/mwapi?method=get-summary-info')).json.status, 0)
  const director = await open('directorMini')
  const login = (password: string) => director.send('/api/user/login', { username: 'Admin', password })
  assert.equal((await login(hexHash('md5', 'pw'))).json.status, 36)
  assert.match((await login(hexHash('sha256', 'pw'))).cookie, /^sid-B313210600123=/)
  assert.equal((await director.send('/api/system/device-info')).json['product-name'], 'Director Mini')
})

test('requests of another generation are not found, and a model without an API has no HTTP server', async () => {
  const { send } = await open('encodeAio')
  for (const path of ['/', '/mwapi?method=ping', '/api/system/device-info'])
    assert.equal((await send(path)).status, 404)
  assert.throws(() =>
    createDeviceHttpServer({ appliance: createTestAppliance('ptzCamera'), user: () => '', password: () => '' })
  )
})

test.run()
