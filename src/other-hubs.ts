// What other hubs lack, and what the console does instead. It works with any hub that answers the documented calls,
// such as the vendor's. Stores and components call these functions; nothing else asks what kind of hub it is. The words
// for responses that have only numbers are in text/.

import type { Call, EmptyRequest, ResponseOf } from '../contract/call.ts'
import { type Catalog, toCatalogId } from '../contract/catalog.ts'
import { getRevisions, type Topic } from '../contract/change-feed.ts'
import { UNSUPPORTED } from '../contract/codes.ts'
import type { Device } from '../contract/device/device.ts'
import { assessDevice } from '../contract/device/device-health.ts'
import { DEVICE_STATUS_BITS } from '../contract/device/status.ts'
import {
  DEFAULT_HEALTH_BOUNDS,
  type DeviceVerdict,
  type Health,
  type HealthBounds,
  type InputVerdict
} from '../contract/health.ts'
import { listedParts, type Problem } from '../contract/problem.ts'
import type { getSettings } from '../contract/settings.ts'
import type { Channel } from '../contract/stream/channel.ts'
import { assessChannel, assessInput, assessOutput, hasMedia } from '../contract/stream/channel-health.ts'
import type { ChannelInput, ChannelOutput } from '../contract/stream/leg.schema.ts'
import { systemStatus } from '../contract/system.ts'

/** Whether a response says that the hub does not have the call. */
export const isMissingCall = (result: number): boolean => result === UNSUPPORTED

/**
 * The call that the change feed polls while there is no socket: the revisions of all topics. A hub without revisions is
 * polled for its status, to notice that it is alive; the stores then load at their own pace.
 */
export const pollCall = (hasRevisions: boolean): Call<EmptyRequest, { revs?: Partial<Record<Topic, number>> }> =>
  hasRevisions ? getRevisions : (systemStatus as Call<EmptyRequest, object>)

// Verdicts. This hub sends them, with words, duration and measured quality. They are computed from states otherwise.

/** Of an input that failed without a cause it is known only that the channel has none. */
const INPUT_FAILED = { reason: 'no-input', 'next-step': 'check-source' } as const

export function channelHealth(channel: Channel): Health {
  if (channel.health) return channel.health
  const health = assessChannel(channel)
  return health.reason === 'failed' ? { ...health, ...INPUT_FAILED } : health
}

export const outputHealth = (channel: Channel, output: ChannelOutput): Health =>
  output.health ?? assessOutput(channel.config.enable, output, hasMedia(channel))

export const inputHealth = (channel: Channel, input: ChannelInput): Health<InputVerdict> =>
  input.health ?? assessInput(channel.config.enable, input, channel['on-air']?.input)

export const deviceHealth = (device: Device): Health<DeviceVerdict> => device.health ?? assessDevice(device)

/**
 * Whether the hub itself asks before a call takes a channel off air, and names the channels and their receivers.
 * Another hub makes the call at once, so that the console has to ask.
 */
export const asksBeforeOffAir = (channel: Channel): boolean => channel.health !== undefined

/** The numbers above which a channel is degraded, which a hub without verdicts does not have. */
export const healthBounds = (config: { health?: HealthBounds }): HealthBounds => config.health ?? DEFAULT_HEALTH_BOUNDS

// Problems. Without a list of the hub they are computed from channels and devices, and cannot be acknowledged.

/** @returns the problem, with `since` 0 if it is unknown since when it lasts */
const toProblem = (
  problem: Omit<Problem, 'since' | 'reason'>,
  { verdict: _, since = 0, reason = 'failed', ...health }: Health<string>
): Problem => ({ ...health, ...problem, since, reason })

function problemsOfChannel(channel: Channel): Problem[] {
  const { id, name } = channel
  const health = channelHealth(channel)
  const legs = channel.outputs.list.map((output) => ({ output, health: outputHealth(channel, output) }))
  const listed = listedParts(health, legs, (leg) => leg.health.verdict)
  const severity = health.verdict === 'down' ? 'bad' : 'warn'
  const own = toProblem({ id: `channel-${id}`, kind: 'channel', severity, name, channel: id }, health)
  const problems = listed.outputs.map(({ output, health: ofOutput }) => {
    const place = { name: output.name, channel: id, 'channel-name': name, output: output.id }
    return toProblem({ id: `output-${id}-${output.id}`, kind: 'output', severity: 'warn', ...place }, ofOutput)
  })
  return listed.channel ? [...problems, own] : problems
}

function problemsOfDevice({ sn, name }: Device, health: Health<DeviceVerdict>): Problem[] {
  if (health.verdict !== 'offline' && health.verdict !== 'warning') return []
  const severity = health.verdict === 'offline' ? 'bad' : 'warn'
  return [toProblem({ id: `device-${sn}`, kind: 'device', severity, name, sn }, health)]
}

/**
 * All problems, worst first, of equal ones the newest first.
 * @param devices at least those that are offline or have warnings
 * @param healthOf the verdict on a device, with the message that the list is to show
 */
export function computeProblems(
  channels: readonly Channel[],
  devices: readonly Device[],
  healthOf: (device: Device) => Health<DeviceVerdict> = deviceHealth
): Problem[] {
  const ofDevices = devices.flatMap((device) => problemsOfDevice(device, healthOf(device)))
  return [...channels.flatMap(problemsOfChannel), ...ofDevices].sort(
    (a, b) => a.severity.localeCompare(b.severity) || b.since - a.since
  )
}

// Fields of responses.

/**
 * The groups of a list, each once. A hub can list them one by one, or as trees with the groups below in `childs`. An
 * entry whose id is not above 0 is the root of a tree, or stands for devices without a group.
 * @param parent id of the group whose `childs` the list is
 */
export function flattenCatalogs(list: readonly Catalog[], parent = 0): Catalog[] {
  const groups = list.flatMap(({ childs = [], ...group }) => {
    const id = toCatalogId(group.id)
    const own = id === 0 ? [] : [{ ...group, 'parent-id': toCatalogId(group['parent-id'] ?? parent) }]
    return [...own, ...flattenCatalogs(childs, id)]
  })
  return [...new Map(groups.map((group) => [group.id, group])).values()]
}

/** The settings that a hub has sent. Another hub may leave parts out, or all. */
export const settingsOf = (response?: Partial<ResponseOf<typeof getSettings>>) => response?.settings ?? {}

export function isRecording({ status }: Device): boolean {
  return status?.recording?.on ?? Boolean((status?.['cur-status'] ?? 0) & DEVICE_STATUS_BITS.recording)
}

export function isStreaming({ status }: Device): boolean {
  return status?.live?.on ?? Boolean((status?.['cur-status'] ?? 0) & DEVICE_STATUS_BITS.streaming)
}

/** Milliseconds until the next preview image, if the hub does not announce it. */
export const PREVIEW_INTERVAL = 2000
