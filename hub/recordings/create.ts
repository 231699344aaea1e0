// Connects recordings with the parts of the hub that they use.
import { join } from 'node:path'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { EngineEvents } from '../channels/engine.ts'
import { RECORDINGS_FOLDER } from '../data-folder/entries.ts'
import type { Store } from '../store/store.ts'
import { Recordings } from './recordings.ts'

interface RecordingParts {
  store: Store
  engine: EngineClient
  engineEvents: EngineEvents
  /** Absolute path. Default: in the data folder. */
  folder: string | undefined
  /** Undefined: the hub keeps its data in memory. */
  dataFolder: string | undefined
  now?: (() => number) | undefined
}

export function createRecordings({ store, engine, engineEvents, folder, dataFolder, now }: RecordingParts): Recordings {
  const recordings = new Recordings({
    store,
    folder: folder ?? (dataFolder && join(dataFolder, RECORDINGS_FOLDER)),
    observe: engine.observe,
    now: now ?? Date.now
  })
  engineEvents.channelChanged.on(recordings.channelChanged)
  return recordings
}
