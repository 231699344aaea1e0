import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addChannel, enableChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { findByRole, visibleText } from '../../kit/console/page.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { setObservedChannel } from '../../kit/hub/observed-channel.ts'
import { until } from '../../kit/until.ts'

const test = suite('mark of the tab')

let hub: TestHub
test.before.each(async () => {
  hub = await startHub()
})
test.after.each(async () => {
  await closeConsole()
  await hub.close()
})

const iconHref = () => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''

test('title, icon and badge show the worst problem while it lasts', async () => {
  const admin = hub.clientAs('Admin')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(enableChannel, { id, enable: true })
  const link = document.createElement('link')
  link.rel = 'icon'
  link.href = 'data:,plain'
  document.head.append(link)
  await openConsole(hub)
  await until(() => document.title.startsWith('Dashboard'), 'no mark')
  const lost = {
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.disconnected,
    kbps: 0,
    livingTimeS: 0,
    reason: 'other-end' as const
  }
  setObservedChannel(hub, id, lost)
  await until(() => document.title.startsWith('◆ 1 down · Dashboard'), 'the mark of a channel that is down')
  assert.match(iconHref(), /d32f2f/)
  const menu = await findByRole('navigation', 'Main menu')
  assert.match(visibleText(menu), /Live 1/)
  await admin.send(enableChannel, { id, enable: false })
  await until(() => document.title.startsWith('Dashboard'), 'no mark again')
  assert.equal(iconHref(), 'data:,plain')
  link.remove()
})

test.run()
