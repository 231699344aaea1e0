// Protocol bits, node types, directions, source states and connection states.

export type { KeyLength } from './protocols.schema.ts'

export const PROTOCOL_DEFAULT = 0
export const RTMP = 1
export const SRT = 2
export const UDP = 4
export const RTP = 8
export const RTSP = 16
/** HTTP(S) for an input, HLS for an output. */
export const HTTP = 32
export const NDI = 64

export const PROTOCOL_NAMES: Readonly<Record<number, string>> = {
  [RTMP]: 'RTMP',
  [SRT]: 'SRT',
  [UDP]: 'UDP',
  [RTP]: 'RTP',
  [RTSP]: 'RTSP',
  [HTTP]: 'HTTP',
  [NDI]: 'NDI'
}

/** Protocol names for outputs. */
export const OUTPUT_PROTOCOL_NAMES: typeof PROTOCOL_NAMES = { ...PROTOCOL_NAMES, [HTTP]: 'HLS' }

/**
 * Ends a switch over the protocols of inputs or outputs. It does not compile if a protocol has no case.
 * @throws Error always
 */
export function failUnknownProtocol(_: never): never {
  throw new Error('The protocol is unknown here')
}

export const INPUT_DEVICE = 257
export const INPUT_CUSTOM = 258
/** A client that publishes with a channel's push key; `OUTPUT_PLAYER` plays with its play key. */
export const INPUT_PUBLISHER = 260
/** A source found by NDI discovery. */
export const NDI_DISCOVERED = 323
/** A device that plays a channel. */
export const OUTPUT_DEVICE = 513
export const OUTPUT_CUSTOM = 514
export const OUTPUT_PLAYER = 516
/** A device that can be both. As an input or output of a channel it keeps this type. */
export const INPUT_OUTPUT_DEVICE = 769

export const DIR_NONE = 0
export const DIR_INPUT = 256
export const DIR_OUTPUT = 512
export const DIR_BOTH = 768

/**
 * Node type of a device; undefined for a device that can be neither an input nor an output. @param dir direction of
 * the device
 */
export function deviceNodeType(dir: number): number | undefined {
  return (dir & DIR_BOTH) === 0 ? undefined : (dir & DIR_BOTH) | 1
}

/** Whether a node is a device. */
export const isDeviceNode = (type: number): boolean =>
  type === INPUT_DEVICE || type === OUTPUT_DEVICE || type === INPUT_OUTPUT_DEVICE

/** Source states. */
export const SOURCE_STATE = {
  initializing: 0,
  adding: 1,
  running: 2,
  addFailed: 3,
  configuring: 4,
  unsupported: 5,
  firmwareTooOld: 6,
  offline: 7,
  failed: 8
} as const

/** Connection states of a source. */
export const CONNECTION_STATE = {
  waiting: 0,
  connecting: 1,
  waitingForData: 2,
  connected: 10,
  failed: 20,
  disconnected: 21,
  refused: 22,
  nameNotFound: 23,
  tcpPortFailed: 24,
  handshakeFailed: 25,
  streamFailed: 26,
  notAuthorized: 27,
  creationFailed: 28
} as const
