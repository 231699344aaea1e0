import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROUTES } from '../../../src/paths.ts'
import { openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { hub, hubForEach } from '../../kit/hub-for-each.ts'
import { one, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('freshness in the frame')

hubForEach(test)

test('an unreachable hub is shown with its duration, the values stay, and everything recovers by itself', async () => {
  register(hub, 1)
  const console = await openConsole(hub, { at: ROUTES.pendingDevices })
  await one('row', 'Hall 1')
  const mark = () => document.querySelector('header [role=status]') as Element
  await says('Live', mark())
  assert.equal(document.querySelector('[data-stale]'), null)
  console.cut()
  await says(/^No response for \d+ s$/, mark())
  assert.ok(mark().closest('[data-stale]'), 'the page is marked')
  assert.ok(words().includes('Hall 1'), 'what was known stays')
  const first = words(mark())
  await until(
    () => words(mark()) !== first && words(mark()).startsWith('No response for'),
    'the elapsed time increases'
  )
  hub.context.registry.register(helloOf(2), '192.0.2.10')
  console.mend()
  await says('Live', mark())
  await one('row', 'Hall 2')
  assert.equal(document.querySelector('[data-stale]'), null)
})

test.run()
