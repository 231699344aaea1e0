// Transport modes of NDI (docs/wire.md, "Inputs and outputs"). 0-3 are the vendor's numbers, 4 and 5 are ours. Sender and receiver both have a
// choice: a mode is used if both permit it, and otherwise a single TCP connection.

export const NDI_UDP = 0
export const NDI_MULTICAST = 1
export const NDI_RUDP = 2
export const NDI_MULTI_TCP = 3
export const NDI_TCP = 4
/** What the NDI runtime prefers, which is reliable UDP. */
export const NDI_AUTO = 5

export const NDI_TRANSPORT_MAX = NDI_AUTO

/** Fields of the transport, as in an NDI output and in a preset. */
export interface NdiTransportFields {
  /** Default: `NDI_AUTO`. */
  'transport-mode'?: number
  /** Multicast: the first address of the range from which the runtime takes addresses, its mask, and the time to live of the packets. */
  'mcast-ip'?: string
  'mcast-sub-mask'?: string
  'mcast-time-to-live'?: number
}
