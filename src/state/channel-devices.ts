// Accepted devices that can be an input or an output of a channel.
import { atom } from 'nanostores'
import { listDevices } from '../../contract/device/device.ts'
import { createLiveList } from './live-list.ts'

const createDeviceList = (dir: 'input' | 'output') =>
  createLiveList({
    call: listDevices,
    request: atom({ dir, sort: 'name' as const, order: 'ascending' as const }),
    pace: 'slowest',
    topic: 'device'
  })

export const $inputDevices = createDeviceList('input')
export const $outputDevices = createDeviceList('output')
