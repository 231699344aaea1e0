// Echoes over TCP and UDP. `node echo.mjs PORT` is the server. `node echo.mjs PORT ADDRESS` is the client: it sends
// numbers ten times a second over one connection and one socket, and prints for each line of its input how many it has
// sent, and up to which number all have come back on each.
import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'

const [port, address] = process.argv.slice(2)

function serve() {
  createServer((socket) => socket.pipe(socket).on('error', () => {})).listen(Number(port), '0.0.0.0')
  const socket = createSocket('udp4')
  socket.on('message', (message, { port: to, address: peer }) => socket.send(message, to, peer))
  socket.bind(Number(port), () => console.log('READY'))
}

function send() {
  let [sent, tcp, udp] = [0, 0, 0]
  const connection = connect(Number(port), address)
  connection.setNoDelay(true)
  connection.on('error', () => {})
  connection.on('data', ({ length }) => {
    tcp += length
  })
  const socket = createSocket('udp4')
  const received = new Set()
  socket.on('message', (number) => {
    received.add(Number(number))
    while (received.delete(udp + 1)) udp++
  })
  setInterval(() => {
    sent++
    connection.write('x')
    socket.send(String(sent), Number(port), address)
  }, 100)
  createInterface(process.stdin).on('line', () => console.log(JSON.stringify({ sent, tcp, udp })))
}

if (address === undefined) serve()
else send()
