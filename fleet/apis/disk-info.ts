// `disk-info` of the Ultra family and the Director: the storage of a device, or the USB drive that a fault gives it.
import type { Behaviour } from '../behaviour.ts'
import type { MachineReading } from '../machine.ts'

/** `disk-type`. */
const USB = 0
const BUILT_IN = 1
/** Any `disk-status` other than 0 is an error. */
const UNREADABLE = 3
/** Size of a USB drive in MB. */
const DRIVE_SIZE = 61_056

/** An entry of `disk-info`. @param total MB; 0: the slot is empty */
function entry(type: number, total: number, used: number, status = 0): object {
  return {
    id: 1,
    'disk-type': type,
    'disk-status': status,
    'total-size': total,
    'used-size': used,
    'free-size': total - used,
    usage: total > 0 ? Math.round((used / total) * 100) : 0,
    'fs-type': 'exfat',
    'mount-path': type === USB ? '/mnt/usb' : '/mnt/sd',
    'fs-label': total > 0 ? 'MEDIA' : ''
  }
}

/** The disks and slots of a device. Under a fault of the USB drive, the drive is its only storage. */
export function diskInfo(behaviour: Behaviour, { disk }: MachineReading): object[] {
  switch (behaviour) {
    case 'usb-lost':
    case 'usb-missing':
      return [entry(USB, 0, 0)]
    case 'usb-full':
      return [entry(USB, DRIVE_SIZE, DRIVE_SIZE)]
    case 'usb-invalid':
      return [entry(USB, 0, 0, UNREADABLE)]
    case 'storage-missing':
      return [entry(BUILT_IN, 0, 0)]
    default:
      return disk ? [entry(BUILT_IN, disk.total, disk.used)] : []
  }
}
