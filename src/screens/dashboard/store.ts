import { atom } from 'nanostores'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { type LogEntry, listLog } from '../../../contract/log.ts'
import { type Channel, channelDashboard } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Rows in each card. */
const ROW_COUNT = 8

/** Network rates of the last minute and of the last hour. */
export const $bandwidth = createLiveValue({
  call: systemStatus,
  request: atom({ history: 1 }),
  pace: 'slower',
  topic: 'status'
})

export const $warnings = createLiveList({
  call: listDevices,
  request: atom({ status: 'dev-warns', count: ROW_COUNT, sort: 'name' as const, order: 'ascending' as const }),
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

const createLogList = (type: 'system' | 'device') =>
  createLiveList({
    call: listLog,
    request: atom({ type, count: ROW_COUNT }),
    pace: 'slowest',
    topic: 'log',
    keyOf: (line: LogEntry) => line.id
  })

export const LOGS = { system: createLogList('system'), device: createLogList('device') }

export const $activeChannels = createLiveList({
  call: channelDashboard,
  request: atom({ live: 1 }),
  pace: 'slow',
  topic: 'channel',
  keyOf: (channel: Channel) => channel.id
})
