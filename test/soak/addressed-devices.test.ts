// 500 devices at addresses beside 4,500 with links: lists are fast, and devices that are slow or hang delay nobody.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { addDevice } from '../../contract/device/address.ts'
import { acceptDevices, listDevices } from '../../contract/device/device.ts'
import { systemStatus } from '../../contract/system.ts'
import { FARM_PASSWORD, FARM_USER, startAddressFarm } from '../kit/fleet/address-farm.ts'
import { startFleet } from '../kit/fleet/fleet-process.ts'
import { startHubProcess } from '../kit/hub/hub-process.ts'
import { ownTime } from '../kit/own-time.ts'
import { until } from '../kit/until.ts'

const test = suite('500 devices at addresses beside 4,500 with links')

const LINKED = 4500
const ADDRESSED = 500
/** Of the devices at addresses, every tenth responds after 300 ms, and every tenth stops to respond. */
const isSlow = (index: number) => index % 10 === 0
const hangs = (index: number) => index % 10 === 1
const ADDED_AT_ONCE = 16
/** Milliseconds for which polls are counted, and in which the hub polls 5,000 devices twice. */
const COUNTING = 30_000
const LISTS = [
  {},
  { sort: 'name' },
  { sort: 'connect-ip', order: 'descending', start: 2000 },
  { key: 'box 4', sort: 'sn' },
  { status: 'offline' }
] as const

test('a page of the list takes less than a second, and each device is polled at its pace', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-soak-'))
  const hub = await startHubProcess(data)
  const farm = await startAddressFarm(ADDRESSED, (index) => (isSlow(index) ? 300 : 0))
  const fleet = await startFleet(data, hub.linkPort, LINKED)
  const online = async () => (await hub.send(systemStatus, {})).status.system.device['num-online']
  try {
    for (let accepted = 0; accepted < LINKED; ) {
      const waiting = async () => (await hub.send(listDevices, { 'reg-state': 'waiting', start: 0, count: 100 })).list
      await until(async () => (await waiting()).length > 0, 'devices wait for approval')
      const list = await waiting()
      assert.equal((await hub.send(acceptDevices, { sn: list.map(({ sn }) => sn) })).result, SUCCESS)
      accepted += list.length
    }
    await until(async () => (await online()) === LINKED, 'the devices with links are online')
    const waiting = farm.devices.values()
    const addAll = async () => {
      for (const { address } of waiting) {
        const request = { address, port: farm.port, user: FARM_USER, password: FARM_PASSWORD }
        // On a loaded machine an answer can take too long while the fleet starts.
        await until(async () => (await hub.send(addDevice, request)).result === SUCCESS, `${address} is added`)
      }
    }
    await Promise.all(Array.from({ length: ADDED_AT_ONCE }, addAll))
    assert.equal(await online(), LINKED + ADDRESSED)

    for (const [index, device] of farm.devices.entries()) device.isHanging = hangs(index)
    const healthy = LINKED + farm.devices.filter(({ isHanging }) => !isHanging).length
    await until(async () => (await online()) === healthy, 'only those that hang are offline')

    const before = farm.devices.map(({ polls }) => polls)
    const startedAt = performance.now()
    const took: number[] = []
    while (performance.now() - startedAt < COUNTING) {
      for (const list of LISTS) {
        took.push(
          await ownTime(async () => {
            const { result } = await hub.send(listDevices, { start: 0, count: 50, ...list })
            assert.equal(result, SUCCESS)
          })
        )
      }
    }
    took.sort((a, b) => a - b)
    const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
    const [median, most, slowest] = [at(0.5), at(0.99), at(1)].map(Math.round)
    console.log(`${took.length} pages: median ${median} ms, 99 of 100 within ${most} ms, slowest ${slowest} ms`)
    assert.ok(at(0.99) < 1000, `${most} ms`)
    assert.equal(await online(), healthy)
    for (const [index, device] of farm.devices.entries()) {
      const polls = device.polls - (before[index] ?? 0)
      if (!device.isHanging) assert.ok(polls > 0, `${device.sn} was not polled`)
      assert.ok(device.connectionsMax <= 2, `${device.sn}: ${device.connectionsMax} connections`)
    }
  } finally {
    await fleet.kill('SIGTERM')
    await hub.kill()
    await farm.close()
    rmSync(data, { recursive: true, force: true })
  }
})

test.run()
