// The ports of the hub on the page of the network.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, waitForText } from '../../../kit/console/page.ts'
import { freeTcpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('ports on the network page')

hubForEach(test)

test('ports are listed, one in use is refused, and a change waits for its confirmation', async () => {
  const { linkPort } = await hub.listen(0, 0)
  await openConsole(hub, { at: ROUTES.network })
  await waitForText(`Device registration ${linkPort}`)
  await click(await findByRole('button', 'Change port: HLS and downloads'))
  const dialog = await findByRole('dialog', 'Change port: HLS and downloads')
  const field = await findByRole('textbox', 'Port', dialog)
  await fill(field, String(linkPort))
  await click(await findByRole('button', 'Save', dialog))
  await waitForText(`Port ${linkPort} occupied by device registration`, dialog)
  assert.equal(hub.parts.webPorts.isTrying(), false)
  const port = await freeTcpPort()
  await fill(field, String(port))
  await click(await findByRole('button', 'Save', dialog))
  await waitForText(new RegExp(`port ${port} waits for its confirmation`))
  await click(await findByRole('button', 'Undo now'))
  await until(() => !hub.parts.webPorts.isTrying(), 'the end of the trial')
})

test('HLS is switched off after a confirmation that says what stops, and on again', async () => {
  await hub.listen(0, 0)
  const { settings } = hub.parts.store
  await openConsole(hub, { at: ROUTES.network })
  const serve = () => findByRole('checkbox', 'Serve HLS')
  assert.ok(((await serve()) as HTMLInputElement).checked)
  await click(await serve())
  const dialog = await findByRole('dialog', 'Turn HLS off?')
  await waitForText('No HLS output is on air.', dialog)
  assert.deepEqual(settings.get('hls'), { enable: true })
  await click(await findByRole('button', 'Turn HLS off', dialog))
  await until(() => !settings.get('hls').enable, 'HLS is off')
  await until(
    () => !(document.querySelector('input[name=enable-hls]') as HTMLInputElement).checked,
    'the switch is off'
  )
  await click(await serve())
  await until(() => settings.get('hls').enable, 'HLS is on')
})

test.run()
