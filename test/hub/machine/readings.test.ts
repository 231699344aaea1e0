import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  cpuTicks,
  disk,
  fanSpeed,
  machineUpTime,
  memory,
  netBytes,
  parseCpu,
  parseMemory,
  parseNet,
  temperature
} from '../../../hub/machine/readings.ts'

const test = suite('readings')

const STAT = `cpu  100 5 50 800 20 1 4 20 7 3
cpu0 50 2 25 400 10 0 2 10 0 0
intr 1 2 3
ctxt 4
`

test('processor: all ticks but guests, which are counted as user already; idle and waiting are not busy', () => {
  assert.deepEqual(parseCpu(STAT), { all: 1000, busy: 180 })
})

test('an old kernel without waiting and stealing is read, too', () => {
  assert.deepEqual(parseCpu('cpu 1 2 3 4\n'), { all: 10, busy: 6 })
})

test('what is no statistic of processors says nothing', () => {
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

test('network: what real interfaces received and sent, also where no space follows the name', () => {
  assert.deepEqual(parseNet(DEV), { rx: 123456794012, tx: 730 })
})

test('the loopback counts where it is asked for', () => {
  assert.deepEqual(parseNet(DEV, true), { rx: 123456795012, tx: 1730 })
})

test('a machine without a network has no rate, not a rate of 0', () => {
  const [first, second] = DEV.split('\n')
  assert.equal(parseNet(`${first}\n${second}\n`), undefined)
  assert.equal(parseNet(DEV.split('\n').slice(0, 3).join('\n')), undefined, 'only the loopback')
  assert.equal(parseNet(''), undefined)
})

const MEMINFO = `MemTotal:       16384000 kB
MemFree:          102400 kB
MemAvailable:    8192000 kB
SwapTotal:             0 kB
`

test('memory: total and available in MB; free alone says nothing, since caches give way', () => {
  assert.deepEqual(parseMemory(MEMINFO), { total: 16000, available: 8000 })
  assert.equal(parseMemory(MEMINFO.replace('MemAvailable', 'MemOther')), undefined)
  assert.equal(parseMemory(''), undefined)
  assert.equal(parseMemory(MEMINFO.replace('16384000', '0')), undefined)
})

test('this machine can be read', () => {
  const cpu = cpuTicks()
  assert.ok(cpu && cpu.busy > 0 && cpu.all > cpu.busy)
  const ram = memory()
  assert.ok(ram && ram.available > 0 && ram.total > ram.available)
  assert.ok((netBytes(true)?.rx ?? -1) >= 0)
  assert.ok(machineUpTime() > 0)
  const space = disk('.')
  assert.ok(space && space.total > 0 && space.free <= space.total)
  // Many a machine has neither: then nothing is said.
  const heat = temperature()
  assert.ok(heat === undefined || (heat > 0 && heat < 150), `${heat} °C`)
  const fan = fanSpeed()
  assert.ok(fan === undefined || fan > 0)
})

test('a folder that is not there has no size', () => {
  assert.equal(disk('/not/there'), undefined)
})

test.run()
