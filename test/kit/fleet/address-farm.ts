// Many demo devices at addresses in one process: one server, which tells them apart by the loopback address at which it
// is reached. Each can be slow, or accept connections and not respond.
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createDeviceHttpServer, type DeviceHttpServer } from '../../../fleet/network/http-server.ts'
import { createTestAppliance } from './appliance.ts'

export const FARM_USER = 'Admin'
export const FARM_PASSWORD = 'S3cret-of-farm'

export interface FarmDevice {
  readonly sn: string
  readonly address: string
  /** Accepts connections and does not respond. */
  isHanging: boolean
  /** Requests for the status so far. */
  polls: number
  /** Connections now, and at most so far. */
  connections: number
  connectionsMax: number
}

export interface AddressFarm {
  readonly port: number
  readonly devices: readonly FarmDevice[]
  close(): Promise<void>
}

/** @param delayOf milliseconds of each response of the device with this index; 0: as fast as possible */
export async function startAddressFarm(count: number, delayOf: (index: number) => number): Promise<AddressFarm> {
  const servers = new Map<string, { device: FarmDevice; server: DeviceHttpServer }>()
  for (let index = 0; index < count; index++) {
    const appliance = createTestAppliance('encodeAio')
    const sn = `B313${String(215_000_000 + index)}`
    appliance.entry = { ...appliance.entry, sn }
    appliance.rename(`Box ${index}`)
    const delay = delayOf(index)
    const server = createDeviceHttpServer({
      appliance,
      pace: delay > 0 ? { delay, sessionRequests: 20 } : undefined,
      user: () => FARM_USER,
      password: () => FARM_PASSWORD
    })
    const address = `127.20.${index >> 8}.${index & 255}`
    const device = { sn, address, isHanging: false, polls: 0, connections: 0, connectionsMax: 0 }
    servers.set(address, { device, server })
  }
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const { device, server: own } = servers.get(request.socket.localAddress ?? '') ?? {}
    if (!device || device.isHanging) return
    if (request.url?.includes('get-status')) device.polls++
    own?.listener(request, response)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    const device = servers.get(socket.localAddress ?? '')?.device
    if (device) device.connectionsMax = Math.max(device.connectionsMax, ++device.connections)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (device) device.connections--
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4096, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    devices: [...servers.values()].map(({ device }) => device),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
