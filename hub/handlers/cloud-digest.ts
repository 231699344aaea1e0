// The digest that the cloud gets of this hub (contract/cloud/digest.ts): the verdicts of the hub, as far as every user
// of the cloud may see them.
import { CHANNEL_VIEW, DEVICE_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import {
  CHANNEL_ORDER,
  DIGEST_CHANNELS_MAX,
  DIGEST_PROBLEMS_MAX,
  DIGEST_TEXT_MAX,
  type Digest,
  type DigestChannel,
  type DigestCounts,
  type DigestProblem
} from '../../contract/cloud/digest.ts'
import type { HostAllowList } from '../../web-server/host-allow-list.ts'
import type { Caller } from '../auth/caller.ts'
import type { CloudCallers } from '../auth/cloud-callers.ts'
import { hubName } from './machine/name.ts'
import { type ProblemParts, ProblemView } from './problem.ts'

export interface DigestParts extends ProblemParts {
  cloudCallers: Pick<CloudCallers, 'viewer'>
  hosts: HostAllowList
  version: string
}

/** Text without control characters and of limited length. */
const clip = (text: string, max = DIGEST_TEXT_MAX) =>
  [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')].slice(0, max).join('')

const clipField = <Key extends string>(key: Key, text: string | undefined) =>
  (text === undefined ? {} : { [key]: clip(text) }) as { [Each in Key]?: string }

function listChannels({ store, gate, channelHealth }: DigestParts, viewer: Caller): DigestChannel[] {
  if (!isPermitted(CHANNEL_VIEW, viewer.user)) return []
  const isVisible = gate.channelsVisibleTo(viewer)
  return store.channels
    .all()
    .filter(({ id }) => isVisible(id))
    .map(({ id, name }) => {
      const { assessment, since } = channelHealth.assess(id) ?? {}
      const { verdict = 'stopped' } = assessment ?? {}
      return { id, name: clip(name), verdict, ...(since !== undefined && { since }) }
    })
    .sort((a, b) => CHANNEL_ORDER.indexOf(a.verdict) - CHANNEL_ORDER.indexOf(b.verdict))
}

/** Without words, and without the countdown of a failover, which changes every second. */
function listProblems(parts: DigestParts, viewer: Caller): DigestProblem[] {
  const all = new ProblemView(parts, { caller: viewer, language: 'en' }).list()
  return all.map(({ message: _message, 'returns-in-s': _countdown, maintenance: _maintenance, ack, ...problem }) => ({
    ...problem,
    ...clipField('name', problem.name),
    ...clipField('channel-name', problem['channel-name']),
    ...(ack && { ack: { ...ack, by: clip(ack.by), note: clip(ack.note) } })
  }))
}

/** @returns undefined if the group of the role does not exist */
export function readDigest(parts: DigestParts): Digest | undefined {
  const viewer = parts.cloudCallers.viewer()
  if (!viewer) return undefined
  const channels = listChannels(parts, viewer)
  const problems = listProblems(parts, viewer)
  const { verdict, since, reason, 'next-step': step } = parts.problems.hubHealth()
  const health = { verdict, ...(since && { since }), ...(reason && { reason }), ...(step && { 'next-step': step }) }
  return {
    hub: {
      name: clip(hubName(parts)),
      version: clip(parts.version, 32),
      health,
      counts: countAll(parts, viewer, channels, problems)
    },
    problems: problems.slice(0, DIGEST_PROBLEMS_MAX),
    channels: channels.slice(0, DIGEST_CHANNELS_MAX)
  }
}

function countAll(
  { gate, registry }: DigestParts,
  viewer: Caller,
  channels: readonly DigestChannel[],
  problems: readonly DigestProblem[]
): DigestCounts {
  const isDeviceVisible = isPermitted(DEVICE_VIEW, viewer.user) ? gate.devicesVisibleTo(viewer) : () => false
  const devices = registry.countDevices(isDeviceVisible)
  const verdicts = CHANNEL_ORDER.flatMap((verdict) => {
    const count = channels.filter((channel) => channel.verdict === verdict).length
    return count > 0 ? [[verdict, count] as const] : []
  })
  return {
    channels: channels.length,
    verdicts: Object.fromEntries(verdicts),
    devices: devices['num-all'],
    'devices-offline': devices['num-all'] - devices['num-online'],
    bad: problems.filter(({ severity }) => severity === 'bad').length,
    warn: problems.filter(({ severity }) => severity === 'warn').length
  }
}
