// Facts of the machine, read from the operating system. What it does not have is absent, never invented.
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, uptime } from 'node:os'

/** Ticks of all cores since the start. */
export interface CpuTicks {
  busy: number
  all: number
}

/** Bytes since the start. */
export interface NetBytes {
  rx: number
  tx: number
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function folder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** From the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
export function parseCpu(stat: string): CpuTicks | undefined {
  const ticks = /^cpu +(.+)$/m.exec(stat)?.[1]?.split(' ').slice(0, 8).map(Number)
  if (!ticks || ticks.length < 4 || ticks.some(Number.isNaN)) return undefined
  const all = ticks.reduce((sum, value) => sum + value, 0)
  return { all, busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}

/**
 * From /proc/net/dev. Virtual bridges and containers' pairs would count the same bytes twice, so they are left out.
 * @param loopback count the loopback interface too
 */
export function parseNet(dev: string, loopback = false): NetBytes | undefined {
  const lines = dev
    .split('\n')
    .filter((line) => line.includes(':') && !/^\s*(veth|docker|br-|virbr)/.test(line))
    .filter((line) => loopback || !/^\s*lo:/.test(line))
  if (lines.length === 0) return undefined
  const sum = { rx: 0, tx: 0 }
  for (const line of lines) {
    const fields = line
      .slice(line.indexOf(':') + 1)
      .trim()
      .split(/\s+/)
      .map(Number)
    sum.rx += fields[0] ?? 0
    sum.tx += fields[8] ?? 0
  }
  return sum
}

/** MB: total and available. */
export function parseMemory(meminfo: string): { total: number; available: number } | undefined {
  const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1])
  const [total, available] = [kilobytes('MemTotal'), kilobytes('MemAvailable')]
  return total > 0 && available >= 0 ? { total: total / 1024, available: available / 1024 } : undefined
}

export function cpuTicks(): CpuTicks | undefined {
  return parseCpu(text('/proc/stat') ?? '')
}

export function netBytes(loopback: boolean): NetBytes | undefined {
  return parseNet(text('/proc/net/dev') ?? '', loopback)
}

export function memory(): { total: number; available: number } | undefined {
  return parseMemory(text('/proc/meminfo') ?? '')
}

/** The highest number that a file matching `name` holds under /sys/class/<sensors>/*. */
function highest(sensors: string, name: RegExp): number | undefined {
  let best: number | undefined
  for (const sensor of folder(`/sys/class/${sensors}`)) {
    for (const file of folder(`/sys/class/${sensors}/${sensor}`)) {
      if (!name.test(file)) continue
      const value = Number(text(`/sys/class/${sensors}/${sensor}/${file}`))
      if (Number.isFinite(value) && value > 0 && value > (best ?? 0)) best = value
    }
  }
  return best
}

/** Degrees Celsius of the hottest sensor. */
export function temperature(): number | undefined {
  const thousandths = highest('hwmon', /^temp\d+_input$/) ?? highest('thermal', /^temp$/)
  return thousandths === undefined ? undefined : Math.round(thousandths / 100) / 10
}

/** Revolutions per minute of the fastest fan. */
export function fanSpeed(): number | undefined {
  return highest('hwmon', /^fan\d+_input$/)
}

/** MB of the file system that holds `path`. */
export function disk(path: string): { total: number; free: number } | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(path)
    return { total: Math.round((blocks * bsize) / 2 ** 20), free: Math.round((bavail * bsize) / 2 ** 20) }
  } catch {
    return undefined
  }
}

/** Seconds since the machine started. */
export function machineUpTime(): number {
  return Math.floor(uptime())
}

export function cores(): number {
  return availableParallelism()
}
