// The client of the process `headend-engine`, with methods that can be passed on without their object.
import type { EngineClient, EngineClientOptions } from '../interfaces/engine-client.ts'
import { SocketEngineClient } from './socket-client.ts'
import { openWatch } from './watch-fetch.ts'

/** Creates a client, which does nothing until `connect`. */
export function createEngineClient(options: EngineClientOptions): EngineClient {
  const client = new SocketEngineClient(options)
  const { mirror } = client
  const legId = (leg: number | undefined) => leg ?? 'input'
  return {
    connect: () => client.connect(),
    whenConnected: () => client.whenConnected(),
    isAway: () => client.isAway(),
    apply: (wanted) => client.apply(wanted),
    remove: (id) => client.remove(id),
    observe: (id) => client.observe(id),
    legReport: (id, leg) => mirror.report(id, legId(leg)),
    legHistory: async (id, leg, query) => client.require().call('history', id, legId(leg), query),
    legRows: async (id, leg, fields) => client.require().call('rows', id, legId(leg), [...fields]),
    resetStats: (id, legs) => client.resetStats(id, legs),
    audioLevel: (id) => client.audioLevel(id),
    watchPreview: (id, size, onImage) =>
      client.isWanted(id) ? client.previews.watchChannel(id, size, onImage) : undefined,
    watchNdi: (source, size, onImage) => client.previews.watchNdi(source, size, onImage),
    byteTotals: (id) => mirror.totals(id),
    configurePorts: (settings) => client.configurePorts(settings),
    observePorts: () => mirror.ports,
    retryPorts: () => client.notify('retryPorts'),
    disconnectClient: (channelId, id) => client.disconnectClient(channelId, id),
    trafficHistory: () => mirror.traffic,
    findNdiSources: () => client.ndi.findSources(),
    configureNdi: (settings) => client.ndi.configure(settings),
    observeNdi: () => client.ndi.observe(),
    checkNdiRuntime: () => client.ndi.checkRuntime(),
    notifyDeviceChange: (sn) => client.notifyDeviceChange(sn),
    recheckAddresses: () => client.recheckAddresses(),
    matricesChanged: () => client.router.apply(),
    takeRoutes: (id, routes) => client.router.takeRoutes(id, routes),
    observeMatrix: (id) => client.router.observe(id),
    ndiStatus: () => client.router.ndiStatus,
    processCount: () => mirror.processCount,
    usage: () => (client.isAway() ? undefined : mirror.usage),
    watchChannel: (id, signal) => openWatch(options.socket, id, signal),
    fetchHls: (request) => client.hls.fetch(request),
    close: () => client.close()
  }
}
