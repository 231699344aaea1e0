// Measures the machine once a second, and remembers the network traffic of the last hour.
import type { TrafficHistory } from '../../contract/system.ts'
import {
  type CpuTicks,
  cpuCount,
  machineUptimeSeconds,
  type NetBytes,
  readCpuTicks,
  readDiskSpace,
  readFanSpeed,
  readMemory,
  readNetBytes,
  readTemperature
} from './readings.ts'

/** Values in each history: one a second for a minute, one a minute for an hour. */
const HISTORY_LENGTH = 60
/** MB and share of available memory below which memory is low (bit 0x40000 of the system status). */
const LOW_MEMORY_MB = 64
const LOW_MEMORY_SHARE = 0.03
/** Sensors and disks change slowly, and are read with every fifth sample. */
const SLOW_READING_INTERVAL = 5

/** The latest values. A field is absent if the machine does not provide it. */
export interface MachineReading {
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

interface Counters {
  /** Milliseconds. */
  at: number
  cpu: CpuTicks | undefined
  net: NetBytes | undefined
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

const mean = (values: readonly number[]) => round(values.reduce((sum, value) => sum + value, 0) / values.length, 3)

function pushLimited(values: number[], value: number): void {
  values.push(value)
  if (values.length > HISTORY_LENGTH) values.shift()
}

export class Monitor {
  readonly #data: string
  readonly #loopback: boolean
  readonly #onSample: (reading: MachineReading) => void
  readonly #timer: NodeJS.Timeout
  readonly #seconds: TrafficHistory = { rx: [], tx: [] }
  readonly #minutes: TrafficHistory = { rx: [], tx: [] }
  #current: MachineReading = { 'up-time': machineUptimeSeconds(), 'cpu-count': cpuCount(), lowMemory: false }
  #last: Counters | undefined
  #samples = 0

  /**
   * @param data folder whose file system is measured
   * @param loopback whether to count loopback traffic, for a hub that listens there only
   * @param onSample called after each sample
   */
  constructor(data: string, loopback: boolean, onSample: (reading: MachineReading) => void) {
    this.#data = data
    this.#loopback = loopback
    this.#onSample = onSample
    this.#sample()
    this.#timer = setInterval(() => this.#sample(), 1000).unref()
  }

  reading(): MachineReading {
    return this.#current
  }

  history(): { 'mbps-s': TrafficHistory; 'mbps-m': TrafficHistory } {
    return {
      'mbps-s': { rx: [...this.#seconds.rx], tx: [...this.#seconds.tx] },
      'mbps-m': { rx: [...this.#minutes.rx], tx: [...this.#minutes.tx] }
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #sample(): void {
    const counters: Counters = { at: performance.now(), cpu: readCpuTicks(), net: readNetBytes(this.#loopback) }
    this.#current = {
      ...this.#current,
      'up-time': machineUptimeSeconds(),
      ...this.#cpuLoad(counters),
      ...this.#traffic(counters),
      ...memoryUsage(),
      ...(this.#samples % SLOW_READING_INTERVAL === 0 && this.#slowReadings())
    }
    this.#last = counters
    this.#samples++
    this.#onSample(this.#current)
  }

  #cpuLoad({ cpu }: Counters): Pick<MachineReading, 'cpu'> {
    const last = this.#last?.cpu
    if (!last || !cpu || cpu.all <= last.all) return {}
    return { cpu: round((100 * (cpu.busy - last.busy)) / (cpu.all - last.all), 1) }
  }

  #traffic({ at, net }: Counters): Pick<MachineReading, 'net-rx' | 'net-tx'> {
    if (!this.#last?.net || !net) return {}
    const mbpsPerByte = 8 / 1000 / (at - this.#last.at)
    // Counters decrease when an interface disappears.
    const rx = round(Math.max(0, net.rx - this.#last.net.rx) * mbpsPerByte, 3)
    const tx = round(Math.max(0, net.tx - this.#last.net.tx) * mbpsPerByte, 3)
    pushLimited(this.#seconds.rx, rx)
    pushLimited(this.#seconds.tx, tx)
    if (this.#samples > 0 && this.#samples % 60 === 0) {
      pushLimited(this.#minutes.rx, mean(this.#seconds.rx))
      pushLimited(this.#minutes.tx, mean(this.#seconds.tx))
    }
    return { 'net-rx': rx, 'net-tx': tx }
  }

  #slowReadings(): Pick<MachineReading, 'disk-info' | 'temperature' | 'fan-rpm'> {
    return { 'disk-info': readDiskSpace(this.#data), temperature: readTemperature(), 'fan-rpm': readFanSpeed() }
  }
}

function memoryUsage(): Partial<Pick<MachineReading, 'mem' | 'mem-total' | 'lowMemory'>> {
  const memory = readMemory()
  if (!memory) return {}
  const { available, total } = memory
  return {
    mem: round(1 - available / total, 3),
    'mem-total': Math.round(total),
    lowMemory: available < LOW_MEMORY_MB || available / total < LOW_MEMORY_SHARE
  }
}
