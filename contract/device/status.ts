// Status of a device: its last report, and the observations of the hub about the stream that it receives from the device
// (docs/wire.md, "Devices").

import type { ConfiguredFormat } from '../stream/format.ts'
import type { ActionError } from './live.ts'

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

/** A video input or output of a device. */
export interface DevicePort {
  /** Name from the device or from its API documentation: 'HDMI', 'SDI', 'NDI'. Empty for a port without a name. */
  name: string
  /** Signal at the port: a format such as '1920x1080p60', 'no-signal', or another state of the device, 'locking' or 'unconnected'. */
  signal: string
}

/** A state as the hub presents it. Used for states that only the hub or the device defines. */
export interface StatusInfo {
  /** Severity, which selects the colour. */
  tone: 'good' | 'busy' | 'warn' | 'bad' | 'off'
  /** Text in the language of the request. */
  text: string
}

/** One of several recordings or streams that a device runs at the same time. `tone` and `text` are set in single-device responses only. */
export interface DeviceSession extends Partial<StatusInfo> {
  id: number
  /** For a stream: type of its server. */
  type?: number
  name?: string
  /** Whether it is switched on. */
  use?: boolean
  /** State: a code of `ultra-codes.ts`, or 22 connected, 23 connecting, 24 waiting, 25 authorising, 27 idle. */
  result?: number
  /** The error that `result` stands for, if there is one. */
  reason?: ActionError
  'run-ms'?: number
  /** Bits per second. */
  bps?: number
}

/** Recording or live stream as reported by the device. `tone` and `text` are set in single-device responses only. */
export interface DeviceActivity extends Partial<StatusInfo> {
  on: boolean
  /** Milliseconds since it started. */
  'run-ms'?: number
  result?: number
  /** The error that `result` stands for, if there is one. */
  reason?: ActionError
  sessions?: DeviceSession[]
}

/** A disk of a device. `text` includes the free space if it is known. */
export interface DeviceDisk extends Partial<StatusInfo> {
  /** `sd`: an SD card or built-in storage. */
  kind: 'usb' | 'sd' | 'nas'
  /** `none`: the slot is empty. `invalid`: the disk cannot be used. `full`: at least 99 % is used. */
  state: 'ok' | 'full' | 'invalid' | 'none'
  /** MB. */
  total?: number
  free?: number
  label?: string
  /** Remaining recording time in seconds. */
  'free-sec'?: number
}

/** Settings of an encoder. */
export type EncoderSettings = Omit<ConfiguredFormat, 'program'>

/** State of the last firmware update of a device. */
export interface DeviceUpdate extends Partial<StatusInfo> {
  /** `DEVICE_UPDATE_STATE` (firmware.ts). */
  state: number
  /** Percent of the current step. */
  progress: number
  /** If `state` is `failed`: result code of the failure; 42 = cancelled before it started. */
  reason?: number
}

/** Last status report of a device. A field is absent if the device did not report it. */
export interface DeviceStatus {
  'cur-status'?: number
  /** Percent, oldest first, at most 24 samples. */
  cpu?: number[]
  /** Bits per second, oldest first, at most 24 samples. */
  'eth-rx'?: number[]
  'eth-tx'?: number[]
  /** IP addresses: Ethernet, Wi-Fi, mobile network, the device's own access point, network over USB. */
  eth?: string
  wifi?: string
  mobile?: string
  softap?: string
  rndis?: string
  /** MAC address of the Ethernet port. */
  mac?: string
  /** Mbps of the Ethernet port; 0 = no cable. */
  'link-speed'?: number
  /** Ports of the device's web page. */
  'http-port'?: number
  'https-port'?: number
  /** Seconds. */
  'up-time'?: number
  /** Degrees Celsius. */
  temperature?: number
  /** Percent. */
  memory?: number
  /** Revolutions per minute. */
  'fan-rpm'?: number
  inputs?: DevicePort[]
  outputs?: DevicePort[]
  /** Settings of the main stream of the encoder. */
  encoder?: EncoderSettings
  recording?: DeviceActivity
  live?: DeviceActivity
  disks?: DeviceDisk[]
  /** Whether a video mixer that takes the device's NDI source has it on preview or on program. */
  tally?: { preview: boolean; program: boolean }
}

/** The stream that the hub requested from a device, as the hub receives it. Independent of the device's own status report. */
export interface IngestStatus {
  /** `CONNECTION_STATE` (protocols.ts); connected only if bytes were received in the last seconds. */
  'conn-state': number
  /** Not in lists. */
  kbps?: number
  /** Why there is no stream, in the language of the request. */
  reason?: string
}
