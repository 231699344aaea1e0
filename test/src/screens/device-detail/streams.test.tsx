// The streams that a device at an address serves, on its page.
import { suite } from 'uvu'
import { addDevice } from '../../../../contract/device/address.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { createAddRequest } from '../../../kit/fleet/addressed-devices.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'

const test = suite('streams of a device')
hubForEach(test)

test('a device whose servers are all off serves no streams, and while it is offline nothing is said of them', async () => {
  const device = await startHttpDevice('encodeAio', { documented: {} })
  try {
    const { sn } = await other.send(addDevice, createAddRequest(device))
    await openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })
    await findByRole('heading', 'Streams')
    await waitForText('Serves no streams')
    await device.close()
    await waitForText('Connection refused')
    await waitForNone('heading', 'Streams')
  } finally {
    await device.close()
  }
})

test.run()
