// Options of an engine on the loopback interface without devices. Its changes and events are ignored.
import type { EngineOptions } from '../../../engine/engine.ts'

export const NO_DEVICES: EngineOptions = {
  pushHost: '127.0.0.1',
  outputHost: '127.0.0.1',
  sharedHost: '127.0.0.1',
  orderPush: async () => {},
  cancelOrder: async () => {},
  orderPlayback: async () => {},
  cancelPlayback: async () => {},
  isDeviceOnline: () => false,
  onUpdate() {},
  onEvent() {}
}
