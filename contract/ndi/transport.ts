// Transport modes of NDI (docs/wire.md, "Inputs and outputs"). 0-3 are the vendor's numbers, 4 and 5 are ours. Sender
// and receiver both have a

export type { NdiTransportFields } from './transport.schema.ts'
// choice: a mode is used if both permit it, and otherwise a single TCP connection.

export const NDI_UDP = 0
export const NDI_MULTICAST = 1
export const NDI_RUDP = 2
export const NDI_MULTI_TCP = 3
export const NDI_TCP = 4
/** What the NDI runtime prefers, which is reliable UDP. */
export const NDI_AUTO = 5

export const NDI_TRANSPORT_MAX = NDI_AUTO
