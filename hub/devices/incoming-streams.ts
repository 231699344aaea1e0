// The streams that the hub has ordered of devices, as they arrive: whatever a device says of itself, these bytes are counted here.
import type { ArrivingStream } from '../../contract/device/device.ts'
import type { ChannelObserved, LegObserved } from '../../engine/engine.ts'
import type { Store } from '../store/store.ts'

export interface ArrivingOptions {
  store: Pick<Store, 'channels' | 'devices'>
  observe(channelId: number): ChannelObserved
  /** Another connection state of a device's stream, or none any more. */
  changed(deviceId: number): void
}

export function createArriving({ store: { channels, devices }, observe, changed }: ArrivingOptions) {
  /** By channel: the devices that it had last, and the connection states that were told. */
  const told = new Map<number, Map<number, number>>()

  /** What a channel that runs has of devices: its first input and its backups. */
  function legsOf(channelId: number): [device: number, leg: LegObserved][] {
    const row = channels.byId(channelId)
    if (row?.enable !== 1 || row.input_id === null) return []
    const { input, backups = [] } = observe(channelId)
    const legs: [number, LegObserved][] = [...backups, [row.input_id, input]]
    return legs.filter(([id]) => devices.byId(id))
  }

  return {
    /**
     * The streams of all devices, by their ids: a device that is the input of several channels sends once.
     * @param full with what changes all the time
     */
    all(full: boolean): (deviceId: number) => ArrivingStream | undefined {
      const ordered = new Map(channels.all().flatMap(({ id, enable }) => (enable ? legsOf(id) : [])))
      return (deviceId) => {
        const leg = ordered.get(deviceId)
        if (!leg) return undefined
        const { connState, kbps, reason } = leg
        return { 'conn-state': connState, ...(full && { kbps }), ...(reason !== undefined && { reason }) }
      }
    },

    /** A channel may show something else now. */
    look(channelId: number): void {
      const before = told.get(channelId) ?? new Map<number, number>()
      const now = new Map(legsOf(channelId).map(([device, { connState }]) => [device, connState]))
      if (now.size > 0) told.set(channelId, now)
      else told.delete(channelId)
      for (const device of new Set([...before.keys(), ...now.keys()]))
        if (before.get(device) !== now.get(device)) changed(device)
    }
  }
}

export type Arriving = ReturnType<typeof createArriving>
