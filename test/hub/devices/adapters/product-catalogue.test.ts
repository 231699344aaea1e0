// A further family is one row of the product catalogue; a family with an API of its own is a row of the API
// definitions, too.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { rebootDevices, renameDevice } from '../../../../contract/device/action.ts'
import { API_DEFINITIONS, type ApiDefinition } from '../../../../contract/device/api-definitions.ts'
import { acceptDevices, listDevices } from '../../../../contract/device/device.ts'
import { PRODUCT_FAMILIES, type ProductFamily } from '../../../../contract/device/products.ts'
import { type CallHandler, connectLinkDevice, type LinkDevice } from '../../../kit/fleet/link-device.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'
import { GET_STATUS } from './examples.ts'

const test = suite('product catalogue')

const ACME: ProductFamily = { id: 99, name: 'Acme', order: 99, pic: 'camera', hasRack: false, products: [0x601] }
const SN = 'X601210600001'
const OLDER = helloOf(1, { sn: SN, module: ACME.id, 'module-name': 'Acme One', 'product-id': 0x601, name: 'Acme 1' })

const families = PRODUCT_FAMILIES as ProductFamily[]
const definitions = API_DEFINITIONS as Record<string, ApiDefinition>
let device: LinkDevice | undefined
let linkPort: number

test.after.each(async () => {
  await device?.end()
  device = undefined
  if (families.at(-1)?.id === ACME.id) families.pop()
  delete definitions.acme
})
hubForEach(test, { actions: { response: 2500, poll: 4000 } })
test.before.each(async () => {
  linkPort = (await hub.listen(0, 0)).linkPort
})

async function connect(hello: typeof OLDER, serve: CallHandler): Promise<LinkDevice> {
  const connected = await connectLinkDevice(linkPort, hello, serve)
  device = connected
  await until(() => hub.parts.links.isOnline(SN), 'the device is online')
  assert.equal((await admin.send(acceptDevices, { sn: [SN] })).result, 0)
  return connected
}

const paths = ({ calls }: LinkDevice) => [...new Set(calls.map(({ method, path }) => `${method} ${path}`))]

test('a device of a family that is not in the catalogue is refused, and with its row it is driven by the API that it names', async () => {
  await assert.rejects(connectLinkDevice(linkPort, OLDER, () => ({ result: 0 })))
  families.push({ ...ACME, api: 'usapi' })
  const connected = await connect(OLDER, ({ path }) => (path.includes('get-status') ? GET_STATUS : { result: 0 }))
  assert.equal((await admin.send(renameDevice, { sn: SN, name: 'Hall 9' })).result, 0)
  assert.equal((await admin.send(rebootDevices, { sn: [SN] })).result, 0)
  assert.equal((await admin.send(listDevices, { module: ACME.id })).list[0]?.sn, SN)
  for (const method of ['set-name&name=Hall%209', 'reboot', 'get-status'])
    assert.ok(paths(connected).includes(`GET /usapi?method=${method}`), method)
})

test('a family with other paths, parameters and result field is driven by the row of its API', async () => {
  const usapi = definitions.usapi as ApiDefinition
  families.push({ ...ACME, api: 'acme' })
  definitions.acme = {
    generation: 'usapi',
    prefix: 'acme/v2',
    codeField: 'rc',
    requests: {
      ...usapi.requests,
      status: { type: 'get', url: '/state' },
      rename: { type: 'post', url: '/label', params: { label: '{name}', save: true } },
      reboot: { type: 'query', method: 'restart', params: { delay: 0 } }
    }
  }
  const { result: _, ...status } = GET_STATUS
  const connected = await connect({ ...OLDER, api: 'acme' }, ({ path, method }) => {
    if (path === '/acme/v2/state') return { ...status, rc: 0 }
    return method === 'POST' ? { rc: -27 } : { rc: 0, result: -1 }
  })
  await until(() => hub.parts.registry.liveState(SN)?.observation?.status.eth !== undefined, 'the status is read')
  const renamed = await admin.send(renameDevice, { sn: SN, name: 'Hall 9' })
  assert.deepEqual([renamed.result, renamed.api], [-27, 'usapi'])
  assert.equal((await admin.send(rebootDevices, { sn: [SN] })).result, 0)
  const post = connected.calls.find(({ path }) => path.endsWith('/label'))
  assert.deepEqual(post, { method: 'POST', path: '/acme/v2/label', body: '{"label":"Hall 9","save":true}' })
  assert.ok(paths(connected).includes('GET /acme/v2?method=restart&delay=0'))
})

test('the hub relays the calls of an API that a row defines', async () => {
  const usapi = definitions.usapi as ApiDefinition
  families.push({ ...ACME, api: 'acme' })
  definitions.acme = { ...usapi, prefix: 'acme' }
  const connected = await connect({ ...OLDER, api: 'acme' }, () => ({ result: 0, answer: 7 }))
  const response = await admin.raw('GET', `/socket/acme?method=get-info&sc-client-id=${SN}`)
  assert.deepEqual(await response.json(), { result: 0, answer: 7 })
  assert.ok(paths(connected).includes('GET /acme?method=get-info'))
})

test.run()
