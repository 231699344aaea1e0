// A hub behind a bad line to its cloud. `test/soak/hub-behind-thin-line.test.ts` measures the time on a thin one.
import assert from 'node:assert/strict'
import { CLIENT_OFFLINE, SUCCESS, TARGET_TIMEOUT } from '../../contract/codes.ts'
import type { LineResult } from '../kit/cloud/line-journey.ts'
import { measureLossyLine, measureThinLine } from '../kit/cloud/line-measurement.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('hub behind a bad line')

/** Bytes of the line, to and from the hub, with which its dashboard is filled: 1.5 s of a line of 64 kbit/s. */
const DASHBOARD_BYTES = 12_000
/** Seconds within which a call must have ended: 10 s for a challenge, and those of a read or a write. */
const CALL_MAX = { read: 28, write: 200 }

/** Each call has ended in an answer or a stated time-out, and not all in a time-out. */
function checkCalls(calls: LineResult['calls']): void {
  assert.ok(calls.some(({ result }) => result === SUCCESS))
  for (const { result, isWrite, seconds } of calls) {
    assert.ok([SUCCESS, TARGET_TIMEOUT, CLIENT_OFFLINE].includes(result), String(result))
    assert.ok(seconds < (isWrite ? CALL_MAX.write : CALL_MAX.read), `${seconds} s`)
  }
}

test('the dashboard of a hub needs few bytes of its line, because its files come from the cloud', async () => {
  const { bytes, calls } = await measureThinLine()
  assert.ok(bytes)
  const sum = bytes.down + bytes.up
  assert.ok(sum > 1000 && sum < DASHBOARD_BYTES, `${sum} bytes`)
  checkCalls(calls)
})

test('on a line that loses 5 % of its packets the dashboard is filled within 8 s of the sign-in', async () => {
  const { dashboard = Number.POSITIVE_INFINITY, calls } = await measureLossyLine(5)
  assert.ok(dashboard < 8, `${dashboard} s`)
  checkCalls(calls)
})

test('on a line that loses 30 % of its packets every call ends in an answer or a stated time-out', async () => {
  const { calls } = await measureLossyLine(30)
  checkCalls(calls)
})

test.run()
