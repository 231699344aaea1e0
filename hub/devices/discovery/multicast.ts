// A question to a multicast group in the network of one interface, and the answers to it.
import { createSocket } from 'node:dgram'
import { isInNetwork, type SearchNetwork } from './interfaces.ts'

/** Milliseconds between the two times that a question is sent, because datagrams get lost. */
const REPEAT = 700

interface Question {
  network: SearchNetwork
  group: string
  port: number
  message: string
  signal: AbortSignal
  /** @param sender IPv4 address, which is in the network */
  onAnswer(message: string, sender: string): void
}

/**
 * Asks a group twice, and listens until the signal ends it. The question leaves through the interface alone, and no
 * router forwards it (TTL 1); answers from other networks are dropped.
 */
export function askGroup({ network, group, port, message, signal, onAnswer }: Question): void {
  if (signal.aborted) return
  const socket = createSocket('udp4')
  let timer: NodeJS.Timeout | undefined
  const close = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
    try {
      socket.close()
    } catch {
      // It is closed already.
    }
  }
  const send = () => socket.send(message, port, group, () => {})
  signal.addEventListener('abort', close)
  // Without multicast in this network nothing is found this way.
  socket.on('error', close)
  socket.on('message', (answer, { address }) => {
    if (isInNetwork(network, address)) onAnswer(answer.toString(), address)
  })
  socket.bind(0, network.address, () => {
    try {
      socket.setMulticastInterface(network.address)
      socket.setMulticastTTL(1)
      send()
      timer = setTimeout(send, REPEAT)
    } catch {
      close()
    }
  })
}
