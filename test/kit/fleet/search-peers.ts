// Machines that answer searches, in a network of their own: node search-peers.ts. Prints a line when they listen, and
// what they have counted when standard input ends.
//
// 198.51.100.11: a camera that answers each probe twice, from a port of its own.
// 198.51.100.12: a web server and an NDI source that multicast DNS announces. It names the port of the web server only
// when it is asked for it.
// 198.51.100.13: a machine that answers with garbage, with packets of the largest size, and with the addresses of
// others.
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:http'
import multicastDns from 'multicast-dns'

const GROUP = { ssdp: '239.255.255.250', mdns: '224.0.0.251' }
const [CAMERA, SERVER, BAD] = ['198.51.100.11', '198.51.100.12', '198.51.100.13'] as const
const WEB_PORT = 8081
const WEB = 'Media._http._tcp.local'
const SOURCE = 'STUDIO (Camera 1)._ndi._tcp.local'
/** Bytes of the largest datagram. */
const DATAGRAM_MAX = 65_507

const counts = { probes: 0, searches: 0, questions: 0, portQuestions: 0, connections: 0 }

type Answer = (own: Socket, data: Buffer | string) => void

/** Listens to the group of SSDP and WS-Discovery at a port. */
async function listen(port: number, onMessage: (message: string, answer: Answer) => void): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port: from }) =>
    onMessage(String(message), (own, data) => void own.send(data, from, address))
  )
  await new Promise<void>((resolve) => socket.bind(port, resolve))
  socket.addMembership(GROUP.ssdp, CAMERA)
}

/** A socket that sends from an address, and from a port that the system chooses. */
async function openSender(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  socket.setMulticastInterface(address)
  return socket
}

const probeMatch = (probe: string, addresses: string, scopes: string) =>
  `<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Header>
<RelatesTo>${/MessageID>([^<]*)</.exec(probe)?.[1]}</RelatesTo></e:Header><e:Body><ProbeMatches><ProbeMatch>
<Types>dn:NetworkVideoTransmitter</Types><Scopes>${scopes}</Scopes><XAddrs>${addresses}</XAddrs></ProbeMatch>
</ProbeMatches></e:Body></e:Envelope>`

const [camera, bad] = [await openSender(CAMERA), await openSender(BAD)]
const garbage = Buffer.from(Array.from({ length: 1200 }, (_, index) => (index * 197) % 251))

await listen(3702, (probe, answer) => {
  counts.probes++
  const scopes = 'onvif://www.onvif.org/name/Gate%202 onvif://www.onvif.org/hardware/M-100'
  for (let time = 0; time < 2; time++)
    answer(camera, probeMatch(probe, `http://${CAMERA}:8000/onvif/device_service`, scopes))
  const badAnswers = [
    garbage,
    '<'.repeat(DATAGRAM_MAX),
    probeMatch(probe, `${'http://203.0.113.9/ '.repeat(2500)}http://${BAD}/`, scopes),
    probeMatch(probe, 'http://203.0.113.9/onvif', scopes),
    probeMatch(probe, `http://${CAMERA}/onvif`, scopes),
    `<!DOCTYPE a [<!ENTITY b "c">]>${probeMatch(probe, `http://${BAD}/`, '&b;')}`,
    probeMatch(probe, `http://${BAD}:99999/`, 'onvif://www.onvif.org/name/%')
  ]
  for (const data of badAnswers) answer(bad, data)
})

await listen(1900, (_, answer) => {
  counts.searches++
  answer(bad, garbage)
  answer(bad, `HTTP/1.1 200 OK\r\nLOCATION: http://${SERVER}:${WEB_PORT}/\r\n${'X: y\r\n'.repeat(10_000)}`)
  answer(bad, 'HTTP/1.1 200 OK\r\nLOCATION: http://:x\r\n\r\n')
})

const pointerTo = (name: string, data: string) => ({ type: 'PTR', name, ttl: 120, data }) as const
const portAt = (name: string, port: number) =>
  ({ type: 'SRV', name, ttl: 120, data: { port, target: 'media.local' } }) as const
const openMdns = (address: string, bind = address) =>
  multicastDns({ interface: address, bind, reuseAddr: true, loopback: false })

const [questions, server, badServer] = [openMdns(CAMERA, '0.0.0.0'), openMdns(SERVER), openMdns(BAD)]
const many = Array.from({ length: 900 }, (_, index) => `${index} of many._http._tcp.local`)
/** A response whose only name is a pointer to itself. */
const loop = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, 12])

questions.on('query', ({ questions: asked }, from) => {
  const names = asked.map(({ name }) => name)
  if (!names.includes('_http._tcp.local')) {
    counts.portQuestions++
    // To the machine that asks alone; all other answers go to the group, as is usual.
    if (names.includes(WEB)) server.respond([portAt(WEB, WEB_PORT)], from)
    return
  }
  counts.questions++
  const source = [pointerTo('_ndi._tcp.local', SOURCE), portAt(SOURCE, 5961)]
  server.respond([pointerTo('_http._tcp.local', WEB), ...source])
  badServer.respond(many.map((name) => pointerTo('_http._tcp.local', name)))
  badServer.respond([portAt(`zero.${WEB}`, 0)])
  for (const data of [garbage, loop]) bad.send(data, 5353, GROUP.mdns)
})

createServer((_, response) => response.end('<html>A page</html>'))
  .on('connection', () => counts.connections++)
  .listen(WEB_PORT, SERVER, () => console.log('ready'))

process.stdin.resume().on('end', () => {
  console.log(JSON.stringify(counts))
  process.exit()
})
