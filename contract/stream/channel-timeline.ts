// The timeline of a channel: what happened to it, kept 90 days (docs/wire.md, "Timeline of a channel").
import { CHANNEL_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { TimelineEntry, TimelineEvent, TimelineKind } from './channel-timeline.schema.ts'

/** Kinds of entries, with their events. */
export const TIMELINE_EVENTS = {
  /** The verdict on the channel changed. */
  state: ['on-air', 'degraded', 'lost', 'waiting', 'interrupted', 'off-air'],
  input: ['input-lost', 'input-back', 'track-lost', 'track-found', 'input-changed', 'switched'],
  output: ['output-failed', 'output-back'],
  /** A user or the schedule changed or controlled the channel. */
  change: [
    'created',
    'deleted',
    'restored',
    'edited',
    'started',
    'stopped',
    'input-set',
    'input-chosen',
    'automatic',
    'outputs-added',
    'outputs-removed',
    'outputs-enabled',
    'outputs-disabled',
    'clients-dropped',
    'changed',
    'schedule-start',
    'schedule-stop',
    'schedule-refused'
  ],
  viewer: ['watched', 'player-connected'],
  /** The hub or the stream engine, in the timeline of every channel. */
  system: ['hub-started', 'hub-stopped', 'not-observed', 'engine-away', 'engine-back', 'engine-restarted']
} as const

export const TIMELINE_KINDS = ['state', 'input', 'output', 'change', 'viewer', 'system'] as const

/** Days for which entries are kept, and entries kept at most: of one channel, and of all. */
export const TIMELINE_DAYS = 90
export const TIMELINE_MAX = { channel: 2000, all: 50_000 } as const

export const channelTimeline = declareCall('GET /channel/timeline', CHANNEL_VIEW)
export const exportChannelTimeline = declareCall('GET /channel/timeline/file', CHANNEL_VIEW)
