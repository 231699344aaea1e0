// Whether the machines of NDI sources are in the network: the announcements of a machine without a cable last for an
// hour. The programs on the machines are not touched, because a sender of NDI 5.5 ends when a connection is closed
// before its greeting was read. Each machine gets an empty datagram at a port without a program, to which its kernel
// answers (RFC 1122, 4.1.3.1); a connected socket reports the answer as ECONNREFUSED.
import { createSocket, type Socket } from 'node:dgram'
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'

/** Discard (RFC 863): a program that listens there ignores what it gets. */
const PORT = 9
/** Milliseconds between two datagrams to a machine. Linux answers one machine once a second. */
const INTERVAL = 1000
/** Datagrams in an interval. If there are more machines, each gets one less often. */
const DATAGRAMS_MAX = 64
/** Milliseconds for an answer. */
const ANSWER_TIME = 600
/** Datagrams in a row without an answer after which a machine counts as away. */
const MISSED_MAX = 2

/** Entries of the kernel's table of neighbours that have no hardware address (proc_pid_net(5), `arp`). */
const UNRESOLVED = /^(\S+)\s+\S+\s+0x0\s/gm

interface Machine {
  /** Undefined while the address is forbidden, or is checked. */
  socket?: Socket
  /** Whether it has answered since it is asked. */
  isKnown: boolean
  isWaiting: boolean
  /** Datagrams in a row without an answer. */
  missed: number
  /** Whether no machine in the own network had the address when it was asked last. */
  isUnresolved: boolean
}

export interface MachineWatch {
  /** Asks these machines and no others. @param addresses those that are not IPv4 are ignored */
  set(addresses: Iterable<string>): void
  /**
   * Whether a machine answers; false also while no machine in the own network has the address. Undefined: it has never
   * answered, as behind some firewalls, or the address policy forbids it.
   */
  answers(address: string): boolean | undefined
  close(): void
}

interface MachineAnswersOptions {
  /** Applies the address policy, as `HostLookup.resolveHost`: anyone in the network can announce any address. */
  resolveHost(host: string): Promise<string>
  /** The kernel's table of neighbours as text. Tests pass another one. */
  readNeighbours?(): Promise<string>
  /** Where machines are asked. Default: discard. Tests pass a port that they may open. */
  port?: number | undefined
}

export class MachineAnswers {
  readonly #options: MachineAnswersOptions
  /** The watched addresses, by the function to call when a machine answers or does not any more. */
  readonly #watches = new Map<() => void, ReadonlySet<string>>()
  /** By address, the one that was asked longest ago first. */
  readonly #machines = new Map<string, Machine>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: MachineAnswersOptions) {
    this.#options = options
  }

  /** @param onChange a machine answers, or does not answer any more */
  watch(onChange: () => void): MachineWatch {
    return {
      set: (addresses) => {
        this.#watches.set(onChange, new Set([...addresses].filter(isIPv4)))
        this.#update()
      },
      answers: (address) => answerOf(this.#machines.get(address)),
      close: () => {
        this.#watches.delete(onChange)
        this.#update()
      }
    }
  }

  /** Begins to ask new machines, and forgets those that nobody watches any more. */
  #update(): void {
    const wanted = new Set([...this.#watches.values()].flatMap((addresses) => [...addresses]))
    for (const [address, { socket }] of this.#machines) {
      if (wanted.has(address)) continue
      this.#machines.delete(address)
      socket?.close()
    }
    for (const address of wanted)
      if (!this.#machines.has(address))
        this.#machines.set(address, { isKnown: false, isWaiting: false, missed: 0, isUnresolved: false })
    if (wanted.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    } else if (!this.#timer) {
      this.#timer = setInterval(() => this.#ask(), INTERVAL).unref()
      this.#ask()
    }
  }

  #ask(): void {
    const asked = [...this.#machines].slice(0, DATAGRAMS_MAX)
    for (const [address, machine] of asked) {
      this.#machines.delete(address)
      this.#machines.set(address, machine)
      void this.#send(address, machine)
    }
    setTimeout(() => void this.#judge(asked), ANSWER_TIME).unref()
  }

  async #send(address: string, machine: Machine): Promise<void> {
    const isAllowed = await this.#options.resolveHost(address).then(
      () => true,
      () => false
    )
    if (this.#machines.get(address) !== machine) return
    if (!isAllowed) {
      machine.socket?.close()
      Object.assign(machine, { socket: undefined, isKnown: false, isWaiting: false, missed: 0 })
      return
    }
    machine.isWaiting = true
    if (machine.socket) return machine.socket.send('')
    const socket = createSocket('udp4').unref()
    machine.socket = socket
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') this.#handleAnswer(machine)
    })
    socket.connect(this.#options.port ?? PORT, address, () => socket.send(''))
  }

  #handleAnswer(machine: Machine): void {
    const before = answerOf(machine)
    Object.assign(machine, { isKnown: true, isWaiting: false, missed: 0 })
    if (before !== true) this.#announceChange()
  }

  /** Counts the datagrams that were not answered. */
  async #judge(asked: readonly (readonly [address: string, machine: Machine])[]): Promise<void> {
    const { readNeighbours = () => readFile('/proc/net/arp', 'utf8') } = this.#options
    const neighbours = await readNeighbours().catch(() => '')
    const unresolved = new Set([...neighbours.matchAll(UNRESOLVED)].map(([, address]) => address))
    let hasChanged = false
    for (const [address, machine] of asked) {
      if (!machine.isWaiting) continue
      const before = answerOf(machine)
      machine.isWaiting = false
      machine.missed++
      machine.isUnresolved = unresolved.has(address)
      hasChanged ||= answerOf(machine) !== before
    }
    if (hasChanged) this.#announceChange()
  }

  #announceChange(): void {
    for (const onChange of this.#watches.keys()) onChange()
  }
}

function answerOf(machine: Machine | undefined): boolean | undefined {
  if (!machine) return undefined
  if (machine.missed >= MISSED_MAX) return machine.isKnown || machine.isUnresolved ? false : undefined
  return machine.isKnown || undefined
}

/** The machine in the address of a source, `HOST:PORT`. */
export const machineOf = (address: string): string => address.split(':')[0] ?? ''
