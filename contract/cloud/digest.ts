// The digest of a hub: its own health, its channels and its problems, which the cloud shows of all hubs at once. When a
// hub is accepted, the cloud opens a stream on each link of the hub (`link.ts`):
//   GET /link/digest    response 200 with lines of JSON of DigestLine, which lasts as long as the link
// One link carries the digest: that of the stream that was opened first. The streams of other links say so in each
// line (`standby`). When the first one ends, the hub sends the whole digest over the next one.
// The first line has `reset`. A line is sent at once when a verdict has changed, at most one a second, and else every
// DIGEST_INTERVAL. Between verdicts that change, numbers such as the packet loss wait for these lines, which are short.
import type { ChannelVerdict, Health, HubVerdict } from '../health.ts'
import type { Problem } from '../problem.ts'

export const DIGEST_PATH = '/link/digest'

/** Milliseconds between two lines if nothing changes, and after which a digest without a line is out of date. */
export const DIGEST_INTERVAL = 20_000
export const DIGEST_SILENCE_MAX = 60_000

/** Milliseconds between two lines in which verdicts have changed, or that continue the digest. */
export const DIGEST_PACE = 1000

/**
 * Bytes of a line that is sent because of time, so that an idle hub sends less than 2 KB a minute, and of any other
 * line, so that a hub behind 64 kbit/s can be worked with while its digest is sent.
 */
export const DIGEST_IDLE_LINE_MAX = 600
export const DIGEST_LINE_MAX = 4096

/** Channels and problems of a digest, the worst ones. The counts include the others. */
export const DIGEST_CHANNELS_MAX = 1000
export const DIGEST_PROBLEMS_MAX = 200

/** Characters of a name, and of a note. */
export const DIGEST_TEXT_MAX = 64

/** Times are in milliseconds since the epoch by the clock of the hub. */
export interface DigestLine {
  /** The clock of the hub when the line was sent. */
  now: number
  /** Another link carries the digest. */
  standby?: true | undefined
  /** What was sent before is void. */
  reset?: true | undefined
  /** Further lines follow soon, because the digest does not fit into this one. */
  more?: true | undefined
  /** Absent: unchanged. */
  hub?: DigestHub | undefined
  /** New and changed ones. */
  problems?: DigestProblem[] | undefined
  /** Ids of problems that have ended. */
  ended?: string[] | undefined
  /** New and changed ones. */
  channels?: DigestChannel[] | undefined
  /** Ids of channels that do not exist any more, or are not among the worst ones. */
  gone?: number[] | undefined
}

export interface DigestHub {
  name: string
  version: string
  health: Pick<Health<HubVerdict>, 'verdict' | 'since' | 'reason' | 'next-step'>
  counts: DigestCounts
}

/** Numbers of all objects that the cloud may see, also of those that are not listed. */
export interface DigestCounts {
  channels: number
  /** Channels by their verdict; 0 is left out. */
  verdicts: Partial<Record<ChannelVerdict, number>>
  devices: number
  'devices-offline': number
  bad: number
  warn: number
}

export interface DigestChannel {
  id: number
  name: string
  verdict: ChannelVerdict
  /** When the verdict began; absent: unknown. */
  since?: number | undefined
}

/** A problem as the hub lists it, without its words, which depend on the language. */
export type DigestProblem = Omit<Problem, 'message' | 'returns-in-s' | 'maintenance'>

/** What a cloud knows of a hub. */
export interface Digest {
  hub: DigestHub
  /** Worst first. */
  problems: DigestProblem[]
  channels: DigestChannel[]
}

/** Channels in the order in which they are listed: the worst ones first. */
export const CHANNEL_ORDER: readonly ChannelVerdict[] = ['down', 'degraded', 'starting', 'waiting', 'on-air', 'stopped']

/** What of a channel or a problem is sent and stored at once when it changes. Other fields can wait. */
export const channelVerdict = ({ name, verdict }: DigestChannel): string => JSON.stringify([name, verdict])
export const problemVerdict = (problem: DigestProblem): string => {
  const { severity, reason, 'next-step': step, name, 'channel-name': channelName, ack } = problem
  return JSON.stringify([severity, reason, step, name, channelName, ack?.by, ack?.note])
}
