// The streams that the hub has ordered of devices, as they arrive: whatever a device says of itself, these bytes are counted here.
import type { ArrivingStream } from '../../contract/device.ts'
import type { Store } from '../store/store.ts'
import type { ChannelObserved } from '../streams/engine.ts'

export interface ArrivingOptions {
  store: Pick<Store, 'channels' | 'devices'>
  observe(channelId: number): ChannelObserved
  /** Another connection state of a device's stream, or none any more. */
  changed(deviceId: number): void
}

export function createArriving({ store: { channels, devices }, observe, changed }: ArrivingOptions) {
  /** By channel: the device it had last, and the connection state that was told. */
  const told = new Map<number, { device: number; state: number }>()

  function present(channelId: number): { device: number; state: number } | undefined {
    const row = channels.byId(channelId)
    if (row?.enable !== 1 || row.input_id === null || !devices.byId(row.input_id)) return undefined
    return { device: row.input_id, state: observe(channelId).input.connState }
  }

  return {
    /**
     * The streams of all devices, by their ids: a device that is the input of several channels sends once.
     * @param full with what changes all the time
     */
    all(full: boolean): (deviceId: number) => ArrivingStream | undefined {
      const ordered = new Map<number, number>()
      for (const { id, enable, input_id: input } of channels.all()) if (enable && input !== null) ordered.set(input, id)
      return (deviceId) => {
        const channel = ordered.get(deviceId)
        if (channel === undefined) return undefined
        const { connState, kbps, reason } = observe(channel).input
        return { 'conn-state': connState, ...(full && { kbps }), ...(reason !== undefined && { reason }) }
      }
    },

    /** A channel may show something else now. */
    look(channelId: number): void {
      const before = told.get(channelId)
      const now = present(channelId)
      if (before?.device === now?.device && before?.state === now?.state) return
      if (now) told.set(channelId, now)
      else told.delete(channelId)
      if (before && before.device !== now?.device) changed(before.device)
      if (now) changed(now.device)
    }
  }
}

export type Arriving = ReturnType<typeof createArriving>
