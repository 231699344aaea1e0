// A matrix as one client of the Videohub Ethernet Protocol may use it: carries out its requests with the rights of its
// address.
import { SUCCESS } from '../../contract/codes.ts'
import type { Matrix, MatrixDestination } from '../../contract/ndi/router.ts'
import { matrixLabel } from '../../contract/rules/matrix.ts'
import type { NdiRouters, RouterActor, RouterResult } from '../ndi/ndi-routers.ts'
import { type LockRequest, takesOf, type VideohubRequest } from './request.ts'
import { noneInputOf, type RouterStatus, statusOf } from './router-status.ts'

/** Begins the name under which clients take routes and lock destinations. Their address follows. */
const ACTOR_PREFIX = 'Videohub '

export type PanelRouters = Pick<NdiRouters, 'take' | 'setLock' | 'setLabels' | 'setName' | 'setTakeMode'>

interface PanelRouterOptions {
  routers: PanelRouters
  matrixId: number
  /** The matrix after its last change; undefined when it was deleted. */
  matrix(): Matrix | undefined
  /** Identifies the matrix to clients. */
  uniqueId: string
  /** IP address of the client. */
  address: string
  /** Whether changes are refused, because they would be lost. */
  refusesChanges(): boolean
}

export class PanelRouter {
  readonly #options: PanelRouterOptions
  readonly #actor: RouterActor

  constructor(options: PanelRouterOptions) {
    this.#options = options
    this.#actor = { name: ACTOR_PREFIX + options.address, address: options.address, isAdmin: false, isPanel: true }
  }

  /** Undefined when the matrix was deleted. */
  status(): RouterStatus | undefined {
    const matrix = this.#options.matrix()
    return matrix && statusOf(matrix, this.#actor.name, this.#options.uniqueId)
  }

  /** Carries out a whole request, or none of it. Returns whether it was. */
  async execute(request: Exclude<VideohubRequest, { kind: 'ping' | 'status' }>): Promise<boolean> {
    const matrix = this.#options.matrix()
    if (!matrix || this.#options.refusesChanges()) return false
    switch (request.kind) {
      case 'route':
        return this.#route(matrix, request.routes)
      case 'lock':
        return this.#lock(matrix, request.locks)
      case 'label':
        return this.#label(matrix, request.side, request.labels)
      case 'name':
        return this.#setForAll(matrix, ({ routers, matrixId }) => routers.setName(matrixId, request.name, this.#actor))
      case 'configuration':
        return this.#setForAll(matrix, ({ routers, matrixId }) =>
          routers.setTakeMode(matrixId, request.takeMode, this.#actor)
        )
    }
  }

  async #route(matrix: Matrix, routes: ReadonlyMap<number, number>): Promise<boolean> {
    const takes = takesOf(routes, noneInputOf(matrix))
    const isPossible = takes.every(({ destination, source }) => {
      const current = findOwn(matrix, destination)
      return current && source <= matrix.sources.length
    })
    if (!isPossible) return false
    // A client that repeats a route makes no take, which would add a line to the operation log.
    const changes = takes.filter(({ destination, source }) => findOwn(matrix, destination)?.source !== source)
    if (changes.length === 0) return true
    const { routers, matrixId } = this.#options
    return isDone(await routers.take(matrixId, changes, this.#actor))
  }

  #lock(matrix: Matrix, locks: ReadonlyMap<number, LockRequest>): boolean {
    const requests = [...locks].map(([output, lock]) => ({ destination: findOwn(matrix, output + 1), lock }))
    const isPossible = requests.every(
      ({ destination, lock }) =>
        destination && (!this.#isLockedByOther(destination) || (lock === 'F' && isLockedByPanel(destination)))
    )
    if (!isPossible) return false
    const { routers, matrixId } = this.#options
    return requests.every(({ destination, lock }) => {
      const isLocked = destination?.['locked-by'] !== undefined
      if (!destination || isLocked === (lock === 'O')) return true
      // One client may override the lock of another one; the locks of users only an administrator may override, who is
      // none of them.
      const override = this.#isLockedByOther(destination)
      const actor = override ? { ...this.#actor, isAdmin: true } : this.#actor
      return isDone(routers.setLock(matrixId, destination.index, lock === 'O', actor, { override }))
    })
  }

  #label(matrix: Matrix, side: 'sources' | 'destinations', labels: ReadonlyMap<number, string>): boolean {
    // The labels of sources concern all destinations.
    if (side === 'sources' && matrix.panel.destinations.length > 0) return false
    const isPossible = [...labels].every(([port, label]) => {
      const isOwn = side === 'sources' ? port < matrix.sources.length : findOwn(matrix, port + 1) !== undefined
      return isOwn && matrixLabel(label) === undefined
    })
    if (!isPossible) return false
    const changes = new Map([...labels].map(([port, label]) => [port + 1, label]))
    const { routers, matrixId } = this.#options
    return isDone(routers.setLabels(matrixId, { [side]: changes }, this.#actor))
  }

  /** Changes something that concerns all destinations, if clients may switch all. */
  #setForAll({ panel }: Matrix, set: (options: PanelRouterOptions) => RouterResult): boolean {
    return panel.destinations.length === 0 && isDone(set(this.#options))
  }

  #isLockedByOther(destination: MatrixDestination): boolean {
    const holder = destination['locked-by']
    return holder !== undefined && holder !== this.#actor.name
  }
}

/** A destination that clients may change. */
function findOwn({ destinations, panel }: Matrix, index: number): MatrixDestination | undefined {
  if (panel.destinations.length > 0 && !panel.destinations.includes(index)) return undefined
  return destinations.find((destination) => destination.index === index)
}

const isLockedByPanel = (destination: MatrixDestination) => destination['locked-by']?.startsWith(ACTOR_PREFIX) ?? false

const isDone = ({ result }: RouterResult) => result === SUCCESS
