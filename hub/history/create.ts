// Connects the history of channels with the parts of the hub that it measures.
import { join } from 'node:path'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { HISTORY_FOLDER } from '../data-folder/entries.ts'
import type { Emitter } from '../emitter.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { Lifetime } from '../lifetime.ts'
import type { WatchFeed } from '../preview/watch-feed.ts'
import type { Store } from '../store/store.ts'
import { ChannelHistories } from './history.ts'
import { Sampler } from './sample.ts'

interface HistoryParts {
  store: Store
  lifetime: Lifetime
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  watches: WatchFeed
  /** Announces deleted channels. */
  channelControl: { removed: Emitter<[id: number]> }
  /** Undefined: nothing is stored. */
  dataFolder: string | undefined
}

/** Creates the history of channels. `start` it when the engine has reported its channels. */
export function createHistories(parts: HistoryParts): ChannelHistories {
  const { store, lifetime, engine, channelHealth, watches, channelControl, dataFolder } = parts
  const sampler = new Sampler({ engine, channelHealth, watches })
  const histories = new ChannelHistories({
    folder: dataFolder && join(dataFolder, HISTORY_FOLDER),
    channels: () => channelHealth.ids(),
    isKept: (id) => (store.channels.byId(id) ?? store.trash.byObject('channel', id)) !== undefined,
    isObserving: () => !engine.isAway(),
    sample: (id, seconds) => sampler.sample(id, seconds),
    storageFault: () => store.database.storageFault
  })
  channelControl.removed.on((id) => {
    sampler.forget(id)
    histories.channelRemoved(id)
  })
  return lifetime.add(histories)
}
