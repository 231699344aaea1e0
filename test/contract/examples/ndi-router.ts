// Valid requests of the calls for the NDI router.
import * as router from '../../../contract/ndi/router.ts'
import { examples } from './examples.ts'

const page = { start: 0, count: 10_000 }
const matrix = { name: 'Studio', machine: 'Studio', sources: [], destinations: [{}] }
const side = Array.from({ length: 64 }, (_, index) => index + 1)
const fullMatrix = {
  name: 'x'.repeat(64),
  machine: 'x'.repeat(40),
  sources: side.map((index) => ({ label: 'x'.repeat(64), name: `HALL (Cam ${index})` })),
  destinations: side.map(() => ({ label: 'x'.repeat(64) }))
}
const take = { destination: 1, source: 0 }
const fullTakes = side.map((destination) => ({ destination, source: 64 }))
const panel = { enable: true, port: 9990, 'allow-ip': ['192.0.2.0/24'], destinations: side }
examples(router.listMatrices, {}, { ...page, since: 1, mark: 'x' })
examples(router.addMatrix, matrix, fullMatrix)
examples(router.setMatrix, { id: 1 }, { id: 1, ...fullMatrix, panel, force: true })
examples(router.deleteMatrix, { id: 1 }, { id: 1, force: true })
examples(
  router.takeRoutes,
  { id: 1, takes: [take] },
  { id: 1, takes: fullTakes, override: true, at: 1_900_000_000, name: 'News', revision: 1_772_000_000_123 }
)
examples(
  router.lockDestination,
  { id: 1, destination: 1, locked: true },
  { id: 1, destination: 64, locked: false, override: true, revision: 1 }
)
examples(router.addSalvo, { id: 1, name: 'News', takes: [take] }, { id: 1, name: 'x'.repeat(64), takes: fullTakes })
examples(router.setSalvo, { id: 1, salvo: 1 }, { id: 1, salvo: 1, name: 'News', takes: fullTakes })
examples(router.deleteSalvo, { id: 1, salvo: 1 })
examples(router.takeSalvo, { id: 1, salvo: 1 }, { id: 1, salvo: 1, override: true, revision: 1 })
examples(router.undoTake, { id: 1 }, { id: 1, take: 1_772_000_000_123, override: true })
examples(router.deleteScheduledTake, { id: 1, scheduled: 1 })
