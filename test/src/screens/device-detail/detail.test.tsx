import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_VIEW,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  SYSTEM_CONFIG_VIEW
} from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, configureDevices, listDevices, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { OTHERS, PRO_CONVERT_ENCODER, THIRD_PARTY } from '../../../../contract/device/products.ts'
import type { DeviceStatus } from '../../../../contract/device/status.ts'
import { listPortForwards, startPortForward } from '../../../../contract/port-forward.ts'
import { addChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device detail')

hubForEach(test)

/** Registers and accepts a device. @returns its serial number */
async function acceptDevice(): Promise<string> {
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  return sn
}

/** Sets the device online with this status. */
function setStatus(sn: string, status: DeviceStatus, warns = 0): void {
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(sn, { status, warns, input: '1920x1080p60' })
}

const openDetail = (sn: string, user = 'Admin') =>
  openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }), user })
const card = (title: string) => findByRole('article', title)
const titles = () => queryAllByRole('article').map(nameOf)

const COMPLETE_STATUS: DeviceStatus = {
  'up-time': 7384,
  cpu: [10, 40, 26],
  'eth-rx': [1_000_000, 4_200_000],
  'eth-tx': [500_000, 800_000],
  eth: '10.0.0.7',
  wifi: '10.0.1.7',
  mac: '00:11:22:33:44:55',
  'link-speed': 1000,
  'http-port': 80,
  temperature: 51,
  memory: 63,
  'fan-rpm': 2400,
  inputs: [
    { name: 'HDMI', signal: '1920x1080p60' },
    { name: '', signal: 'no-signal' }
  ],
  outputs: [{ name: 'SDI', signal: '1280x720p50' }],
  tally: { preview: true, program: false },
  recording: {
    on: true,
    'run-ms': 65_000,
    sessions: [
      { id: 0, name: 'Program', use: true, result: 0, bps: 8_000_000 },
      { id: 1, use: true, result: 27 }
    ]
  },
  live: { on: false, result: -51, sessions: [{ id: 1, use: true, result: 23 }] },
  disks: [
    { kind: 'usb', state: 'ok', total: 61_056, free: 20_000, 'free-sec': 7200, label: 'STICK' },
    { kind: 'sd', state: 'none' },
    { kind: 'nas', state: 'invalid' }
  ]
}

test('all reported values of a device are shown, with units', async () => {
  const sn = await acceptDevice()
  setStatus(sn, COMPLETE_STATUS, 0x1 | 0x20)
  await openDetail(sn)
  await findByRole('heading', 'Hall 1')
  const main = await card('Device')
  await waitForText(`Serial number ${sn}`, main)
  await waitForText('Family Ultra Encode Model Ultra Encode AIO Hardware A Firmware 1.2.345 Direction Input', main)
  await waitForText('Up time 2 h 3 min', main)
  const network = visibleText(await card('Network'))
  for (const line of [
    'Connected from 192.0.2.10',
    'Ethernet 10.0.0.7',
    'Link speed 1 Gbps',
    'MAC address 00:11:22:33:44:55',
    'Wi-Fi 10.0.1.7',
    'Web page ports 80'
  ])
    assert.ok(network.includes(line), line)
  assert.equal(
    visibleText(await card('Inputs and outputs')),
    'Inputs and outputs HDMI 1920x1080p60 Input No signal SDI 1280x720p50 Tally Preview'
  )
  const activity = visibleText(await card('Recording and streaming'))
  assert.match(activity, /Recording 1 min 5 s Recording Program 8 Mbps Recording Recording 1 Idle Streaming /)
  assert.match(activity, /Stream 1 Connecting$/)
  const storage = await card('Storage')
  assert.match(visibleText(storage), /STICK 19\.5 GB of 59\.6 GB free/)
  assert.match(visibleText(storage), /SD Empty NAS Not usable/)
  const load = await card('Load')
  assert.deepEqual(
    queryAllByRole('img', undefined, load).map((chart) => chart.getAttribute('aria-label')),
    ['CPU: 26 % now, peak 40 %', 'Received: 4.2 Mbps now, peak 4.2 Mbps', 'Sent: 800 kbps now, peak 800 kbps']
  )
  assert.match(visibleText(load), /Memory 63 % Temperature 51 °C Fan 2,400 rpm/)
  await waitForText(/Warning for \d+ s/)
  await waitForText('No signal, Firmware too old. Check the source and its cable. Update its firmware.')
  assert.match(visibleText(await card('Live picture')), /1920x1080p60/)
})

