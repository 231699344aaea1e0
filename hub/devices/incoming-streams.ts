// Status of the streams that devices send to the hub, as the hub receives them. Independent of what a device reports
// about its streams.
import type { IngestStatus } from '../../contract/device/status.ts'
import type { ObservedChannel, ObservedLeg } from '../../engine/interfaces/channel.ts'
import type { Store } from '../store/store.ts'

interface IncomingStreamsOptions {
  store: Pick<Store, 'channels' | 'devices'>
  observe(channelId: number): ObservedChannel
  /** The stream of a device started, ended, changed its connection state, or went on air or off. */
  onDeviceChanged(deviceId: number): void
}

export function createIncomingStreams({
  store: { channels, devices },
  observe,
  onDeviceChanged
}: IncomingStreamsOptions) {
  /** By channel id: connection states, and whether on air, by device id, as last reported to `onDeviceChanged`. */
  const reported = new Map<number, Map<number, string>>()

  /** The legs of an enabled channel that come from devices: the backup inputs, then the main input. */
  function deviceLegs(channelId: number): [deviceId: number, leg: ObservedLeg][] {
    const row = channels.byId(channelId)
    if (row?.enable !== 1 || row.input_id === null) return []
    const { input, backups = [] } = observe(channelId)
    const legs: [number, ObservedLeg][] = [...backups, [row.input_id, input]]
    return legs.filter(([id]) => devices.byId(id))
  }

  /** The device whose stream the outputs of a channel receive; undefined if it is another input or the slate. */
  function deviceOnAir(channelId: number): number | undefined {
    const { inputId, slate } = observe(channelId).onAir ?? {}
    return inputId !== undefined && !slate && devices.byId(inputId) ? inputId : undefined
  }

  return {
    /** Channels by the device that is on air there. */
    listOnAir(): Map<number, number> {
      return new Map(
        channels.all().flatMap(({ id, enable }) => {
          const device = enable ? deviceOnAir(id) : undefined
          return device === undefined ? [] : [[device, id] as const]
        })
      )
    },

    /**
     * Takes a snapshot of all streams. A device that is an input of several channels sends one stream.
     * @param full whether to include the values that change all the time
     * @returns function that looks up the stream of a device
     */
    listByDevice(full: boolean): (deviceId: number) => IngestStatus | undefined {
      const legs = new Map(channels.all().flatMap(({ id, enable }) => (enable ? deviceLegs(id) : [])))
      return (deviceId) => {
        const leg = legs.get(deviceId)
        if (!leg) return undefined
        const { connState, kbps, reason } = leg
        return { 'conn-state': connState, ...(full && { kbps }), ...(reason !== undefined && { reason }) }
      }
    },

    /** Compares the streams of a channel with those reported before, and reports the devices whose state differs. */
    refreshChannel(channelId: number): void {
      const before = reported.get(channelId) ?? new Map<number, string>()
      const onAir = deviceOnAir(channelId)
      const now = new Map(
        deviceLegs(channelId).map(([deviceId, { connState }]) => [deviceId, `${connState} ${deviceId === onAir}`])
      )
      if (now.size > 0) reported.set(channelId, now)
      else reported.delete(channelId)
      for (const deviceId of new Set([...before.keys(), ...now.keys()]))
        if (before.get(deviceId) !== now.get(deviceId)) onDeviceChanged(deviceId)
    }
  }
}

export type IncomingStreams = ReturnType<typeof createIncomingStreams>
