// Measures the machine once a second and remembers the traffic of the last hour.
import type { Rates } from '../../contract/system.ts'
import {
  type CpuTicks,
  cores,
  cpuTicks,
  disk,
  fanSpeed,
  machineUpTime,
  memory,
  type NetBytes,
  netBytes,
  temperature
} from './readings.ts'

/** Values kept: one a second for a minute, one a minute for an hour. */
const KEPT = 60
/** MB and share of memory below which the hub says that it is too low (status bit 0x40000). */
const LOW_MB = 64
const LOW_SHARE = 0.03
/** Sensors and disks change slowly: read every so many samples. */
const SLOW_EVERY = 5

/** What was measured last; absent where the machine does not have it. */
export interface Reading {
  cpu?: number
  mem?: number
  'mem-total'?: number
  'disk-info'?: { total: number; free: number }
  'net-tx'?: number
  'net-rx'?: number
  temperature?: number
  'fan-rpm'?: number
  'up-time': number
  'cpu-count': number
  lowMemory: boolean
}

export interface Monitor {
  reading(): Reading
  history(): { 'mbps-s': Rates; 'mbps-m': Rates }
  stop(): void
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/**
 * @param data folder whose file system is measured
 * @param loopback count loopback traffic: what a hub that listens there alone, as the demo does, sends and gets
 * @param sampled called after each sample
 */
export function startMonitor(data: string, loopback: boolean, sampled: (reading: Reading) => void): Monitor {
  const seconds: Rates = { rx: [], tx: [] }
  const minutes: Rates = { rx: [], tx: [] }
  let current: Reading = { 'up-time': machineUpTime(), 'cpu-count': cores(), lowMemory: false }
  let last: { at: number; cpu: CpuTicks | undefined; net: NetBytes | undefined } | undefined
  let samples = 0

  const push = (values: number[], value: number) => {
    values.push(value)
    if (values.length > KEPT) values.shift()
  }
  const mean = (values: number[]) => round(values.reduce((sum, value) => sum + value, 0) / values.length, 3)

  function sample(): void {
    const now = { at: performance.now(), cpu: cpuTicks(), net: netBytes(loopback) }
    const next: Reading = { ...current, 'up-time': machineUpTime() }
    if (last?.cpu && now.cpu && now.cpu.all > last.cpu.all)
      next.cpu = round((100 * (now.cpu.busy - last.cpu.busy)) / (now.cpu.all - last.cpu.all), 1)
    if (last?.net && now.net) {
      const perMegabit = 8 / 1000 / (now.at - last.at)
      // A counter that went back belongs to an interface that went away.
      next['net-rx'] = round(Math.max(0, now.net.rx - last.net.rx) * perMegabit, 3)
      next['net-tx'] = round(Math.max(0, now.net.tx - last.net.tx) * perMegabit, 3)
      push(seconds.rx, next['net-rx'])
      push(seconds.tx, next['net-tx'])
      if (samples > 0 && samples % 60 === 0) {
        push(minutes.rx, mean(seconds.rx))
        push(minutes.tx, mean(seconds.tx))
      }
    }
    const ram = memory()
    if (ram) {
      next.mem = round(1 - ram.available / ram.total, 3)
      next['mem-total'] = Math.round(ram.total)
      next.lowMemory = ram.available < LOW_MB || ram.available / ram.total < LOW_SHARE
    }
    if (samples % SLOW_EVERY === 0) {
      next['disk-info'] = disk(data)
      next.temperature = temperature()
      next['fan-rpm'] = fanSpeed()
    }
    last = now
    samples++
    current = next
    sampled(next)
  }

  sample()
  const timer = setInterval(sample, 1000)
  timer.unref()
  return {
    reading: () => current,
    history: () => ({
      'mbps-s': { rx: [...seconds.rx], tx: [...seconds.tx] },
      'mbps-m': { rx: [...minutes.rx], tx: [...minutes.tx] }
    }),
    stop: () => clearInterval(timer)
  }
}
