// A server that does not tell its RTMP port: a user sets it where its address is.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { addDevice } from '../../../../contract/device/address.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { menuItemOf } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, queryAllByRole, waitForNone } from '../../../kit/console/page.ts'
import { createAddRequest } from '../../../kit/fleet/addressed-devices.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'

const test = suite('address of a device')
hubForEach(test)

const STAT = '<rtmp><nginx_rtmp_version>1.1.4</nginx_rtmp_version><server></server></rtmp>'

test('the RTMP port of nginx is set with its address, and other devices have no such field', async () => {
  const nginx = createServer((request, response) =>
    request.url === '/stat' ? response.end(STAT) : response.writeHead(404).end()
  )
  await new Promise<void>((resolve) => nginx.listen(0, '127.0.0.1', resolve))
  const device = await startHttpDevice('encodeAio')
  try {
    const { port } = nginx.address() as AddressInfo
    const { sn } = await other.send(addDevice, { address: '127.0.0.1', port })
    await other.send(addDevice, createAddRequest(device))
    await openConsole(hub, { at: linkTo('allDevices') })
    const nameOf = (serial: string) => hub.parts.store.devices.bySerial(serial)?.name ?? ''
    await click(await menuItemOf(nameOf(sn), 'Address'))
    const dialog = await findByRole('dialog', /^Address of/)
    const field = await findByRole('textbox', 'RTMP port', dialog)
    assert.equal((field as HTMLInputElement).value, '1935')
    await fill(field, '19350')
    await click(await findByRole('button', 'Save', dialog))
    await waitForNone('dialog')
    assert.equal(hub.parts.addressedDevices.addressInfo(sn)?.['rtmp-port'], 19_350)
    await click(await menuItemOf(device.appliance.name(), 'Address'))
    await findByRole('textbox', 'Port', await findByRole('dialog', /^Address of/))
    assert.deepEqual(queryAllByRole('textbox', 'RTMP port'), [])
  } finally {
    nginx.closeAllConnections()
    await new Promise((resolve) => nginx.close(resolve))
    await device.close()
  }
})

test.run()
