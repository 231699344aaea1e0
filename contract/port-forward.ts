// Port forwarding: the hub listens on a local port and forwards connections to a port of a device, through the device link. Port forwards
// are not stored: they end when the hub stops, when the session that started them ends, and when its user loses the permission.

import { DEVICE_ADV_CONTROL } from './access/permissions.ts'
import { type DeltaRequest, declareCall, type ListResponse, type PageRequest } from './call.ts'

/** idle: the device is offline; the hub refuses connections. */
export const FORWARD_STATE = { idle: 0, connected: 1 } as const

/** Port forwards of a hub, and open connections of each. */
export const FORWARDS_MAX = 64
export const FORWARD_CONNECTIONS_MAX = 128

export interface PortForward {
  /** Unique for each start. */
  id: number
  sn: string
  /** Name of the device. */
  name: string
  /** Port of the hub, on the address that its web server listens on. */
  'local-port': number
  /** Port of the device, on its loopback address 127.0.0.1. */
  'remote-port': number
  /** `FORWARD_STATE`. */
  state: number
  /** Bytes sent to the device and received from it since the start. */
  'bytes-in': number
  'bytes-out': number
  /** Open connections. */
  connections: number
  /** Start time in milliseconds since the epoch. */
  since: number
  /** Name of the user who started it. */
  user: string
}

/**
 * Lists the port forwards of devices that the caller may see. The revision of the topic `portforward` also increases with the counters, at
 * most once per second.
 * Requires DEVICE_ADV_CONTROL instead of DEVICE_CONTROL because a forwarded port reaches every service on the device, bypasses the relay's
 * list of methods, and needs no sign-in.
 */
export const listPortForwards = declareCall<PageRequest & DeltaRequest, ListResponse<PortForward>>(
  'GET',
  '/portforward/list',
  DEVICE_ADV_CONTROL
)

export interface StartPortForwardRequest {
  sn: string
  /** 0 or absent: the hub chooses a port. */
  'local-port'?: number
  'remote-port': number
}

/**
 * Starts a port forward and returns it. For an offline device it connects as soon as the device is online.
 * 16 unknown device; 38 device not accepted; 1007 with `port` if the local port is in use; 31 with `field` if the hub may not open the local
 * port; 17 with `max` if there are too many port forwards.
 */
export const startPortForward = declareCall<StartPortForwardRequest, { forward: PortForward }>(
  'POST',
  '/portforward/start',
  DEVICE_ADV_CONTROL
)

/** Selects a port forward by its id, or by device and ports. */
export type StopPortForwardRequest = { id: number } | { sn: string; 'local-port': number; 'remote-port'?: number }

/** Stops a port forward and closes its connections. 16 if it does not exist or if the caller may not see its device. */
export const stopPortForward = declareCall<StopPortForwardRequest>('POST', '/portforward/stop', DEVICE_ADV_CONTROL)
