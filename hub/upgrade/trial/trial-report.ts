// What a hub on trial reports of its channels, and what is expected of the release that replaces a hub.
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Store } from '../../store/store.ts'
import type { Trial } from './trial-files.ts'
import type { TrialReport } from './trial-link.ts'

interface ReportParts {
  store: Store
  engine: EngineClient
}

const isCarrying = ({ engine }: ReportParts, id: number) => engine.observe(id).connState === CONNECTION_STATE.connected

/** The channels that carry a stream. */
export function channelsOnAir(parts: ReportParts): Trial['channels'] {
  const channels = parts.store.channels.all().filter(({ id }) => isCarrying(parts, id))
  return channels.map(({ id, name }) => ({ id, name }))
}

/** The channels that are to run, and those that carry a stream. */
export function readTrialReport(parts: ReportParts): TrialReport {
  const enabled = parts.store.channels.all().filter(({ enable }) => enable === 1)
  const wanted = enabled.map(({ id }) => id)
  return { wanted, carrying: wanted.filter((id) => isCarrying(parts, id)) }
}
