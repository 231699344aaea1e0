// The matrices of the NDI router as the engine has to run them.
import { destinationName } from '../../contract/ndi-name-length.ts'
import type { WantedMatrix } from '../../engine/interfaces/router.ts'
import type { Matrices } from '../store/matrices.ts'
import { sourceNameAt } from './matrix-view.ts'

export function wantedMatrices({ matrices }: { matrices: Matrices }): WantedMatrix[] {
  return matrices.all().map((matrix) => ({
    id: matrix.id,
    name: matrix.name,
    sources: matrix.sources.map(({ name }) => name),
    destinations: matrix.destinations.map(({ position, source }) => ({
      destination: position,
      name: destinationName(matrix.machine, position),
      source: sourceNameAt(matrix, source)
    }))
  }))
}
