// What a device says of its disks: `disk-info` (device-api 3.3).
import { type DeviceDisk, WARNING } from '../../../contract/device/device.ts'
import { type Fields, integer, list, number, said, text, UP_TIME_MAX } from './fields.ts'

/** Percent in use from which a disk counts as full: a recording needs room to be closed properly. */
const FULL = 99
/** Disks looked at. Devices have three slots. */
const DISKS_MAX = 16

/** MB: more than any such disk has. */
const SIZE_MAX = 1e16
const LABEL_MAX = 64

const KINDS: readonly DeviceDisk['kind'][] = ['usb', 'sd', 'nas']

/**
 * One disk; undefined for one of a kind nobody knows. The numbers of `disk-status` are not public: a slot without a disk has 0 there and
 * no size, so 0 says that nothing is wrong.
 */
function diskOf(disk: Fields): DeviceDisk | undefined {
  const kind = KINDS[integer(disk['disk-type'], 0, KINDS.length) ?? KINDS.length]
  if (!kind) return undefined
  const total = number(disk['total-size'], 0, SIZE_MAX) ?? 0
  if (total === 0)
    return { kind, state: kind === 'usb' && (integer(disk['disk-status'], -1e6, 1e6) ?? 0) !== 0 ? 'invalid' : 'none' }
  const free = number(disk['free-size'], 0, total)
  const used = free === undefined ? number(disk.usage, 0, 100) : 100 * (1 - free / total)
  return said<DeviceDisk>({
    kind,
    state: used !== undefined && used >= FULL ? 'full' : 'ok',
    total,
    free,
    label: text(disk['fs-label'], LABEL_MAX),
    'free-sec': number(disk['free-sec'], 0, UP_TIME_MAX)
  })
}

/** The disks and the slots for them; undefined where none are said. */
export function disksOf(value: unknown): DeviceDisk[] | undefined {
  if (!Array.isArray(value)) return undefined
  return list(value, DISKS_MAX)
    .map(diskOf)
    .filter((disk) => disk !== undefined)
}

/** Bits of `WARNING`. */
export function diskWarnings(disks: readonly DeviceDisk[] = []): number {
  return disks.reduce((warns, { kind, state }) => {
    if (state === 'invalid') return warns | WARNING.usbInvalid
    if (state === 'full') return warns | (kind === 'usb' ? WARNING.usbFull : WARNING.storageFull)
    return warns
  }, 0)
}
