// Transport modes of NDI (docs/wire.md, "Inputs and outputs"). 0-3 are the vendor's numbers, 4 and 5 are ours.

export const NDI_UDP = 0
export const NDI_MULTICAST = 1
export const NDI_RUDP = 2
export const NDI_MULTI_TCP = 3
export const NDI_TCP = 4
/** Receiver and sender choose. */
export const NDI_AUTO = 5

export const NDI_TRANSPORT_MAX = NDI_AUTO
