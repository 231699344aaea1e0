// One device, and the newest lines of its log.
import { atom, computed } from 'nanostores'
import { queryDevice } from '../../../contract/device/device.ts'
import { webPagePath } from '../../../contract/device/web-page.ts'
import { type LogLine, listLog } from '../../../contract/log.ts'
import { door } from '../../link/fetch-json.ts'
import { liveList } from '../../state/live-list.ts'
import { liveValue } from '../../state/live-value.ts'

/** Lines that are shown. */
const LINES = 20

/** The serial number of the device that is asked for. */
export const $sn = atom('')

export const $device = liveValue({
  call: queryDevice,
  request: computed($sn, (sn) => ({ sn })),
  pace: 'slower',
  topic: 'device'
})

export const $log = liveList({
  call: listLog,
  request: computed($sn, (sn) => ({ type: 'device' as const, sn, count: LINES })),
  pace: 'slowest',
  topic: 'log',
  keyOf: (line: LogLine) => line.id
})

/** Where a device's own page is, for a window of its own. */
export function webPage(sn: string): string {
  return door.base + webPagePath(sn)
}
