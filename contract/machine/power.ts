// Restart and shutdown of the machine under the hub, and the reset of all settings (docs/wire.md, "Power and reset").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest, type LockoutInfo } from '../call.ts'
import type { MachineAccess } from './machine.ts'

/** A program that holds up a restart or shutdown of the machine (an inhibitor of systemd-logind). */
export interface Inhibitor {
  who: string
  why: string
}

export interface PowerState {
  /** Whether the hub can restart and shut down its machine. */
  access: MachineAccess
  /** Name of the hub. The request of a reset repeats it. */
  name: string
  /** When this hub was started, in milliseconds since the epoch: another value means that it was started again. */
  'start-time': number
  /** Names of the running channels, which stop. */
  channels: string[]
  /** Whether channels that the caller may not see are running, too. */
  'has-other-channels'?: true
  /** File names of uploads of device firmware that are incomplete. A restart interrupts them, a reset deletes them. */
  uploads: string[]
  /** Why the hub refuses a restart, a shutdown and a reset now, in the language of the request. */
  busy?: string
  /** Programs of the machine that hold up a restart or shutdown. */
  inhibitors?: Inhibitor[]
  /** Why the last restart or shutdown did not happen, in the language of the request. */
  failure?: string
}

export const getPower = declareCall<EmptyRequest, PowerState>('GET', '/system/power', SYSTEM_CONFIG_VIEW)

export interface PowerRequest {
  /** Stops running channels, and interrupts uploads. */
  force?: boolean
}

/**
 * Restarts the machine, about a second after the response. 11 during an update, a reset or an import, or if a program of the machine holds it
 * up; 26 if the hub cannot do it; 1009 with `owner-i` while channels run or uploads are incomplete, unless
 * `force` is set.
 */
export const rebootSystem = declareCall<PowerRequest>('POST', '/system/reboot', SYSTEM_CONFIG_EDIT)

/** The same, under the path with which newer devices are restarted. */
export const rebootHub = declareCall<PowerRequest>('POST', '/reboot', SYSTEM_CONFIG_EDIT)

/** Shuts the machine down. Errors as for a restart. */
export const shutDownSystem = declareCall<PowerRequest>('POST', '/system/shutdown', SYSTEM_CONFIG_EDIT)

export interface ResetRequest {
  /** The hub's name, as proof that this hub is meant. */
  name: string
  /** MD5 of the caller's password. */
  pass: string
  /** Code of the second factor, if the caller has one. */
  code?: string
  /** Keeps ports, also those of SRT and RTMP, HTTPS with its certificates, the further names of the hub, and the notes on network interfaces. */
  'keep-network'?: boolean
  /** Keeps the licence. */
  'keep-license'?: boolean
  /** Stops running channels, and deletes incomplete uploads. */
  force?: boolean
}

export interface ResetReply {
  /** Port of the console after the reset. */
  'http-port': number
}

/**
 * Resets all settings: the hub starts again as at its first start. For administrators, because afterwards the first user is one. 7 if `name`
 * is another one; 11 and 1009 as for a restart; 1007 with `port` and `holder` if another program has a port that the hub would return to; 39
 * wrong password or code, 1101 the code is missing; 9 if the hub keeps its data in memory.
 */
export const resetSettings = declareCall<ResetRequest, ResetReply & LockoutInfo>('POST', '/system/reset', 'admin')
