// Streams of Ultra Stream and Ultra Encode to the hub: an entry among their streaming servers, SRT or RTMP
// (docs/architecture/devices-at-addresses.md). The vendor documents no call that deletes an entry, so the hub keeps one
// and disables it.
import type { PushOrder } from '../../../../contract/device/link.ts'
import { DEVICE_STATUS_BITS } from '../../../../contract/device/status.ts'
import { RTMP } from '../../../../contract/stream/protocols.ts'
import { type Fields, fields, integer, objectList, resultCode, runningMask } from '../../adapters/fields.ts'
import type { DeviceCalls, Parameters } from './device-calls.ts'
import { HUB_ENTRY, hostInUrl, type StreamMethod } from './stream-method.ts'

interface Server {
  id: number
  isHub: boolean
  isUsed: boolean
  /** Result code of its stream. */
  result: number | undefined
}

/** Maximum number of servers of a device. */
export const SERVERS_MAX = 16
/** `type` of its servers. */
export const SERVER_TYPE = { rtmp: 0, rtsp: 100, srtCaller: 120, srtListener: 121 } as const
/** Ethernet first. */
const NET_MODE = 1
/** AES-128. */
const KEY_LENGTH = 16
/** Result codes of `start-live` and `stop-live` for a device that is in that state already. */
const REPEATED = [1, 2]
/** Result codes of a stream that is sent, and of one that is being connected. */
const SENDING = [0, 22]
const CONNECTING = [2, 23, 24, 25, 27, 28]

function readServers(list: unknown): Server[] {
  return objectList(list, SERVERS_MAX).flatMap((server: Fields) => {
    const id = integer(server.id, 0, 0xffff_ffff)
    if (id === undefined) return []
    const isUsed = server['is-use'] === 1 || server['is-use'] === true
    return [{ id, isHub: server.name === HUB_ENTRY, isUsed, result: resultCode(server.result) }]
  })
}

const listServers = async (calls: DeviceCalls): Promise<Server[]> =>
  readServers((await calls.query('get-settings'))['stream-server'])

/** Whether the servers in use run. */
export async function isLive(calls: DeviceCalls): Promise<boolean> {
  const mask = runningMask((await calls.query('get-status'))['cur-status']) ?? 0
  return (mask & DEVICE_STATUS_BITS.streaming) !== 0
}

const enableServer = (calls: DeviceCalls, id: number, isUsed: boolean) =>
  calls.query('enable-server', { id, 'is-use': isUsed ? 1 : 0 })

function serverParameters(order: PushOrder, host: string): Parameters {
  const common = { name: HUB_ENTRY, 'stream-index': order['stream-index'], 'net-mode': NET_MODE }
  if (order.protocol === RTMP) {
    const url = `rtmp://${hostInUrl(host)}:${order.port}/live`
    return { type: SERVER_TYPE.rtmp, ...common, url, key: order['stream-id'], 'is-auth': 0 }
  }
  return {
    type: SERVER_TYPE.srtCaller,
    ...common,
    'ip-addr': host,
    port: order.port,
    latency: order.latency,
    aes: KEY_LENGTH,
    'aes-word': order.passphrase,
    'stream-id': order['stream-id']
  }
}

/** Adds or changes the entry of the hub. @returns its id */
async function setHubServer(
  calls: DeviceCalls,
  servers: readonly Server[],
  parameters: Parameters
): Promise<number | undefined> {
  const own = servers.find(({ isHub }) => isHub)
  if (own) {
    // The settings of a server in use cannot be changed.
    if (own.isUsed) await enableServer(calls, own.id, false)
    await calls.query('set-server', { id: own.id, ...parameters })
    return own.id
  }
  await calls.query('add-server', { ...parameters, 'is-use': 0 })
  return (await listServers(calls)).find(({ isHub }) => isHub)?.id
}

export const ultraPush: StreamMethod<PushOrder> = {
  async read(calls) {
    // The hub streams to itself only while its entry is in use.
    const servers = await listServers(calls)
    const live = await isLive(calls)
    return { servers: [], live: live && !servers.some(({ isHub, isUsed }) => isHub && isUsed) }
  },

  async start(calls, order, host, before, saveBefore) {
    const servers = await listServers(calls)
    const others = servers.filter(({ isHub, isUsed }) => !isHub && isUsed)
    if (!servers.some(({ isHub }) => isHub) && servers.length >= SERVERS_MAX) calls.refuse('servers-full')
    // Going live starts all servers in use. The device must not start to publish because the hub wants its stream.
    const disabled = before.live ? [] : others.map(({ id }) => id)
    if (disabled.length > 0) saveBefore({ ...before, servers: [...new Set([...(before.servers ?? []), ...disabled])] })
    for (const id of disabled) await enableServer(calls, id, false)
    const id = await setHubServer(calls, servers, serverParameters(order, host))
    if (id !== undefined) await enableServer(calls, id, true)
    await calls.query('start-live', {}, REPEATED)
  },

  async stop(calls, { servers: disabled = [], live = false }) {
    const servers = await listServers(calls)
    const own = servers.find(({ isHub }) => isHub)
    // Otherwise a user has started other streams meanwhile.
    const isAlone = !servers.some(({ isHub, isUsed }) => !isHub && isUsed)
    if (!live && isAlone && (await isLive(calls))) await calls.query('stop-live', {}, REPEATED)
    if (own?.isUsed) await enableServer(calls, own.id, false)
    const existing = servers.filter(({ id, isUsed }) => disabled.includes(id) && !isUsed)
    for (const { id } of existing) await enableServer(calls, id, true)
  },

  async outcome(calls) {
    const status = fields((await calls.query('get-status'))['live-status'])
    // Ultra Stream has the fields of a single stream.
    const own = readServers(status.live).find(({ isHub }) => isHub)
    const result = own ? own.result : Array.isArray(status.live) ? undefined : resultCode(status.result)
    if (result === undefined || CONNECTING.includes(result)) return 'waiting'
    return SENDING.includes(result) ? 'done' : result
  }
}
