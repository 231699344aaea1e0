// What a device answers when it was told to misbehave.
import type { Behaviour } from '../behaviour.ts'

/** An answer as it goes out. */
export interface Said {
  status: number
  type: string
  body: string | Buffer
}

export function json(body: object, status = 200): Said {
  return { status, type: 'application/json;charset=utf-8', body: JSON.stringify(body) }
}

/** Things that are no answer: half of one, none at all, the wrong kind, far too much, and values that cannot be. */
const LIES: readonly Said[] = [
  { status: 200, type: 'application/json', body: '{"result":0,"sysstat":{"cpu-usage":' },
  { status: 200, type: 'text/html', body: '<html><body><h1>It works!</h1></body></html>' },
  { status: 200, type: 'application/json', body: '[null,-1,"result"]' },
  json({
    ...{ result: '0', status: null, 'cur-status': -1, 'box-name': { toString: 1 }, 'cpu-temperature': 'hot' },
    ...{ sysstat: { uptime: -5e15, 'cpu-usage': 4711, 'eth-tx': 'NaN' }, 'input-signal': [], 'disk-info': 'none' },
    ...{ device: { name: 7, 'cpu-usage': {}, 'up-time': '1e999' }, ethernet: null, cpu: [[]], uptime: true }
  }),
  { status: 200, type: 'application/json', body: Buffer.alloc(65_536, 0xff) },
  { status: 200, type: 'application/json', body: '' },
  { status: 500, type: 'text/plain', body: 'Segmentation fault (core dumped)\n' }
]

/** Bytes of an answer that floods. */
const FLOOD = 50 << 20

/** An answer that is as documented, with far too many spaces before it. Made when it is needed, and not kept. */
function flood({ status, type, body }: Said): Said {
  return { status, type, body: Buffer.concat([Buffer.alloc(FLOOD, ' '), Buffer.from(body)]) }
}

/**
 * What goes out instead of the honest answer.
 * @param turn counts the answers, so that each lie has its turn
 * @returns undefined to say nothing at all
 */
export function misbehave(
  behaviour: Behaviour,
  turn: number,
  honest: () => Said,
  refusal: () => Said
): Said | undefined {
  if (behaviour === 'stall') return undefined
  if (behaviour === 'lie') return LIES[turn % LIES.length]
  if (behaviour === 'flood') return flood(honest())
  return behaviour === 'refuse' ? refusal() : honest()
}
