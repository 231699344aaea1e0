// The ports of all matrices for clients of the Videohub Ethernet Protocol, as their settings want them.
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import type { Matrix, PanelState } from '../../contract/ndi/router.ts'
import { createRateLimit } from '../../process-log/rate-limit.ts'
import { appendReason } from '../messages/reasons.ts'
import type { NdiRouters } from '../ndi/ndi-routers.ts'
import type { Store } from '../store/store.ts'
import { PanelPort } from './panel-port.ts'
import { PanelRates } from './panel-rates.ts'
import { VideohubServer } from './videohub-server.ts'

/** Lines a minute about refused clients: of one address, and of all. */
const REFUSALS_PER_MINUTE = { perAddress: 1, total: 10 }
const PROTOCOL_NAME = 'Videohub'

interface PanelServersOptions {
  routers: NdiRouters
  /** Whether changes are refused, because they would be lost. */
  refusesChanges(): boolean
  /** Address on which the ports listen. */
  host: string
  logEvent: Store['logEvent']
}

export class PanelServers {
  readonly #options: PanelServersOptions
  /** By ID of the matrix. */
  readonly #ports = new Map<number, PanelPort>()
  readonly #rates = new PanelRates()
  readonly #refusals = createRateLimit(REFUSALS_PER_MINUTE.perAddress, REFUSALS_PER_MINUTE.total)
  #stopListening: (() => void) | undefined

  constructor(options: PanelServersOptions) {
    this.#options = options
    options.routers.observePanels((id) => this.stateOf(id))
  }

  /** Opens the ports, and follows the settings of the matrices. */
  start(): void {
    const { routers } = this.#options
    this.#stopListening = routers.onChange((id) => this.#apply(id, routers.get(id)))
    for (const matrix of routers.list()) this.#apply(matrix.id, matrix)
  }

  stateOf(id: number): PanelState {
    const port = this.#ports.get(id)
    if (!port) return { state: 'off' }
    if (port.isOpen) return { state: 'listening', clients: port.server.clients }
    // Until the first attempt has ended, the port is not open, and nothing has failed.
    return port.reason === undefined ? { state: 'off' } : { state: 'failed', reason: port.reason }
  }

  /** The open ports. */
  ports(): number[] {
    return [...this.#ports.values()].flatMap(({ isOpen, port }) => (isOpen ? port : []))
  }

  async close(): Promise<void> {
    this.#stopListening?.()
    const ports = [...this.#ports.values()]
    this.#ports.clear()
    await Promise.all(ports.map((port) => port.close()))
  }

  /** Opens, moves or closes the port of a matrix, and sends its changes to the clients. */
  #apply(id: number, matrix: Matrix | undefined): void {
    const panel = matrix?.panel.enable ? matrix.panel : undefined
    const current = this.#ports.get(id)
    if (panel && current?.port === panel.port) {
      current.server.allow(panel['allow-ip'])
      current.server.update()
      return
    }
    this.#ports.delete(id)
    void current?.close()
    if (matrix && panel) this.#open(matrix)
    else if (current) this.#options.routers.panelChanged(id)
  }

  #open({ id, name, panel }: Matrix): void {
    const { routers, refusesChanges, host } = this.#options
    const server = new VideohubServer(
      {
        routers,
        refusesChanges,
        matrixId: id,
        uniqueId: uniqueIdOf(id),
        rates: this.#rates,
        host,
        onClients: () => routers.panelChanged(id),
        onRefused: (address) => this.#logRefusal(name, address)
      },
      panel['allow-ip']
    )
    const onChange = (port: PanelPort) => {
      this.#logPort(name, port)
      routers.panelChanged(id)
    }
    this.#ports.set(id, new PanelPort(panel.port, server, onChange))
  }

  /** Logs that a port failed, or that it opened after a failure. */
  #logPort(name: string, { port, isOpen, hasFailed, reason }: PanelPort): void {
    const detail = `${name}, ${PROTOCOL_NAME}`
    if (isOpen && hasFailed) this.#options.logEvent({ event: 'panel-port-opened', detail: `${detail}, ${port}` })
    if (!isOpen)
      this.#options.logEvent({ event: 'panel-port-failed', detail: appendReason(detail, reason), level: LOG_ERROR })
  }

  #logRefusal(name: string, address: string): void {
    if (this.#refusals.take(address) === 'drop') return
    const detail = appendReason(`${name}, ${PROTOCOL_NAME}, ${address}`, 'from-elsewhere')
    this.#options.logEvent({ event: 'caller-refused', detail, level: LOG_WARNING })
  }
}

/** 12 hexadecimal digits that identify a matrix of this hub to clients, as the hardware address of a router does. */
const uniqueIdOf = (id: number) =>
  createHash('sha256').update(`videohub ${hostname()} ${id}`).digest('hex').slice(0, 12).toUpperCase()
