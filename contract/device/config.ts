// Connection configuration: how streams are transported between a device and the hub. Not for the Ultra Stream family.

export interface InputConfig {
  /** 0 default, 1 RTMP, 2 SRT. */
  protocol: number
  /** 0 main stream, 1 sub-stream. */
  'stream-index': number
  /** SRT latency in milliseconds, 20-8000; default 120. */
  latency?: number
}

export interface OutputConfig {
  protocol: number
  latency?: number
  /** Playback buffer of the device in milliseconds, 1-2000; default: the setting of the device. */
  'buffer-ms'?: number
}

/** An absent half falls back to the global configuration, then to SRT, main stream, 120 ms. */
export interface DeviceConfig {
  input?: InputConfig
  output?: OutputConfig
}

/** Global configuration in responses of list and query calls. */
export interface GlobalConfig {
  device: DeviceConfig
}
