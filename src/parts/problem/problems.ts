// Everything that is wrong now: the list of the hub, or what can be computed from channels and devices if the hub has
// no list.
import { atom } from 'nanostores'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, listDevices } from '../../../contract/device/device.ts'
import { acknowledgeProblems, listProblems, type Problem } from '../../../contract/problem.ts'
import { type Channel, channelDashboard } from '../../../contract/stream/channel.ts'
import { computeProblems, isMissingCall } from '../../other-hubs.ts'
import { $channels } from '../../state/channels.ts'
import { createLiveList, type LiveListState } from '../../state/live-list.ts'
import type { LiveState } from '../../state/live-store.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { useStore } from '../../ui/use-store.ts'
import { wordedHealth } from '../device/device-facts.tsx'
import { problemName } from './describe-problem.ts'
import * as TEXT from './text.ts'

/** Devices of which problems are computed. */
const DEVICES_MAX = 500

const $troubledDevices = createLiveList({
  call: listDevices,
  request: atom({ 'reg-state': 'accepted' as const, status: 'offline,dev-warns', count: DEVICES_MAX }),
  pace: 'slowest',
  topic: 'device'
})

/** Replaces a list that the user has no permission for, or that is not needed. */
const $empty = atom<LiveListState<never, never>>({
  phase: 'ready',
  code: SUCCESS,
  updatedAt: Number.POSITIVE_INFINITY,
  items: [],
  total: 0
})

/** The hub's list. */
const $problems = createLiveValue({ call: listProblems, pace: 'slow', topic: 'problem' })

export interface Problems extends LiveState {
  items: readonly Problem[]
  /** Whether the hub keeps acknowledgements. */
  canAcknowledge: boolean
}

/** The problems that the user has access to. */
export function useProblems(): Problems {
  const isAllowed = useStore($isAllowed)
  const { value, ...listed } = useStore($problems)
  const isComputed = listed.phase === 'failed' && isMissingCall(listed.code)
  const channels = useStore<LiveListState<Channel, unknown>>(
    isComputed && isAllowed(channelDashboard) ? $channels : $empty
  )
  const devices = useStore<LiveListState<Device, unknown>>(
    isComputed && isAllowed(listDevices) ? $troubledDevices : $empty
  )
  if (!isComputed) return { ...listed, items: value?.list ?? [], canAcknowledge: true }
  const { phase, code } = channels.phase === 'ready' ? devices : channels
  return {
    phase,
    code,
    updatedAt: Math.min(channels.updatedAt, devices.updatedAt),
    items: computeProblems(channels.items, devices.items, wordedHealth),
    canAcknowledge: false
  }
}

const namesOf = (problems: readonly Problem[]) => problems.map(problemName)

/** Acknowledges problems, seen by everyone until they end. @returns whether that succeeded */
export const acknowledge = (problems: readonly Problem[], note: string, options: FailureOptions = {}) =>
  sendMutation(
    acknowledgeProblems,
    { id: problems.map(({ id }) => id), ...(note && { note }) },
    {
      ...options,
      success: { text: TEXT.acknowledgedName, names: namesOf(problems), undo: () => withdrawAcknowledgements(problems) }
    }
  )

/** Withdraws the acknowledgements of problems. */
const withdrawAcknowledgements = (problems: readonly Problem[], undo?: () => unknown) =>
  sendMutation(
    acknowledgeProblems,
    { id: problems.map(({ id }) => id), undo: true },
    { success: { text: TEXT.withdrawn, names: namesOf(problems), ...(undo && { undo }) } }
  )

/** Withdraws the acknowledgement of a problem, which the user can undo. */
export const withdrawAcknowledgement = (problem: Problem) =>
  withdrawAcknowledgements([problem], () => acknowledge([problem], problem.ack?.note ?? ''))
