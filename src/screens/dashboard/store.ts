import { atom } from 'nanostores'
import { listLog } from '../../../contract/log.ts'
import { systemStatus } from '../../../contract/system.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Lines in the log card. */
const ROW_COUNT = 8

/** Network rates of the last minute and of the last hour. */
export const $bandwidth = createLiveValue({
  call: systemStatus,
  request: atom({ history: 1 }),
  pace: 'slower',
  topic: 'status'
})

const createLogList = (type: 'system' | 'device') =>
  createLiveList({
    call: listLog,
    request: atom({ type, count: ROW_COUNT }),
    pace: 'slowest',
    topic: 'log'
  })

export const LOGS = { system: createLogList('system'), device: createLogList('device') }
