import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { STALE_AFTER } from '../../../../contract/limits.ts'
import { acknowledgeProblems, listProblems } from '../../../../contract/problem.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('problems card')

hubForEach(test)

test('problems are counted beside the channels, with a link to all', async () => {
  const serials = registerDevices(hub, 10)
  await other.send(acceptDevices, { sn: serials })
  await openConsole(hub)
  const card = await findByRole('article', '10 problems')
  assert.equal(card.querySelectorAll('.problem').length, 8)
  assert.equal((await findByRole<HTMLAnchorElement>('link', 'All problems and events', card)).hash, '#/problems')
  for (const sn of serials.slice(1)) hub.parts.registry.setOnline(sn)
  await findByRole('article', '1 problem')
})

test('acknowledged problems are only counted', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 2) })
  const { list } = await other.send(listProblems, {})
  await other.send(acknowledgeProblems, { id: [list[0]?.id ?? ''] })
  await openConsole(hub)
  const card = await findByRole('article', '1 problem')
  await waitForText(/1 acknowledged/, card)
  assert.equal(card.querySelectorAll('.problem').length, 1)
  await findByRole('button', 'Acknowledge', card)
})

test('a scheduled backup that failed is on the dashboard, with the way to its settings', async () => {
  const { settings, database } = hub.parts.store
  database.transaction(() => {
    settings.set('backup', { ...settings.get('backup'), enable: true })
    settings.set('backup-result', { time: Date.now(), name: 'headend.tar', fault: 'host-key' })
  })
  await openConsole(hub)
  const card = await findByRole('article', '1 problem')
  await waitForText(/Backup The server has another host key than before/, card)
  assert.equal((await findByRole<HTMLAnchorElement>('link', 'Backup', card)).hash, '#/settings/backup')
})

test('without problems the card says so, and when that was checked', async () => {
  await openConsole(hub)
  const card = await findByRole('article', 'No problems')
  await waitForText(/No problems Nothing is down or degraded.* Checked \d+ s ago/, card)
})

test('when the hub does not answer nothing looks healthy', async () => {
  const console = await openConsole(hub)
  const card = await findByRole('article', 'No problems')
  console.disconnect()
  await findByRole('alert', /The hub is not responding/, card)
  assert.ok(!visibleText(card).includes('Nothing is down'))
  assert.equal(card.dataset.tone, 'bad')
  assert.ok(STALE_AFTER < 5000)
  console.reconnect()
  await waitForText(/Nothing is down/, card)
})

test.run()
