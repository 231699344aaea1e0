// An engine on the loopback without devices, whose changes and events nobody hears.
import type { EngineOptions } from '../../engine/engine.ts'

export const NO_DEVICES: EngineOptions = {
  ...{ pushHost: '127.0.0.1', outputHost: '127.0.0.1', sharedHost: '127.0.0.1' },
  order: async () => {},
  endOrder: async () => {},
  play: async () => {},
  endPlay: async () => {},
  deviceOnline: () => false,
  changed() {},
  event() {}
}
