// What libsrt tells of a connection, through our program.

/** What SRT counted since the connection began. */
export interface SrtFigures {
  bytes: number
  packets: number
  lost: number
  /** Too late to be of use. */
  dropped: number
  /** Of a sender to us: lost, and there in time after all. */
  recovered?: number
  /** Of who takes from us: sent once more. */
  retransmitted?: number
  undecrypted: number
  /** Milliseconds. */
  rtt: number
  /** Milliseconds, as both ends agreed. */
  latency: number
  /** Mbps that the line would carry, as SRT estimates it. */
  bandwidth: number
}

/** Has who carries a connection's bytes hear of its figures: call with each piece of them. */
export function figuresTeller(
  connection: { figures?: SrtFigures },
  hear: ((figures: SrtFigures) => void) | undefined
): () => void {
  let heard: SrtFigures | undefined
  return () => {
    const { figures } = connection
    if (!figures || figures === heard) return
    heard = figures
    hear?.(figures)
  }
}
