/** Statistics of one SRT connection, counted by libsrt since the connection opened. Sent as JSON by `headend-srt`. */
export interface SrtStats {
  bytes: number
  packets: number
  lost: number
  /** Packets that arrived too late to be used. */
  dropped: number
  /** Packets that were lost and then received in time; only when receiving. */
  recovered?: number
  /** Packets sent again; only when sending. */
  retransmitted?: number
  /** Packets that could not be decrypted. */
  undecrypted: number
  /** Round-trip time in milliseconds. */
  rtt: number
  /** Negotiated latency in milliseconds. */
  latency: number
  /** Estimated bandwidth of the path in Mbps. */
  bandwidth: number
  /**
   * Bytes sent since the receiver last acknowledged anything. While there are any, the other values are those of its
   * last acknowledgement.
   */
  unacknowledged?: number
  /** Packets of media that have arrived, also from a client that should only receive. */
  received?: number
}
