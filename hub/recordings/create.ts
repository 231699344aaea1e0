// Connects recordings with the parts of the hub that they use.
import { join } from 'node:path'
import type { ChannelVerdict } from '../../contract/health.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { EngineEvents } from '../channels/engine.ts'
import { RECORDINGS_FOLDER } from '../data-folder/entries.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Store } from '../store/store.ts'
import { Recordings } from './recordings.ts'

/** Verdicts on a channel that are an alarm. */
const ALARMS: readonly ChannelVerdict[] = ['down', 'degraded']

interface RecordingParts {
  store: Store
  lifetime: Lifetime
  engine: EngineClient
  engineEvents: EngineEvents
  channelHealth: Pick<ChannelHealthMonitor, 'assess'>
  options: {
    data: string
    /** Absolute path. Default: in the data folder. A hub that keeps its data in memory has none. */
    recordings?: string
    clock?: (() => number) | undefined
  }
}

export function createRecordings(parts: RecordingParts): Recordings {
  const { store, lifetime, engine, engineEvents, channelHealth, options } = parts
  const { data, recordings: folder = data === ':memory:' ? undefined : join(data, RECORDINGS_FOLDER) } = options
  const recordings = new Recordings({
    store,
    folder,
    observe: engine.observe,
    badSince(channel) {
      const { assessment, since } = channelHealth.assess(channel) ?? {}
      return assessment && ALARMS.includes(assessment.verdict) ? since : undefined
    },
    now: options.clock ?? Date.now
  })
  engineEvents.channelChanged.on(recordings.channelChanged)
  return lifetime.add(recordings)
}
