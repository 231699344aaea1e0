// Devices: reference 3.2, 3.14, 4.5, 5.3.
import { call, type ListReply, type Page, type Since } from '../call.ts'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_CONTROL,
  DEVICE_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../permissions.ts'
import type { DeviceAddress } from './address.ts'
import type { DeviceConfig, GlobalConfig } from './config.ts'

/** Registration states. */
export const REGISTRATION = { registering: 29, accepted: 101, rejected: 102, pending: 103, deleted: 104 } as const

/** The query word of a registration state. */
export type RegistrationWord = 'accepted' | 'rejected' | 'waiting'

/** Bits of `dev-warns`. The first is public, the others are ours, in the specification's order. */
export const WARNING = {
  noSignal: 0x1,
  usbInvalid: 0x2,
  usbFull: 0x4,
  storageFull: 0x8,
  firmwareUnsupported: 0x10,
  firmwareOld: 0x20
} as const

/** Bits of `status.cur-status` that the console reads (reference 3.15). */
export const RUNNING = { recording: 0x2, streaming: 0x4, updating: 0x4000, rebooting: 0x20000000 } as const

/** Where a signal goes in or out. */
export interface DevicePort {
  /** As the device calls it, or the documents of its API: 'HDMI', 'SDI', 'NDI'. Empty where it has one and does not name it. */
  name: string
  /** What is there: a format such as '1920x1080p60', 'no-signal', or another word of the device's, 'locking' or 'unconnected'. */
  signal: string
}

/** Ours: how something is, said by the hub of what has states of its own or of a device's making. */
export interface Standing {
  /** What that means for who watches. */
  tone: 'good' | 'busy' | 'warn' | 'bad' | 'off'
  /** It in words, in the language of who asks. */
  text: string
}

/** One of several recordings or streams that a device runs side by side. How it stands is told of a single device. */
export interface DeviceSession extends Partial<Standing> {
  id: number
  /** Of a stream: its server's type (device-api 3.6). */
  type?: number
  name?: string
  /** It is switched on. */
  use?: boolean
  /** How it is: a code of `ultra-codes.ts`, and beside those 22 connected, 23 connecting, 24 waiting, 25 authorising, 27 idle. */
  result?: number
  'run-ms'?: number
  /** Bits per second. */
  bps?: number
}

/** A recording or live stream by the device's own word. As of a session, how it stands is told of a single device. */
export interface DeviceActivity extends Partial<Standing> {
  on: boolean
  /** Milliseconds for which it has. */
  'run-ms'?: number
  result?: number
  sessions?: DeviceSession[]
}

/** How it stands says how much is free, where that is known. */
export interface DeviceDisk extends Partial<Standing> {
  /** `sd`: an SD card, or what is built in. */
  kind: 'usb' | 'sd' | 'nas'
  /** `none`: an empty slot. `invalid`: something is in it that cannot be used. `full`: from 99 % on. */
  state: 'ok' | 'full' | 'invalid' | 'none'
  /** MB. */
  total?: number
  free?: number
  label?: string
  /** Seconds of recording that fit. */
  'free-sec'?: number
}

/** How the last update of a device's firmware stands: `UPDATE` in `firmware.ts`. */
export interface DeviceUpdate extends Partial<Standing> {
  state: number
  /** Percent of the step that `state` names. */
  progress: number
  /** With `failed`: why, a result code; 42 = cancelled before it began. */
  reason?: number
}

/** What a device last said of itself. Absent fields were not said. */
export interface DeviceStatus {
  'cur-status'?: number
  /** Percent, oldest first, at most 24 samples. */
  cpu?: number[]
  /** Bits per second, oldest first, at most 24 samples. */
  'eth-rx'?: number[]
  'eth-tx'?: number[]
  /** Addresses: of the network ports, of a mobile network, of its own Wi-Fi network, of the network over USB. */
  eth?: string
  wifi?: string
  mobile?: string
  softap?: string
  rndis?: string
  /** Hardware address of the Ethernet port. */
  mac?: string
  /** Mbps of the Ethernet port; 0 = no cable. */
  'link-speed'?: number
  /** Ports of its own web page. */
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
  recording?: DeviceActivity
  live?: DeviceActivity
  disks?: DeviceDisk[]
  /** Whether it is on preview or on air, at a mixer that takes its NDI. */
  tally?: { preview: boolean; program: boolean }
}

/** The stream that the hub has ordered of a device, as it arrives: the hub's own observation, whatever the device says. */
export interface ArrivingStream {
  /** `CONNECTION` of `protocols.ts`; connected only while bytes were counted in the last seconds. */
  'conn-state': number
  /** Not in lists. */
  kbps?: number
  /** Why not, in the language of who asks. */
  reason?: string
}

