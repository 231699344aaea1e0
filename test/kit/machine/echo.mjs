// Echoes over TCP and UDP. `node echo.mjs PORT` is the server. `node echo.mjs PORT ADDRESS` is the client: it sends numbers ten times a second over
// one connection and one socket, and prints for each line of its input how many it has sent, and how many of those have not come back.
import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'

const [port, address] = process.argv.slice(2)
/** Numbers that may be on their way. */
const ON_THE_WAY = 10

function serve() {
  createServer((socket) => socket.pipe(socket).on('error', () => {})).listen(Number(port), '0.0.0.0')
  const socket = createSocket('udp4')
  socket.on('message', (message, { port: to, address: peer }) => socket.send(message, to, peer))
  socket.bind(Number(port), () => console.log('READY'))
}

function send() {
  let [sent, tcpBytes, udpMessages] = [0, 0, 0]
  const tcp = connect(Number(port), address)
  tcp.setNoDelay(true)
  tcp.on('error', () => {})
  tcp.on('data', ({ length }) => {
    tcpBytes += length
  })
  const udp = createSocket('udp4')
  udp.on('message', () => udpMessages++)
  setInterval(() => {
    sent++
    tcp.write('x')
    udp.send('x', Number(port), address)
  }, 100)
  const lost = (received) => Math.max(0, sent - ON_THE_WAY - received)
  createInterface(process.stdin).on('line', () =>
    console.log(JSON.stringify({ sent, tcp: lost(tcpBytes), udp: lost(udpMessages) }))
  )
}

if (address === undefined) serve()
else send()
