// Asks a device at an address what it answers to the documented requests that change nothing, one after the other, with
// one login.
import type { DeviceApi } from '../../../contract/device/action.ts'
import { apiDefinition } from '../../../contract/device/api-definitions.ts'
import { type DeviceReport, REPORT_FORMAT, type ReportedAnswer } from '../../../contract/device/report.ts'
import type { StoredDeviceAddress } from '../../store/device-addresses.ts'
import type { AddressPolicy } from '../address/address-policy.ts'
import { identifyDevice } from '../address/identify.ts'
import { parseJson } from '../address/session.ts'
import { createRedaction, hideSerial } from './redact.ts'

/** Milliseconds of a request, and bytes of an answer. */
const TIMEOUT = 10_000
const ANSWER_MAX = 1 << 20
/** Characters of an answer that is no JSON. */
const TEXT_MAX = 2000

const query = (prefix: string, methods: readonly string[]) => methods.map((method) => `/${prefix}?method=${method}`)

/** What a report asks: documented requests without parameters that read, and one that no device has. */
const TARGETS: Readonly<Record<DeviceApi, readonly string[]>> = {
  usapi: query('usapi', ['ping', 'get-info', 'get-status', 'get-settings', 'get-report', 'headend-unknown']),
  mwapi: query('mwapi', [
    'ping',
    'get-summary-info',
    'get-caps',
    'get-eth-status',
    'get-rndis-status',
    'get-net-access',
    'get-update-state',
    'get-signal-info',
    'get-video-config',
    'get-audio-config',
    'get-ndi-config',
    'get-ndi-sources',
    'list-channels',
    'get-channel',
    'get-playback-config',
    'get-buffer-limit',
    'get-supported-video-modes',
    'get-video-format',
    'headend-unknown'
  ]),
  api: [
    '/api/system/device-info',
    '/api/system/basic-info',
    '/api/upgrade/state',
    '/api/source/list?type=all',
    '/api/ndi/receiver-info',
    '/api/headend-unknown'
  ]
}

/**
 * @param onAnswer called after each request
 * @throws LinkError as `identifyDevice`, also for a camera or server of another maker
 */
export async function createReport(
  address: StoredDeviceAddress,
  policy: AddressPolicy,
  onAnswer: (answer: ReportedAnswer) => void
): Promise<DeviceReport> {
  const { identity, api, session } = await identifyDevice(address, {}, policy, TIMEOUT)
  const generation = apiDefinition(api)?.generation
  if (!generation)
    throw new Error(`A report of a device with ${api} is not possible: it needs none of the vendor's APIs`)
  const redact = createRedaction(identity.sn, [address.user, address.password])
  const answers: ReportedAnswer[] = []
  for (const target of TARGETS[generation]) {
    const startedAt = performance.now()
    const request = { method: 'GET', path: target, maxBody: ANSWER_MAX }
    const { status, body } = await session.request(request, TIMEOUT)
    const parsed = parseJson(body) ?? body.toString().slice(0, TEXT_MAX)
    const answer = { target, status, body: redact(parsed), ms: Math.round(performance.now() - startedAt) }
    answers.push(answer)
    onAnswer(answer)
  }
  return {
    format: REPORT_FORMAT,
    api: generation,
    sn: hideSerial(identity.sn),
    model: identity['module-name'],
    firmware: identity['firmware-ver'],
    answers
  }
}
