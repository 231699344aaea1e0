import { atom } from 'nanostores'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { type LogLine, listLog } from '../../../contract/log.ts'
import { type Channel, channelDashboard } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { liveList } from '../../state/live-list.ts'
import { liveValue } from '../../state/live-value.ts'

/** Lines and rows that the dashboard's cards hold. */
const ROWS = 8

/** The rates of the last minute and hour, for the chart. */
export const $bandwidth = liveValue({
  call: systemStatus,
  request: atom({ history: 1 }),
  pace: 'slower',
  topic: 'status'
})

export const $warnings = liveList({
  call: listDevices,
  request: atom({ status: 'dev-warns', count: ROWS, sort: 'name' as const, order: 'ascending' as const }),
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

const log = (type: 'system' | 'device') =>
  liveList({
    call: listLog,
    request: atom({ type, count: ROWS }),
    pace: 'slowest',
    topic: 'log',
    keyOf: (line: LogLine) => line.id
  })

export const LOGS = { system: log('system'), device: log('device') }

export const $active = liveList({
  call: channelDashboard,
  request: atom({ live: 1 }),
  pace: 'slow',
  topic: 'channel',
  keyOf: (channel: Channel) => channel.id
})
