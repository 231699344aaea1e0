// One device, and the newest lines of its log.
import { atom } from 'nanostores'
import { queryDevice } from '../../../contract/device.ts'
import { type LogLine, listLog } from '../../../contract/log.ts'
import { webPagePath } from '../../../contract/web-page.ts'
import { door } from '../../link/exchange.ts'
import { liveList } from '../../state/live-list.ts'
import { liveValue } from '../../state/live-value.ts'

/** Lines that are shown. */
const LINES = 20

const $asked = atom({ sn: '' })

export const $device = liveValue({ call: queryDevice, request: $asked, pace: 'slower', topic: 'device' })

const $logged = atom({ type: 'device' as const, sn: '', count: LINES })

export const $log = liveList({
  call: listLog,
  request: $logged,
  pace: 'slowest',
  topic: 'log',
  keyOf: (line: LogLine) => line.id
})

/** Asks for another device; the same one is not asked for again. */
export function ask(sn: string): void {
  if ($asked.get().sn !== sn) $asked.set({ sn })
  if ($logged.get().sn !== sn) $logged.set({ ...$logged.get(), sn })
}

/** Where a device's own page is, for a window of its own. */
export function webPage(sn: string): string {
  return door.base + webPagePath(sn)
}
