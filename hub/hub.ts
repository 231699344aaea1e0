// Puts the hub together. `fetch` answers everything without a port, so that tests need none; `listen` opens the doors.
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Topic } from '../contract/change-feed.ts'
import { REGISTRATION } from '../contract/device/device.ts'
import { WEB_PAGE_PREFIX, WEB_PAGE_RIGHT } from '../contract/device/web-page.ts'
import type { LogEvent } from '../contract/events.ts'
import { LOG_ERROR, LOG_WARNING } from '../contract/log.ts'
import { CHANNEL_VIEW, DEVICE_VIEW, permits } from '../contract/permissions.ts'
import { startPortForward } from '../contract/port-forward.ts'
import { PROTOCOL_NAMES } from '../contract/stream/protocols.ts'
import { createEngine, type EngineOptions } from '../engine/engine.ts'
import { DEVELOPMENT_KEY } from '../pack/keys.ts'
import { createReach } from './auth/device-access.ts'
import { prepareFirstStart } from './auth/first-start.ts'
import { type Caller, createGate } from './auth/gate.ts'
import { createLockOut } from './auth/lock-out.ts'
import { createScheduler } from './channels/scheduler.ts'
import { wantedOf } from './channels/wanted.ts'
import type { Hub } from './context.ts'
import { createDeviceActions } from './devices/actions.ts'
import { type AddressedTiming, createAddressed } from './devices/address/addressed-devices.ts'
import { withAddressed } from './devices/combined-links.ts'
import { createArriving } from './devices/incoming-streams.ts'
import { createDeviceLinks } from './devices/link/links.ts'
import { createPortForwards } from './devices/port-forwards.ts'
import { createRegistry } from './devices/registry.ts'
import { createDeviceWatch } from './devices/status-poller.ts'
import { createFirmware, type FirmwareOptions } from './firmware/firmware.ts'
import { catalogAnswers } from './handlers/catalog.ts'
import { channelAnswers } from './handlers/channel/channel.ts'
import { channelHistoryAnswers } from './handlers/channel/history.ts'
import { deviceActionAnswers } from './handlers/device/action.ts'
import { deviceAddressAnswers } from './handlers/device/address.ts'
import { deviceConfigAnswers } from './handlers/device/config.ts'
import { deviceAnswers } from './handlers/device/device.ts'
import { createRemote } from './handlers/device-page.ts'
import { firmwareAnswers } from './handlers/firmware/firmware.ts'
import { rolloutAnswers } from './handlers/firmware/rollout.ts'
import { logAnswers } from './handlers/log/log.ts'
import { portForwardAnswers } from './handlers/port-forward.ts'
import { previewAnswers } from './handlers/preview.ts'
import { qrAnswers } from './handlers/qr.ts'
import { createRelay } from './handlers/relay.ts'
import { ndiAnswers } from './handlers/stream/ndi.ts'
import { sourceAnswers } from './handlers/stream/source.ts'
import { descriptionAnswers } from './handlers/system/openapi.ts'
import { systemAnswers } from './handlers/system/system.ts'
import { updateAnswers } from './handlers/system/update.ts'
import { sessionAnswers } from './handlers/user/session.ts'
import { tokenAnswers } from './handlers/user/token.ts'
import { userAnswers } from './handlers/user/user.ts'
import { userGroupAnswers } from './handlers/user/user-group.ts'
import { visibilityAnswers } from './handlers/user/visibility.ts'
import { createApi, type Peer } from './http/api.ts'
import { createFeed } from './http/change-feed.ts'
import { packed } from './http/compression.ts'
import { createConsoleFiles } from './http/console-files.ts'
import type { Answer } from './http/handler.ts'
import { createHls } from './http/hls.ts'
import { sameOrigin } from './http/origin.ts'
import { type Listening, listen, peerOf, withSecurity } from './http/server.ts'
import { startMonitor } from './machine/monitor.ts'
import { withReason } from './messages/reasons.ts'
import { createPages } from './pages/pages.ts'
import { createPreviewFeed } from './preview/feed.ts'
import { createFlood } from './store/rate-limit.ts'
import { openStore } from './store/store.ts'
import { createUpgrade, type UpgradeOptions } from './upgrade/upgrade.ts'

