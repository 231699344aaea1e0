import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_VIEW,
  DEVICE_VIEW,
  isPermitted,
  SYSTEM_CONFIG_VIEW,
  VIEWER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { SUCCESS, WRITE_FAILED } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { LOG_ERROR } from '../../../../contract/log.ts'
import { addChannel, channelDashboard } from '../../../../contract/stream/channel.ts'
import { systemStatus } from '../../../../contract/system.ts'
import type { MachineReading } from '../../../../hub/machine/monitor.ts'
import { isScreenRoute, routeTo } from '../../../../src/frame/routes.tsx'
import { linkTo, matchRoute } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole, signInAs } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { addStartedChannel, IDLE } from '../../../kit/hub/started-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('dashboard')

hubForEach(test)

/** Readings of a machine that has all sensors. */
const COMPLETE_READING: MachineReading = {
  cpu: 37,
  mem: 0.25,
  'mem-total': 8192,
  'disk-info': { total: 102_400, free: 76_800 },
  'net-rx': 12.3,
  'net-tx': 4.5,
  temperature: 48.4,
  'fan-rpm': 2100,
  'up-time': 93_784,
  'cpu-count': 4,
  lowMemory: false
}

/** Sets the readings of the machine. */
function setMachineReading(reading: MachineReading): void {
  hub.parts.monitor.reading = () => reading
  hub.parts.store.changes.markChanged('status')
}

/** Opens the dashboard with the line about machine, network and devices open. */
const openDetails = (user = 'Admin') => openConsole(hub, { at: linkTo('dashboard', { details: 'open' }), user })

const card = (title: string) => findByRole('article', title)
const channelSection = () => findByRole('region', 'Channels')
/** The value of a line in the machine's card. */
function fact(name: string): string {
  const term = [...document.querySelectorAll('dt')].find((element) => element.textContent === name)
  return term ? visibleText(term.nextElementSibling as Element) : ''
}
const waitForFact = (name: string, expected: string) =>
  until(() => fact(name) === expected, `${name}: ${expected}`).catch((error: Error) => {
    throw new Error(`${error.message}; its value is ${fact(name)}`)
  })
/** A total at the top of the page, by its title. */
async function findTotal(title: string): Promise<HTMLElement> {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('main .figure strong')].find(
      (element) => element.previousElementSibling?.textContent === title
    )
  await until(() => find() !== undefined, `the total ${title}`)
  return find()?.parentElement as HTMLElement
}

