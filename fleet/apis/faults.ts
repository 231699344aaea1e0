// Faults of demo devices: calls that a device refuses with an error code of its generation, and states that it reports.
// Each is also a behaviour (../behaviour.ts).

/** A call that a fault makes fail. */
type FaultyCall = 'status' | 'startRecording' | 'startLive' | 'stopLive' | 'reboot'

interface Fault {
  description: string
  /** The calls that fail; absent: the fault only changes what the device reports. */
  calls?: readonly FaultyCall[]
  /** The result code by API generation. A call of a generation without a code succeeds. */
  usapi?: number
  mwapi?: number
  api?: number
}

const RECORDING = ['startRecording'] as const
const LIVE = ['startLive'] as const

export const FAULTS = {
  'usb-lost': { description: 'loses its USB drive, which ends a recording', calls: RECORDING, usapi: 15, api: 12 },
  'usb-missing': { description: 'records to a USB drive and has none', calls: RECORDING, usapi: -20, api: 16 },
  'usb-full': { description: 'records to a USB drive that is full', calls: RECORDING, usapi: -16, api: 29 },
  'usb-invalid': { description: 'has a USB drive that it cannot read' },
  'slow-writes': { description: 'has a storage that is too slow', calls: RECORDING, usapi: -19, api: 54 },
  'read-only': { description: 'may not write to its storage', calls: RECORDING, usapi: -26, api: 26 },
  'storage-missing': { description: 'has no local storage', calls: RECORDING, usapi: -20, api: 16 },
  'ndi-limit': { description: 'records as many NDI sources as it can', calls: RECORDING, api: 17 },
  'ndi-no-signal': { description: 'has an NDI source without a signal', calls: RECORDING, api: 2001 },
  'full-ndi': { description: 'has a Full NDI source, which it cannot record', calls: RECORDING, api: 9 },
  'system-busy': { description: 'has no resources left', calls: RECORDING, usapi: -9, api: 8 },
  'bad-settings': { description: 'has invalid settings of its live stream', calls: LIVE, usapi: -10, api: 7 },
  'codec-error': { description: 'fails to encode its live stream', calls: LIVE, usapi: -23, api: 21 },
  'live-locked': { description: 'has a locked live stream', calls: LIVE, usapi: -2, api: 31 },
  'network-down': { description: 'cannot reach the server of its live stream', calls: LIVE, usapi: -21, api: 45 },
  'none-configured': { description: 'has no server for its live stream', calls: LIVE, usapi: 29, api: 16 },
  'too-many': { description: 'has too many servers in its Quick Stream', calls: LIVE, api: 17 },
  'test-running': { description: 'tests its stream', calls: ['startLive', 'stopLive'], usapi: -9, api: 11 },
  'operation-running': {
    description: 'is busy with another operation',
    calls: ['startRecording', 'startLive', 'stopLive'],
    usapi: -9,
    api: 11
  },
  'none-active': { description: 'has no Quick Stream to stop', calls: ['stopLive'], api: 38 },
  rebooting: { description: 'is about to reboot, and does not', calls: ['reboot'], usapi: -9, mwapi: 11, api: 11 },
  'old-firmware': { description: 'reports that newer firmware is available' },
  'unsupported-firmware': {
    description: 'has firmware without the status that the hub reads',
    calls: ['status'],
    usapi: -11,
    mwapi: 9,
    api: 9
  }
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS

/**
 * The result code with which a device refuses a call; undefined if it does not. @param behaviour any behaviour, see
 * ../behaviour.ts
 */
export function faultCode(behaviour: string, api: 'usapi' | 'mwapi' | 'api', call: FaultyCall): number | undefined {
  const fault: Fault | undefined = Object.hasOwn(FAULTS, behaviour) ? FAULTS[behaviour as FaultName] : undefined
  return fault?.calls?.includes(call) ? fault[api] : undefined
}