export const VERSION = '0.1.0'

export interface HubOptions {
  /** Folder of the database; `:memory:` keeps nothing. */
  data: string
  /** Folder of the built console. */
  dist?: string
  /** The console is read anew for each request. */
  dev?: boolean
  /** Updates of the console: whose packs are taken (those of the development key), and what a console may weigh (anything). For tests also the waiting. */
  upgrade?: Partial<Pick<UpgradeOptions, 'trusted' | 'budget' | 'free' | 'confirmWithin' | 'step'>>
  /** Address that everything listens on. */
  host?: string
  /** Pixels and pictures a second asked of devices for previews. */
  picture?: { width: number; fps: number }
  /** For tests: milliseconds for which devices are waited for that were told something. */
  actions?: { answer: number; look: number }
  /** For tests: how devices at addresses are waited for. */
  addressed?: Partial<AddressedTiming>
  /** For tests: what the updates of devices wait for, and the free space. */
  firmware?: Pick<FirmwareOptions, 'free' | 'timing'>
  /** For tests: where NDI is looked for. */
  ndi?: EngineOptions['ndi']
  /** For tests: the time of day, for schedules. */
  clock?: () => number
  /** Milliseconds between looks whether what sockets and previews were opened with is still good: it may expire at any time. */
  sessionCheck?: number
}

const PICTURE = { width: 320, fps: 2 }
/** To save data: half as wide, a quarter of the bytes or less, and one in 3 s. */
const SAVED_PICTURE = { width: 160, fps: 1 / 3 }
const SESSION_CHECK = 5000
/** Lines of the log. */
const GUESSERS_A_MINUTE = 10
const REFUSED_A_MINUTE = { each: 6, all: 30 }

const LEVELS: Partial<Record<LogEvent, number>> = { 'input-down': LOG_WARNING, 'output-down': LOG_WARNING }

