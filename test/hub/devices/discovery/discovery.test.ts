import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { addDevice } from '../../../../contract/device/address.ts'
import { type Discovered, listDiscovered, startDiscovery } from '../../../../contract/device/discovery.ts'
import { answerSearches, withDescription } from '../../../../fleet/network/ssdp.ts'
import { createCamera } from '../../../../fleet/test-picture/camera.ts'
import { CONNECTIONS_PER_HOST } from '../../../../hub/devices/discovery/pace.ts'
import { addressedHubForEach, createAddRequest, startDevice } from '../../../kit/fleet/addressed-devices.ts'
import { startMindingPeer } from '../../../kit/fleet/minding-peer.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('search for devices')
addressedHubForEach(test)

/** Where no other test has a device that answers: a search looks at each machine a few times only. */
const ADDRESS = '127.31.0.2'

/** Runs a search to its end. */
async function search(range?: string): Promise<Discovered[]> {
  const request = { interface: 'lo', ...(range !== undefined && { range }) }
  assert.equal((await admin.send(startDiscovery, request)).result, SUCCESS)
  await until(async () => !(await admin.send(listDiscovered, {})).running, 'the search ends by itself')
  return (await admin.send(listDiscovered, {})).list
}

test('nothing is looked for until a user asks for it', async () => {
  const { running, list, interfaces } = await admin.send(listDiscovered, {})
  assert.deepEqual([running, list], [false, []])
  assert.ok(interfaces.some(({ name, address }) => name === 'lo' && address === '127.0.0.1'))
})

test('a device that answers SSDP is found with model, serial number and picture without login, and added where it was found', async () => {
  const sn = 'B313210600777'
  const device = await startDevice('encodeAio', { address: ADDRESS, sn })
  const facts = { address: ADDRESS, port: device.port, name: 'Gate', model: 'Ultra Encode AIO', serial: sn }
  const icon = createCamera(sn, 160)({ name: 'AIO', signal: true, time: 0 })
  const server = createServer(
    withDescription(
      () => facts,
      icon,
      (_, response) => response.writeHead(404).end()
    )
  )
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve))
  const ssdp = answerSearches({ ...facts, port: (server.address() as AddressInfo).port })
  try {
    const found = (await search()).find(({ serial }) => serial === sn)
    assert.ok(found)
    const { picture = '', ...rest } = found
    assert.deepEqual(rest, {
      address: ADDRESS,
      port: device.port,
      https: false,
      kind: 'device',
      api: 'usapi',
      name: 'Gate',
      model: 'Demo Ultra Encode AIO',
      serial: sn,
      by: ['ssdp']
    })
    assert.deepEqual(Buffer.from(picture.replace('data:image/jpeg;base64,', ''), 'base64'), icon)
    assert.ok(!device.requests.some((line) => line.includes('login')), device.requests.join('\n'))
    const { address, port, https } = found
    assert.equal((await admin.send(addDevice, createAddRequest(device, { address, port, https }))).sn, sn)
    const before = device.connections
    const again = (await search()).find(({ sn: added }) => added === sn)
    assert.ok(again, 'the result names the device that was added')
    assert.equal(
      device.requests.filter((line) => line.includes('method=ping')).length,
      2,
      `a device that is connected is not looked at: ${before}`
    )
  } finally {
    ssdp.close()
    server.close()
  }
})

test('a machine in the range gets one connection at a time, few in all, and no login', async () => {
  const peer = await startMindingPeer('127.0.0.77', 8080)
  const silent = await startMindingPeer('127.0.0.78', 8080, 'silence')
  try {
    const list = await search('127.0.0.70-127.0.0.79')
    assert.ok(!list.some(({ address }) => address === '127.0.0.77'), 'a printer is no device')
    const { checked, total } = await admin.send(listDiscovered, {})
    assert.deepEqual([checked, total], [10, 10])
    assert.ok(peer.connections > 0 && peer.connections <= CONNECTIONS_PER_HOST, String(peer.connections))
    assert.deepEqual([peer.concurrent, peer.logins], [1, 0])
    assert.deepEqual([silent.connections, silent.logins], [1, 0])
  } finally {
    await peer.close()
    await silent.close()
  }
})

test('a range outside of the network of the interface, and an interface that is none, are refused', async () => {
  for (const [range, fault] of [
    ['128.0.0.1', 'range'],
    ['127.0.0.0/16', 'range'],
    ['127.0.0.9-127.0.0.3', 'order'],
    ['all', 'invalid'],
    ['127.0.0.0/33', 'invalid']
  ] as const) {
    const refused = await admin.send(startDiscovery, { interface: 'lo', range })
    assert.deepEqual([refused.result, refused.field, refused.fault], [INVALID_ARG, 'range', fault], range)
  }
  assert.equal((await admin.send(startDiscovery, { interface: 'eth99' })).result, NOT_EXIST)
  assert.equal((await admin.send(listDiscovered, {})).running, false)
})

test('one search runs at a time, and ends with the hub', async () => {
  assert.equal((await admin.send(startDiscovery, { interface: 'lo' })).result, SUCCESS)
  assert.equal((await admin.send(startDiscovery, { interface: 'lo' })).result, IN_PROGRESS)
  hub.parts.discovery.close()
  assert.equal(hub.parts.discovery.isRunning, false)
})

test.run()
