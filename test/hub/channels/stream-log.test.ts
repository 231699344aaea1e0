import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createStreamLog } from '../../../hub/channels/stream-log.ts'
import type { Store } from '../../../hub/store/store.ts'

const test = suite('stream log')

test('strangers who call a port with other stream IDs write 6 lines a minute each, and 30 together', () => {
  const lines: string[] = []
  const logEvent = ({ detail = '' }: { detail?: string | undefined }) => lines.push(detail)
  const log = createStreamLog({ logEvent } as unknown as Store, () => 1_700_000_000_000)
  const refuse = (address: string, id: number) =>
    log.logStreamEvent(
      { channelId: 1, kind: 'caller-refused', name: 'Stage in', address, reason: `stream-id-refused ${id}` },
      1_700_000_000_000
    )
  for (let n = 0; n < 100; n++) refuse('10.0.0.7', n)
  assert.equal(lines.length, 6)
  assert.equal(lines[0], 'Stage in, 10.0.0.7: #stream-id-refused 0')
  for (let n = 0; n < 100; n++) refuse(`10.0.1.${n}`, n)
  assert.equal(lines.length, 30)
})

test.run()