/** Makes a hub. It runs its channels at once; browsers and devices reach it after `listen`. */
export async function createHub(options: HubOptions) {
  const host = options.host ?? '127.0.0.1'
  const data = options.data === ':memory:' ? options.data : resolve(options.data)
  const store = openStore(data)
  await prepareFirstStart(store)
  const gate = createGate(store)
  const ports: number[] = []
  /** Links end with the hub: the devices have done nothing worth a line in the log. */
  let closing = false

  const registry = createRegistry(store, { presence: (sn) => hub.presence(sn) })
  const addressed = createAddressed({
    store,
    registry: {
      up: (sn) => registry.up(sn),
      down: (sn, reason) => closing || registry.down(sn, reason)
    },
    // On a hub that others reach, what listens on this machine alone is none of theirs.
    grounds: { loopback: isLoopbackHost(host), ownPorts: () => hub.ownPorts() },
    timing: options.addressed
  })
  const dialled = createDeviceLinks({
    hello: registry.hello,
    hasKey: registry.hasKey,
    twin: registry.twin,
    up: registry.up,
    down: (sn, reason) => closing || registry.down(sn, reason)
  })
  const links = withAddressed(dialled, addressed)
  store.database.onLost(() => {
    for (const sn of registry.strangers()) links.drop(sn, 'it could not be written down')
  })
  const watch = createDeviceWatch({ links, observed: registry.observed })
  const actions = createDeviceActions({
    links,
    apiOf: (sn) => store.devices.bySerial(sn)?.api,
    observed: (sn) => registry.live(sn)?.observed,
    look: watch.look,
    timing: options.actions
  })
  /** What was last said of each shared port: why it failed, or nothing. */
  const portWords = new Map<string, string>()
  /** Ports in the place of those in the settings; undefined before the hub listens. */
  let shared: { srt?: number; rtmp?: number } | undefined
  function usePorts(): void {
    if (!shared) return
    const [srt, rtmp] = [store.settings.get('srt'), store.settings.get('rtmp')]
    engine.usePorts({ srt: { ...srt, port: shared.srt ?? srt.port }, rtmp: { port: shared.rtmp ?? rtmp.port } })
  }
  /** Whoever guesses from a thousand addresses does not fill the log. */
  const guessers = createFlood(1, GUESSERS_A_MINUTE)
  /** Encoders that are turned away come again and again: the same is said once a minute, and so much of one address. */
  const turnedAway = createFlood(1, 10 * REFUSED_A_MINUTE.all)
  const callers = createFlood(REFUSED_A_MINUTE.each, REFUSED_A_MINUTE.all)
  const engine = createEngine({
    pushHost: host,
    outputHost: host,
    ...(options.ndi && { ndi: options.ndi }),
    ndiChanged: () => store.changes.bump('source'),
    forbidPrivate: () => store.settings.get('streams')['forbid-private'],
    sharedHost: host,
    portsChanged() {
      store.changes.bump('status')
      for (const [name, { port, reason }] of Object.entries(engine.ports())) {
        const word = reason ?? (port === undefined ? undefined : '')
        if (word === undefined || portWords.get(name) === word) continue
        // That a port opened is news only after it had failed.
        if (word) store.note({ event: 'port-failed', detail: withReason(name.toUpperCase(), reason), level: LOG_ERROR })
        else if (portWords.has(name)) store.note({ event: 'port-opened', detail: `${name.toUpperCase()} ${port}` })
        portWords.set(name, word)
      }
    },
    order: links.order,
    endOrder: links.endOrder,
    play: links.play,
    endPlay: links.endPlay,
    guessed(address) {
      if (guessers.take(address) !== 'drop') store.note({ event: 'keys-guessed', detail: address, level: LOG_WARNING })
    },
    turnedAway({ protocol, address, channelId, reason }) {
      const channel = channelId === undefined ? undefined : store.channels.byId(channelId)?.name
      const said = withReason([channel, PROTOCOL_NAMES[protocol], address].filter(Boolean).join(', '), reason)
      if (turnedAway.take(said) !== 'drop' && callers.take(address) !== 'drop')
        store.note({ event: 'caller-refused', detail: said, level: LOG_WARNING })
    },
    deviceOnline: registry.online,
    changed(id) {
      store.changes.bump('channel', id)
      arriving.look(id)
    },
    event({ channelId, kind, name, input: id, player, reason }) {
      // The name of an input or output may be that of a device: it then stands in that device's log, which only those read who may see it.
      const input = kind.startsWith('input-') ? (id ?? store.channels.byId(channelId)?.input_id) : undefined
      const sn = player ?? (input ? store.devices.byId(input)?.sn : undefined)
      store.note({ event: kind, detail: withReason(name, reason), level: LEVELS[kind], sn })
    }
  })
  const scheduler = createScheduler({ store, edge: (id) => hub.applyChannel(id), clock: options.clock })
  const arriving = createArriving({
    store,
    observe: engine.observe,
    changed: (id) => store.changes.bump('device', id)
  })
  const firmware = createFirmware({ data, store, links, registry, ...options.firmware })
  const dist = options.dist ?? 'dist'
  const files = createConsoleFiles(dist, options.dev)
  const upgrade = createUpgrade({
    data,
    dist,
    version: VERSION,
    trusted: [DEVELOPMENT_KEY],
    changed: () => store.changes.bump('status'),
    note: store.note,
    serve: files.use,
    ...options.upgrade
  })
  const previews = createPreviewFeed({
    subscribe(id, onPicture, save) {
      const size = save ? SAVED_PICTURE : (options.picture ?? PICTURE)
      const channel = channelOf(id)
      if (channel !== undefined) return engine.watch(channel, size, onPicture)
      const sn = serialOf(id)
      return sn === undefined ? undefined : links.pictures(sn, size, onPicture)
    },
    allowed(session) {
      const caller = gate.session(session)
      // Pictures are part of what a device or a channel shows: without either right there is nothing to look at.
      if (!caller || !permits(DEVICE_VIEW | CHANNEL_VIEW, caller.user)) return () => false
      const visible = gate.sightOf(caller)
      const seen = (input: number) => {
        const device = store.devices.byId(input)
        return !device || visible(device)
      }
      return (id) => {
        const channel = channelOf(id)
        if (channel !== undefined)
          return permits(CHANNEL_VIEW, caller.user) && store.channels.inputIds(channel).every(seen)
        const sn = serialOf(id)
        const row = sn === undefined ? undefined : store.devices.bySerial(sn)
        return row?.reg_state === REGISTRATION.accepted && visible(row)
      }
    }
  })
  let lowMemory = false
  const monitor = startMonitor(data === ':memory:' ? '.' : data, isLoopbackHost(host), (reading) => {
    if (reading.lowMemory === lowMemory) return
    lowMemory = reading.lowMemory
    if (lowMemory) store.note({ event: 'low-memory', level: LOG_ERROR })
    store.changes.bump('status')
  })
  const forwards = createPortForwards({
    host,
    tunnel: links.tunnel,
    changed: (id) => store.changes.bump('portforward', id),
    gone: (id) => store.changes.gone('portforward', id)
  })
  const reach = createReach(store, gate)
  const pages = createPages({
    host,
    connect: links.page,
    allowed: (session, sn) => reach(session, sn, WEB_PAGE_RIGHT)
  })
  /** What leads to devices ends when who opened it may not have it any more. */
  function checkWays(): void {
    forwards.end(({ session, sn }) => !reach(session, sn, startPortForward.who))
    pages.check()
  }
  const feed = createFeed(store.changes, (session) => gate.session(session) !== undefined, {
    answer: (request, address) => api(request, { address, secure: false }, gate.caller(request.headers, address)),
    seen: previews.seen
  })

  const hub: Hub = {
    store,
    gate,
    lockOut: createLockOut(),
    registry,
    links,
    actions,
    arriving,
    addressed,
    engine,
    scheduler,
    firmware,
    upgrade,
    monitor,
    previews,
    forwards,
    reach,
    pages,
    host,
    version: VERSION,
    started: Date.now(),
    ownPorts: () => [
      ...[...ports, ...forwards.ports(), ...pages.ports()],
      ...(['srt', 'rtmp'] as const).flatMap((part) => hub.sharedPort(part) ?? [])
    ],
    sharedPort: (part) =>
      engine.ports()[part].port || (shared && (shared[part] ?? store.settings.get(part).port)) || undefined,
    portsSet(part) {
      // Whoever sets a port means it.
      delete shared?.[part]
      usePorts()
    },
    sessionsEnded() {
      feed.check()
      previews.check((session) => gate.session(session) !== undefined)
      checkWays()
    },
    rightsChanged() {
      for (const topic of Object.keys(store.changes.revs())) store.changes.reset(topic as Topic)
      hub.sessionsEnded()
    },
    lookedAt: watch.lookedAt,
    presence(sn) {
      const row = store.devices.bySerial(sn)
      const watched = row?.reg_state === REGISTRATION.accepted && registry.online(sn)
      if (watched) watch.start(sn, row.api)
      else watch.stop(sn)
      engine.deviceChanged(sn)
      checkWays()
      forwards.presence(sn)
      store.changes.bump('catalog')
    },
    devicesConfigured(id) {
      for (const channel of store.channels.all()) {
        const nodes = [
          ...store.channels.inputIds(channel.id),
          ...store.channels.devices(channel.id).map(({ id }) => id)
        ]
        if (nodes.some((node) => (id === undefined || node === id) && store.devices.byId(node)))
          hub.applyChannel(channel.id)
      }
    },
    applyChannel(id) {
      const wanted = wantedOf(store, id)
      if (wanted) engine.apply(wanted)
      else engine.remove(id)
      arriving.look(id)
      if (wanted) store.changes.bump('channel', id)
      else store.changes.gone('channel', id)
      store.changes.bump('status')
    }
  }
  scheduler.start()
  for (const channel of store.channels.all()) hub.applyChannel(channel.id)
  for (const { text, optional } of engine.missing())
    store.note({ event: 'engine-missing', detail: text, ...(!optional && { level: LOG_ERROR }) })
  store.note({ event: 'hub-started', detail: VERSION })
  upgrade.start()
  firmware.rollouts.start()
  addressed.start()

  const answers: Answer[] = [
    ...sessionAnswers(hub),
    ...userAnswers(hub),
    ...userGroupAnswers(hub),
    ...tokenAnswers(hub),
    ...updateAnswers(hub),
    ...systemAnswers(hub),
    ...qrAnswers(),
    ...descriptionAnswers(hub),
    ...logAnswers(hub),
    ...catalogAnswers(hub),
    ...deviceAnswers(hub),
    ...deviceActionAnswers(hub),
    ...deviceConfigAnswers(hub),
    ...deviceAddressAnswers(hub),
    ...firmwareAnswers(hub),
    ...rolloutAnswers(hub),
    ...visibilityAnswers(hub),
    ...sourceAnswers(hub),
    ...ndiAnswers(hub),
    ...channelAnswers(hub),
    ...channelHistoryAnswers(hub),
    ...portForwardAnswers(hub),
    ...previewAnswers(hub)
  ]
  const api = createApi(store, gate, answers)
  const relay = createRelay(hub)
  const remote = createRemote(hub)
  const hls = createHls(engine)

  /** Answers one request. `peer` says where it comes from; in process it comes from this machine. */
  async function fetch(request: Request, peer: Peer = { address: '127.0.0.1', secure: false }): Promise<Response> {
    return hls(request, peer.address) ?? withSecurity(await route(request, peer))
  }

  async function route(request: Request, peer: Peer): Promise<Response> {
    const { pathname } = new URL(request.url)
    const caller = (): Caller | undefined => gate.caller(request.headers, peer.address)
    if (pathname.startsWith('/api/')) return packed(request, await api(request, peer, caller()))
    if (pathname.startsWith(WEB_PAGE_PREFIX)) return remote(request, peer, caller())
    if (pathname.startsWith('/socket/')) return relay(request, peer, caller())
    return (
      files.answer(request) ?? new Response('Not found\n', { status: 404, headers: { 'content-type': 'text/plain' } })
    )
  }

  function openSocket(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    const headers = { get: (name: string) => [request.headers[name] ?? []].flat().join(',') || null }
    if (request.url?.split('?')[0] !== '/api/socket') return void refuse('404 Not Found')
    if (!sameOrigin(headers, request.headers.host ?? '')) return void refuse('403 Forbidden')
    const caller = gate.caller(headers, peerOf(headers, request.socket).address)
    if (!caller || caller.mustChangePassword) return void refuse('401 Unauthorized')
    feed.accept(request, socket, head, caller)
  }

  const sessionCheck = setInterval(hub.sessionsEnded, options.sessionCheck ?? SESSION_CHECK).unref()
  let web: Listening | undefined
  return {
    fetch,
    /** The parts, for tests that look inside. */
    hub,
    /**
     * Opens the doors: `port` for browsers, `linkPort` for devices. 0 lets the system choose.
     * @param inPlace ports of streams in the place of those in the settings; where the system chooses, it chooses those too
     * @returns the ports
     */
    async listen(
      port: number,
      linkPort: number,
      inPlace: { srt?: number; rtmp?: number } = {}
    ): Promise<{ port: number; linkPort: number }> {
      const devices = await links.listen(linkPort, host)
      web = await listen(fetch, openSocket, port, host)
      ports.push(web.port, devices)
      shared = { ...(port === 0 && { srt: 0, rtmp: 0 }), ...inPlace }
      usePorts()
      return { port: web.port, linkPort: devices }
    },
    /** Ends everything it started. Answers under way are cut. */
    async close(): Promise<void> {
      closing = true
      store.note({ event: 'hub-stopped' })
      clearInterval(sessionCheck)
      scheduler.close()
      firmware.close()
      upgrade.close()
      watch.close()
      addressed.close()
      monitor.stop()
      feed.close()
      forwards.close()
      pages.close()
      previews.close()
      await web?.close()
      await engine.close()
      await links.close()
      store.close()
    }
  }
}

export type RunningHub = Awaited<ReturnType<typeof createHub>>

/** The channel behind a preview id. */
function channelOf(id: string): number | undefined {
  const [, channel] = /^CHANNEL-(\d{1,15})$/.exec(id) ?? []
  return channel === undefined ? undefined : Number(channel)
}

/** The device behind one. */
function serialOf(id: string): string | undefined {
  return id.startsWith('DEV-') ? id.slice(4) : undefined
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.') || host === '::1'
}