test('values that a device did not report are not shown', async () => {
  const sn = await acceptDevice()
  setStatus(sn, { eth: '10.0.0.7' })
  await openDetail(sn)
  await card('Device')
  assert.deepEqual(titles(), ['Live picture', 'Device', 'Network', 'Connection', 'Port forwarding', 'Logs'])
  assert.ok(!visibleText().includes('Up time'))
  assert.ok(!visibleText().includes('Wi-Fi'))
  assert.ok(!/undefined|NaN|null/.test(visibleText()))
})

test('values follow the device, and values from before it went offline are not shown as current', async () => {
  const sn = await acceptDevice()
  setStatus(sn, { cpu: [5], 'up-time': 10 })
  await openDetail(sn)
  const load = await card('Load')
  await waitForText('CPU 5 %', load)
  setStatus(sn, { cpu: [5, 77], 'up-time': 12 })
  await waitForText('CPU 77 %', load)
  hub.parts.registry.setOffline(sn, 'gone')
  await waitForText(/Offline for/)
  await waitForNone('article', 'Load')
  await waitForText('Check the device, its power and network.')
  await waitForText('Last connected from 192.0.2.10', await card('Network'))
  for (const name of ['Open web page', 'Forward a port', 'Start recording', 'Start streaming'])
    assert.equal(
      (await findByRole('button', name)).getAttribute('data-tip')?.replace('.', ''),
      'The device is offline',
      name
    )
})

test('an online device with unreadable responses is reported', async () => {
  const sn = await acceptDevice()
  setStatus(sn, { cpu: [5] })
  await openDetail(sn)
  await card('Load')
  assert.ok(!visibleText().includes('No response'))
  setStatus(sn, {})
  await waitForText('No response from the device')
  await waitForNone('article', 'Load')
})

