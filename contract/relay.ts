// Calls that the hub relays to one device: `/socket/...?sc-client-id=<sn>`, outside `/api` (docs/wire.md, "Device
// generations"). The response is the device's own, with its code in `result` (usapi) or `status` (mwapi, api). Errors
// of the hub are in `result`: 31, 37, 7 (also for a body that is too large), 9 (unknown path or method), 10004 (the
// device did not respond in time), 10006 (unknown device), 10007 (device offline).

/** Query parameter with the serial number of the device. */
export const CLIENT_ID_PARAM = 'sc-client-id'
/** Names of the parameter that the hub takes: the vendor's documents have both. */
export const CLIENT_ID_PARAMS = [CLIENT_ID_PARAM, 'client-id'] as const

/** Path of calls that a hub relays to a device; in the cloud, of calls of a hub, whose serial number is a parameter. */
export const RELAY_PREFIX = '/socket'
export const HUB_ID_PARAM = 'client-id'

/** In the cloud: path that opens a port of the hub which was forwarded to a device; the port follows. */
export const FORWARD_PREFIX = '/socket/sc-port/'

/** Path of the change feed behind a cloud relay, which forwards it to the hub unchanged. */
export const RELAYED_FEED_PATH = '/socket/sub_socket'
