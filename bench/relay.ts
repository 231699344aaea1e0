// The relay of the cloud: calls and files of a hub through it, and links of hubs that are idle.
import type { Suite } from './measurement.ts'
import { measureIdleLinks } from './relay/idle-links.ts'
import { measurePaths } from './relay/paths.ts'

export const suite: Suite = {
  title: 'relay',
  run: async () => [...(await measurePaths()), ...(await measureIdleLinks())]
}
