// Narrows the error of an action or activity with what the device reports about itself: some codes leave several causes
// open.
import type { ActionError } from '../../../contract/device/live.ts'
import { DEVICE_STATUS_BITS, type DeviceDisk, type DeviceStatus } from '../../../contract/device/status.ts'

/** Percent of CPU or memory in use from which a refusal as busy is due to the load. */
const BUSY_PERCENT = 95

const isUsb = ({ kind }: DeviceDisk) => kind === 'usb'

/** The error of a device that is busy: the operation that it reports, or its load. */
function busyError({ 'cur-status': running = 0, cpu = [], memory = 0 }: DeviceStatus): ActionError {
  if (running & DEVICE_STATUS_BITS.rebooting) return 'rebooting'
  if (running & (DEVICE_STATUS_BITS.streamTest | DEVICE_STATUS_BITS.serverTest)) return 'test-running'
  return Math.max(cpu.at(-1) ?? 0, memory) >= BUSY_PERCENT ? 'system-busy' : 'operation-running'
}

/** @param status the status that the device reported after the error */
export function refineError(error: ActionError, status: DeviceStatus): ActionError {
  const { disks = [] } = status
  const full = disks.filter(({ state }) => state === 'full')
  if (error === 'storage-full' && full.length > 0 && full.every(isUsb)) return 'usb-full'
  if (error === 'storage-missing' && disks.length > 0 && disks.every(isUsb)) return 'usb-missing'
  return error === 'operation-running' ? busyError(status) : error
}
