// Revisions of the matrices. A user chooses sources and destinations by their indexes, which may be those of others
// after an edit.
import { STATE_CHANGED } from '../../contract/codes.ts'
import type { RouterResult } from './ndi-routers.ts'

export class MatrixRevisions {
  /**
   * Of the matrices that were not edited since the start. From the clock, so that no revision from before a restart is
   * used again.
   */
  readonly #first = Date.now()
  readonly #edited = new Map<number, number>()

  of(matrixId: number): number {
    return this.#edited.get(matrixId) ?? this.#first
  }

  increase(matrixId: number): void {
    this.#edited.set(matrixId, this.of(matrixId) + 1)
  }

  /** Refuses a change if the user saw another revision. @param revision default: any */
  findOutdated(matrixId: number, revision: number | undefined): RouterResult | undefined {
    return revision === undefined || revision === this.of(matrixId)
      ? undefined
      : { result: STATE_CHANGED, 'matrix-changed': true }
  }
}
