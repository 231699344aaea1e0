// Activation in the dialog of the licence page, with the reference licence server.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { FREE_LIMITS } from '../../../../contract/license/license.ts'
import { Licenses } from '../../../../license/server/licenses.ts'
import { createLicenseServer } from '../../../../license/server/serve.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { blur, click, fieldMessage, fill, findByRole, waitForText } from '../../../kit/console/page.ts'

const issuer = generateKeyPairSync('ed25519')
const folder = mkdtempSync(join(tmpdir(), 'license-'))
const licenses = new Licenses(join(folder, 'licenses.json'))
const server = createLicenseServer(licenses, issuer.privateKey)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const test = suite('activate a licence')
hubForEach(test, { license: { trusted: [issuer.publicKey], server: address } })
test.before.each(() => {
  const limits = { ...FREE_LIMITS, 'max-dev-count': 20 }
  licenses.put({
    ...{ title: 'Diocese', sn: 'ABC123', permissions: 0, limits, disabled: false, machine: '' },
    ...{ expires: Date.now() + 1e10, 'support-end': 0 }
  })
})
test.after(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test('a serial number is taken in lower case and with spaces around it', async () => {
  await openConsole(hub, { at: ROUTES.license })
  await click(await findByRole('button', 'Activate'))
  const dialog = await findByRole('dialog', 'Activate')
  const serial = await findByRole('textbox', 'Serial number', dialog)
  assert.equal(fieldMessage(serial), 'Digits and the letters A to F')
  await fill(await findByRole('textbox', 'License title', dialog), 'Diocese')
  await fill(serial, 'xyz')
  await blur(serial)
  assert.equal(fieldMessage(serial), 'Contains characters that are not allowed')
  await fill(serial, ' abc123 ')
  await click(await findByRole('button', 'Activate', dialog))
  await waitForText('License Diocese activated')
  await waitForText('The license is valid')
  await waitForText('ABC123')
})

test.run()
