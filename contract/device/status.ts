export type {
  DeviceActivity,
  DeviceDisk,
  DevicePort,
  DeviceSession,
  DeviceStatus,
  DeviceUpdate,
  EncoderSettings,
  IngestStatus,
  StatusInfo
} from './status.schema.ts'

/** Bits of `dev-warns`. */
export const DEVICE_WARNING_BITS = {
  noSignal: 0x1,
  usbInvalid: 0x2,
  usbFull: 0x4,
  storageFull: 0x8,
  firmwareUnsupported: 0x10,
  firmwareOld: 0x20
} as const

/** Bits of `status.cur-status` that the hub or the console reads. */
export const DEVICE_STATUS_BITS = {
  recording: 0x2,
  streaming: 0x4,
  updating: 0x4000,
  /** A test of the streaming, and of a server to which the device uploads. */
  streamTest: 0x8000,
  rebooting: 0x20000000,
  serverTest: 0x40000000
} as const
