// Creates the hub's client of the stream engine.
import type { EngineClient, EngineClientOptions } from '../interfaces/engine-client.ts'
import { EnginePair } from './engine-pair.ts'

/** HTTP status of a stream key that an engine does not know. */
const NOT_FOUND = 404

/** Creates a client, which does nothing until `connect`. */
export function createEngineClient(options: EngineClientOptions): EngineClient {
  const pair = new EnginePair(options)
  const legId = (leg: number | undefined) => leg ?? 'input'
  const require = (id: number) => pair.of(id).require()
  return {
    connect: () => pair.current.connect(),
    whenConnected: () => pair.current.whenConnected(),
    isAway: () => pair.current.isAway(),
    version: () => pair.current.version(),
    restart: () => pair.current.restart(),
    canSwitchOver: () => pair.canSwitchOver,
    isSwitchingOver: () => pair.isSwitchingOver,
    switchOver: () => pair.switchOver(),
    apply: (wanted) => pair.of(wanted.id).apply(wanted),
    remove: (id) => pair.of(id).remove(id),
    observe: (id) => pair.of(id).observe(id),
    legReport: (id, leg) => pair.of(id).mirror.report(id, legId(leg)),
    legHistory: async (id, leg, query) => require(id).call('history', id, legId(leg), query),
    legRows: async (id, leg, fields) => require(id).call('rows', id, legId(leg), [...fields]),
    resetStats: (id, legs) => pair.of(id).resetStats(id, legs),
    audioLevel: (id) => pair.of(id).audioLevel(id),
    watchPreview: (id, size, onImage) => pair.watchPreview(id, size, onImage),
    watchNdi: (source, size, onImage) => pair.current.previews.watchNdi(source, size, onImage),
    byteTotals: (id) => pair.of(id).mirror.totals(id),
    configurePorts: (settings) => pair.configurePorts(settings),
    observePorts: () => pair.portOwner.mirror.ports,
    retryPorts: () => pair.portOwner.notify('retryPorts'),
    disconnectClient: (channelId, id) => pair.of(channelId).disconnectClient(channelId, id),
    trafficHistory: () => pair.current.mirror.traffic,
    findNdiSources: () => pair.current.ndi.findSources(),
    configureNdi: (settings) => pair.configureNdi(settings),
    observeNdi: () => pair.current.ndi.observe(),
    checkNdiRuntime: () => pair.current.ndi.checkRuntime(),
    notifyDeviceChange: (sn) => {
      for (const client of pair.all) client.notifyDeviceChange(sn)
    },
    recheckAddresses: async () => {
      await Promise.all(pair.all.map((client) => client.recheckAddresses()))
    },
    matricesChanged: () => pair.current.router.apply(),
    takeRoutes: (id, routes) => pair.current.router.takeRoutes(id, routes),
    observeMatrix: (id) => pair.current.router.observe(id),
    ndiStatus: () => pair.current.router.ndiStatus,
    processCount: () => pair.all.reduce((count, { mirror }) => count + mirror.processCount, 0),
    usage: () => (pair.current.isAway() ? undefined : pair.current.mirror.usage),
    watchChannel: (id, signal) => pair.of(id).watchChannel(id, signal),
    fetchHls: async (request) => {
      for (const client of pair.all.slice(0, -1)) {
        const response = await client.hls.fetch(request)
        if (response.status !== NOT_FOUND) return response
      }
      return (pair.all.at(-1) ?? pair.current).hls.fetch(request)
    },
    close: () => pair.close()
  }
}
