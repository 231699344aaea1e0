// Firmware files, and updates of devices with them: specification 4, 8 and 9, reference 5.3, 6 and 8. What is not public is ours:
// uploads in pieces, and rollouts.
import { call, type ListReply, type Nothing, type Page } from './call.ts'
import type { DeviceUpdate, SerialResults, Serials, Standing } from './device/device.ts'
import { DEVICE_CONTROL, FIRMWARE_MANAGER, FIRMWARE_VIEW } from './permissions.ts'

/** MB that must be free for an upload (specification 9). */
export const FIRMWARE_SPACE_MIN = 50

export const FIRMWARE_ERRORS = [
  'download-failed',
  'installation-failed',
  'busy',
  'file-missing',
  'wrong-model',
  /** Less than `FIRMWARE_SPACE_MIN`; with `no-space` the file itself is larger than what is free. */
  'space-below-minimum',
  'no-space'
] as const

export type FirmwareError = (typeof FIRMWARE_ERRORS)[number]

/** Bytes of a firmware file at most. */
export const FIRMWARE_FILE_MAX = 1 << 30
/** Bytes of a piece: small enough that one gets through in a minute at 1 Mbit/s. A hub takes larger ones too. */
export const PIECE_SIZE = 4 << 20

/** What is known of a file: from the header of ours, or from its name (docs/mwf.md). Spelled as in reference 6. */
export interface FirmwareInfo {
  /** 0 where only the file's name says what it is for. */
  'product-id': number
  /** Model. */
  'product-name': string
  /** 1 = test build. */
  'firmware-id': number
  'marjor-ver': number
  'minor-ver': number
  'build-number': number
  /** Seconds since the epoch; 0 = unknown. */
  'build-time': number
  /** One letter. */
  'hardware-ver': string
}

export interface Firmware extends FirmwareInfo {
  id: number
  /** Name of the file as it was uploaded. */
  'file-path': string
  /** Bytes. */
  'file-size': number
  /** Seconds since the epoch. */
  'upload-date': number
  /** Ours: SHA-256 of the file, hex. */
  sha256: string
}

export interface FirmwareListRequest extends Page {
  /** 0 or absent = all. */
  'product-id'?: number
  /** One letter; absent = all. */
  'hardware-ver'?: string
  /** Ours: what fits this device. */
  sn?: string
  since?: number
}

/** By product, hardware, and the newest version first. */
export const listFirmware = call<FirmwareListRequest, ListReply<Firmware>>('GET', '/firmware/list', FIRMWARE_VIEW)

/** A whole file that the hub has taken, and that waits to be adopted. */
export interface UploadedFirmware {
  /** What `addFirmware` takes: a name of the hub's own, no path. */
  'file-path': string
  'file-size': number
  'firmware-info': FirmwareInfo
}

/**
 * Takes a file as multipart/form-data, part `file`, and holds it until it is adopted, for a day at most. A request lasts five
 * minutes at most: what takes longer goes in pieces.
 * 23 no .mwf, or a name that says nothing; 21 a header that cannot be read; 40 damaged; 18 more than `FIRMWARE_FILE_MAX`;
 * 29 with `SpaceNumbers`; 17 too many uploads at a time; 50 the file ended early.
 */
export const uploadFirmware = call<Nothing, UploadedFirmware>('POST', '/firmware/upload', FIRMWARE_MANAGER, 'form')

/** Besides result 29, all in bytes: what is free, what the upload needs, and what must stay free. */
export interface SpaceNumbers {
  'free-size'?: number
  'need-size'?: number
  'keep-size'?: number
}

/** Adopts an uploaded file. 22 with `id` when there is this version for this product; with `force` the new file takes its place. */
export const addFirmware = call<{ 'file-path': string; force?: boolean }, { id: number }>(
  'POST',
  '/firmware/add',
  FIRMWARE_MANAGER
)

/** 1005 when a rollout needs it; with `force` what has not started there is cancelled. 16 for an unknown one. */
export const deleteFirmware = call<{ id: number | number[]; force?: boolean }>(
  'POST',
  '/firmware/del',
  FIRMWARE_MANAGER
)

/** An upload in pieces, as far as it has come. */
export interface UploadState {
  /** 32 hex digits. */
  upload: string
  name: string
  /** Bytes of the whole file. */
  size: number
  /** Bytes that the hub has: where the next piece begins. */
  offset: number
}

/** Begins an upload in pieces. Refused as `uploadFirmware`, before a byte is sent. `sha256` of the whole file is checked at the end. */
export const startUpload = call<{ name: string; size: number; sha256?: string }, UploadState>(
  'POST',
  '/firmware/upload/start',
  FIRMWARE_MANAGER
)

/**
 * Takes a piece: its bytes are the body (application/octet-stream), the request is the query. What arrived before a connection broke
 * is kept. 27 with the right `offset` when it does not begin there; 16 for an upload that is unknown, finished or too old; 43 while
 * another piece of it is on its way; 18 for more than there should be.
 */
