// Readings of the machine from the operating system. A value that the machine does not provide is undefined.
import { statfsSync } from 'node:fs'
import { availableParallelism, uptime } from 'node:os'
import { listFolder, readText } from './proc-files.ts'

/** Clock ticks of all cores since boot. */
export interface CpuTicks {
  busy: number
  all: number
}

/** Bytes since boot. */
export interface NetBytes {
  rx: number
  tx: number
}

/** Parses the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
export function parseCpu(stat: string): CpuTicks | undefined {
  const ticks = /^cpu +(.+)$/m.exec(stat)?.[1]?.split(' ').slice(0, 8).map(Number)
  if (!ticks || ticks.length < 4 || ticks.some(Number.isNaN)) return undefined
  const all = ticks.reduce((sum, value) => sum + value, 0)
  return { all, busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}

/**
 * Parses /proc/net/dev. Virtual bridges and veth pairs are ignored, because their bytes are counted by the physical
 * interface too.
 * @param loopback whether to count the loopback interface
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

/** Parses /proc/meminfo. @returns total and available memory in MB */
export function parseMemory(meminfo: string): { total: number; available: number } | undefined {
  const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1])
  const [total, available] = [kilobytes('MemTotal'), kilobytes('MemAvailable')]
  return total > 0 && available >= 0 ? { total: total / 1024, available: available / 1024 } : undefined
}

export function readCpuTicks(): CpuTicks | undefined {
  return parseCpu(readText('/proc/stat'))
}

export function readNetBytes(loopback: boolean): NetBytes | undefined {
  return parseNet(readText('/proc/net/dev'), loopback)
}

export function readMemory(): { total: number; available: number } | undefined {
  return parseMemory(readText('/proc/meminfo'))
}

/** The highest number in the files under /sys/class/<sensors>/* whose names match. */
function highestValue(sensors: string, name: RegExp): number | undefined {
  let highest: number | undefined
  for (const sensor of listFolder(`/sys/class/${sensors}`)) {
    for (const file of listFolder(`/sys/class/${sensors}/${sensor}`)) {
      if (!name.test(file)) continue
      const value = Number(readText(`/sys/class/${sensors}/${sensor}/${file}`))
      if (Number.isFinite(value) && value > 0 && value > (highest ?? 0)) highest = value
    }
  }
  return highest
}

/** Degrees Celsius of the hottest sensor. */
export function readTemperature(): number | undefined {
  const thousandths = highestValue('hwmon', /^temp\d+_input$/) ?? highestValue('thermal', /^temp$/)
  return thousandths === undefined ? undefined : Math.round(thousandths / 100) / 10
}

/** Revolutions per minute of the fastest fan. */
export function readFanSpeed(): number | undefined {
  return highestValue('hwmon', /^fan\d+_input$/)
}

/** Total and free MB of the file system which contains `path`. */
export function readDiskSpace(path: string): { total: number; free: number } | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(path)
    return { total: Math.round((blocks * bsize) / 2 ** 20), free: Math.round((bavail * bsize) / 2 ** 20) }
  } catch {
    return undefined
  }
}

/** What makers leave in the version field of the firmware when they have none. */
const NO_VERSION =
  /^(|-|none|n\/?a|unknown|invalid|x\.x|0123456789|default string|system version|(not|un)[ -]?(specified|applicable|available|defined)|to be filled by .*)$/i
/** Characters of a version that is shown. */
const VERSION_LENGTH = 64

/**
 * Version of the hardware, as its maker has written it: the product version of the DMI table (x86), else the model in
 * the device tree (ARM), which contains the revision. Undefined if the machine has neither.
 */
export function readHardwareVersion(
  dmi = '/sys/class/dmi/id/product_version',
  deviceTree = '/proc/device-tree/model'
): string | undefined {
  for (const path of [dmi, deviceTree]) {
    const version = readText(path)
      .replace(/[\p{C}\uFFFD]/gu, ' ')
      .trim()
      .slice(0, VERSION_LENGTH)
    if (!NO_VERSION.test(version)) return version
  }
  return undefined
}

/** Seconds since the machine booted. */
export function machineUptimeSeconds(): number {
  return Math.floor(uptime())
}

export function cpuCount(): number {
  return availableParallelism()
}
