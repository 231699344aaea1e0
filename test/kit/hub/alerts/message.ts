// Messages of notifications, as the hub hands them to senders.
import assert from 'node:assert/strict'
import { type AlertMessage, SendError } from '../../../../hub/alerts/sender.ts'

/** A problem of two channels, with characters that protocols treat specially. */
export const PROBLEM: AlertMessage = {
  id: '7f3c2a10-5d1e-4a51-9a2e-3f1f7c0b9d11',
  alarm: '41',
  state: 'problem',
  severity: 'bad',
  since: Date.UTC(2026, 10, 23, 3, 0, 0),
  title: 'Switch “North” <offline> & 2 channels\r\nBcc: everybody@evil.test',
  text: 'Channel 体育 is off air\nChannel <b>News</b> is off air',
  cause: 'device-offline',
  concerns: [
    { kind: 'channel', id: 'channel-1', name: '体育' },
    { kind: 'channel', id: 'channel-2', name: '<b>News</b>' }
  ],
  concernCount: 2,
  hub: { name: 'Studio, "A"', sn: 'HE-0001' }
}

export const RECOVERED: AlertMessage = {
  ...PROBLEM,
  id: '0d0cf0ad-2a88-4a0c-8c8b-8f1b84b8b0b1',
  state: 'recovered',
  endedAt: PROBLEM.since + 90_000
}

/** The error with which an attempt ends. */
export async function sendError(attempt: Promise<unknown>): Promise<SendError> {
  const error = await attempt.then(
    () => assert.fail('the message was sent'),
    (reason: unknown) => reason
  )
  assert.ok(error instanceof SendError, String(error))
  return error
}

/** The signal of an attempt that is not aborted. */
export const unaborted = (): AbortSignal => new AbortController().signal
