// Waits until nothing is wrong with any channel.
import { channelDashboard } from '../../../contract/stream/channel.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import { until } from '../until.ts'

/**
 * Waits until all channels and all their outputs are on air.
 * @param count of the channels that the hub has then
 * @param steadyTime milliseconds for which the channels have been on air
 */
export function waitUntilAllOnAir(hub: Pick<HubProcess, 'send'>, count: number, steadyTime = 0): Promise<void> {
  return until(async () => {
    const { list } = await hub.send(channelDashboard, {})
    const isSteady = (since = 0) => Date.now() - since >= steadyTime
    return (
      list.length === count &&
      list.every(
        ({ health, outputs }) =>
          health?.verdict === 'on-air' &&
          isSteady(health.since) &&
          outputs.list.every((output) => output.health?.verdict === 'on-air')
      )
    )
  }, 'all channels and outputs are on air')
}
