// Who sees the devices and the channels that have no access setting of their own.
import { atom } from 'nanostores'
import { getGlobalDevice } from '../../../contract/device/device.ts'
import { getGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { createLiveValue } from '../../state/live-value.ts'

const source = { request: atom({}), pace: 'slowest', topic: 'user' } as const

export const $deviceDefault = createLiveValue({ ...source, call: getGlobalDevice })
export const $channelDefault = createLiveValue({ ...source, call: getGlobalChannel })
