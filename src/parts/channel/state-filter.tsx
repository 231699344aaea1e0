// The filter of channels by their state, on the dashboard and above the list of channels.
import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../other-hubs.ts'
import { healthLabel } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { ListFilter } from '../resource-list.tsx'

const STATE: Translation = ['State', '状态']
const WAITING: Translation = ['Waiting', '等待']

/** The filter by state. A channel that starts is counted with those that wait. */
export const stateFilter = (): ListFilter<Channel> => ({
  name: 'state',
  label: STATE,
  chips: CHANNEL_VERDICTS.filter((verdict) => verdict !== 'starting').map((verdict) => {
    const { tone, shape, text } = healthLabel({ verdict })
    return {
      value: verdict,
      label: verdict === 'waiting' ? t(WAITING) : text,
      mark: <StatusLabel tone={tone} shape={shape} text="" />
    }
  }),
  matches: (channel, state) => channelHealth(channel).verdict.replace('starting', 'waiting') === state
})
