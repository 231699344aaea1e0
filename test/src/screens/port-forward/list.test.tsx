import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { suite } from 'uvu'
import { DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { listPortForwards, startPortForward } from '../../../../contract/port-forward.ts'
import type { ForwardedPort } from '../../../../hub/devices/port-forwards.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { $toasts } from '../../../../src/state/toasts.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('port forwarding')

hubForEach(test)

/** A server that occupies a port. */
let portOwner: Server

test.before.each(async () => {
  portOwner = createServer()
  await new Promise<void>((resolve) => portOwner.listen(0, '127.0.0.1', resolve))
})
test.after.each(() => {
  portOwner.close()
})

const occupiedPort = () => (portOwner.address() as { port: number }).port
const storedForwards = async () => (await other.send(listPortForwards, {})).list

/** Registers and accepts devices. @returns their serial numbers */
async function acceptDevicesUpTo(count: number): Promise<string[]> {
  const serials = registerDevices(hub, count)
  await other.send(acceptDevices, { sn: serials })
  return serials
}

/** Sets the counters of a port forward in the hub. */
function setCounters(id: number, counters: Partial<Pick<ForwardedPort, 'bytesIn' | 'bytesOut' | 'connections'>>): void {
  const { portForwards: ports, store } = hub.parts
  const list = ports.list.bind(ports)
  ports.list = () => list().map((forward) => (forward.id === id ? { ...copyOf(forward), ...counters } : forward))
  store.changes.markChanged('portforward', id)
}
const copyOf = ({
  id,
  sn,
  localPort,
  remotePort,
  session,
  user,
  since,
  bytesIn,
  bytesOut,
  connections
}: ForwardedPort) => ({
  id,
  sn,
  localPort,
  remotePort,
  session,
  user,
  since,
  bytesIn,
  bytesOut,
  connections
})

/** Opens the screen. */
async function openForm(path: string = ROUTES.portForward) {
  await openConsole(hub, { at: path })
  const form = await findByRole('article', 'Forward a port')
  const field = (name: string) => findByRole<HTMLInputElement>(name === 'Device' ? 'combobox' : 'textbox', name, form)
  return { form, field, start: async () => click(await findByRole('button', 'Forward a port', form)) }
}

test('a port is forwarded to a device that is chosen from the devices', async () => {
  const [, second = ''] = await acceptDevicesUpTo(2)
  const { field, start } = await openForm()
  const device = await field('Device')
  const options = () => queryAllByRole('option', undefined, device).map(visibleText)
  await until(() => options().length === 3, 'the devices')
  assert.equal(options()[2], `Hall 2 (${second})`)
  await selectOption(device, `Hall 2 (${second})`)
  await fill(await field('Remote port'), '80')
  await start()
  const row = await findByRole('row', 'Hall 2')
  const [created] = await storedForwards()
  assert.equal(created?.sn, second)
  assert.equal(created?.['remote-port'], 80)
  await waitForText(`Hall 2 Idle ${created?.['local-port']} 80 0 B 0 B Admin`, row)
  await waitForText('Hall 2:80 started')
})

test('an unknown device is an error at its field', async () => {
  await acceptDevicesUpTo(2)
  const { field, start } = await openForm(linkTo('portForward', { sn: 'Hall' }))
  await fill(await field('Remote port'), '80')
  await start()
  await waitForFieldMessage(await field('Device'), 'The device does not exist')
})

test('state and bytes are those of the hub', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  const { forward } = await other.send(startPortForward, { sn, 'remote-port': 22 })
  await openConsole(hub, { at: ROUTES.portForward })
  const row = await findByRole('row', 'Hall 1')
  await waitForText('Idle', row)
  hub.parts.registry.setOnline(sn)
  await waitForText('Connected', row)
  setCounters(forward.id, { bytesIn: 2048, bytesOut: 5 << 20, connections: 3 })
  await waitForText(/^Hall 1 Connected .* 2 KB 5 MB Admin/, row)
})

test('an occupied port is an error at its field, and nothing is forwarded', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  const { field, start } = await openForm(linkTo('portForward', { sn }))
  await waitForText('Hall 1', await field('Device'))
  await fill(await field('Remote port'), '80')
  const local = await field('Local port')
  await fill(local, String(occupiedPort()))
  await start()
  await waitForFieldMessage(local, 'The port is already in use')
  await waitForFocus('Local port')
  assert.equal((await storedForwards()).length, 0)
  assert.deepEqual($toasts.get(), [])
  await fill(local, '')
  await start()
  await findByRole('row', 'Hall 1')
  assert.equal((await storedForwards()).length, 1)
})

test('missing values and invalid ports are errors before anything is sent', async () => {
  const { field, start } = await openForm()
  await start()
  await waitForFieldMessage(await field('Device'), 'Required')
  await waitForFieldMessage(await field('Remote port'), 'Required')
  await fill(await field('Remote port'), '70000')
  await fill(await field('Local port'), '0')
  await waitForFieldMessage(await field('Remote port'), 'Must be between 1 and 65535')
  await waitForFieldMessage(await field('Local port'), 'Must be between 1 and 65535')
})

test('a port of a pending device cannot be forwarded', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const { field, start } = await openForm(linkTo('portForward', { sn }))
  await fill(await field('Remote port'), '80')
  await start()
  await waitForFieldMessage(await field('Device'), 'Not possible in the current state')
  assert.equal((await storedForwards()).length, 0)
})

test('a port forward is stopped; with open connections after a confirmation', async () => {
  const [sn = ''] = await acceptDevicesUpTo(1)
  const { forward } = await other.send(startPortForward, { sn, 'remote-port': 22 })
  await other.send(startPortForward, { sn, 'remote-port': 80 })
  await openConsole(hub, { at: ROUTES.portForward })
  await click(await findByRole('button', 'Stop: Hall 1:80'))
  await waitForNone('button', 'Stop: Hall 1:80')
  setCounters(forward.id, { bytesIn: 1, connections: 1 })
  await waitForText('1 B')
  await click(await findByRole('button', 'Stop: Hall 1:22'))
  await click(await findByRole('button', 'Stop Hall 1:22', await findByRole('dialog', 'Stop Hall 1:22?')))
  await waitForText('No forwarded ports')
  assert.equal((await storedForwards()).length, 0)
})

test('only users with advanced device control may forward ports', async () => {
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  addSignedInUser(hub, 'doer', DEVICE_VIEW | DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'looker', at: ROUTES.portForward })
  await waitForText('You do not have access permission')
  await waitForNone('link', 'Port forwarding')
  await closeConsole()
  await openConsole(hub, { user: 'doer', at: ROUTES.portForward })
  await waitForText('No forwarded ports')
})

test('the screen is translated into Chinese', async () => {
  await openForm()
  setLanguage('zh')
  await findByRole('article', '转发端口')
  await waitForText('暂无端口转发')
})

test.run()