test('channels and log are shown to users who may view them', async () => {
  const sn = await acceptDevice()
  const [device] = (await other.send(listDevices, {})).list
  const { id } = await other.send(addChannel, { name: 'Sunday' })
  assert.equal((await other.send(setChannelInput, { id, input: device?.id ?? 0 })).result, SUCCESS)
  hub.parts.registry.setOnline(sn)
  await openDetail(sn)
  const channel = (await findByRole('link', 'Sunday', await card('Device'))) as HTMLAnchorElement
  assert.equal(channel.hash, `#${linkTo('channels', { key: 'Sunday' })}`)
  await waitForText('accepted', await card('Logs'))
  await waitForText('Online: Hall 1', await card('Logs'))
  const all = (await findByRole('link', 'All entries', await card('Logs'))) as HTMLAnchorElement
  assert.equal(all.hash, `#${linkTo('logs', { tab: 'device', sn })}`)
  await closeConsole()
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openDetail(sn, 'looker')
  assert.ok(!visibleText(await card('Device')).includes('Channels'))
  await waitForNone('article', 'Logs')
  await closeConsole()
  addSignedInUser(hub, 'reader', DEVICE_VIEW | CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
  await openDetail(sn, 'reader')
  await waitForText('Channels Sunday', await card('Device'))
  await card('Logs')
})

test('a name in the list links to the page, and the page links back', async () => {
  const sn = await acceptDevice()
  const console = await openConsole(hub, { at: '/devices/all' })
  const name = (await findByRole('link', 'Hall 1')) as HTMLAnchorElement
  location.hash = name.hash
  await card('Device')
  assert.equal(console.currentPath(), linkTo('deviceDetail', { sn, catalog: '0' }))
  assert.equal((await findByRole('link', 'All')).getAttribute('aria-current'), 'page')
  location.hash = ((await findByRole('link', 'Back')) as HTMLAnchorElement).hash
  await findByRole('row', 'Hall 1')
})

test('an unknown, deleted or invisible device is reported as missing', async () => {
  const sn = await acceptDevice()
  await openDetail('B000')
  await waitForText('The device does not exist')
  await findByRole('link', 'Back')
  await closeConsole()
  await other.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openDetail(sn, 'looker')
  await waitForText('The device does not exist')
  assert.ok(!visibleText().includes('Hall 1'))
  await closeConsole()
  await openDetail(sn)
  await card('Device')
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Delete'))
  await click(await findByRole('button', 'Delete Hall 1', await findByRole('dialog', 'Delete Hall 1?')))
  await until(() => location.hash === `#${ROUTES.allDevices}`, 'the list of devices')
  assert.ok(!visibleText().includes('deleted by another user'))
})

test('actions are not shown to users without the permission', async () => {
  const sn = await acceptDevice()
  setStatus(sn, {})
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openDetail(sn, 'looker')
  for (const name of ['Open web page', 'Forward a port', 'Start recording', 'Start streaming'])
    await waitForNone('button', name)
  await closeConsole()
  addSignedInUser(hub, 'doer', DEVICE_VIEW | DEVICE_CONTROL)
  await openDetail(sn, 'doer')
  const opened: unknown[][] = []
  Object.assign(globalThis, { open: (...how: unknown[]) => void opened.push(how) })
  await click(await findByRole('button', 'Open web page'))
  assert.deepEqual(opened, [[`/socket/sc-remote/${sn}/`, '_blank', 'noopener,noreferrer']])
  await waitForNone('button', 'Forward a port')
})

test('ports are forwarded on the page, which shows those of its device only', async () => {
  const [sn = '', second = ''] = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn: [sn, second] })
  setStatus(sn, {})
  await other.send(startPortForward, { sn: second, 'remote-port': 22 })
  const console = await openDetail(sn)
  const forwards = await card('Port forwarding')
  await waitForText('No forwarded ports', forwards)
  await click(await findByRole('button', 'Forward a port', forwards))
  const dialog = await findByRole('dialog', 'Forward a port')
  await waitForText('Anyone who can reach the hub can use this port without signing in.', dialog)
  const remote = await findByRole('textbox', 'Remote port', dialog)
  await fill(remote, '70000')
  await click(await findByRole('button', 'Forward a port', dialog))
  await until(() => remote.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(remote, '80')
  await click(await findByRole('button', 'Forward a port', dialog))
  await waitForNone('dialog')
  const stored = (await other.send(listPortForwards, {})).list.find((forward) => forward.sn === sn)
  await waitForText(`Hub port ${stored?.['local-port']} → device port 80 Connected`, forwards)
  assert.equal(queryAllByRole('listitem', undefined, forwards).length, 1)
  await click(await findByRole('button', 'Stop: Hall 1:80', forwards))
  await waitForText('No forwarded ports', forwards)
  assert.deepEqual(
    (await other.send(listPortForwards, {})).list.map((forward) => forward.sn),
    [second]
  )
  await click(await findByRole('link', 'All forwarded ports', forwards))
  assert.equal(console.currentPath(), ROUTES.portForward)
})

