// The page that restarts and shuts down the hub. logind is replaced at the bus of the hub.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { BusError } from '../../../../hub/machine/system-bus.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, waitForText } from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('restart page')

hubForEach(test)

/**
 * Gives the hub a machine that it manages. @returns the methods of logind that the hub called, and a way to let them
 * fail
 */
async function manageMachine() {
  await replaceHub({ machine: 'manage' })
  const logind = { called: [] as string[], inhibitors: [] as unknown[], failure: '' }
  Object.assign(hub.parts.machine.bus, {
    stateOf: async () => 'running',
    async call({ member }: { member: string }) {
      if (member.startsWith('Can')) return ['yes']
      if (member === 'ListInhibitors') return [logind.inhibitors]
      logind.called.push(member)
      if (logind.failure) throw new BusError('org.freedesktop.login1.Failed', logind.failure, 'org.freedesktop.login1')
      return []
    }
  })
  return logind
}

test('in view mode the page says how to let the hub manage its machine, and has no button', async () => {
  await openConsole(hub, { at: ROUTES.reboot })
  await waitForText(/The hub does not change this machine\. .*MACHINE=manage/)
  assert.equal(queryAllByRole('button', 'Restart').length, 0)
  assert.equal(queryAllByRole('button', 'Shut down').length, 0)
})

// Running channels are named first, and the console opens again by itself.
test('a restart is followed to its end', async () => {
  const logind = await manageMachine()
  const { id } = await other.send(addChannel, { name: 'Chapel' })
  await other.send(enableChannel, { id, enable: true })
  const console = await openConsole(hub, { at: ROUTES.reboot })
  await waitForText(/Chapel/)
  await click(await findByRole('button', 'Restart'))
  const dialog = await findByRole('dialog', 'Restart the machine?')
  assert.match(dialog.textContent ?? '', /These stop: Chapel/)
  assert.deepEqual(logind.called, [])
  await click(await findByRole('button', 'Restart', dialog))
  await findByRole('heading', 'The machine is restarting')
  await until(() => logind.called.includes('Reboot'), 'the call to logind')
  hub.parts.startTime.shift(1)
  await until(() => console.currentPath() === ROUTES.dashboard, 'the dashboard')
  await waitForText('The machine has restarted')
})

test('a shutdown without running channels begins at once; if it fails, the page says why and offers it again', async () => {
  const logind = await manageMachine()
  logind.failure = 'The battery is empty'
  await openConsole(hub, { at: ROUTES.reboot })
  await click(await findByRole('button', 'Shut down'))
  await findByRole('heading', 'The machine is shutting down')
  await waitForText(/The machine was not shut down. The battery is empty/)
  await findByRole('button', 'Shut down')
  assert.deepEqual(logind.called, ['PowerOff'])
})

test('while the hub is busy the page says with what, and its buttons are disabled; programs that block it are named', async () => {
  const logind = await manageMachine()
  logind.inhibitors = [['shutdown', 'apt', 'Packages are installed', 'block', 0, 1]]
  hub.parts.operation.begin('importing')
  await openConsole(hub, { at: ROUTES.reboot })
  await waitForText(/Settings are being imported/)
  await waitForText(/apt: Packages are installed/)
  assert.equal((await findByRole('button', 'Restart')).getAttribute('aria-disabled'), 'true')
  hub.parts.operation.end()
  await until(() => queryAllByRole('button', 'Restart')[0]?.getAttribute('aria-disabled') !== 'true', 'the button')
  await click(await findByRole('button', 'Restart'))
  await waitForText(/Reboot busy A program on this machine blocks this: apt/)
})

test('the page has no buttons for a user with view permission', async () => {
  await manageMachine()
  await addUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.reboot, user: 'viewer' })
  await waitForText('Ask an administrator for it.')
  assert.equal(queryAllByRole('button', 'Restart').length, 0)
})

test.run()
