// Everything that is wrong now, computed from channels, devices and the status of the hub.
import { atom } from 'nanostores'
import type { ListResponse } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import type { Problem } from '../../../contract/problem.ts'
import { type Channel, type ChannelDashboard, channelDashboard } from '../../../contract/stream/channel.ts'
import { $channels } from '../../state/channels.ts'
import { createLiveList, type LiveListState } from '../../state/live-list.ts'
import type { LiveState } from '../../state/live-store.ts'
import { $isAllowed } from '../../state/session.ts'
import { $system } from '../../state/system.ts'
import { useStore } from '../../ui/use-store.ts'
import { computeProblems } from './computed-problems.ts'

/** Devices of which problems are computed. */
const DEVICES_MAX = 500

const $troubledDevices = createLiveList({
  call: listDevices,
  request: atom({ 'reg-state': 'accepted' as const, status: 'offline,dev-warns', count: DEVICES_MAX }),
  pace: 'slowest',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

/** In place of a list that the user may not see. */
const createEmptyList = <Item, Response>() =>
  atom<LiveListState<Item, Response>>({
    phase: 'ready',
    code: SUCCESS,
    updatedAt: Number.POSITIVE_INFINITY,
    items: [],
    total: 0
  })
const $noChannels = createEmptyList<Channel, ChannelDashboard>()
const $noDevices = createEmptyList<Device, ListResponse<Device>>()

export interface Problems extends LiveState {
  items: readonly Problem[]
}

/** The problems that the user may see. */
export function useProblems(): Problems {
  const isAllowed = useStore($isAllowed)
  const channels = useStore(isAllowed(channelDashboard) ? $channels : $noChannels)
  const devices = useStore(isAllowed(listDevices) ? $troubledDevices : $noDevices)
  const system = useStore($system)
  const states: LiveState[] = [channels, devices, system]
  const { phase, code } = states.find((state) => state.phase !== 'ready') ?? system
  return {
    phase,
    code,
    updatedAt: Math.min(...states.map(({ updatedAt }) => updatedAt)),
    items: computeProblems(channels.items, devices.items, system.value?.status)
  }
}

/** Requests the lists again. */
export const refreshProblems = () => Promise.all([$channels, $troubledDevices, $system].map((store) => store.refresh()))
