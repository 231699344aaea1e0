import { getSettings } from '../../contract/settings.ts'
import { createLiveValue } from './live-value.ts'

/** The settings of the hub. */
export const $settings = createLiveValue({ call: getSettings, pace: 'slowest', topic: 'status' })