export const sendPiece = call<{ upload: string; offset: number }, UploadState>(
  'POST',
  '/firmware/upload/piece',
  FIRMWARE_MANAGER,
  'bytes'
)

export const queryUpload = call<{ upload: string }, UploadState>('GET', '/firmware/upload/state', FIRMWARE_MANAGER)

/** Checks the file; with `add` it is adopted at once (`id`), with `force` in the place of the same version. 50 while bytes are missing. */
export const finishUpload = call<
  { upload: string; add?: boolean; force?: boolean },
  UploadedFirmware & { id?: number }
>('POST', '/firmware/upload/finish', FIRMWARE_MANAGER)

/** Throws away what was sent. 16 when there is nothing. */
export const cancelUpload = call<{ upload: string }>('POST', '/firmware/upload/cancel', FIRMWARE_MANAGER)

/** States of a device in a rollout (specification 4). */
export const UPDATE = { failed: -1, idle: 0, waiting: 1, updating: 2, installing: 3, restarting: 4 } as const

/**
 * - `running`; `paused` by a user, or `stopped` after too many failures: what has begun goes on, nothing new begins until resumed
 * - `done`: every device has ended, one way or the other; `cancelled`: the same, and some were cancelled
 */
export type RolloutState = 'running' | 'paused' | 'stopped' | 'done' | 'cancelled'

export interface RolloutPlan {
  /** Devices of the first wave (1). */
  first?: number
  /** Devices of each further wave (10). */
  wave?: number
  /** Nothing new begins after so many failures (1); 0 = never mind failures. */
  'stop-after'?: number
}

export interface Rollout extends Required<RolloutPlan>, Standing {
  id: number
  'firmware-id': number
  'product-name': string
  'hardware-ver': string
  /** `major.minor.build` */
  version: string
  /** 1 = test build. */
  test: number
  state: RolloutState
  /** Who started it. */
  user: string
  /** Milliseconds since the epoch; `ended` 0 = not yet. */
  created: number
  ended: number
  /** Of the devices that the caller may see. */
  total: number
  waiting: number
  active: number
  done: number
  failed: number
  cancelled: number
}

/** One device of a rollout. */
export interface RolloutDevice extends DeviceUpdate {
  sn: string
  /** Name now; the serial of one that is no more. */
  name: string
  /** Versions when it was added, and as it says now. */
  from: string
  'firmware-ver': string
  /** Wave in which it began, from 1; 0 = not yet. */
  wave: number
  /** Milliseconds since the epoch; 0 = not yet. */
  started: number
  ended: number
}

/** `force`: also to a lower version, and data and settings may be lost. */
export interface UpgradeRequest extends Serials {
  'firmware-id': number
  force?: boolean
}

/**
 * Updates devices, all at a time as far as the hub goes: a rollout without waves.
 * Per device: 24 not for this model or hardware, 16 unknown, 12 offline, 11 already updating, 1009 it has a higher version,
 * 38 not accepted, 9 cannot be updated through the hub. As a whole: 16 no such firmware; the first device's when none can be done.
 * Ours besides: the rollout's `id`.
 */
export const upgradeDevices = call<UpgradeRequest, SerialResults & { id: number }>(
  'POST',
  '/device/upgrade',
  DEVICE_CONTROL
)

/** The same in waves. A wave begins when the one before it has ended, unless `stop-after` failures stopped the rollout. */
export const startRollout = call<UpgradeRequest & RolloutPlan, SerialResults & { id: number }>(
  'POST',
  '/rollout/start',
  DEVICE_CONTROL
)

/** Newest first; those of which the caller may see a device. */
export const listRollouts = call<Page & { since?: number }, ListReply<Rollout>>('GET', '/rollout/list', FIRMWARE_VIEW)
export const queryRollout = call<{ id: number }, { rollout: Rollout }>('GET', '/rollout/query', FIRMWARE_VIEW)
/** The devices of a rollout that the caller may see: those that failed first, else in their order. `rev` is that of the rollouts. */
export const listRolloutDevices = call<Page & { id: number; since?: number }, ListReply<RolloutDevice>>(
  'GET',
  '/rollout/devices',
  FIRMWARE_VIEW
)

/** What is done to a rollout: 16 unknown, 31 for who may not see all of its devices, 38 not in this state. */
export const pauseRollout = call<{ id: number }>('POST', '/rollout/pause', DEVICE_CONTROL)
/** Goes on, also where failures stopped it: those so far no longer count. */
export const resumeRollout = call<{ id: number }>('POST', '/rollout/resume', DEVICE_CONTROL)
/** Cancels what has not started. */
export const cancelRollout = call<{ id: number }>('POST', '/rollout/cancel', DEVICE_CONTROL)
/** Lets devices that failed or were cancelled wait once more; all of them without `sn`. 11 for those that another rollout has now. */
export const retryRollout = call<{ id: number; sn?: string[] }, SerialResults>('POST', '/rollout/retry', DEVICE_CONTROL)
/** Forgets a rollout that is over. */
export const deleteRollout = call<{ id: number }>('POST', '/rollout/del', DEVICE_CONTROL)
