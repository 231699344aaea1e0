// Reads the disks of a device from `disk-info` (docs/wire.md, "Device generations").
import { DEVICE_WARNING_BITS, type DeviceDisk } from '../../../contract/device/status.ts'
import { type Fields, integer, number, objectList, omitUndefined, text, UP_TIME_MAX } from './fields.ts'

/** Percentage of used space from which a disk counts as full: a recording needs space to be closed properly. */
const FULL_PERCENT = 99
/** Maximum number of disks read. Devices have three slots. */
const DISKS_MAX = 16

/** Plausible maximum of a size in MB. */
const SIZE_MAX = 1e16
const LABEL_MAX = 64

const KINDS: readonly DeviceDisk['kind'][] = ['usb', 'sd', 'nas']

/**
 * Reads one disk. The values of `disk-status` are not documented. An empty slot has size 0 and status 0, so 0 means no
 * error.
 * @returns undefined for an unknown kind
 */
function readDisk(disk: Fields): DeviceDisk | undefined {
  const kind = KINDS[integer(disk['disk-type'], 0, KINDS.length) ?? KINDS.length]
  if (!kind) return undefined
  const total = number(disk['total-size'], 0, SIZE_MAX) ?? 0
  if (total === 0)
    return { kind, state: kind === 'usb' && (integer(disk['disk-status'], -1e6, 1e6) ?? 0) !== 0 ? 'invalid' : 'none' }
  const free = number(disk['free-size'], 0, total)
  const used = free === undefined ? number(disk.usage, 0, 100) : 100 * (1 - free / total)
  return omitUndefined<DeviceDisk>({
    kind,
    state: used !== undefined && used >= FULL_PERCENT ? 'full' : 'ok',
    total,
    free,
    label: text(disk['fs-label'], LABEL_MAX),
    'free-sec': number(disk['free-sec'], 0, UP_TIME_MAX)
  })
}

/** Reads the disks and empty slots; undefined if the device does not report them. */
export function readDisks(value: unknown): DeviceDisk[] | undefined {
  if (!Array.isArray(value)) return undefined
  return objectList(value, DISKS_MAX)
    .map(readDisk)
    .filter((disk) => disk !== undefined)
}

/** @returns bits of `DEVICE_WARNING_BITS` */
export function diskWarnings(disks: readonly DeviceDisk[] = []): number {
  return disks.reduce((warns, { kind, state }) => {
    if (state === 'invalid') return warns | DEVICE_WARNING_BITS.usbInvalid
    if (state === 'full')
      return warns | (kind === 'usb' ? DEVICE_WARNING_BITS.usbFull : DEVICE_WARNING_BITS.storageFull)
    return warns
  }, 0)
}
