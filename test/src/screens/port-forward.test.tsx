import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { suite } from 'uvu'
import { acceptDevices } from '../../../contract/device/device.ts'
import { DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { listPortForwards, startPortForward } from '../../../contract/port-forward.ts'
import type { Forward } from '../../../hub/devices/port-forwards.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { $toasts } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { register } from '../../kit/device.ts'
import { join } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { click, fill, focuses, none, one, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('port forwarding')

hubForEach(test)

/** Somebody else's port. */
let taken: Server

test.before.each(async () => {
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
})
test.after.each(() => {
  taken.close()
})

const takenPort = () => (taken.address() as { port: number }).port
const forwards = async () => (await other.send(listPortForwards, {})).list

/** Registers and accepts devices. @returns their serials */
async function accepted(count: number): Promise<string[]> {
  const serials = register(hub, count)
  await other.send(acceptDevices, { sn: serials })
  return serials
}

/** Has the hub have counted this of a forwarded port. */
function measured(id: number, counted: Partial<Pick<Forward, 'bytesIn' | 'bytesOut' | 'connections'>>): void {
  const { forwards: ports, store } = hub.hub
  const { all: before } = ports
  ports.all = () => before().map((one) => (one.id === id ? { ...plain(one), ...counted } : one))
  store.changes.bump('portforward', id)
}
const plain = ({ id, sn, localPort, remotePort, session, user, since, bytesIn, bytesOut, connections }: Forward) => ({
  ...{ id, sn, localPort, remotePort, session, user, since, bytesIn, bytesOut, connections }
})

/** Opens the room. */
async function starting(at: string = PLACES.portForward) {
  await openConsole(hub, { at })
  const form = await one('article', 'Forward a port')
  const field = (name: string) => one('textbox', name, form)
  return { form, field, start: async () => click(await one('button', 'Forward a port', form)) }
}

test('a port is forwarded to a device that is found by its name', async () => {
  const [, second = ''] = await accepted(2)
  const { form, field, start } = await starting()
  const device = await field('Device')
  await fill(device, 'hall 2')
  await until(() => form.querySelectorAll('datalist option').length === 1, 'the device is proposed')
  const [proposed] = form.querySelectorAll('datalist option')
  assert.equal(device.getAttribute('list'), form.querySelector('datalist')?.id)
  assert.equal(proposed?.getAttribute('value'), second)
  assert.match(words(proposed), /Hall 2/)
  await fill(device, second)
  await saysOf(device, 'Hall 2')
  await fill(await field('Remote port'), '80')
  await start()
  const row = await one('row', 'Hall 2')
  const [made] = await forwards()
  assert.equal(made?.sn, second)
  assert.equal(made?.['remote-port'], 80)
  await says(`Hall 2 Idle ${made?.['local-port']} 80 0 B 0 B Admin`, row)
  await says('Operation succeeded')
})

test('a device that does not exist is said so at its field', async () => {
  await accepted(2)
  const { field, start } = await starting()
  await fill(await field('Device'), 'Hall')
  await fill(await field('Remote port'), '80')
  await start()
  await saysOf(await field('Device'), 'The device does not exist')
})

test('state and bytes are what the hub says now', async () => {
  const [sn = ''] = await accepted(1)
  const { forward } = await other.send(startPortForward, { sn, 'remote-port': 22 })
  await openConsole(hub, { at: PLACES.portForward })
  const row = await one('row', 'Hall 1')
  await says('Idle', row)
  hub.hub.registry.up(sn)
  await says('Connected', row)
  measured(forward.id, { bytesIn: 2048, bytesOut: 5 << 20, connections: 3 })
  await says(/^Hall 1 Connected .* 2 KB 5 MB Admin/, row)
})

test('a port that is taken is said at its field, and nothing is forwarded', async () => {
  const [sn = ''] = await accepted(1)
  const { field, start } = await starting(link('portForward', { sn }))
  await saysOf(await field('Device'), 'Hall 1')
  await fill(await field('Remote port'), '80')
  const local = await field('Local port')
  await fill(local, String(takenPort()))
  await start()
  await saysOf(local, 'The port is already in use')
  await focuses('Local port')
  assert.equal((await forwards()).length, 0)
  assert.deepEqual($toasts.get(), [])
  await fill(local, '')
  await start()
  await one('row', 'Hall 1')
  assert.equal((await forwards()).length, 1)
})

test('what is missing or no port is said before anything is asked', async () => {
  const { field, start } = await starting()
  await start()
  await saysOf(await field('Device'), 'Required')
  await saysOf(await field('Remote port'), 'Required')
  await fill(await field('Remote port'), '70000')
  await fill(await field('Local port'), '0')
  await saysOf(await field('Remote port'), 'Must be between 1 and 65535')
  await saysOf(await field('Local port'), 'Must be between 1 and 65535')
  await fill(await field('Device'), 'nobody')
  await fill(await field('Remote port'), '80')
  await fill(await field('Local port'), '')
  await start()
  await saysOf(await field('Device'), 'The device does not exist')
})

test('a device that waits for approval is forwarded to no more than one that is unknown', async () => {
  const [sn = ''] = register(hub, 1)
  const { field, start } = await starting(link('portForward', { sn }))
  await fill(await field('Remote port'), '80')
  await start()
  await saysOf(await field('Device'), 'Not possible in this state')
  assert.equal((await forwards()).length, 0)
})

test('forwarding is stopped; with connections it asks before', async () => {
  const [sn = ''] = await accepted(1)
  const { forward } = await other.send(startPortForward, { sn, 'remote-port': 22 })
  await other.send(startPortForward, { sn, 'remote-port': 80 })
  await openConsole(hub, { at: PLACES.portForward })
  await click(await one('button', 'Stop: Hall 1:80'))
  await none('button', 'Stop: Hall 1:80')
  measured(forward.id, { bytesIn: 1, connections: 1 })
  await says('1 B')
  await click(await one('button', 'Stop: Hall 1:22'))
  await click(await one('button', 'Stop Hall 1:22', await one('dialog', 'Stop Hall 1:22?')))
  await says('No port is forwarded')
  assert.equal((await forwards()).length, 0)
})

test('only who may do anything with devices may forward to them', async () => {
  join(hub, 'looker', DEVICE_VIEW)
  join(hub, 'doer', DEVICE_VIEW | DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'looker', at: PLACES.portForward })
  await says('You do not have access permission')
  await none('link', 'Port Forwarding')
  await closeConsole()
  await openConsole(hub, { user: 'doer', at: PLACES.portForward })
  await says('No port is forwarded')
})

test('it is there in Chinese as well', async () => {
  await starting()
  setLanguage('zh')
  await one('article', '转发端口')
  await says('没有转发的端口')
})

test.run()
