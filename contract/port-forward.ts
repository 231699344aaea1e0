// Port forwarding: the hub listens on a local port and forwards connections to a port of a device, through the device
// link. Port forwards are not stored: they end when the hub stops, when the session that started them ends, and when
// its user loses the permission.

import { DEVICE_ADV_CONTROL } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { RequestTo } from './calls.schema.ts'

export type { PortForward } from './port-forward.schema.ts'

/**
 * idle: the device is offline; the hub refuses connections. failed: the last connection did not reach the port of the
 * device.
 */
export const FORWARD_STATE = { idle: 0, connected: 1, failed: 2 } as const

/** Port forwards of a hub, and open connections of each. */
export const FORWARDS_MAX = 64
export const FORWARD_CONNECTIONS_MAX = 128

export const listPortForwards = declareCall('GET /portforward/list', DEVICE_ADV_CONTROL)

export type StartPortForwardRequest = RequestTo<'POST /portforward/start'>

export const startPortForward = declareCall('POST /portforward/start', DEVICE_ADV_CONTROL)

export const stopPortForward = declareCall('POST /portforward/stop', DEVICE_ADV_CONTROL)
