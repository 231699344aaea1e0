// The address of this machine from which a device at an address is reached, and at which that device reaches the hub.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** Any port: no datagram is sent. */
const PORT = 9

/** @param ip address of the device. @throws Error if there is no route to it */
export async function localAddressTowards(ip: string): Promise<string> {
  const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4')
  try {
    socket.connect(PORT, ip)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
