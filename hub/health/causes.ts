// Maps the reason codes of the stream engine to the causes of verdicts.
import type { HealthReason } from '../../contract/health.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'

/** Without the reasons of which the connection state tells more, and those that are not of a failure. */
const CAUSE_OF_REASON: Readonly<Partial<Record<ReasonCode, HealthReason>>> = {
  'ended-silently': 'failed',
  'not-started': 'failed',
  'not-installed': 'not-installed',
  'no-answer': 'unreachable',
  'name-unknown': 'unreachable',
  'network-fails': 'unreachable',
  'call-refused': 'refused',
  'stream-id-unknown': 'refused',
  'stream-id-busy': 'refused',
  'other-end-full': 'refused',
  'wrong-direction': 'refused',
  'not-allowed': 'not-authorized',
  'passphrase-refused': 'not-authorized',
  'login-refused': 'not-authorized',
  'server-error': 'refused',
  'stream-refused': 'refused',
  'not-a-stream': 'not-media',
  'handshake-failed': 'refused',
  'timed-out': 'unreachable',
  'nothing-received': 'no-data',
  'wrong-passphrase': 'not-authorized',
  'key-unknown': 'not-authorized',
  'key-in-use': 'not-authorized',
  'key-other-way': 'not-authorized',
  'port-full': 'refused',
  'from-elsewhere': 'not-authorized',
  'no-data': 'no-data',
  'no-data-for': 'no-data',
  'not-mpeg-ts': 'not-media',
  'device-offline': 'device-offline',
  'device-refuses': 'refused',
  'codec-not-carried': 'wrong-format',
  'codec-unsupported': 'wrong-format',
  'device-cannot-push': 'refused',
  'device-cannot-play': 'refused',
  'firmware-too-old': 'refused',
  'device-silent': 'no-data',
  'device-not-calling': 'unreachable',
  'input-silent': 'input-silent',
  'install-with': 'not-installed',
  'not-veiled': 'not-installed',
  'port-taken': 'address-in-use',
  'port-privileged': 'port-closed',
  forbidden: 'refused',
  'no-one-there': 'refused',
  'ndi-missing': 'not-installed',
  'ndi-unusable': 'not-installed',
  'ndi-silent': 'not-installed',
  'ndi-offline': 'unreachable',
  'ndi-processor': 'not-installed',
  'target-stuck': 'too-slow',
  'target-stuck-for': 'too-slow',
  'engine-away': 'engine-away'
}

/** The cause that a reason of the engine means; undefined if its connection state tells more. */
export function causeOf(reason: Reason | undefined): HealthReason | undefined {
  return reason && CAUSE_OF_REASON[reason.split(' ', 1)[0] as ReasonCode]
}
