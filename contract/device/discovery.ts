// Search for devices, cameras, streaming servers and NDI sources in the network of one interface of the hub.

import { DEVICE_ADV_CONTROL } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { Discovered, DiscoveryInterface } from './discovery.schema.ts'

/** Addresses in the range of one search. */
export const RANGE_MAX = 1024

export const startDiscovery = declareCall('POST /device/discover', DEVICE_ADV_CONTROL)

export const listDiscovered = declareCall('GET /device/discovered', DEVICE_ADV_CONTROL)
