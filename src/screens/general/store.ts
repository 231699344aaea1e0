// The general settings of the hub, and its clock.
import { setDeviceName } from '../../../contract/machine/name.ts'
import { getTime, type SetTimeRequest, setTime } from '../../../contract/machine/time.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'
import { TEXT as TIME_TEXT } from './time-text.ts'

export const saveName = (name: string, options: FailureOptions) =>
  sendMutation(
    setDeviceName,
    { name },
    {
      ...options,
      success: (response) => ({ text: response['ext-need-reboot'] ? TEXT.needsReboot : OUTCOME.saved, names: [name] })
    }
  )

/** The clock of the machine under the hub. */
export const $time = createLiveValue({ call: getTime, pace: 'slowest', topic: 'status' })

export const saveTime = (request: SetTimeRequest, options: FailureOptions) =>
  sendMutation(setTime, request, {
    ...options,
    success: { text: request.time === undefined ? OUTCOME.settingsSaved : TIME_TEXT.clockSet }
  })
