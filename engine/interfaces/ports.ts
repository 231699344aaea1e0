// Settings and state of the shared SRT and RTMP ports.
import type { KeyLength, RTMP, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'

export interface PortSettings {
  srt: { port: number; 'pb-key-len': KeyLength; passphrase: string }
  rtmp: { port: number }
}

/** State of a port. Both fields are absent until a channel needs the port. */
export interface ObservedPort {
  /** The open port. */
  port?: number
  /** Why it is not open. */
  reason?: Reason
}

export interface ObservedPorts {
  srt: ObservedPort
  rtmp: ObservedPort
}

/** A client that was refused at a shared port. */
export interface PortRefusal {
  protocol: typeof RTMP | typeof SRT
  /** IP address. */
  address: string
  /** Undefined if the key is unknown. */
  channelId: number | undefined
  reason: Reason
}
