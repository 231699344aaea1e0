// Stores of the device page: the device, and the newest lines of its log.
import { atom, computed } from 'nanostores'
import { queryDevice } from '../../../contract/device/device.ts'
import { listDeviceStreams } from '../../../contract/device/stream.ts'
import { webPagePath } from '../../../contract/device/web-page.ts'
import { listLog } from '../../../contract/log.ts'
import { transport } from '../../link/fetch-json.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Log lines shown. */
const LOG_LINE_COUNT = 20

/** Serial number of the device whose page is open. */
export const $sn = atom('')

export const $device = createLiveValue({
  call: queryDevice,
  request: computed($sn, (sn) => ({ sn })),
  pace: 'slower',
  topic: 'device'
})

/** The streams of a camera or server that is not the vendor's. */
export const $streams = createLiveValue({
  call: listDeviceStreams,
  request: computed($sn, (sn) => ({ sn })),
  pace: 'rare',
  topic: 'source'
})

export const $log = createLiveList({
  call: listLog,
  request: computed($sn, (sn) => ({ type: 'device' as const, sn, count: LOG_LINE_COUNT })),
  pace: 'slowest',
  topic: 'log'
})

/** URL of the device's own web page, through the hub's proxy. */
export function webPageUrl(sn: string): string {
  return transport.base + webPagePath(sn)
}