export interface Device {
  id: number
  sn: string
  name: string
  /** Family. */
  module: number
  'module-name': string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
  'reg-state': number
  /** Milliseconds since the epoch. */
  'apply-date': number
  /** Milliseconds since the epoch since when it is online; 0 = offline. */
  'online-date': number
  /** Ours: milliseconds since the epoch since when it is offline; 0 = online, or never seen since the hub knows it. */
  'offline-date'?: number
  /**
   * Ours: milliseconds since the epoch since when the device runs, by its up time and the hub's clock. Other than the up time it changes
   * only when the device has started anew, so that lists tell it truly.
   */
  'start-date'?: number
  'catalog-id': number
  /** Direction (reference 3.4). */
  dir: number
  'dev-warns': number
  /** The caller's own id where the caller marked it, else 0: whom else it pleases is nobody's business. */
  'is-favorite': number
  /** Who may see it; answered only to who may set it. */
  'is-inherit'?: number
  'group-mask'?: number
  'usr-mask'?: number
  /** `DEV-<sn>` when it can show a picture. */
  'preview-id'?: string
  /** Ours: the address its link comes from. */
  'connect-ip'?: string
  /** Names and ids of the channels that use it as input; answered only to who may view channels. */
  'owner-i'?: string[]
  'owner-i-d'?: number[]
  /** The channel that plays on it; answered as `owner-i`. */
  'owner-o'?: string
  'owner-o-d'?: number
  'pro-feature'?: { input?: string }
  /** Its own connection configuration; absent: the global one applies. */
  config?: DeviceConfig
  /** Ours: there while a channel that runs has it as input. */
  stream?: ArrivingStream
  /** Ours: of a device that was added by address; told to who may add one. */
  at?: DeviceAddress
  /** An update that waits, is under way, or failed and was not followed by another. */
  update?: DeviceUpdate
  /** 1 while a firmware file is being sent to it, and percent of that (reference 4.5). */
  'is-upload-file'?: number
  'upload-file-pos'?: number
  status?: DeviceStatus
}

/** Asks for the global defaults beside the devices: non-zero (reference 5.3). */
export interface AsksGlobal {
  'global-config'?: number
}

export interface TellsGlobal {
  'global-config'?: GlobalConfig
}

export interface DeviceListRequest extends Page, Since, AsksGlobal {
  'reg-state'?: RegistrationWord
  catalog?: number
  module?: number
  dir?: 'none' | 'input' | 'output'
  /** Comma list of dev-warns, offline, warns; ours besides: online. */
  status?: string
  'is-favorite'?: number
  /** Part of serial number or name. */
  key?: string
  /** Ours: those that this firmware is for, by its id. */
  firmware?: number
  sort?: 'online-state' | 'sn' | 'name' | 'time' | 'module' | 'connect-ip' | 'firmware-ver'
  order?: 'ascending' | 'descending'
}

export const listDevices = call<DeviceListRequest, ListReply<Device> & TellsGlobal>('GET', '/device/list', DEVICE_VIEW)
/** Documented as channel viewing; reference 8 takes either right. Answers the global defaults always. */
export const listDevicesBySerial = call<{ sn: string[] }, { list: Device[] } & TellsGlobal>(
  'POST',
  '/device/list',
  DEVICE_VIEW | CHANNEL_VIEW
)
export const queryDevice = call<{ sn: string } & AsksGlobal, { dev: Device } & TellsGlobal>(
  'GET',
  '/device/query',
  DEVICE_VIEW
)

export interface Serials {
  sn: string[]
}

/** Result per device, for calls on several: reference 5.3, `upgrade`. */
export interface SerialResults {
  details: { sn: string; result: number }[]
}

/** 1004 for a device that was already decided on by somebody else; 16 for an unknown one. Ours besides: `details`. */
export const acceptDevices = call<Serials, SerialResults>('POST', '/device/accept', DEVICE_ADV_CONTROL)
export const rejectDevices = call<Serials, SerialResults>('POST', '/device/reject', DEVICE_ADV_CONTROL)
export const deleteDevices = call<Serials, SerialResults>('POST', '/device/del', DEVICE_ADV_CONTROL)

/** A `group-mask` that shows an object to all groups, also to those to come. */
export const ALL_GROUPS = 4294967295

/** Who may see an object (reference 3.12): users and user groups by the bits of their ids. Admins see everything. */
export interface Visibility {
  /** `ALL_GROUPS`, or ids of groups that exist. */
  'group-mask': number
  /** Ids of users that exist. */
  'usr-mask': number
}

export interface DeviceSecurity extends Partial<Visibility> {
  /** Non-zero: as its group says, else the global default; the masks are then not needed. */
  'is-inherit': number | boolean
}

/**
 * The reference names a serial and shows several: both are taken. 7 for a mask with bits that nobody has: whoever is given such an id
 * later would see what was never shown to him. A device that is not accepted keeps the masks for when it is.
 */
export const setDeviceSecurity = call<{ sn: string | string[]; security: DeviceSecurity }, SerialResults>(
  'POST',
  '/device/security/set',
  'admin'
)

/**
 * The global defaults: of visibility, for what inherits and for devices that are not accepted; ours besides, of the connection
 * configuration.
 */
export interface GlobalDevice {
  security: Visibility
  config: DeviceConfig
}
export const getGlobalDevice = call<Record<never, never>, GlobalDevice>('GET', '/device/global/get', SYSTEM_CONFIG_VIEW)
/** What is left out stays; of `config`, a half that is left out is cleared. */
export const setGlobalDevice = call<Partial<GlobalDevice>>('POST', '/device/global/set', SYSTEM_CONFIG_EDIT)

/**
 * Sets both halves: one that is left out is cleared. 9 for a device that has none, and for RTMP as the protocol of an input: over a link
 * a stream comes by SRT. A stream that runs is begun anew. The output half is kept and told: the hub sends nothing to devices yet.
 */
export const configureDevices = call<Serials & { config: DeviceConfig }, SerialResults>(
  'POST',
  '/device/config',
  DEVICE_CONTROL
)

/** Marks devices for the caller alone, or takes the mark away. */
export const setFavorite = call<Serials & { favorite: boolean }, SerialResults>(
  'POST',
  '/device/favorite/set',
  DEVICE_VIEW
)
