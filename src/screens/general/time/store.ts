// The clock of the machine under the hub.
import { atom } from 'nanostores'
import { getTime, type SetTimeRequest, setTime } from '../../../../contract/machine/time.ts'
import { createLiveValue } from '../../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../../state/mutations.ts'
import * as OUTCOME from '../../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $time = createLiveValue({ call: getTime, request: atom({}), pace: 'slowest', topic: 'status' })

export const saveTime = (request: SetTimeRequest, options: FailureOptions) =>
  sendMutation(setTime, request, {
    ...options,
    success: { text: request.time === undefined ? OUTCOME.settingsSaved : TEXT.clockSet }
  })
