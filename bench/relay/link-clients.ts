// A process with hubs that keep an idle link to a node, each as a hub does: TLS, a hello, HTTP/2 and pings.
import { HUB_HELLO_HEADER } from '../../contract/cloud/link.ts'
import { DeviceLink } from '../../device-link/dial.ts'
import { hubHello, type LinkClients } from './hub-hello.ts'

/** Hubs of one address of the loopback network, which has about 28,000 ports for each. */
const PER_ADDRESS = 1000

process.once('message', ({ port, first, count }: LinkClients) => {
  const up = new Set<number>()
  for (let number = first; number < first + count; number++) {
    const link = new DeviceLink({
      chooseAddress: () => ({ host: '127.0.0.1', port }),
      tls: { isVerifiedLater: true },
      timeout: 60_000,
      localAddress: `127.0.1.${1 + Math.floor(number / PER_ADDRESS)}`,
      helloHeader: HUB_HELLO_HEADER,
      hello: () => hubHello(number),
      onSession: (session) =>
        session.on('stream', (stream) => {
          stream.on('error', () => {})
          stream.resume().on('end', () => stream.respond({ ':status': 204 }, { endStream: true }))
        }),
      onStateChange: (state) => void (state === 'up' ? up.add(number) : up.delete(number))
    })
    link.dial()
  }
  process.on('message', () => process.send?.(up.size))
})
process.on('disconnect', () => process.exit())
