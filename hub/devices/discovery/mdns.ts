// DNS-SD over multicast DNS (RFC 6762, RFC 6763): web servers, RTSP servers and NDI sources that are announced in the
// network of one interface.
import multicastDns, { type ResponsePacket } from 'multicast-dns'
import { NAME_MAX, portNumber, text } from '../adapters/fields.ts'
import { isInNetwork, type SearchNetwork } from './interfaces.ts'

const SERVICES = ['_http._tcp.local', '_rtsp._tcp.local', '_ndi._tcp.local'] as const
/** Milliseconds until the question is repeated. */
const REPEAT = 1500
/** Services that are asked for their host and port in one search. */
const ASKED_MAX = 200

export interface MdnsAnswer {
  service: 'http' | 'rtsp' | 'ndi'
  /** Name of the service, which is the name of the NDI source. */
  name: string
  address: string
  port: number
}

/** Service and name in the name of a service instance, `Camera 1._rtsp._tcp.local`. A name can contain dots. */
function instanceOf(serviceName: string): Pick<MdnsAnswer, 'service' | 'name'> | undefined {
  const match = /^(.+)\._(http|rtsp|ndi)\._tcp\.local\.?$/i.exec(serviceName)
  const name = text(match?.[1], NAME_MAX * 2)
  return name === undefined ? undefined : { service: match?.[2]?.toLowerCase() as MdnsAnswer['service'], name }
}

/**
 * Asks twice, and listens until the signal ends it. The question leaves through the interface alone, and answers from
 * other networks are dropped. The address of a service is that of the machine that announces it.
 */
export function searchMdns(network: SearchNetwork, signal: AbortSignal, onFound: (found: MdnsAnswer) => void): void {
  if (signal.aborted) return
  const socket = multicastDns({ interface: network.address, bind: '0.0.0.0', reuseAddr: true })
  const asked = new Set<string>()
  const ask = () => socket.query(SERVICES.map((name) => ({ name, type: 'PTR' as const })))
  const timer = setTimeout(ask, REPEAT)
  const close = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
    socket.destroy()
  }
  signal.addEventListener('abort', close)
  const handleResponse = (packet: ResponsePacket, sender: string) => {
    for (const record of [...packet.answers, ...packet.additionals]) {
      if (record.type === 'SRV' && record.ttl !== 0) {
        const instance = instanceOf(record.name)
        const port = portNumber(record.data.port)
        if (instance && port !== undefined) onFound({ ...instance, address: sender, port })
      } else if (
        record.type === 'PTR' &&
        instanceOf(record.data) &&
        asked.size < ASKED_MAX &&
        !asked.has(record.data)
      ) {
        // An answer can leave the record with host and port out.
        asked.add(record.data)
        socket.query(record.data, 'SRV')
      }
    }
  }
  socket.on('response', (packet, { address }) => {
    if (isInNetwork(network, address)) handleResponse(packet, address)
  })
  // An error of the system, such as for an interface that is gone: the next question would leave through another one.
  // Other warnings are about packets that cannot be parsed.
  socket.on('warning', (warning) => {
    if ('syscall' in warning) close()
  })
  socket.on('error', close)
  ask()
}
