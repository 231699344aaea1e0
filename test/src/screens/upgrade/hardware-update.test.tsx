// The card of hardware updates, with the demonstration program.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { hardwareUpdateStatus } from '../../../../contract/hardware-update.ts'
import { updateStatus } from '../../../../contract/update.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, replaceHub } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import {
  CAPTURE_CARD,
  type Demonstration,
  DOWNLOAD,
  programFolder,
  startDemonstration,
  writeProgram
} from '../../../kit/hub/hardware-program.ts'
import { addUser } from '../../../kit/hub/hub.ts'

const test = suite('hardware update')
programFolder(test)
hubForEach(test)

const openUpgradeScreen = (user?: string) => openConsole(hub, { at: ROUTES.upgrade, user })

/** @param hold where an update waits */
async function useDemonstration(hold: string): Promise<Demonstration> {
  const demonstration = startDemonstration()
  demonstration.holdAt(hold)
  demonstration.set('interrupts', '[]')
  await replaceHub({ hardwareUpdate: demonstration.path })
  return demonstration
}

/** Starts the update, and confirms it. @returns the text of the question */
async function startUpdate(): Promise<string> {
  await click(await findByRole('button', 'Update hardware'))
  const dialog = await findByRole('dialog')
  const question = visibleText(dialog)
  await click(await findByRole('button', 'Update hardware', dialog))
  return question
}

test('nothing is shown without a program, and no call is made on a hub with the documented calls only', async () => {
  await openUpgradeScreen()
  await findByRole('row', /Built-in/)
  assert.ok(!visibleText(document.body).includes('Hardware'))
  await closeConsole()
  const console = await openConsole(hub, { at: ROUTES.profile, hasDocumentedCallsOnly: true })
  const paths: string[] = []
  console.intercept = (path) => {
    paths.push(path)
    const status = { result: SUCCESS, state: 0, progress: 0, 'enable-update': true, version: '1.0.50' }
    return path.includes(updateStatus.path) ? Response.json(status) : undefined
  }
  navigate(ROUTES.upgrade)
  await waitForText('No update in progress.')
  const made = (call: { path: string }) => paths.some((path) => path.includes(call.path))
  assert.deepEqual([made(updateStatus), made(hardwareUpdateStatus)], [true, false])
})

test('an update is confirmed, shows its progress, and then what needs a reboot', async () => {
  const demonstration = await useDemonstration(CAPTURE_CARD)
  await openUpgradeScreen()
  const panel = await findByRole('row', /Front panel/)
  await waitForText('Front panel 1.3 → 1.4 Update available', panel)
  assert.match(await startUpdate(), /Do not switch off the machine until the update has ended\./)
  await waitForText(/Updating Capture card 1, 50 %/)
  assert.equal(Number(document.querySelector('progress')?.getAttribute('value')), 0.5)
  await waitForText('Front panel 1.4 Needs a reboot to take effect', panel)
  assert.deepEqual(
    queryAllByRole('button', /Update hardware|^Cancel$/).map((button) => button.textContent),
    []
  )
  demonstration.release()
  await waitForText('Capture card 1 2.1.0 Up to date', await findByRole('row', /Capture card 1/))
  await waitForText(/Done/)
  assert.equal((await findByRole('link', 'Restart or shut down')).getAttribute('href'), `#${ROUTES.reboot}`)
  await demonstration.whenEnded()
})

test('an update is cancelled while it downloads', async () => {
  const demonstration = await useDemonstration(DOWNLOAD)
  await openUpgradeScreen()
  await startUpdate()
  await waitForText(/Downloading/)
  await click(await findByRole('button', 'Cancel'))
  await findByRole('button', 'Update hardware')
  await waitForText(/Idle/)
  await demonstration.whenEnded()
})

test('a failure is reported with the words of the program until it is dismissed', async () => {
  const demonstration = await useDemonstration(DOWNLOAD)
  demonstration.set('fail')
  await openUpgradeScreen()
  await startUpdate()
  demonstration.release()
  await findByRole('alert', /Capture card 1: verification failed at block 7/)
  await demonstration.whenEnded()
  await click(await findByRole('button', 'Dismiss'))
  await waitForNone('alert', /block 7/)
  await findByRole('button', 'Update hardware')
})

test('a program that does not keep to the protocol is reported', async () => {
  await replaceHub({ hardwareUpdate: writeProgram({ status: 'echo "<html>"' }) })
  await openUpgradeScreen()
  await findByRole('alert', 'The update program printed something unexpected: <html>')
})

test('a user with permission only to view can start nothing', async () => {
  await useDemonstration(DOWNLOAD)
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await openUpgradeScreen('looker')
  await findByRole('row', /Front panel/)
  await waitForNone('button', 'Update hardware')
})

test.run()
