// What a device says of its disks: `disk-info` (device-api 3.3).
import { WARNING } from '../../../contract/device.ts'
import { type Fields, integer, list, number } from './fields.ts'

/** `disk-type`; the others are an SD card or the internal disk, and network storage. */
const USB = 0
/** Percent in use from which a disk counts as full: a recording needs room to be closed properly. */
const FULL = 99
/** Disks looked at. Devices have three slots. */
const DISKS_MAX = 16

/** The numbers of `disk-status` are not public. A slot without a disk has 0 there and no size, so 0 says nothing is wrong. */
function warningOf(disk: Fields): number {
  const isUsb = disk['disk-type'] === USB
  const total = number(disk['total-size'], 0, Number.MAX_VALUE) ?? 0
  if (total === 0) return isUsb && (integer(disk['disk-status'], -1e6, 1e6) ?? 0) !== 0 ? WARNING.usbInvalid : 0
  const free = number(disk['free-size'], 0, total)
  const used = free === undefined ? number(disk.usage, 0, 100) : 100 * (1 - free / total)
  if (used === undefined || used < FULL) return 0
  return isUsb ? WARNING.usbFull : WARNING.storageFull
}

/** Bits of `WARNING`. */
export function diskWarnings(value: unknown): number {
  return list(value, DISKS_MAX).reduce((warns, disk) => warns | warningOf(disk), 0)
}
