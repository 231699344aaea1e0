// A device at an address whose certificate has changed: the console asks whether it is trusted.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDevice } from '../../../../contract/device/address.ts'
import { createSelfSignedCertificate } from '../../../../fleet/network/self-signed.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { createAddRequest } from '../../../kit/fleet/addressed-devices.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'
import { until } from '../../../kit/until.ts'

const test = suite('changed certificate of a device')
hubForEach(test)

test('both fingerprints are shown, and the new one is trusted after the user agrees', async () => {
  let device = await startHttpDevice('encodeAio', { certificate: createSelfSignedCertificate() })
  try {
    const { sn } = await other.send(addDevice, createAddRequest(device, { https: true }))
    const address = () => hub.parts.addressedDevices.addressInfo(sn)
    const pinned = address()?.['cert-sha256'] ?? ''
    const { port } = device
    await device.close()
    device = await startHttpDevice('encodeAio', { port, certificate: createSelfSignedCertificate() })
    await until(() => address()?.['new-cert-sha256'] !== undefined, 'the hub has seen the new certificate')
    const offered = address()?.['new-cert-sha256'] ?? ''
    await openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })
    await waitForText(/The certificate of .+ has changed, and nothing is sent to it\./)
    assert.ok(!visibleText().includes('Check the device'))
    await click(await findByRole('button', 'Trust new certificate'))
    const question = await findByRole('dialog')
    await waitForText(`Trusted: ${pinned} Now: ${offered} Trust it`, question)
    await click(await findByRole('button', 'Trust new certificate', question))
    await until(() => hub.parts.registry.isOnline(sn), 'the device is online')
    assert.equal(address()?.['cert-sha256'], offered)
  } finally {
    await device.close()
  }
})

test.run()
