import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROUTES } from '../../../src/paths.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findByRole, visibleText, waitForText } from '../../kit/console/page.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('freshness in the frame')

hubForEach(test)

test('an unreachable hub is shown with its duration, the values stay, and the console recovers without a reload', async () => {
  registerDevices(hub, 1)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await findByRole('row', 'Hall 1')
  const mark = () => document.querySelector('header [role=status]') as Element
  await waitForText('Connected', mark())
  assert.equal(document.querySelector('[data-stale]'), null)
  console.disconnect()
  await waitForText(/^No response for \d+ s$/, mark())
  assert.ok(mark().closest('[data-stale]'), 'the page is marked')
  assert.ok(visibleText().includes('Hall 1'), 'what was known stays')
  const first = visibleText(mark())
  await until(
    () => visibleText(mark()) !== first && visibleText(mark()).startsWith('No response for'),
    'the elapsed time increases'
  )
  hub.parts.registry.register(helloOf(2), '192.0.2.10')
  console.reconnect()
  await waitForText('Connected', mark())
  await findByRole('row', 'Hall 2')
  assert.equal(document.querySelector('[data-stale]'), null)
})

test.run()