test('every number is the one that the hub returns', async () => {
  setMachineReading(COMPLETE_READING)
  const { registry } = hub.parts
  const serials = registerDevices(hub, 6)
  await other.send(acceptDevices, { sn: serials.slice(0, 4) })
  for (const sn of serials.slice(0, 3)) registry.setOnline(sn)
  registry.setObservation(serials[1] ?? '', { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  await addStartedChannel(hub, 'News', CARRYING_LEG, [CARRYING_LEG, IDLE])
  await addStartedChannel(hub, 'Late', IDLE, [IDLE, IDLE])
  await other.send(addChannel, { name: 'Off' })
  const { status } = await other.send(systemStatus, {})
  const { device, info } = status.system
  await openDetails()
  for (const [title, expected] of [
    ['Devices online', `Devices online ${device['num-online']} of ${device['num-all']}`],
    ['Warnings', `Warnings ${device['num-warn']}`],
    ['Offline', `Offline ${device['num-all'] - device['num-online']}`],
    ['Pending approval', `Pending approval ${device['num-pending']}`]
  ] as const)
    assert.equal(visibleText(await findTotal(title)), expected)
  // The same values as literals, because the reply and the page could be wrong together.
  assert.deepEqual([device['num-online'], device['num-all'], device['num-warn'], device['num-pending']], [3, 4, 1, 2])
  await waitForText('All 3 Down 0 Degraded 0 Waiting 1 On air 1 Stopped 1', await channelSection())

  const meters = { CPU: ['0.37', '37 %'], Memory: ['0.25', '2 GB / 8 GB'], Disk: ['0.25', '25 GB / 100 GB'] }
  for (const [name, [share, expected = '']] of Object.entries(meters)) {
    const meter = await findByRole('meter', name)
    assert.deepEqual([meter.getAttribute('value'), meter.getAttribute('aria-valuetext')], [share, expected])
    await waitForText(expected, await card('System'))
  }
  await waitForFact('Temperature', '48 °C')
  await waitForFact('Fan', '2,100 rpm')
  await waitForFact('Up time', '1 d 2 h')
  await waitForFact('Version', info['cloud-version'])
  await waitForText(info['host-name'] ?? '?', await card('System'))
})

test('the hardware version is shown if the machine has one', async () => {
  hub.parts.machine.hardwareVersion = 'Raspberry Pi 4 Model B Rev 1.4'
  await openDetails()
  await waitForFact('Hardware version', 'Raspberry Pi 4 Model B Rev 1.4')
})

test('a missing sensor is shown as None, and a missing hardware version not at all', async () => {
  hub.parts.machine.hardwareVersion = undefined
  setMachineReading({ 'up-time': 60, 'cpu-count': 1, lowMemory: false })
  await openDetails()
  for (const name of ['Temperature', 'Fan']) await waitForFact(name, 'Not available')
  await waitForFact('Cloud', 'Not connected')
  assert.deepEqual(queryAllByRole('meter').map(nameOf), [])
  assert.ok(!visibleText().includes('Hardware version'))
  assert.ok(!/NaN|undefined|Infinity/.test(visibleText()), visibleText())
})

test('a total of zero is shown as 0', async () => {
  setMachineReading({ ...COMPLETE_READING, cpu: 0, 'net-rx': 0, 'net-tx': 0, 'fan-rpm': 0, temperature: 0 })
  await openDetails()
  assert.equal(visibleText(await findTotal('Devices online')), 'Devices online 0 of 0')
  assert.equal((await findByRole('meter', 'CPU')).getAttribute('aria-valuetext'), '0 %')
  await waitForFact('Fan', '0 rpm')
  await waitForFact('Temperature', '0 °C')
})

test('values update by themselves', async () => {
  setMachineReading(COMPLETE_READING)
  await openDetails()
  await waitForFact('Temperature', '48 °C')
  setMachineReading({ ...COMPLETE_READING, temperature: 61 })
  await waitForFact('Temperature', '61 °C')
  const { 'fan-rpm': _, ...without } = COMPLETE_READING
  setMachineReading(without)
  await waitForFact('Fan', 'Not available')
})

test('low memory is a banner as long as it lasts', async () => {
  setMachineReading({ ...COMPLETE_READING, lowMemory: true })
  await openConsole(hub)
  await findByRole('alert', 'Memory is too low for normal operation.')
  setMachineReading(COMPLETE_READING)
  await waitForNone('alert')
})

test('a hub that is connected to a cloud shows the state of the connection', async () => {
  const console = await openDetails()
  await waitForFact('Cloud', 'Not connected')
  const { status } = await other.send(systemStatus, {})
  for (const [online, expected] of [
    [true, 'Online'],
    [false, 'Offline']
  ] as const) {
    status.system.cloud = { online }
    console.intercept = (path) =>
      path.includes('/system/status') ? Response.json({ result: SUCCESS, status }) : undefined
    hub.parts.store.changes.markChanged('status')
    await waitForFact('Cloud', expected)
  }
})

test('the system log and the device log are shown, newest first, and updated', async () => {
  const { registry, store } = hub.parts
  await openDetails()
  const logs = await card('Logs')
  const lines = () => queryAllByRole('listitem', undefined, logs).map(visibleText)
  await waitForText(/Info Hub \d+\.\d+\.\d+ started \d+ s ago/, logs)
  store.logEvent({ event: 'low-memory', level: LOG_ERROR })
  await until(() => /^Error Memory is low/.test(lines()[0] ?? ''), 'the newest line')
  const [sn = ''] = registerDevices(hub, 1)
  await click(await findByRole('button', 'Devices', logs))
  await waitForText('Info Hall 1 192.0.2.10 requests approval', logs)
  assert.ok(!visibleText(logs).includes('Memory is low'))
  await other.send(acceptDevices, { sn: [sn] })
  registry.setOnline(sn)
  registry.setObservation(sn, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  registry.setObservation(sn, { status: {}, warns: DEVICE_WARNING_BITS.usbFull })
  registry.setOffline(sn, 'no word for 4 s')
  await waitForText('Warning Offline: Hall 1 (no word for 4 s)', logs)
  assert.deepEqual(
    lines().map((line) => line.replace(/ \d+ s ago$/, '')),
    [
      'Warning Offline: Hall 1 (no word for 4 s)',
      'Warning Hall 1: USB drive full',
      'Info Hall 1: signal restored',
      'Warning Hall 1: signal lost',
      'Info Online: Hall 1',
      'Info Hall 1: Admin accepted',
      'Info Hall 1 192.0.2.10 requests approval'
    ]
  )
  await click(await findByRole('button', 'System', logs))
  await waitForText('Memory is low', logs)
})

test('without devices the device log is empty', async () => {
  await openDetails()
  const logs = await card('Logs')
  await click(await findByRole('button', 'Devices', logs))
  await waitForText('No entries yet.', logs)
})

test('machine, network, devices and the next change are one line, which opens to everything, and that is remembered', async () => {
  setMachineReading(COMPLETE_READING)
  const { registry } = hub.parts
  const serials = registerDevices(hub, 3)
  await other.send(acceptDevices, { sn: serials.slice(0, 2) })
  registry.setOnline(serials[0] ?? '')
  const console = await openConsole(hub)
  const requests: string[] = []
  console.intercept = (path) => void requests.push(path)
  const line = await findByRole('region', 'Machine, network, devices')
  await waitForText('System CPU 37 % memory 25 % 48 °C Network 12.3 Mbps in 4.5 Mbps out', line)
  await waitForText('Devices 1 online 1 offline 1 pending', line)
  const links = queryAllByRole('link', undefined, line).map((link) => link.getAttribute('href'))
  assert.deepEqual(links, ['#/devices/all', '#/devices/all?state=offline', '#/devices/pending'])
  assert.equal(queryAllByRole('article', 'System').length, 0)
  const button = await findByRole('button', 'Machine, network, devices', line)
  assert.equal(button.getAttribute('aria-expanded'), 'false')
  assert.ok(!requests.some((path) => path.includes('/log')), 'a closed line requests no logs')
  await click(button)
  assert.equal(button.getAttribute('aria-expanded'), 'true')
  assert.equal(console.currentPath(), '/dashboard?details=open')
  for (const title of ['Network', 'System', 'Logs']) await card(title)
  navigate(linkTo('channels'))
  await waitForNone('article', 'System')
  navigate(linkTo('dashboard'))
  await card('System')
})

test('the next start or stop by a schedule is named', async () => {
  await openDetails()
  await waitForText('No schedule', await findTotal('Next scheduled'))
  const daily = { zone: 'UTC', rules: [{ days: 127, start: '00:00', stop: '23:59' }] }
  await other.send(addChannel, { name: 'Evening', config: { schedule: daily } })
  const { list } = await other.send(channelDashboard, {})
  const edge = list[0]?.['next-edge']
  assert.ok(edge)
  const time = new Date(edge.at * 1000).toTimeString().slice(0, 5)
  const verb = edge.enable ? 'starts' : 'stops'
  // With the day of the week if it is tomorrow where this test runs.
  await waitForText(new RegExp(`Next scheduled (\\w{3} )?${time} Evening ${verb}`))
  await findByRole('link', new RegExp(`^(\\w{3} )?${time} Evening ${verb}$`))
})

test('the traffic of the last minute and of the last hour are two views of a chart', async () => {
  const rising = Array.from({ length: 60 }, (_, index) => index / 10)
  hub.parts.monitor.history = () => ({
    'mbps-s': { rx: rising, tx: rising.map(() => 1) },
    'mbps-m': { rx: [7, 8], tx: [2, 3] }
  })
  await openDetails()
  const traffic = await card('Network')
  await waitForText('Received 5.9 Mbps Sent 1 Mbps', traffic)
  const chart = await findByRole('img', 'Network', traffic)
  await waitForText('Received: 5.9 Mbps now, peak 5.9 Mbps. Sent: 1 Mbps now, peak 1 Mbps', chart)
  const pressed = async () =>
    queryAllByRole('button', undefined, traffic)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map(nameOf)
  assert.deepEqual(await pressed(), ['Real time'])
  await press(chart, 'ArrowLeft')
  await press(chart, 'ArrowLeft')
  await waitForText('Received 5.8 Mbps Sent 1 Mbps', traffic)
  await click(await findByRole('button', 'Past 60 minutes', traffic))
  assert.deepEqual(await pressed(), ['Past 60 minutes'])
  await waitForText('Received: 8 Mbps now, peak 8 Mbps. Sent: 3 Mbps now, peak 3 Mbps', traffic)
})

test('without values the chart waits for data', async () => {
  const none = { rx: [], tx: [] }
  hub.parts.monitor.history = () => ({ 'mbps-s': { rx: [1], tx: [1] }, 'mbps-m': none })
  await openDetails()
  const traffic = await card('Network')
  await findByRole('img', 'Network', traffic)
  await click(await findByRole('button', 'Past 60 minutes', traffic))
  await waitForText('Waiting for data', traffic)
})

test('a dashboard that cannot be loaded shows the reason, and loads on retry', async () => {
  const console = await openConsole(hub, { user: null, at: linkTo('dashboard', { details: 'open' }) })
  console.intercept = (path) => (path.includes('/system/status') ? Response.json({ result: WRITE_FAILED }) : undefined)
  await signInAs('Admin')
  const alert = await findByRole('alert', /^Failed to load/)
  await waitForText('Write error', alert)
  console.intercept = () => undefined
  await click(await findByRole('button', 'Retry', alert))
  await findTotal('Devices online')
})

for (const [name, permission, cards] of [
  ['a viewer', VIEWER_PERMISSIONS, ['1 problem', 'Network', 'System']],
  ['who sees devices', DEVICE_VIEW, ['1 problem', 'Network', 'System']],
  ['who sees channels', CHANNEL_VIEW, ['No problems', 'Network', 'System']],
  ['who sees the system', SYSTEM_CONFIG_VIEW, ['No problems', 'Network', 'System', 'Logs']]
] as const)
  test(`${name} gets the cards the rights allow, and only links to pages that open`, async () => {
    const { registry } = hub.parts
    await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
    registry.register(helloOf(2), '192.0.2.10')
    await addUser(hub, 'one', permission)
    const console = await openDetails('one')
    const deniedPaths: string[] = []
    const { raw } = console.browser
    console.browser.raw = async (method, path, init) => {
      const response = await raw(method, path, init)
      if (/"result":31\b/.test(await response.clone().text())) deniedPaths.push(path)
      return response
    }
    await card(cards[0])
    assert.deepEqual(queryAllByRole('article').map(nameOf), cards)
    for (const target of queryAllByRole('link', undefined, document.querySelector('main') as HTMLElement)) {
      const { hash } = target as HTMLAnchorElement
      const { routeName } = matchRoute(hash.slice(1).replace(/\?.*/, ''))
      if (!routeName || !isScreenRoute(routeName)) continue
      const { permissions } = routeTo(routeName)
      assert.ok(
        permissions === undefined || isPermitted(permissions, { permission, type: 8 }),
        `${nameOf(target)} links to ${hash}`
      )
    }
    await until(
      () => !visibleText().includes('Loading') && queryAllByRole('status', 'Loading').length === 0,
      'the loaded page'
    )
    assert.deepEqual(deniedPaths, [])
  })

test.run()
