// A process that opens many connections to a web server and does nothing useful with them. It replaces those that the
// server closes.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

export interface Crowd {
  port: number
  /** Connections that send nothing. */
  idle: number
  /** Connections that send a request byte by byte: its headers, or a body. */
  slow: number
  /** First of the loopback addresses 127.1.x.y from which they come. */
  offset: number
}

export interface CrowdReport {
  /** Connections that were established so far, and that are open. */
  opened: number
  open: number
}

/** Addresses from which a process connects. */
const ADDRESSES = 250
/** Milliseconds between two steps in which connections are opened. */
const STEP_INTERVAL = 100
/** Connections of a step until as many as the crowd has were opened, and later in place of those that were closed. */
const STEP = { first: 100, later: 25 }
/** Milliseconds between two bytes of a slow connection. */
const TRICKLE_INTERVAL = 1000

const SLOW_BEGINNINGS = [
  'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
  `POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n${' '.repeat(8000)}`
]

class Connections {
  opened = 0
  open = 0
  readonly #crowd: Crowd
  readonly #missing: string[]

  constructor(crowd: Crowd) {
    this.#crowd = crowd
    const slow = Array.from({ length: crowd.slow }, (_, n) => SLOW_BEGINNINGS[n % 2] ?? '')
    this.#missing = [...slow, ...Array<string>(crowd.idle).fill('')]
    setInterval(() => {
      const step = this.opened < crowd.idle + crowd.slow ? STEP.first : STEP.later
      for (const beginning of this.#missing.splice(0, step)) this.#connect(beginning)
    }, STEP_INTERVAL)
  }

  #connect(beginning: string): void {
    const { port, offset } = this.#crowd
    const address = offset + Math.floor(Math.random() * ADDRESSES)
    const localAddress = `127.1.${Math.floor(address / 250)}.${(address % 250) + 1}`
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    let isOpen = false
    const timer = beginning && setInterval(() => socket.write('x'), TRICKLE_INTERVAL)
    socket.on('connect', () => {
      isOpen = true
      this.opened++
      this.open++
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (timer) clearInterval(timer)
      if (isOpen) this.open--
      this.#missing.push(beginning)
    })
    if (beginning) socket.write(beginning)
    socket.resume()
  }
}

process.once('message', (crowd: Crowd) => {
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  if (Number(limit) < crowd.idle + crowd.slow + 100) {
    console.error(
      `${crowd.idle + crowd.slow} connections need more open files than ${limit}: raise the limit with ulimit -n`
    )
    process.exit(1)
  }
  const connections = new Connections(crowd)
  setInterval(() => process.send?.({ opened: connections.opened, open: connections.open } satisfies CrowdReport), 100)
})
process.on('disconnect', () => process.exit())
