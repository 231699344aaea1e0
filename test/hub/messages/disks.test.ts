import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { DeviceDisk } from '../../../contract/device/status.ts'
import { diskStatus } from '../../../hub/messages/disks.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('disk messages')

const textsOf = (disk: Partial<DeviceDisk>) =>
  inBothLanguages((language) => diskStatus(language, { kind: 'usb', state: 'ok', ...disk }).text)

test('every state has a label in both languages', () => {
  for (const state of ['none', 'invalid', 'full', 'ok'] as const)
    assertTranslated((language) => [diskStatus(language, { kind: 'sd', state, total: 5 }).text])
})

test('free space is shown in a suitable unit', () => {
  assert.deepEqual(textsOf({ total: 61_056, free: 20_000 }), ['19.5 GB of 59.6 GB free', '剩余 19.5 GB / 59.6 GB'])
  const sizes: [number, string][] = [
    [0, '0 MB'],
    [0.4, '0 MB'],
    [1, '1 MB'],
    [1023, '1,023 MB'],
    [1024, '1 GB'],
    [1300, '1.27 GB'],
    [200 * 1024, '200 GB'],
    [3 * 1024 ** 2, '3 TB'],
    [5000 * 1024 ** 2, '5,000 TB']
  ]
  for (const [free, text] of sizes) assert.equal(textsOf({ free, total: 1 })[0], `${text} of 1 MB free`)
})

test('remaining recording time is shown in its two largest units', () => {
  const times: [number, string | undefined][] = [
    [7200, '2 h'],
    [7320, '2 h 2 min'],
    [90_000, '1 d 1 h'],
    [86_460, '1 d'],
    [61, '1 min 1 s'],
    [59, '59 s'],
    [0, undefined]
  ]
  for (const [seconds, text] of times)
    assert.equal(
      textsOf({ total: 2, free: 1, 'free-sec': seconds })[0],
      `1 MB of 2 MB free${text ? `, ${text} of recording time` : ''}`
    )
  assert.equal(textsOf({ total: 2, free: 1, 'free-sec': 7320 })[1], '剩余 1 MB / 2 MB，可录制 2 小时 2 分')
})

test.run()
