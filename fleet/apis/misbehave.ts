// Responses of devices that misbehave.
import type { Behaviour } from '../behaviour.ts'

/** A response with its body. */
export interface DeviceResponse {
  status: number
  type: string
  body: string | Buffer
}

export function jsonResponse(body: object, status = 200): DeviceResponse {
  return { status, type: 'application/json;charset=utf-8', body: JSON.stringify(body) }
}

/**
 * Invalid responses: truncated JSON, HTML, other JSON types, impossible values, binary data, no body, an error status.
 */
const INVALID_RESPONSES: readonly DeviceResponse[] = [
  { status: 200, type: 'application/json', body: '{"result":0,"sysstat":{"cpu-usage":' },
  { status: 200, type: 'text/html', body: '<html><body><h1>It works!</h1></body></html>' },
  { status: 200, type: 'application/json', body: '[null,-1,"result"]' },
  jsonResponse({
    result: '0',
    status: null,
    'cur-status': -1,
    'box-name': { toString: 1 },
    'cpu-temperature': 'hot',
    sysstat: { uptime: -5e15, 'cpu-usage': 4711, 'eth-tx': 'NaN' },
    'input-signal': [],
    'disk-info': 'none',
    device: { name: 7, 'cpu-usage': {}, 'up-time': '1e999' },
    ethernet: null,
    cpu: [[]],
    uptime: true
  }),
  { status: 200, type: 'application/json', body: Buffer.alloc(65_536, 0xff) },
  { status: 200, type: 'application/json', body: '' },
  { status: 500, type: 'text/plain', body: 'Segmentation fault (core dumped)\n' }
]

/** Bytes of padding for the behaviour `flood`. */
const PADDING = 50 << 20

/** Pads a response with spaces. The padding is allocated for each response, because it is large and rarely needed. */
function padResponse({ status, type, body }: DeviceResponse): DeviceResponse {
  return { status, type, body: Buffer.concat([Buffer.alloc(PADDING, ' '), Buffer.from(body)]) }
}

/**
 * Selects the response according to the behaviour.
 * @param index number of earlier responses; selects the invalid response
 * @param respond returns the normal response
 * @param refuse returns the response of a device that refuses everything
 * @returns undefined: the device does not respond
 */
export function misbehave(
  behaviour: Behaviour,
  index: number,
  respond: () => DeviceResponse,
  refuse: () => DeviceResponse
): DeviceResponse | undefined {
  if (behaviour === 'stall') return undefined
  if (behaviour === 'lie') return INVALID_RESPONSES[index % INVALID_RESPONSES.length]
  if (behaviour === 'flood') return padResponse(respond())
  return behaviour === 'refuse' ? refuse() : respond()
}
