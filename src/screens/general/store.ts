// The general settings of the hub.
import { atom } from 'nanostores'
import { setDeviceName } from '../../../contract/machine/name.ts'
import { getSettings } from '../../../contract/settings.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $settings = createLiveValue({ call: getSettings, request: atom({}), pace: 'slowest', topic: 'status' })

export const saveName = (name: string, options: FailureOptions) =>
  sendMutation(
    setDeviceName,
    { name },
    {
      ...options,
      success: (response) => ({ text: response['ext-need-reboot'] ? TEXT.needsReboot : OUTCOME.saved, names: [name] })
    }
  )
