// The rules of the product families, as the console applies them in the device list.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../../contract/device/device.ts'
import {
  DIRECTOR,
  OTHERS,
  THIRD_PARTY,
  ULTRA_ENCODE,
  ULTRA_STREAM,
  VENDOR_API_CLASS
} from '../../../../contract/device/products.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow } from '../../../kit/console/table-rows.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('rules of the product families')
hubForEach(test)

/** Devices by name: family, product id, class. */
const DEVICES: Readonly<Record<string, readonly [module: number, productId: number, apiClass?: string]>> = {
  ...Object.fromEntries([769, 770].map((id) => [`Model ${id}`, [ULTRA_STREAM, id]])),
  ...Object.fromEntries([772, 773, 785, 786, 787, 789, 790].map((id) => [`Model ${id}`, [ULTRA_ENCODE, id]])),
  ...Object.fromEntries([1297, 1305, 1318, 1320].map((id) => [`Model ${id}`, [DIRECTOR, id]])),
  Stranger: [THIRD_PARTY, 0],
  Branded: [THIRD_PARTY, 0, VENDOR_API_CLASS],
  Other: [OTHERS, 0]
}

test.before.each(async () => {
  const serials: string[] = []
  for (const [index, [name, [module, productId, apiClass]]] of Object.entries(DEVICES).entries()) {
    const digits = productId.toString(16).toUpperCase().padStart(3, '0')
    const sn = productId > 0 ? `A${digits}${210_000_000 + index}` : `3RDPARTY-${name.toUpperCase()}-${index}`
    const hello = helloOf(index, {
      sn,
      name,
      module,
      'product-id': productId,
      ...(apiClass && { 'api-class': apiClass })
    })
    hub.parts.registry.register(hello, '192.0.2.10')
    hub.parts.registry.setOnline(sn)
    serials.push(sn)
  }
  await other.send(acceptDevices, { sn: serials })
})

async function offered(name: string): Promise<string[]> {
  await click(await buttonInRow(name, /^Actions/))
  const names = queryAllByRole('menuitem').map(nameOf)
  await click(await buttonInRow(name, /^Actions/))
  await waitForNone('menuitem')
  return names
}

test('recording, streaming, connection and control are offered by family, product id and class', async () => {
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText('Stranger')
  for (const [name, [module, productId, apiClass]] of Object.entries(DEVICES)) {
    const items = await offered(name)
    const isCapable = module === ULTRA_STREAM || module === DIRECTOR || [787, 789, 790].includes(productId)
    const isInteractive = (module !== THIRD_PARTY && module !== OTHERS) || apiClass !== undefined
    assert.equal(items.includes('Start recording'), isCapable, `${name}: ${items}`)
    assert.equal(items.includes('Start streaming'), isCapable, `${name}: ${items}`)
    assert.equal(items.includes('Connection'), isInteractive && module !== ULTRA_STREAM, `${name}: ${items}`)
    for (const command of ['Reboot', 'Rename', 'Update firmware'])
      assert.equal(items.includes(command), isInteractive, `${name}: ${items}`)
  }
})

test('Others have no link to a page, and third-party serial numbers are shown without their first nine characters', async () => {
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText('STRANGER-13', await findByRole('row', 'Stranger'))
  await findByRole('link', 'Stranger')
  // Only of the family Third Party.
  await waitForText('3RDPARTY-OTHER-15', await findByRole('row', 'Other'))
  assert.equal(queryAllByRole('link', 'Other').length, 0)
})

test('a port is not forwarded to a device that cannot be controlled', async () => {
  await openConsole(hub, { at: ROUTES.portForward })
  const device = await findByRole('combobox', 'Device')
  await waitForText('Branded', device)
  const offeredDevices = queryAllByRole('option', undefined, device).map((option) => visibleText(option).split(' (')[0])
  const refused = Object.keys(DEVICES).filter((name) => !offeredDevices.includes(name))
  assert.deepEqual(refused, ['Stranger', 'Other'])
})

test.run()
