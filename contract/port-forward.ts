// Port forwarding: a port of the hub that leads to a port of a device, through its link. Reference 8 for the paths, 3.6 for the state;
// specification 2. Nothing of it is kept: it ends with the hub, with the session of who started it, and when that user may no longer.
import { call, type ListReply, type Page, type Since } from './call.ts'
import { DEVICE_ADV_CONTROL } from './permissions.ts'

/** idle: the device is not there, and who connects is turned away. */
export const FORWARD_STATE = { idle: 0, connected: 1 } as const

/** Of a hub at one time: forwarded ports, and open connections of each. */
export const FORWARDS_MAX = 64
export const FORWARD_CONNECTIONS_MAX = 128

export interface PortForward {
  /** Ours: made anew for each start. */
  id: number
  sn: string
  /** Ours: the device's name. */
  name: string
  /** On the address that the hub listens on. */
  'local-port': number
  /** On the device itself (its 127.0.0.1), never on another machine. */
  'remote-port': number
  /** `FORWARD_STATE`. */
  state: number
  /** Ours: bytes that went to the device, and that came from it, since the start. */
  'bytes-in': number
  'bytes-out': number
  /** Ours: open now. */
  connections: number
  /** Ours: milliseconds since the epoch of the start. */
  since: number
  /** Ours: name of who started it. */
  user: string
}

/**
 * Those of devices that the caller may see. The topic `portforward` moves with the counters too, at most once a second.
 * DEVICE_ADV_CONTROL and not DEVICE_CONTROL: a forwarded port reaches whatever listens on the device, past the methods that the relay
 * lets through, and is open to everybody who reaches the hub's address, without signing in.
 */
export const listPortForwards = call<Page & Since, ListReply<PortForward>>(
  'GET',
  '/portforward/list',
  DEVICE_ADV_CONTROL
)

export interface NewPortForward {
  sn: string
  /** 0 or absent: the hub chooses. */
  'local-port'?: number
  'remote-port': number
}

/**
 * Answers with what is forwarded now. A device that is offline is forwarded to once it comes. 16 unknown device, 38 one that is not
 * accepted, 1007 with `port` for a local port that is taken, 31 with `field` for one that the hub may not open, 17 with `max`.
 */
export const startPortForward = call<NewPortForward, { forward: PortForward }>(
  'POST',
  '/portforward/start',
  DEVICE_ADV_CONTROL
)

/** By its id, or as it was started. */
export type OldPortForward = { id: number } | { sn: string; 'local-port': number; 'remote-port'?: number }

/** Cuts its connections. 16 for one that is not there, or whose device the caller does not see. */
export const stopPortForward = call<OldPortForward>('POST', '/portforward/stop', DEVICE_ADV_CONTROL)
