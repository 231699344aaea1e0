// The settings of the logs: retention, and the syslog server with its state.
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { getSettings } from '../../../../contract/settings.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { recordProcessLog } from '../../../kit/hub/process-log.ts'
import { freeTcpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('log settings')

hubForEach(test)

const openSettings = (user = 'Admin') => openConsole(hub, { at: linkTo('logs', { tab: 'settings' }), user })
const save = () => clickWhenFree('Save')

async function setServer(port: number): Promise<void> {
  const protocol = await findByRole('combobox', 'Protocol')
  await selectOption(protocol, 'TCP')
  await fill(await findByRole('textbox', 'Host'), '127.0.0.1')
  await fill(await findByRole('textbox', 'Port'), String(port))
  await save()
}

test('a tab of the logs with a URL of its own has the settings', async () => {
  await openConsole(hub, { at: linkTo('logs') })
  await click(await findByRole('link', 'Settings', await findByRole('navigation', 'Logs')))
  await waitForText('Retention')
  assert.equal(location.hash, '#/settings/logs?tab=settings')
})

test('an administrator sets the retention; the limits are shown and checked', async () => {
  await openSettings()
  const lines = await findByRole<HTMLInputElement>('textbox', 'Lines')
  assert.equal(lines.value, '100000')
  await waitForText('1,000-1,000,000')
  await fill(lines, '999')
  await save()
  await until(() => lines.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(lines, '5000')
  await fill(await findByRole('textbox', 'Days'), '120')
  await save()
  await waitForText('Settings saved')
  const { settings } = await other.send(getSettings, {})
  assert.deepEqual(settings.log, { 'max-lines': 5000, 'max-days': 120 })
})

test('changes are not left without a question, and both cards are saved together', async () => {
  await openSettings()
  await fill(await findByRole('textbox', 'Days'), '121')
  await fill(await findByRole('textbox', 'Port'), '5514')
  await waitForText('Not saved: Retention, Syslog server')
  await click(await findByRole('link', 'Operations', await findByRole('navigation', 'Logs')))
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Leave without saving?')))
  await save()
  await waitForNone('button', 'Save')
  const { log, syslog } = (await other.send(getSettings, {})).settings
  assert.deepEqual([log?.['max-days'], syslog?.port], [121, 5514])
})

test('without a syslog server there is nothing to test', async () => {
  await openSettings()
  await waitForText('No server set')
  await waitForNone('button', 'Send test message')
})

test('a syslog server is connected and tested, and when it fails the page says since when and why', async () => {
  const sockets: Socket[] = []
  let received = ''
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', (data) => {
      received += data
    })
  })
  const port = await freeTcpPort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await openSettings()
  const host = await findByRole<HTMLInputElement>('textbox', 'Host')
  await selectOption(await findByRole('combobox', 'Protocol'), 'TCP')
  await save()
  await until(() => host.getAttribute('aria-invalid') === 'true', 'a host is required')
  await setServer(port)
  await waitForText(/State Connected/)
  await click(await findByRole('button', 'Send test message'))
  await waitForText('Test message sent')
  assert.match(received, /"event":"syslog-test"/)
  await recordProcessLog(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await waitForText(
      /State Entries cannot be sent .*Reason (The server closed|No program listens).*Waiting entries [1-9]/
    )
    await click(await findByRole('button', 'Send test message'))
    await waitForText('No program listens on this port of the server.')
  })
})

test('others see the settings, and cannot change them', async () => {
  await addUser(hub, 'keeper', SYSTEM_CONFIG_VIEW + SYSTEM_CONFIG_EDIT)
  await openSettings('keeper')
  await waitForText('Retention')
  await waitForNone('button', 'Save')
  for (const name of ['Lines', 'Days', 'Host', 'Port'])
    assert.ok((await findByRole('textbox', name)).closest('fieldset')?.disabled, name)
})

test.run()
