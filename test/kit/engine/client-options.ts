// Options of an engine client without devices or NDI, for tests.
import type { EngineClientOptions } from '../../../engine/interfaces/engine-client.ts'

/** @param calls receives the names of the calls that the engine causes */
export function engineClientOptions(
  socket: string,
  calls: string[] = [],
  options: Partial<EngineClientOptions> = {}
): EngineClientOptions {
  return {
    socket,
    orderPush: async (sn) => void calls.push(`push ${sn}`),
    cancelOrder: async (sn) => void calls.push(`cancel ${sn}`),
    orderPlayback: async () => {},
    cancelPlayback: async () => {},
    deviceState: () => 'online',
    onlineDevices: () => [],
    forbidPrivate: () => false,
    onChannelChange() {},
    onPortsChange() {},
    onNdiSourcesChange() {},
    onNdiStateChange() {},
    wantedMatrices: () => [],
    onMatrixChange() {},
    onNdiStatusChange() {},
    onEvents: (events) =>
      void calls.push(...events.map((event) => (event.kind === 'stream' ? event.event.kind : event.kind))),
    onAway: () => calls.push('away'),
    onRestart: () => calls.push('restart'),
    onBack: ({ isRestarted }) => calls.push(`back ${isRestarted}`),
    onMissing() {},
    onOtherProtocol: (protocol) => calls.push(`protocol ${protocol}`),
    ...options
  }
}
