import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DIRECTOR, OTHERS } from '../../../../contract/device/products.ts'
import { deviceLink } from '../../../../src/parts/device/device-link.ts'

const test = suite('link to a device')

test('a device of a family without a page is linked to the list, filtered by its serial number', () => {
  const device = { sn: 'D51232109000018', name: 'Desk', 'catalog-id': 3 }
  assert.equal(deviceLink({ ...device, module: DIRECTOR }), '/device/detail/D51232109000018/3')
  assert.equal(deviceLink({ ...device, module: OTHERS }), '/devices/all?key=D51232109000018')
  assert.equal(deviceLink({ sn: 'A1', name: 'Desk' }), '/device/detail/A1/0')
})

test.run()
