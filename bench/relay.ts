// The relay of the cloud.
import type { Suite } from './measurement.ts'
import { measurePaths } from './relay/paths.ts'

export const suite: Suite = {
  title: 'relay',
  run: async () => [...(await measurePaths())]
}
