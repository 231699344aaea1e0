// How a device's stream is carried between it and the hub: reference 4.6. Not for Ultra Stream (specification 1).

export interface InputConfig {
  /** 0 the default, 1 RTMP, 2 SRT. */
  protocol: number
  /** 0 main, 1 sub. */
  'stream-index': number
  /** Milliseconds, SRT only: 20-8000. Absent: 120. */
  latency?: number
}

export interface OutputConfig {
  protocol: number
  latency?: number
  /** Milliseconds that the device buffers what it plays: 1-2000. Absent: as the device has it. */
  'buffer-ms'?: number
}

/** A half that is absent is as the global default has it; absent there, SRT, the main stream, 120 ms. */
export interface DeviceConfig {
  input?: InputConfig
  output?: OutputConfig
}

/** What list and query answers say beside the devices when asked to. */
export interface GlobalConfig {
  device: DeviceConfig
}
