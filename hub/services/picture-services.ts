// Creates the components that send pictures to pages: previews, and channels that a page plays.
import type { Gate } from '../auth/gate.ts'
import { createPreviewAccess } from '../auth/preview-access.ts'
import { createPreviewFeed } from '../preview/feed.ts'
import { createPreviewUpstream } from '../preview/upstream.ts'
import { WatchFeed } from '../preview/watch-feed.ts'
import type { Store } from '../store/store.ts'
import type { DeviceServices } from './device-services.ts'
import type { HubOptions } from './options.ts'
import type { StreamServices } from './stream-services.ts'

interface PictureServicesOptions {
  store: Store
  gate: Gate
  engine: StreamServices['engine']
  links: DeviceServices['links']
  options: HubOptions
}

export function createPictureServices({ store, gate, engine, links, options }: PictureServicesOptions) {
  const createAccessCheck = createPreviewAccess(store, gate)
  const previews = createPreviewFeed({
    subscribe: createPreviewUpstream({ engine, links, size: options.preview }),
    createAccessCheck
  })
  const watches = new WatchFeed({
    engine,
    createAccessCheck,
    onChange: (id) => store.changes.markChanged('channel', id)
  })
  return { previews, watches }
}