test('the connection configuration is on the page, and is changed there', async () => {
  const sn = await acceptDevice()
  setStatus(sn, {})
  await openDetail(sn)
  const connection = await card('Connection')
  await waitForText('From the device Global default', connection)
  await other.send(configureDevices, { sn: [sn], config: { input: { protocol: RTMP, 'stream-index': 1 } } })
  await waitForText('From the device RTMP, Sub stream', connection)
  await click(await findByRole('button', /^Connection/, connection))
  const dialog = await findByRole('dialog', 'Connection')
  await selectOption(await findByRole('combobox', 'From the device', dialog), 'SRT')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  await waitForText('From the device SRT, Sub stream, latency 120 ms', connection)
  await closeConsole()
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openDetail(sn, 'looker')
  assert.equal(queryAllByRole('button', /^Connection/, await card('Connection')).length, 0)
  assert.ok(!titles().includes('Port forwarding'))
})

test('firmware is updated from the page, which shows the progress', async () => {
  const sn = await acceptDevice()
  setStatus(sn, {})
  hub.parts.firmware.rollouts.resumeRollout = () => {}
  await uploadFile(other, firmwareFile('streamSdi', '2.0.1'))
  await uploadFile(other, firmwareFile('encodeAio', '1.5.0'))
  await openDetail(sn)
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Update firmware'))
  const dialog = await findByRole('dialog', 'Update firmware')
  const versions = await findByRole('combobox', 'Firmware', dialog)
  await findByRole('option', 'Ultra Encode AIO A 1.5.0', versions)
  assert.equal(queryAllByRole('option', undefined, versions).length, 1)
  // The fields for waves appear only for several devices.
  assert.equal(queryAllByRole('textbox', undefined, dialog).length, 0)
  await click(await findByRole('button', 'Update firmware', dialog))
  await waitForText('Firmware update Queued', await card('Device'))
  await waitForNone('dialog')
})

test('a third-party device has no commands, a device without recording has no recording commands, and some families have no page', async () => {
  const hellos = [
    helloOf(1, { module: THIRD_PARTY, 'product-id': 0, sn: '123456789ABC', name: 'Stranger' }),
    helloOf(2, { module: PRO_CONVERT_ENCODER, 'product-id': 1025, name: 'Converter' }),
    helloOf(3, { module: OTHERS, name: 'Other' })
  ]
  for (const hello of hellos) hub.parts.registry.register(hello, '192.0.2.1')
  const [third = '', converter = '', others = ''] = hellos.map(({ sn }) => sn)
  await other.send(acceptDevices, { sn: [third, converter, others] })
  await openDetail(third)
  const main = await card('Device')
  assert.match(visibleText(main), /Serial number ABC Family Third Party/)
  for (const name of ['Open web page', 'Forward a port', 'Start recording', 'Start streaming'])
    assert.equal(queryAllByRole('button', name).length, 0, name)
  await click(await findByRole('button', 'More'))
  assert.ok(!queryAllByRole('menuitem').map(nameOf).includes('Reboot'))
  await closeConsole()
  await openDetail(converter)
  await card('Device')
  await findByRole('button', 'Forward a port')
  assert.equal(queryAllByRole('button', 'Start recording').length, 0)
  await waitForNone('article', 'Recording and streaming')
  await closeConsole()
  await openDetail(others)
  await waitForText('Not compatible with this type of device')
  assert.equal(queryAllByRole('article').length, 0)
  // The links of messages and problems do not name the family, so that they lead here.
  const [link] = queryAllByRole('link', 'Other')
  assert.match(link?.getAttribute('href') ?? '', /^#\/devices\/all\?key=/)
})

test('a pending device can be accepted or rejected on its page', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await openDetail(sn)
  await waitForText('Pending approval, offline Accept')
  assert.equal(queryAllByRole('button', 'Open web page').length, 0)
  await click(await findByRole('button', 'Accept'))
  await findByRole('button', 'Open web page')
  await waitForNone('button', 'Accept')
})

test('the screen is translated into Chinese', async () => {
  const sn = await acceptDevice()
  setStatus(sn, COMPLETE_STATUS, 1)
  await openDetail(sn)
  await card('Device')
  setLanguage('zh')
  await waitForText('序列号')
  await waitForText('录制 1 分 5 秒 录制中')
  await waitForText('无信号')
})

test.run()
