import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, listDevices, WARNING } from '../../../contract/device/device.ts'
import { LOG_ERROR } from '../../../contract/log.ts'
import {
  CHANNEL_VIEW,
  DEVICE_VIEW,
  permits,
  SYSTEM_CONFIG_VIEW,
  VIEWER_PERMISSIONS
} from '../../../contract/permissions.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { CONNECTION, SOURCE, SRT } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { LegObserved } from '../../../engine/interfaces/channel.ts'
import type { Reading } from '../../../hub/machine/monitor.ts'
import { routeTo } from '../../../src/frame/routes.tsx'
import { placeOf } from '../../../src/paths.ts'
import { openConsole, signInAs } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { CARRIES, measure } from '../../kit/measured.ts'
import { all, click, nameOf, none, one, press, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('dashboard')

hubForEach(test)

/** A machine that measures everything. */
const MACHINE: Reading = {
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

/** Has the machine measure this from now on. */
function machine(reading: Reading): void {
  hub.hub.monitor.reading = () => reading
  hub.hub.store.changes.bump('status')
}

const card = (title: string) => one('article', title)
/** What a fact of the machine's card says. */
function fact(name: string): string {
  const term = [...document.querySelectorAll('dt')].find((one) => one.textContent === name)
  return term ? words(term.nextElementSibling as Element) : ''
}
const factIs = (name: string, said: string) =>
  until(() => fact(name) === said, `${name}: ${said}`).catch((error: Error) => {
    throw new Error(`${error.message}; it says ${fact(name)}`)
  })
/** A figure at the top, by its title. */
async function figure(title: string): Promise<HTMLElement> {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('main strong')].find(
      (one) => one.previousElementSibling?.textContent === title
    )
  await until(() => find() !== undefined, `the figure ${title}`)
  return find()?.parentElement as HTMLElement
}

const IDLE: LegObserved = { state: SOURCE.initializing, connState: CONNECTION.waiting, kbps: 0, livingTimeS: 0 }

/** Adds a started channel with two outputs, of which the engine measures what is given. */
async function started(name: string, input: LegObserved, legs: [LegObserved, LegObserved]): Promise<number> {
  const { id } = await other.send(addChannel, { name })
  const made: number[] = []
  for (const index of legs.keys()) {
    // No two go to the same place.
    const config = { mode: 'caller', 'dst-ip': '192.0.2.30', 'dst-port': 7001 + 2 * (id % 1000) + index } as const
    const reply = await other.send(addOutput, { name: `${name} ${index}`, protocol: SRT, config })
    assert.equal(reply.result, 0)
    made.push(reply.id)
  }
  await other.send(addChannelOutputs, { id, outputs: made })
  await other.send(enableChannel, { id, enable: true })
  measure(hub, id, input, Object.fromEntries(legs.map((leg, index) => [made[index], leg])))
  return id
}

test('every number is the one the hub answers', async () => {
  machine(MACHINE)
  const { registry } = hub.hub
  const serials = register(hub, 6)
  await other.send(acceptDevices, { sn: serials.slice(0, 4) })
  for (const sn of serials.slice(0, 3)) registry.up(sn)
  registry.observed(serials[1] ?? '', { status: {}, warns: WARNING.noSignal })
  await started('News', CARRIES, [CARRIES, IDLE])
  await started('Late', IDLE, [IDLE, IDLE])
  await other.send(addChannel, { name: 'Off' })
  const { status } = await other.send(systemStatus, {})
  const { device, channel, output, info } = status.system
  await openConsole(hub)
  for (const [title, said] of [
    ['Online', `Online ${device['num-online']} / ${device['num-all']}`],
    ['Warnings', `Warnings ${device['num-warn']}`],
    ['Pending Approval', `Pending Approval ${device['num-pending']}`],
    [
      'Live channels',
      `Live channels ${channel['num-live']} / ${channel['num-all']} · ${output['num-live']} of ${output['num-all']} outputs live`
    ]
  ] as const)
    assert.equal(words(await figure(title)), said)
  // The same once more, in numbers: an answer and a page that are wrong together must not pass.
  assert.deepEqual([device['num-online'], device['num-all'], device['num-warn'], device['num-pending']], [3, 4, 1, 2])
  assert.deepEqual([channel['num-live'], channel['num-all'], output['num-live'], output['num-all']], [1, 3, 1, 4])

  const meters = { CPU: ['0.37', '37 %'], Memory: ['0.25', '2 GB / 8 GB'], Disk: ['0.25', '25 GB / 100 GB'] }
  for (const [name, [share, said = '']] of Object.entries(meters)) {
    const meter = await one('meter', name)
    assert.deepEqual([meter.getAttribute('value'), meter.getAttribute('aria-valuetext')], [share, said])
    await says(said, await card('System'))
  }
  await factIs('Temperature', '48 °C')
  await factIs('Fan', '2,100 rpm')
  await factIs('Up time', '1 d 2 h')
  await factIs('Version', info['cloud-version'])
  await says(info['host-name'] ?? '?', await card('System'))
})

test('what the machine has no sensor for is said to have none', async () => {
  machine({ 'up-time': 60, 'cpu-count': 1, lowMemory: false })
  await openConsole(hub)
  for (const name of ['Temperature', 'Fan']) await factIs(name, 'None')
  await factIs('Cloud', 'None')
  assert.deepEqual(all('meter').map(nameOf), [])
  assert.ok(!/NaN|undefined|Infinity/.test(words()), words())
})

test('a figure of nothing is 0, and not nothing', async () => {
  machine({ ...MACHINE, cpu: 0, 'net-rx': 0, 'net-tx': 0, 'fan-rpm': 0, temperature: 0 })
  await openConsole(hub)
  assert.equal(words(await figure('Online')), 'Online 0 / 0')
  assert.equal((await one('meter', 'CPU')).getAttribute('aria-valuetext'), '0 %')
  await factIs('Fan', '0 rpm')
  await factIs('Temperature', '0 °C')
})

test('values go on by themselves', async () => {
  machine(MACHINE)
  await openConsole(hub)
  await factIs('Temperature', '48 °C')
  machine({ ...MACHINE, temperature: 61 })
  await factIs('Temperature', '61 °C')
  const { 'fan-rpm': _, ...without } = MACHINE
  machine(without)
  await factIs('Fan', 'None')
})

test('too little memory is said over all, as long as it lasts', async () => {
  machine({ ...MACHINE, lowMemory: true })
  await openConsole(hub)
  await one('alert', 'Memory is too low to work properly.')
  machine(MACHINE)
  await none('alert')
})

test('a hub that is in a cloud says whether it is connected', async () => {
  const console = await openConsole(hub)
  await factIs('Cloud', 'None')
  const { status } = await other.send(systemStatus, {})
  for (const [online, said] of [
    [true, 'Online'],
    [false, 'Offline']
  ] as const) {
    status.system.cloud = { online }
    console.instead = (path) => (path.includes('/system/status') ? Response.json({ result: 0, status }) : undefined)
    hub.hub.store.changes.bump('status')
    await factIs('Cloud', said)
  }
})

test('devices that warn are listed with their warnings in words, and each leads to itself', async () => {
  const serials = register(hub, 3)
  await other.send(acceptDevices, { sn: serials })
  const { registry } = hub.hub
  const [first = '', second = ''] = serials
  for (const sn of serials) registry.up(sn)
  registry.observed(first, { status: {}, warns: WARNING.noSignal | WARNING.usbInvalid })
  await openConsole(hub)
  const warnings = await card('Warnings')
  await says('Hall 1 No signal USB drive invalid', warnings)
  assert.ok(!words(warnings).includes('Hall 2'))
  const name = (await one('link', 'Hall 1', warnings)) as HTMLAnchorElement
  assert.equal(name.hash, `#/device/detail/${first}/0`)
  registry.observed(second, { status: {}, warns: WARNING.storageFull })
  await says('Hall 2 Storage full', warnings)
  assert.equal(((await one('link', 'All', warnings)) as HTMLAnchorElement).hash, '#/devices/warning')
  registry.down(second, 'gone')
  registry.observed(first, { status: {}, warns: 0 })
  await says(/None$/, warnings)
})

test('of many warnings the first are listed and all are counted', async () => {
  const serials = register(hub, 12)
  await other.send(acceptDevices, { sn: serials })
  for (const sn of serials) {
    hub.hub.registry.up(sn)
    hub.hub.registry.observed(sn, { status: {}, warns: WARNING.noSignal })
  }
  await openConsole(hub)
  const warnings = await card('Warnings')
  await says(/^Warnings 12 /, warnings)
  assert.deepEqual(all('link', /^Hall/, warnings).map(nameOf), [
    'Hall 1',
    'Hall 2',
    'Hall 3',
    'Hall 4',
    'Hall 5',
    'Hall 6',
    'Hall 7',
    'Hall 8'
  ])
})

test('the logs of the hub and of the devices are told, newest first, as they are written', async () => {
  const { registry, store } = hub.hub
  await openConsole(hub)
  const logs = await card('Logs')
  const lines = () => all('listitem', undefined, logs).map(words)
  await says(/Info Hub \d+\.\d+\.\d+ started \d+ s ago/, logs)
  store.note({ event: 'low-memory', level: LOG_ERROR })
  await until(() => /^Error Memory is low/.test(lines()[0] ?? ''), 'the newest line')
  const [sn = ''] = register(hub, 1)
  await click(await one('button', 'Devices', logs))
  await says('Info Hall 1 192.0.2.10 asks for approval', logs)
  assert.ok(!words(logs).includes('Memory is low'))
  await other.send(acceptDevices, { sn: [sn] })
  registry.up(sn)
  registry.observed(sn, { status: {}, warns: WARNING.noSignal })
  registry.observed(sn, { status: {}, warns: WARNING.usbFull })
  registry.down(sn, 'no word for 4 s')
  await says('Warning Offline: Hall 1: no word for 4 s', logs)
  assert.deepEqual(
    lines().map((line) => line.replace(/ \d+ s ago$/, '')),
    [
      'Warning Offline: Hall 1: no word for 4 s',
      'Warning Hall 1: USB drive full',
      'Info Hall 1: signal found',
      'Warning Hall 1: signal lost',
      'Info Online: Hall 1',
      'Info Hall 1: Admin accepted',
      'Info Hall 1 192.0.2.10 asks for approval'
    ]
  )
  await click(await one('button', 'System', logs))
  await says('Memory is low', logs)
})

test('without devices their log says that nothing has happened', async () => {
  await openConsole(hub)
  const logs = await card('Logs')
  await click(await one('button', 'Devices', logs))
  await says('Nothing has happened yet.', logs)
})

test('channels that carry are listed with input, rate and outputs, and lead to themselves; others are not', async () => {
  await other.send(acceptDevices, { sn: register(hub, 1) })
  const { list } = await other.send(listDevices, {})
  const news = await started('News', CARRIES, [CARRIES, IDLE])
  await started('Late', IDLE, [IDLE, IDLE])
  await other.send(setChannelInput, { id: news, input: list[0]?.id ?? 0 })
  await openConsole(hub)
  const active = await card('Live channels')
  await says(/News Hall 1 1 of 2 outputs live 4\.2 Mbps 1 h 2 min/, active)
  assert.ok(!words(active).includes('Late'))
  assert.equal(((await one('link', 'News', active)) as HTMLAnchorElement).hash, '#/stream/channels?key=News')
  await other.send(enableChannel, { id: news, enable: false })
  await says(/None$/, active)
})

test('the traffic of the last minute and of the last hour are two views of a chart', async () => {
  const rising = Array.from({ length: 60 }, (_, index) => index / 10)
  hub.hub.monitor.history = () => ({
    'mbps-s': { rx: rising, tx: rising.map(() => 1) },
    'mbps-m': { rx: [7, 8], tx: [2, 3] }
  })
  await openConsole(hub)
  const traffic = await card('Network')
  await says('Received 5.9 Mbps Sent 1 Mbps', traffic)
  const chart = await one('img', 'Network', traffic)
  await says('Received: 5.9 Mbps now, 5.9 Mbps at most. Sent: 1 Mbps now, 1 Mbps at most', chart)
  const pressed = async () =>
    all('button', undefined, traffic)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map(nameOf)
  assert.deepEqual(await pressed(), ['Live'])
  await press(chart, 'ArrowLeft')
  await press(chart, 'ArrowLeft')
  await says('Received 5.8 Mbps Sent 1 Mbps', traffic)
  await click(await one('button', 'Past 60 minutes', traffic))
  assert.deepEqual(await pressed(), ['Past 60 minutes'])
  await says('Received: 8 Mbps now, 8 Mbps at most. Sent: 3 Mbps now, 3 Mbps at most', traffic)
})

test('before there is anything to draw the chart says that it waits for data', async () => {
  const none = { rx: [], tx: [] }
  hub.hub.monitor.history = () => ({ 'mbps-s': { rx: [1], tx: [1] }, 'mbps-m': none })
  await openConsole(hub)
  const traffic = await card('Network')
  await one('img', 'Network', traffic)
  await click(await one('button', 'Past 60 minutes', traffic))
  await says('Waiting for data', traffic)
})

test('a dashboard that cannot be loaded says why, and is there on retry', async () => {
  const console = await openConsole(hub, { user: null, at: '/dashboard' })
  console.instead = (path) => (path.includes('/system/status') ? Response.json({ result: 15 }) : undefined)
  await signInAs('Admin')
  const alert = await one('alert', /^Could not be loaded/)
  await says('Write error', alert)
  console.instead = () => undefined
  await click(await one('button', 'Retry', alert))
  await figure('Online')
})

for (const [name, permission, cards] of [
  ['a viewer', VIEWER_PERMISSIONS, ['System', 'Network', 'Live channels', 'Warnings']],
  ['who sees devices', DEVICE_VIEW, ['System', 'Network', 'Warnings']],
  ['who sees channels', CHANNEL_VIEW, ['System', 'Network', 'Live channels']],
  ['who sees the system', SYSTEM_CONFIG_VIEW, ['System', 'Network', 'Logs']]
] as const)
  test(`${name} gets the cards the rights allow, and only links to pages that open`, async () => {
    const { registry } = hub.hub
    await other.send(acceptDevices, { sn: register(hub, 1) })
    registry.hello(helloOf(2), '192.0.2.10')
    await addUser(hub, 'one', permission)
    const console = await openConsole(hub, { user: 'one' })
    const refused: string[] = []
    const { raw } = console.browser
    console.browser.raw = async (method, path, init) => {
      const response = await raw(method, path, init)
      if (/"result":31\b/.test(await response.clone().text())) refused.push(path)
      return response
    }
    await figure('Pending Approval')
    assert.deepEqual(all('article').map(nameOf), cards)
    for (const target of all('link', undefined, document.querySelector('main') as HTMLElement)) {
      const { hash } = target as HTMLAnchorElement
      const { place } = placeOf(hash.slice(1).replace(/\?.*/, ''))
      if (!place || place === 'login') continue
      const { scopes } = routeTo(place)
      assert.ok(scopes === undefined || permits(scopes, { permission, type: 8 }), `${nameOf(target)} leads to ${hash}`)
    }
    await until(() => !words().includes('Loading') && all('status', 'Loading').length === 0, 'all is loaded')
    assert.deepEqual(refused, [])
  })

test.run()
