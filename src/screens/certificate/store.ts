import { atom } from 'nanostores'
import { getSettings } from '../../../contract/settings.ts'
import { createLiveValue } from '../../state/live-value.ts'

export const $settings = createLiveValue({ call: getSettings, request: atom({}), pace: 'slowest', topic: 'status' })
