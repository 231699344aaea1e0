import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import {
  machineUptimeSeconds,
  parseCpu,
  parseMemory,
  parseNet,
  readCpuTicks,
  readDiskSpace,
  readFanSpeed,
  readHardwareVersion,
  readMemory,
  readNetBytes,
  readTemperature
} from '../../../hub/machine/readings.ts'

const test = suite('readings')

const STAT = `cpu  100 5 50 800 20 1 4 20 7 3
cpu0 50 2 25 400 10 0 2 10 0 0
intr 1 2 3
ctxt 4
`

test('CPU: guest ticks are not added, since user ticks include them; idle and iowait are not busy', () => {
  assert.deepEqual(parseCpu(STAT), { all: 1000, busy: 180 })
})

test('the format of old kernels without iowait and steal is parsed', () => {
  assert.deepEqual(parseCpu('cpu 1 2 3 4\n'), { all: 10, busy: 6 })
})

test('text without CPU statistics gives undefined', () => {
  for (const text of ['', 'cpu0 1 2 3 4', 'cpu  1 2 3', 'cpu  a b c d', 'intr 1 2 3 4'])
    assert.equal(parseCpu(text), undefined)
})

const DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000      10    0    0    0     0          0         0     1000      10    0    0    0     0       0          0
  eth0: 5000      10    0    0    0     0          0         0      700      10    0    0    0     0       0          0
wlan0:123456789012 1    0    0    0     0          0         0       30      10    0    0    0     0       0          0
docker0: 9999     10    0    0    0     0          0         0     9999      10    0    0    0     0       0          0
veth12ab: 9999    10    0    0    0     0          0         0     9999      10    0    0    0     0       0          0
br-1f2e: 9999     10    0    0    0     0          0         0     9999      10    0    0    0     0       0          0
virbr0: 9999      10    0    0    0     0          0         0     9999      10    0    0    0     0       0          0
`

test('network: the bytes of physical interfaces are added, also if no space follows the name', () => {
  assert.deepEqual(parseNet(DEV), { rx: 123456794012, tx: 730 })
})

test('the loopback interface is counted on request', () => {
  assert.deepEqual(parseNet(DEV, true), { rx: 123456795012, tx: 1730 })
})

test('without a physical interface the result is undefined, not 0', () => {
  const [first, second] = DEV.split('\n')
  assert.equal(parseNet(`${first}\n${second}\n`), undefined)
  assert.equal(parseNet(DEV.split('\n').slice(0, 3).join('\n')), undefined, 'loopback only')
  assert.equal(parseNet(''), undefined)
})

const MEMINFO = `MemTotal:       16384000 kB
MemFree:          102400 kB
MemAvailable:    8192000 kB
SwapTotal:             0 kB
`

test('memory: total and available in MB; MemFree is ignored, because caches can be released', () => {
  assert.deepEqual(parseMemory(MEMINFO), { total: 16000, available: 8000 })
  assert.equal(parseMemory(MEMINFO.replace('MemAvailable', 'MemOther')), undefined)
  assert.equal(parseMemory(''), undefined)
  assert.equal(parseMemory(MEMINFO.replace('16384000', '0')), undefined)
})

test('all readings of this machine are plausible', () => {
  const cpu = readCpuTicks()
  assert.ok(cpu && cpu.busy > 0 && cpu.all > cpu.busy)
  const ram = readMemory()
  assert.ok(ram && ram.available > 0 && ram.total > ram.available)
  assert.ok((readNetBytes(true)?.rx ?? -1) >= 0)
  assert.ok(machineUptimeSeconds() > 0)
  const space = readDiskSpace('.')
  assert.ok(space && space.total > 0 && space.free <= space.total)
  // Undefined on machines without these sensors.
  const heat = readTemperature()
  assert.ok(heat === undefined || (heat > 0 && heat < 150), `${heat} °C`)
  const fan = readFanSpeed()
  assert.ok(fan === undefined || fan > 0)
})

test('a missing folder has no disk space', () => {
  assert.equal(readDiskSpace('/not/there'), undefined)
})

test('the hardware version is that of the maker, and fillers of a maker without one are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hardware-'))
  const [dmi, tree] = [join(folder, 'product_version'), join(folder, 'model')]
  const version = (inDmi: string, inTree: string) => {
    writeFileSync(dmi, inDmi)
    writeFileSync(tree, inTree)
    return readHardwareVersion(dmi, tree)
  }
  assert.equal(readHardwareVersion(join(folder, 'none'), join(folder, 'none')), undefined)
  assert.equal(version('ThinkPad T14 Gen 3\n', ''), 'ThinkPad T14 Gen 3')
  assert.equal(version('', 'Raspberry Pi 4 Model B Rev 1.4\0'), 'Raspberry Pi 4 Model B Rev 1.4')
  for (const filler of ['Not Specified', 'To be filled by O.E.M.', 'Default string', 'None', 'System Version', ' \n'])
    assert.equal(version(filler, ''), undefined, filler)
  assert.equal(version('x'.repeat(200), '')?.length, 64)
  rmSync(folder, { recursive: true })
})

test.run()
