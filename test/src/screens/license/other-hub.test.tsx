// The licence of a hub that has it only in its status.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { systemStatus } from '../../../../contract/system.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'

const test = suite('licence of another hub')
hubForEach(test)

/** Opens the licence page at a hub whose status has these fields. */
async function openLicense(license: object): Promise<void> {
  const console = await openConsole(hub, { at: ROUTES.profile, hasDocumentedCallsOnly: true })
  console.intercept = async (path) => {
    if (!path.startsWith(`/api${systemStatus.path}`)) return undefined
    const { result, status } = await other.send(systemStatus, {})
    const { 'license-reg': _, 'cur-license': __, ...rest } = status
    return Response.json({ result, status: { ...rest, ...license } })
  }
  location.hash = ROUTES.license
}

const pageText = () => visibleText(document.querySelector('main') as HTMLElement)

test('the page is made of the licence and the limits in the status', async () => {
  await acceptDevicesUpTo(2)
  await openLicense({
    'license-reg': { status: 0, 'user-name': 'Chapel', sn: 'ABC123' },
    'cur-license': { 'max-channel-count': 40, 'max-dev-count': 20, 'expired-time': Date.UTC(2030, 0, 2) }
  })
  await waitForText('The license is valid')
  for (const text of ['Chapel', 'ABC123', '2030', 'Registered devices']) await waitForText(text)
  assert.match(pageText(), /Channels[^0-9]*0\s*40/)
  assert.match(pageText(), /Registered devices[^0-9]*2\s*20/)
  // What the hub does not say is not shown.
  assert.doesNotMatch(pageText(), /SRT|This machine|Permissions|Maintenance|Not yet supported/)
  await findByRole('button', 'Activate')
  await findByRole('button', 'Deactivate')
  assert.equal(queryAllByRole('button', 'Add license file').length, 0)
})

test('a licence that has ended says so, in both languages', async () => {
  await openLicense({ 'license-reg': { status: -107, 'user-name': 'Chapel', sn: 'ABC123' }, 'cur-license': {} })
  await waitForText('License subscription is expired, please renew it.')
  setLanguage('zh')
  await waitForText('许可证名称')
  assert.doesNotMatch(pageText(), /限额/)
})

test('a hub that says nothing about a licence has none', async () => {
  await openLicense({})
  await waitForText('No license')
  await findByRole('button', 'Activate')
})

test.run()
