// The stream engine: keeps the running streams in line with the wanted channels. It is independent of HTTP, SQLite and device protocols.

import { resolveHost } from './access/address-policy.ts'
import { createKeyThrottle, hashKey } from './access/key-throttle.ts'
import { ChannelSet } from './channels/channel-set.ts'
import { Releases } from './channels/releases.ts'
import type { WantedChannel } from './interfaces/channel.ts'
import type { Engine, EngineOptions } from './interfaces/engine.ts'
import type { EngineContext, Timeouts } from './interfaces/engine-context.ts'
import type { KeyThrottle } from './interfaces/key-throttle.ts'
import type { Launcher } from './interfaces/launcher.ts'
import { NdiService } from './ndi/ndi-service.ts'
import { createNdiPictures } from './ndi/pictures.ts'
import { createRouter } from './ndi/router.ts'
import { SharedPorts } from './ports/shared-ports.ts'
import { findProgram } from './process/find-program.ts'
import { createLauncher } from './process/launcher.ts'
import { listMissingRelay } from './relay/relay-install.ts'
import { SRT_PROGRAM } from './srt/caller.ts'

const TIMEOUTS: Timeouts = { stall: 10_000, start: 15_000 }
/** Listens at all IPv4 addresses. */
const ANY_ADDRESS = '0.0.0.0'

const now = () => performance.now()

export function createEngine(options: EngineOptions): Engine {
  const launcher = createLauncher(options.ffmpeg, options.hideArgsLibrary)
  const releases = new Releases()
  const keyThrottle = createKeyThrottle({
    // Keys of stopped channels are known, although no port accepts them.
    isKnownHash: (hash) => channels.wanted.some((wanted) => issuedKeys(wanted).some((key) => hashKey(key) === hash)),
    onFirstBlock: (address) => options.onKeyGuessing?.(address),
    now
  })
  const ndi = new NdiService({
    launcher,
    ffmpeg: options.ffmpeg,
    now,
    ...options.ndi,
    resolveHost: (host) => resolveHost(host, options.forbidPrivate?.() ?? false),
    onSourcesChange: () => options.onNdiSourcesChange?.(),
    onStateChange: () => options.onNdiStateChange?.()
  })
  const context = createContext(options, {
    launcher,
    ndi: ndi.ndi,
    keyThrottle,
    publisher: (id) => ports.publisher(id),
    openRtmpPush: (onPublisher) => ports.openRtmpPush(onPublisher),
    lastRefusal: (id) => ports.lastRefusal(id),
    whenReleased: (key) => releases.whenReleased(key),
    onChange: () => channels.announceSoon()
  })
  const pictures = createNdiPictures({ context, findSources: () => ndi.findSources() })
  const router = createRouter({ ndi: ndi.ndi, launcher, now }, () => options.onRouterChange?.())
  const ports = new SharedPorts({
    host: options.sharedHost ?? ANY_ADDRESS,
    context,
    onPublisherChange: (id) => channels.notifyPublisherChange(id),
    onChange: () => options.onPortsChange?.(),
    onRefusal: (refusal) => options.onPortRefusal?.(refusal)
  })
  const channels = new ChannelSet({
    context,
    ports,
    releases,
    onChannelChange: (id) => options.onChannelChange(id),
    onEvent: (event) => options.onEvent(event)
  })
  let isClosed = false

  return {
    apply: (wanted) => channels.apply(wanted),
    remove: (id) => channels.remove(id),
    observe: (id) => channels.observe(id),
    legStats: (id, leg) => channels.legStats(id, leg),
    audioLevel: (id) => channels.audioLevel(id),
    watchPreview: (id, size, onImage) => channels.watchPreview(id, size, onImage),
    watchNdi: (source, size, onImage) => pictures.watch(source, size, onImage),
    watchChannel: (id, sink) => channels.watch(id, sink),
    byteTotals: (id) => channels.byteTotals(id),
    configurePorts(settings) {
      if (!isClosed) ports.configure(settings)
    },
    observePorts: () => ports.observe(),
    retryPorts: () => ports.retryNow(),
    disconnectClient: (id, client) => ports.disconnect(id, client) || channels.disconnectPlayer(id, client),
    trafficHistory: () => channels.trafficHistory(),
    findNdiSources: () => ndi.findSources(),
    configureNdi: (settings) => ndi.configure(settings),
    observeNdi: () => ndi.observe(),
    checkNdiRuntime: () => ndi.checkRuntime(),
    ...router.methods,
    notifyDeviceChange: (sn) => channels.notifyDeviceChange(sn),
    isDeviceActive: (sn) => channels.isDeviceActive(sn),
    listMissing: () => [
      ...listRequired(launcher, ports),
      // Many hubs never use NDI.
      ...context.ndi.listMissing().map((text) => ({ text, optional: true }))
    ],
    recheckAddresses: () => channels.recheckAddresses(),
    hlsStores: context.hlsStores,
    keyThrottle,
    processCount: () => launcher.processCount(),
    async close() {
      isClosed = true
      channels.close()
      pictures.stop()
      ndi.stop()
      await ports.close()
      await Promise.all([router.close(), releases.whenAllReleased(), launcher.stopAll()])
      await launcher.waitForStops()
    }
  }
}

type ContextParts = Pick<
  EngineContext,
  'ndi' | 'publisher' | 'openRtmpPush' | 'lastRefusal' | 'whenReleased' | 'onChange'
> & {
  launcher: Launcher
  keyThrottle: KeyThrottle
}

function createContext(options: EngineOptions, parts: ContextParts): EngineContext {
  let lastClientId = 0
  return {
    ...parts,
    pushHost: options.pushHost ?? ANY_ADDRESS,
    outputHost: options.outputHost ?? ANY_ADDRESS,
    resolveHost: (host) => resolveHost(host, options.forbidPrivate?.() ?? false),
    srtProgram: () => findProgram(options.srtProgram ?? SRT_PROGRAM),
    hlsStores: new Map(),
    timeouts: { ...TIMEOUTS, ...options.timeouts },
    orderPush: (sn, order) => options.orderPush(sn, order),
    cancelOrder: (sn) => options.cancelOrder(sn),
    orderPlayback: (sn, order) => options.orderPlayback(sn, order),
    cancelPlayback: (sn) => options.cancelPlayback(sn),
    isDeviceOnline: (sn) => options.isDeviceOnline(sn),
    nextClientId: () => ++lastClientId,
    now
  }
}

/** The missing parts without which channels do not work. */
const listRequired = (launcher: Launcher, ports: SharedPorts) =>
  [...launcher.listMissing(), ...listMissingRelay(), ...ports.listMissing()].map((text) => ({ text, optional: false }))

/** All stream keys that a channel has. */
function issuedKeys({ access, outputs }: WantedChannel): string[] {
  const outputKeys = outputs.flatMap(({ config }) => ('key' in config && config.key ? [config.key] : []))
  return access ? [access.pushKey, access.playKey, ...outputKeys] : outputKeys
}
